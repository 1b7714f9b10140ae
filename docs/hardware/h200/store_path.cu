// What a store costs the path that it shares with loads: cycles of a turn of all warps of an SM, of loads that hit L1 or shared memory, with stores between them and without.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o store_path store_path.cu && ./store_path
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
// LOAD: 0 none, 1 a line, 32 lines, 33 shared memory without conflicts, 34 shared memory, 8 ways; STORE: 0 none, 1 a whole line, 2 a lone word, 3 a word in each of 8 lines, 4 a word in each of 32 lines, 5 a whole line that moves on
template <int LOAD, int LOADS, int STORE> __global__ void mix(char* data, char* to, u32* out, int turns) {
  __shared__ u32 room[8192];
  u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5, x = 0;
  char* from = data + (LOAD == 1 ? lane * 4 + warp * 128 : lane * 256);
  char* a = to + (size_t)blockIdx.x * (1 << 20) + warp * 32768 + (STORE == 1 || STORE == 5 ? lane * 4 : STORE == 3 ? (lane >> 2) * 128 + (lane & 3) * 32 : lane * 128);
  u32 s = (u32)__cvta_generic_to_shared(room) + (LOAD == 34 ? lane * 32 : lane * 4) % 32768;
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) room[i] = i;
  u32 begin = 0, v = 0;
  for (int t = -8; t < turns; t++) {
    if (t == 0) { __syncthreads(); asm volatile("mov.u32 %0, %%clock;" : "=r"(begin) :: "memory"); }
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
      if (LOAD == 1 || LOAD == 32) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(from + k * 4) : "memory");
      if (LOAD >= 33) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(s) : "memory");
      x += v;
    }
    char* b = STORE == 5 ? a + (t & 127) * 128 : a;
    if (STORE == 2 ? lane == 0 : STORE != 0) asm volatile("st.global.u32 [%0], %1;" :: "l"(b), "r"(t) : "memory");
  }
  __syncthreads();
  u32 end; asm volatile("mov.u32 %0, %%clock;" : "=r"(end) :: "memory");
  if (x == 0x12345) out[1] = x;
  if (threadIdx.x == 0) out[blockIdx.x * 2] = end - begin;
}
template <int LOAD, int LOADS, int STORE> void one(char* data, u32* out) {
  for (int blocks : {1, 132}) for (int warps : {8, 32}) {
    int turns = 200;
    mix<LOAD, LOADS, STORE><<<blocks, warps * 32>>>(data, data + (64 << 20), out, turns);
    CHECK(cudaDeviceSynchronize());
    printf("%d,%d,%d,%d,%d,%.2f\n", LOAD, LOADS, STORE, blocks, warps, out[0] / (double)turns / warps);
  }
}
template <int LOAD, int LOADS> void all(char* data, u32* out) {
  one<LOAD, LOADS, 0>(data, out); one<LOAD, LOADS, 1>(data, out); one<LOAD, LOADS, 2>(data, out); one<LOAD, LOADS, 3>(data, out); one<LOAD, LOADS, 4>(data, out); one<LOAD, LOADS, 5>(data, out);
}
int main() {
  char* data; u32* out;
  CHECK(cudaMalloc(&data, 256 << 20)); CHECK(cudaMemset(data, 0, 256 << 20)); CHECK(cudaMallocManaged(&out, 1 << 16));
  printf("load,loads,store,blocks,warps,cycles per turn and warp\n");
  all<0, 0>(data, out); all<1, 1>(data, out); all<1, 4>(data, out); all<1, 8>(data, out); all<32, 1>(data, out); all<32, 2>(data, out); all<33, 4>(data, out); all<33, 16>(data, out); all<34, 4>(data, out);
}
