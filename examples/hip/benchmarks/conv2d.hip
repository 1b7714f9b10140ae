// A convolution: filter in constant memory, image in tiles.
#include "../check.h"

const int RADIUS = 2, SIZE = 2 * RADIUS + 1, TILE = 16;
__constant__ float filter[SIZE][SIZE];

__global__ void convolve(const float *in, float *out, int width, int height) {
  __shared__ float tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
  int left = blockIdx.x * TILE - RADIUS, top = blockIdx.y * TILE - RADIUS;
  for (int ty = threadIdx.y; ty < TILE + 2 * RADIUS; ty += TILE)
    for (int tx = threadIdx.x; tx < TILE + 2 * RADIUS; tx += TILE) {
      int x = left + tx, y = top + ty;
      tile[ty][tx] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
  __syncthreads();
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int fy = 0; fy < SIZE; fy++)
    for (int fx = 0; fx < SIZE; fx++) sum += filter[fy][fx] * tile[threadIdx.y + fy][threadIdx.x + fx];
  out[y * width + x] = sum;
}

int main() {
  const int width = 90, height = 50;
  Random random(47);
  float weights[SIZE][SIZE];
  for (auto &row : weights)
    for (auto &w : row) w = random.unit() - 0.4f;
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(filter), weights, sizeof weights));
  std::vector<float> in(width * height);
  for (auto &v : in) v = random.unit();
  Device<float> din(in), dout(width * height);
  convolve<<<dim3(blocks(width, TILE), blocks(height, TILE)), dim3(TILE, TILE)>>>(din.data, dout.data, width, height);
  std::vector<float> out = dout.get();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double sum = 0;
      for (int fy = -RADIUS; fy <= RADIUS; fy++)
        for (int fx = -RADIUS; fx <= RADIUS; fx++)
          if (x + fx >= 0 && x + fx < width && y + fy >= 0 && y + fy < height)
            sum += weights[fy + RADIUS][fx + RADIUS] * in[(y + fy) * width + x + fx];
      expect_near(out[y * width + x], sum, 1e-5, "out", y * width + x);
    }
  std::puts("conv2d: right");
}
