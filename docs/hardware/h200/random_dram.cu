// Sectors of device memory in a random and in an even order: what reads, whole writes, writes of a word, and
// reads beside writes reach over regions larger than L2, and partial writes of a region that L2 does not have yet.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o random_dram random_dram.cu && ./random_dram
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
typedef unsigned long long u64;
enum { READ, WHOLE, WORD, COPY };
__device__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
template <int KIND> __global__ void touch(u32* p, int n, u32 mask, int even) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, sum = 0;
  // Eight neighbouring lanes move a whole sector, one lane a word of one.
  u32 per = KIND == WORD ? 1 : 8, i0 = t / per, step = all / per;
#pragma unroll 4
  for (int i = 0; i < n; i++) {
    u32 k = i0 + i * step, s = (even ? k * 2654435761u : mix(k)) & mask;
    u32* a = p + (u64)s * 8 + (KIND == WORD ? 0 : t % 8);
    if (KIND == READ) sum += __ldcg(a);
    else if (KIND == COPY) { u32 v = __ldcg(a); u32 s2 = (even ? (k + 0x40000000u) * 2654435761u : mix(~k)) & mask; __stcg(p + (u64)s2 * 8 + t % 8, v + t); }
    else __stcg(a, t);
  }
  if (sum == 0x12345678) p[0] = sum;
}
__global__ void fill(u32* p, u64 n) { for (u64 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) p[i] = i; }
int main() {
  u32 *p, *other; CHECK(cudaMalloc(&p, 4ull << 30)); CHECK(cudaMalloc(&other, 512ull << 20)); CHECK(cudaMemset(p, 0, 4ull << 30));
  cudaEvent_t a, b; CHECK(cudaEventCreate(&a)); CHECK(cudaEventCreate(&b));
  printf("what,order,MB,sectors,us,sectors_per_cycle_at_1980MHz\n");
  auto time = [&](const char* name, auto kernel, int even, int bits, int n, int per) {
    float best = 1e9;
    for (int r = 0; r < 3; r++) {
      fill<<<528, 512>>>(other, (512ull << 20) / 4); // L2 has something else
      fill<<<528, 512>>>(other, (512ull << 20) / 4);
      CHECK(cudaEventRecord(a)); kernel<<<264, 1024>>>(p, n, (1u << bits) - 1, even); CHECK(cudaEventRecord(b)); CHECK(cudaEventSynchronize(b));
      float ms; CHECK(cudaEventElapsedTime(&ms, a, b)); if (ms < best) best = ms;
    }
    double sectors = 264.0 * 1024 * n / per;
    printf("%s,%s,%d,%.0f,%.2f,%.2f\n", name, even ? "even" : "random", (int)((32ull << bits) >> 20), sectors, best * 1e3, sectors / (best * 1e-3 * 1.98e9));
  };
  for (int even : {0, 1}) {
    for (int bits : {22, 25, 26, 27}) for (int n : {64, 256}) { time("read", touch<READ>, even, bits, n, 8); time("whole sectors written", touch<WHOLE>, even, bits, n, 8); time("sectors read and others written", touch<COPY>, even, bits, n, 8); time("words written", touch<WORD>, even, bits, n / 8, 1); }
    for (int bits : {18, 19, 20, 21}) for (int n : {1, 2, 3, 4, 6, 8, 12, 16}) { time("words written", touch<WORD>, even, bits, n, 1); time("whole sectors written", touch<WHOLE>, even, bits, n, 8); }
  }
}
