// Heat in a chip: a stencil with sources, in tiles with a border.
#include "../check.h"

const int TILE = 16;

__global__ void heat(const float *from, const float *power, float *to, int n) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int ty = threadIdx.y; ty < TILE + 2; ty += TILE)
    for (int tx = threadIdx.x; tx < TILE + 2; tx += TILE) {
      int sx = min(max(static_cast<int>(blockIdx.x) * TILE + tx - 1, 0), n - 1);
      int sy = min(max(static_cast<int>(blockIdx.y) * TILE + ty - 1, 0), n - 1);
      tile[ty][tx] = from[sy * n + sx];
    }
  __syncthreads();
  if (x >= n || y >= n) return;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  float centre = tile[ty][tx];
  to[y * n + x] = centre + 0.1f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] - 4.0f * centre) +
                  0.05f * power[y * n + x];
}

int main() {
  const int n = 72, rounds = 4;
  Random random(23);
  std::vector<float> t(n * n), power(n * n);
  for (auto &v : t) v = 300 + 20 * random.unit();
  for (auto &v : power) v = random.unit();
  Device<float> a(t), b(n * n), p(power);
  for (int r = 0; r < rounds; r++)
    heat<<<dim3(blocks(n, TILE), blocks(n, TILE)), dim3(TILE, TILE)>>>(r % 2 == 0 ? a.data : b.data, p.data,
                                                                       r % 2 == 0 ? b.data : a.data, n);
  std::vector<float> found = a.get();
  std::vector<double> old(t.begin(), t.end()), next(n * n);
  auto at = [&](int y, int x) { return old[std::min(std::max(y, 0), n - 1) * n + std::min(std::max(x, 0), n - 1)]; };
  for (int r = 0; r < rounds; r++) {
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        next[y * n + x] = at(y, x) + 0.1 * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1) - 4 * at(y, x)) +
                          0.05 * power[y * n + x];
    old = next;
  }
  for (int i = 0; i < n * n; i++) expect_near(found[i], old[i], 1e-5, "t", i);
  std::puts("hotspot: right");
}
