// How long a warp waits for a load by the lines it touches, and by how many of them L1 does not have: cycles from the load to the use of its value, one warp.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o lines_latency lines_latency.cu && ./lines_latency
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
__device__ __forceinline__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
// Lanes below `missing` read lines that nobody read before, the others lines that were read; `before`: a load of as many lines right before it; `stored`: all lines were stored by this warp instead of read.
__global__ void loads(char* warm, char* fresh, int lines, int missing, int stride, int before, int stored, int rounds, u32* out) {
  int lane = threadIdx.x, mine = lane % lines;
  u32 x = 0, v;
  char* a = warm + mine * stride + (lane / lines) % 32 * 4;
  if (stored) { for (int k = 0; k < 32; k++) { asm volatile("st.global.u32 [%0], %1;" :: "l"(warm + mine * stride + k * 4), "r"(0) : "memory"); for (u32 t = now(); now() - t < 200;) {} } }
  else for (int k = 0; k < 32; k += 8) { asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(warm + mine * stride + k * 4) : "memory"); x += v; }
  for (u32 t = now(); now() - t < 3000 + (x & 1);) {}
  for (int r = 0; r < rounds; r++) {
    char* b = mine < missing ? fresh + ((size_t)r * 32 + mine) * 128 + lane / lines * 4 : a + (x & 1);
    asm volatile("" : "+l"(b));
    for (u32 t = now(); now() - t < 1000;) {}
    u32 w = 0, begin = now();
    if (before) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(w) : "l"(a) : "memory");
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(b) : "memory");
    x += v;
    asm volatile("" : "+r"(x));
    u32 end = now() + (x & 1);
    x += w;
    if (lane == 0) out[r] = end - begin;
  }
}
__global__ void touch(u32* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = 0; }
int main() {
  char* data; u32* out; CHECK(cudaMalloc(&data, 64 << 20)); CHECK(cudaMallocManaged(&out, 4096));
  printf("lines,missing,stride,before,stored,p10,p50,p90\n");
  for (int stored : {0, 1}) for (int before : {0, 1}) for (int stride : {128, 4736}) for (int lines : {1, 2, 4, 8, 16, 32}) for (int missing : {0, 1, 2, 4, 8, 16, 32}) {
    if (missing > lines || (stored && missing)) continue;
    touch<<<132, 256>>>((u32*)data, 8 << 20); CHECK(cudaDeviceSynchronize());
    const int rounds = 64;
    loads<<<1, 32>>>(data, data + (8 << 20), lines, missing, stride, before, stored, rounds, out); CHECK(cudaDeviceSynchronize());
    std::vector<u32> t(out + 2, out + rounds); std::sort(t.begin(), t.end());
    printf("%d,%d,%d,%d,%d,%u,%u,%u\n", lines, missing, stride, before, stored, t[t.size() / 10], t[t.size() / 2], t[t.size() * 9 / 10]);
  }
}
