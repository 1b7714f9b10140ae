// A warp whose lanes each store a row of words, one word after the other, and then read it: cycles of each read. Stores of 32 lines that follow each other closely leave little of the rows in L1 (joined_stores.cu).
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o stored_rows stored_rows.cu && ./stored_rows
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
__device__ __forceinline__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
__global__ void rows(char* p, int stride, int words, int gap, int wait, u32* out) {
  __shared__ u32 took[128];
  char* row = p + threadIdx.x * stride;
  for (int k = 0; k < words; k++) {
    asm volatile("st.global.u32 [%0], %1;" :: "l"(row + 4 * k), "r"(0) : "memory");
    for (u32 t = now(); now() - t < (u32)gap;) {}
  }
  for (u32 t = now(); now() - t < (u32)wait;) {}
  u32 x = 0;
  for (int k = 0; k < words; k++) {
    u32 v, begin = now();
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(row + 4 * k + x) : "memory");
    x += v;
    asm volatile("" : "+r"(x));
    u32 end = now() + x;
    if (threadIdx.x == 0) took[k] = end - begin;
  }
  for (int k = threadIdx.x; k < words; k += 32) out[k] = took[k];
}
__global__ void touch(u32* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = 0; }
int main() {
  char* data; u32* out; CHECK(cudaMalloc(&data, 64 << 20)); CHECK(cudaMallocManaged(&out, 4096));
  printf("stride,gap,wait,cycles of each read\n");
  for (int stride : {4732, 4736, 364}) for (int gap : {0, 20, 40, 60, 80, 100, 150}) for (int wait : {0, 3000}) {
    touch<<<132, 256>>>((u32*)data, 8 << 20); CHECK(cudaDeviceSynchronize());
    rows<<<1, 32>>>(data, stride, 91, gap, wait, out); CHECK(cudaDeviceSynchronize());
    printf("%d,%d,%d,", stride, gap, wait); for (int k = 0; k < 91; k++) printf(" %u", out[k]); printf("\n");
  }
}
