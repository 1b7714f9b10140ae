// Heat on a plate: tiles in shared memory, two buffers, a copy between them, a residual per step.
#include "common.h"
__global__ void heat(const float *a, float *b, int width, int height) {
  __shared__ float tile[18][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 34; i += 32) {
      int u = min(max((int)blockIdx.x * 32 + i - 1, 0), width - 1), v = min(max((int)blockIdx.y * 16 + j - 1, 0), height - 1);
      tile[j][i] = a[v * width + u];
    }
  __syncthreads();
  int i = threadIdx.x + 1, j = threadIdx.y + 1;
  b[y * width + x] = 0.5f * tile[j][i] + 0.125f * (tile[j - 1][i] + tile[j + 1][i] + tile[j][i - 1] + tile[j][i + 1]);
}
__global__ void residual(const float *a, const float *b, float *rows, int width) {
  float sum = 0;
  for (int x = threadIdx.x; x < width; x += 32) sum += fabsf(a[blockIdx.x * width + x] - b[blockIdx.x * width + x]);
  for (int step = 16; step > 0; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) rows[blockIdx.x] = sum;
}
int main() {
  const int width = 512, height = 256;
  float *a = device(random_floats(10, width * height)), *b = zeros<float>(width * height), *rows = zeros<float>(height);
  for (int s = 0; s < 4; s++) {
    heat<<<dim3(width / 32, height / 16), dim3(32, 16)>>>(a, b, width, height);
    residual<<<height, 32>>>(a, b, rows, width);
    CHECK(cudaMemcpyAsync(a, b, width * height * 4, cudaMemcpyDeviceToDevice));
  }
  CHECK(cudaDeviceSynchronize());
  print("rows", rows, height);
}
