// How SMs that all want the same path share it: what each SM got done in a fixed time, and when each ended equal work.
// SMs are named by their GPC (found by clusters of 16 blocks) and number.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o fairness fairness.cu && ./fairness
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
enum { SCATTERED_WORDS, OWN_LINES_WORD, WHOLE_LINES, ADDS, ADDS_FEW, SCATTERED_LOADS, LINE_LOADS, DRAM_LOADS, DRAM_STORES, LOAD_STORE, KINDS };
static const char* names[] = {"scattered words stored", "words of own lines stored", "whole lines stored", "adds to 16 MB", "adds to 16 KB", "scattered loads", "loads of lines", "loads of lines from device memory", "lines stored to device memory", "load and store of words of own lines"};
__device__ unsigned smid() { unsigned s; asm volatile("mov.u32 %0, %smid;" : "=r"(s)); return s; }
__device__ unsigned now() { unsigned c; asm volatile("mov.u32 %0, %clock;" : "=r"(c) :: "memory"); return c; }
__device__ unsigned mix(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
template <int KIND> __device__ float turn(float* p, unsigned t, unsigned w, unsigned lane, unsigned i, unsigned n) {
  const unsigned M = (16u << 20) / 4 - 1;
  size_t far = ((size_t)(i * n + w) * 32 + lane) * 4 & ((1ull << 28) - 1);
  switch (KIND) {
    case SCATTERED_WORDS: __stcg(p + (mix(t * 65537u + i) & M), 1.f); return 0;
    case OWN_LINES_WORD: __stcg(p + w * 2048 + ((lane * 3 + i * 7) & 63) * 32 + lane, 1.f); return 0;
    case WHOLE_LINES: __stcg(p + w * 2048 + (i & 63) * 32 + lane, 1.f); return 0;
    case ADDS: atomicAdd(p + (mix(t * 65537u + i) & M), 1.f); return 0;
    case ADDS_FEW: atomicAdd(p + (mix(t * 65537u + i) & 4095), 1.f); return 0;
    case SCATTERED_LOADS: return __ldcg(p + (mix(t * 65537u + i) & M));
    case LINE_LOADS: { float4 v = __ldcg((float4*)p + (mix(w * 65537u + i) & 32767) * 32 + lane); return v.x; }
    case DRAM_LOADS: { float4 v = __ldcg((float4*)(p + far)); return v.x; }
    case DRAM_STORES: __stcg((float4*)(p + far), float4{1, 2, 3, 4}); return 0;
    default: { int k = (lane * 3 + i * 7) & 63; float* a = p + w * 2048 + lane; __stcg(a + k * 32, __ldcg(a + ((k + 1) & 63) * 32) * 1.01f + i); return 0; }
  }
}
template <int KIND> __global__ void share(float* p, const char* active, unsigned* count, unsigned* cycles, int most, unsigned limit) {
  extern __shared__ char unused[];
  unsigned sm = smid();
  if (!active[sm]) return;
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, w = t / 32, lane = t & 31, n = gridDim.x * blockDim.x / 32, i = 0;
  float s = 0;
  __syncthreads();
  unsigned begin = now();
  while (i < most && now() - begin < limit) { for (int k = 0; k < 4; k++) s += turn<KIND>(p, t, w, lane, i + k, n); i += 4; }
  if (s == 12345.678f) p[0] = s;
  __threadfence();
  __syncthreads();
  unsigned end = now();
  if (!lane) atomicAdd(count + sm, i);
  if (!threadIdx.x) cycles[sm] = end - begin;
}
__global__ void who(unsigned* sm) { extern __shared__ char unused[]; if (!threadIdx.x) sm[blockIdx.x] = smid(); unsigned b = now(); while (now() - b < 20000); }
std::vector<int> gpcs(int sms) {
  unsigned* sm; CHECK(cudaMallocManaged(&sm, 4096));
  std::vector<int> root(sms); for (int i = 0; i < sms; i++) root[i] = i;
  CHECK(cudaFuncSetAttribute(who, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(cudaFuncSetAttribute(who, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  for (int size : {16, 8, 6, 4, 2}) for (int r = 0; r < 20; r++) {
    cudaLaunchConfig_t c{}; cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension; a.val.clusterDim = {(unsigned)size, 1, 1};
    int blocks = sms / size * size; if (size == 16) blocks = 16 * 7;
    c.gridDim = dim3(blocks); c.blockDim = dim3(32); c.dynamicSmemBytes = 200 << 10; c.attrs = &a; c.numAttrs = 1;
    if (cudaLaunchKernelEx(&c, who, sm) != cudaSuccess) { cudaGetLastError(); fprintf(stderr, "no clusters of %d\n", size); break; } CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < blocks; b++) { int x = root[sm[b]], y = root[sm[b / size * size]]; if (x != y) for (int& z : root) if (z == x) z = y; }
  }
  std::vector<int> g(sms), seen; for (int i = 0; i < sms; i++) { auto f = std::find(seen.begin(), seen.end(), root[i]); g[i] = f - seen.begin(); if (f == seen.end()) seen.push_back(root[i]); }
  return g;
}
float* room; char active[1024], *dactive; unsigned count[1024], cycles[1024], *dcount, *dcycles; int sms; std::vector<int> gpc;
template <int KIND> void one(const char* which, int threads, int most, unsigned limit) {
  CHECK(cudaFuncSetAttribute(share<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  for (int r = 0; r < 2; r++) {
    CHECK(cudaMemset(dcount, 0, 4096)); CHECK(cudaMemset(dcycles, 0, 4096)); CHECK(cudaMemcpy(dactive, active, 1024, cudaMemcpyHostToDevice));
    share<KIND><<<sms, threads, 150 << 10>>>(room, dactive, dcount, dcycles, most, limit); CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(count, dcount, 4096, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(cycles, dcycles, 4096, cudaMemcpyDeviceToHost));
  }
  for (int i = 0; i < sms; i++) if (cycles[i]) printf("%s,%s,%d,%d,%d,%d,%u,%u\n", names[KIND], which, threads, most, gpc[i], i, count[i], cycles[i]);
}
template <int KIND> void all() {
  for (int i = 0; i < sms; i++) active[i] = 1;
  one<KIND>("all", 512, 1 << 30, 100000); one<KIND>("all", 128, 1 << 30, 100000); one<KIND>("all", 512, 64, ~0u); one<KIND>("all", 128, 192, ~0u);
  for (int g = 0; g <= *std::max_element(gpc.begin(), gpc.end()); g++) { for (int i = 0; i < sms; i++) active[i] = gpc[i] == g; char s[32]; snprintf(s, 32, "gpc %d", g); one<KIND>(s, 512, 1 << 30, 30000); }
  for (int i = 0; i < sms; i++) active[i] = i % 2 == 0; one<KIND>("even", 512, 1 << 30, 50000);
  for (int i = 0; i < sms; i++) active[i] = gpc[i] < 4; one<KIND>("gpc 0 to 3", 512, 1 << 30, 50000);
}
int main() {
  cudaDeviceProp d; CHECK(cudaGetDeviceProperties(&d, 0)); sms = d.multiProcessorCount;
  CHECK(cudaMalloc(&room, 2ull << 30)); CHECK(cudaMemset(room, 0, 2ull << 30));
  CHECK(cudaMalloc(&dactive, 4096)); CHECK(cudaMalloc(&dcount, 4096)); CHECK(cudaMalloc(&dcycles, 4096));
  gpc = gpcs(sms);
  printf("what,SMs,threads,turns,gpc,sm,done,cycles\n");
  all<0>(); all<1>(); all<2>(); all<3>(); all<4>(); all<5>(); all<6>(); all<7>(); all<8>(); all<9>();
}
