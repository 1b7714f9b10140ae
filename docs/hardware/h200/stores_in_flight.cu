// Stores that an SM has under way when those behind them wait: cycles from the last store's issue until a fence
// says that all are done, times the rate at which they were taken.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o stores_in_flight stores_in_flight.cu && ./stores_in_flight
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
typedef unsigned long long u64;
enum { WORDS, LINES, SECTORS };
__device__ u32 now() { u32 c; asm volatile("mov.u32 %0, %clock;" : "=r"(c) :: "memory"); return c; }
__device__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
template <int KIND> __global__ void put(u32* p, u32 mask, u32 limit, int active, u32* out) {
  extern __shared__ char unused[];
  __shared__ u32 stores, last;
  if (blockIdx.x >= active) return;
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, lane = t & 31, n = 0;
  if (!threadIdx.x) stores = last = 0;
  __syncthreads();
  u32 begin = now();
  while (now() - begin < limit) {
    for (int k = 0; k < 4; k++, n++) {
      u32 i = mix((KIND == WORDS ? t : KIND == LINES ? t / 32 : t / 8) * 8191u + n) & mask;
      u64 at = KIND == WORDS ? (u64)i * 8 : KIND == LINES ? (u64)(i >> 2) * 32 + lane : (u64)i * 8 + lane % 8;
      __stcg(p + at, n);
    }
  }
  u32 issued = now();
  __threadfence();
  u32 done = now();
  if (!lane) { atomicAdd(&stores, n); atomicMax(&last, issued - begin); }
  __syncthreads();
  if (!lane) atomicMax(out + 4 * blockIdx.x + 3, done - begin);
  if (!threadIdx.x) { out[4 * blockIdx.x] = stores; out[4 * blockIdx.x + 1] = last; }
}
int main() {
  u32 *p, *out; CHECK(cudaMalloc(&p, 1ull << 30)); CHECK(cudaMemset(p, 0, 1ull << 30)); CHECK(cudaMalloc(&out, 4096));
  printf("what,MB,SMs,warps,sectors per cycle and SM,cycles until done,sectors under way per SM,least,most\n");
  auto one = [&](const char* name, auto kernel, double sectors, int bits, int sms, int warps) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    std::vector<u32> v(1024); double rate = 0, drain = 0; std::vector<double> way;
    for (int r = 0; r < 3; r++) {
      CHECK(cudaMemset(out, 0, 4096)); kernel<<<132, warps * 32, 150 << 10>>>(p, (1u << bits) - 1, 60000, sms, out); CHECK(cudaDeviceSynchronize());
      CHECK(cudaMemcpy(v.data(), out, 4096, cudaMemcpyDeviceToHost)); rate = drain = 0; way.clear();
      for (int b = 0; b < sms; b++) { double q = v[4 * b] * sectors / v[4 * b + 3], d = (double)v[4 * b + 3] - v[4 * b + 1]; rate += q; drain += d; way.push_back(q * d); }
    }
    double sum = 0; for (double w : way) sum += w;
    printf("%s,%d,%d,%d,%.3f,%.0f,%.0f,%.0f,%.0f\n", name, 32 << bits >> 20, sms, warps, rate / sms, drain / sms, sum / sms, *std::min_element(way.begin(), way.end()), *std::max_element(way.begin(), way.end()));
  };
  for (int sms : {1, 16, 132}) for (int warps : {4, 16, 32}) for (int bits : {19, 24}) {
    one("words", put<WORDS>, 32, bits, sms, warps); one("whole lines", put<LINES>, 4, bits, sms, warps); one("whole sectors", put<SECTORS>, 4, bits, sms, warps);
  }
}
