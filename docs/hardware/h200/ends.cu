// What a kernel's end waits for: stores in flight, near and far lines, by how long ago the last store was. Captured with times (starts.cu says how).
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define OK(call) do { cudaError_t failed = (call); if (failed != cudaSuccess) { fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(failed)); exit(1); } } while (0)
// Stores of 16 bytes a thread, then arithmetic.
__global__ void stores(int4 *a, int count, int rounds, int *never) {
  int4 *p = a + blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = 0; k < count; k++) p[k * step] = make_int4(k, k, k, k);
  float x = threadIdx.x;
#pragma unroll 4
  for (int r = 0; r < rounds; r++) x = fmaf(x, 0.5f, 1.0f);
  if (x < -1.0f) *never = 1;
}
__global__ void where(int *a) { int sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); a[threadIdx.x] = sm; }
__global__ void reads(const int *a, int *never) { if (a[threadIdx.x] < -1) *never = 1; }
int main() {
  cudaStream_t s; OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  const size_t bytes = 16 << 20;
  int4 *a; OK(cudaMalloc(&a, bytes)); OK(cudaMemset(a, 0, bytes)); int *never = (int *)a + bytes / 4 - 1;
  OK(cudaDeviceSynchronize());
  for (int sync = 0; sync < 2; sync++)
    for (int blocks : {1, 2, 4, 8, 16, 32, 64, 128, 264}) for (int count : {0, 1, 2, 4, 8}) for (int i = 0; i < 3; i++) {
      stores<<<blocks, 128, 0, s>>>(a, count, 0, never);
      if (sync) OK(cudaStreamSynchronize(s));
    }
  for (int blocks : {1, 64}) for (int count : {0, 1, 8}) for (int rounds = 0; rounds <= 300; rounds += 20) for (int i = 0; i < 3; i++) stores<<<blocks, 128, 0, s>>>(a, count, rounds, never);
  for (int line = 0; line < 64; line++) for (int i = 0; i < 2; i++) where<<<1, 32, 0, s>>>((int *)a + line * 32);
  for (int line = 0; line < 64; line++) where<<<1, 32, 0, s>>>((int *)a + line * 1024);
  for (int line = 0; line < 64; line++) reads<<<1, 32, 0, s>>>((int *)a + line * 32, never);
  OK(cudaDeviceSynchronize());
}
