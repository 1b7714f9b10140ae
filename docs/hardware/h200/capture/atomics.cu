// Histograms in shared and global memory, compare-and-swap, atomics on floats.
#include "common.h"
__global__ void histogram(const int *in, int *bins, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[in[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void largest(const float *in, float *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int *place = (int *)most, old = *place, assumed;
  while (__int_as_float(old) < in[i]) {
    assumed = old;
    old = atomicCAS(place, assumed, __float_as_int(in[i]));
    if (old == assumed) break;
  }
}
__global__ void sum(const float *in, float *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[i & 31], in[i]);
}
__global__ void extremes(const int *in, int *out, unsigned long long *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(out, in[i]), atomicMax(out + 1, in[i]), atomicXor(out + 2, in[i]), atomicOr(out + 3, in[i]);
  atomicAdd(wide, (unsigned long long)in[i] << 20);
  atomicInc((unsigned *)out + 4, 1000);
}
int main() {
  const int n = 1 << 16;
  int *in = device(random_ints(8, n, 256)), *bins = zeros<int>(256), *out = zeros<int>(8);
  float *values = device(random_floats(9, n)), *most = zeros<float>(1), *sums = zeros<float>(32);
  auto *wide = zeros<unsigned long long>(1);
  histogram<<<64, 256>>>(in, bins, n);
  largest<<<n / 256, 256>>>(values, most, n);
  sum<<<n / 256, 256>>>(values, sums, n);
  extremes<<<n / 256, 256>>>(in, out, wide, n);
  CHECK(cudaDeviceSynchronize());
  print("bins", bins, 256);
  print("most", most, 1);
  print("out", out, 8);
}
