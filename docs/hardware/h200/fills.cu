// What lines that arrive from L2 take of the path that loads which hit L1 need: cycles of 32 warps on one SM that read `hits` words in L1 for each load that misses it.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o fills fills.cu && ./fills
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
__device__ __forceinline__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
__device__ __forceinline__ u32 load(const char* a) { u32 x; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(a) : "memory"); return x; }
__shared__ volatile u32 used[1024];
// modes of 10 and more: the same again at once, while it is on its way; of 30 and more, three times more.
// mode 0: no miss; 1: a line; 2: a sector; 3: a sector of each of four lines; 4: of each of eight; 5: 32; 6: a load of four whole lines (16 bytes a lane); 7: of 32 lines, a word each, whose banks differ
template<int KIND, int HITS> __global__ void fills(const char* warm, const char* fresh, int none, int rounds, u32* out) {
  constexpr int MODE = KIND % 10, TIMES = 1 + KIND / 10;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const char* h = warm + lane * 4;
  u32 x = 0;
#pragma unroll
  for (int k = 0; k < HITS; k++) x += load(h + 128 * k);
  const int lines = MODE == 3 ? 4 : MODE == 4 ? 8 : MODE == 5 || MODE == 7 ? 32 : MODE == 6 ? 4 : 1;
  const char* m = fresh + (size_t)warp * lines * 128 + (MODE == 1 ? lane * 4 : MODE == 2 ? lane % 8 * 4 : MODE == 6 ? lane * 16 : lane % lines * 128 + (MODE == 7 ? lane * 4 : lane / lines * 4));
  __syncthreads();
  u32 t = now();
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    u32 y = 0;
#pragma unroll
    for (int again = 0; again < TIMES; again++) if (MODE == 6) { u32 a, b, c, d; asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(m) : "memory"); y += a + b + c + d; m += none; }
    else if (MODE) { y += load(m); m += none; }
    m += (size_t)32 * lines * 128; h += none;
#pragma unroll
    for (int k = 0; k < HITS; k++) { x += load(h + 128 * k); }
    x += y;
  }
  used[threadIdx.x] = x;
  __syncthreads();
  t = now() - t;
  if (threadIdx.x == 0) out[0] = t;
}
__global__ void touch(u32* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = 0; }
char* data; u32* out;
template<int MODE, int HITS> void one() {
  const int rounds = 48; u32 best = ~0u;
  for (int k = 0; k < 3; k++) {
    touch<<<132, 256>>>((u32*)data, 4 << 20); CHECK(cudaDeviceSynchronize());
    fills<MODE, HITS><<<1, 1024>>>(data, data + (1 << 20), 0, rounds, out); CHECK(cudaDeviceSynchronize());
    best = std::min(best, out[0]);
  }
  printf("%d,%d,%.2f\n", MODE, HITS, best / (32.0 * rounds));
}
template<int HITS> void all() { one<11, HITS>(); one<12, HITS>(); one<14, HITS>(); one<16, HITS>(); one<17, HITS>(); one<31, HITS>(); one<34, HITS>(); one<0, HITS>(); one<1, HITS>(); one<2, HITS>(); one<3, HITS>(); one<4, HITS>(); one<5, HITS>(); one<6, HITS>(); one<7, HITS>(); }
int main() {
  CHECK(cudaMalloc(&data, 64 << 20)); CHECK(cudaMallocManaged(&out, 4096));
  printf("mode,hits,cycles per round and warp\n");
  all<4>(); all<8>(); all<16>(); all<32>(); 
}
