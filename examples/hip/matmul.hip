// A product of matrices, tile by tile.
#include "check.h"

const int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / TILE; t++) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 64;
  Random random(11);
  std::vector<float> a(n * n), b(n * n);
  for (auto &v : a) v = random.unit() - 0.5f;
  for (auto &v : b) v = random.unit() - 0.5f;
  Device<float> da(a), db(b), dc(n * n);
  multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da.data, db.data, dc.data, n);
  std::vector<float> c = dc.get();
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += static_cast<double>(a[y * n + k]) * b[k * n + x];
      expect_near(c[y * n + x], sum, 1e-5, "c", y * n + x);
    }
  std::puts("matmul: right");
}
