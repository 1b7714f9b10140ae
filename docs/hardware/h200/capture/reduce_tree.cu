// Three kernels that hand on through memory, a __device__ variable, a __constant__ table.
#include "common.h"
__constant__ float weights[64];
__device__ float total;
__global__ void scale(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * weights[i & 63];
}
__global__ void partial(const float *in, float *sums, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step >>= 1) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
__global__ void finish(const float *sums, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += sums[i];
  for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) total = sum;
}
int main() {
  const int n = 1 << 18;
  auto table = random_floats(2, 64);
  CHECK(cudaMemcpyToSymbol(weights, table.data(), sizeof(weights)));
  float *in = device(random_floats(1, n)), *out = zeros<float>(n), *sums = zeros<float>(264);
  scale<<<n / 256, 256>>>(in, out, n);
  partial<<<264, 256>>>(out, sums, n);
  finish<<<1, 32>>>(sums, 264);
  float result;
  CHECK(cudaMemcpyFromSymbol(&result, total, 4));
  printf("total %a\n", result);
}
