// How fast stores that cover part of a sector go, by how much of it they cover, whether L2 has the sector, and who writes the rest of it when.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o partial_stores partial_stores.cu && ./partial_stores
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
enum { SCATTERED, LINES, TURNS, ROWS, ROWS_APART, WHOLE_LINES };
__device__ u32 mixed(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }

// Each warp stores `steps` times. Where: a sector each lane, anywhere; sectors one behind the other; the same, and the next steps write the next words of them;
// 16 rows of two lanes, neighbouring warps the next words of the sectors; the same, neighbouring warps far apart; all 128 bytes of a line.
template <int WHERE, int WORDS> __global__ void put(char* p, u32 sectors, int steps) {
  u32 lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, warps = gridDim.x * blockDim.x >> 5;
  for (int i = 0; i < steps; i++) {
    u32 turn = warp + (u32)i * warps;
    size_t at;
    if (WHERE == SCATTERED) at = (size_t)(mixed(turn * 32 + lane) % sectors) * 32;
    else if (WHERE == LINES) at = ((size_t)turn * 32 + lane) % sectors * 32;
    else if (WHERE == TURNS) at = ((size_t)(warp + (u32)(i / (8 / WORDS)) * warps) * 32 + lane) % sectors * 32 + i % (8 / WORDS) * WORDS * 4;
    else if (WHERE == ROWS) { u32 tile = turn >> 2; at = ((size_t)tile * 16 + (lane & 15)) % sectors * 32 + (turn & 3) * 8 + (lane >> 4) * 4; }
    else if (WHERE == ROWS_APART) { u32 tile = turn % (warps * steps / 4), part = turn / (warps * steps / 4); at = ((size_t)tile * 16 + (lane & 15)) % sectors * 32 + (part & 3) * 8 + (lane >> 4) * 4; }
    else at = ((size_t)turn * 4) % sectors * 32 + lane * 4;
    char* a = p + at;
    if (WORDS == 1) asm volatile("st.global.u32 [%0], %1;" :: "l"(a), "r"(i) : "memory");
    else if (WORDS == 2) asm volatile("st.global.v2.u32 [%0], {%1,%1};" :: "l"(a), "r"(i) : "memory");
    else asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" :: "l"(a), "r"(i) : "memory");
  }
}
__global__ void flush(u32* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = i; }
__global__ void read(const u32* p, size_t n, u32* sink) { u32 x = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) x += p[i]; if (x == 0x12345) *sink = x; }
__global__ void clocks(long long* out, int n) { long long t = clock64(); while (clock64() - t < n) { } out[0] = t; }

int main() {
  char* data; u32 *junk;
  CHECK(cudaMalloc(&data, 256 << 20)); CHECK(cudaMalloc(&junk, 256 << 20));
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  clocks<<<1, 1>>>((long long*)junk, 100000000); CHECK(cudaDeviceSynchronize());
  printf("where,words,sectors_in_use,in_L2,blocks,stores,sectors,us,sectors_per_cycle_at_1980MHz\n");
  auto one = [&](const char* name, int words, auto kernel, int perStore, u32 sectors, bool warm, int blocks, int steps) {
    float best = 1e30f;
    for (int r = 0; r < 3; r++) {
      flush<<<528, 512>>>(junk, 64ull << 20);
      if (warm) read<<<528, 512>>>((u32*)data, sectors * 8ull, junk);
      CHECK(cudaEventRecord(a)); kernel<<<blocks, 1024>>>(data, sectors, steps); CHECK(cudaEventRecord(b)); CHECK(cudaEventSynchronize(b));
      float ms; CHECK(cudaEventElapsedTime(&ms, a, b)); best = std::min(best, ms);
    }
    double n = (double)blocks * 32 * steps * perStore;
    printf("%s,%d,%u,%d,%d,%.0f,%.0f,%.2f,%.1f\n", name, words, sectors, warm, blocks, n / perStore, n, best * 1e3, n / (best * 1e-3 * 1980e6));
  };
  for (int blocks : {33, 132, 264}) for (bool warm : {true, false}) for (u32 sectors : {1u << 16, 1u << 19}) {
    int steps = 32;
    one("scattered", 1, put<SCATTERED, 1>, 32, sectors, warm, blocks, steps); one("scattered", 2, put<SCATTERED, 2>, 32, sectors, warm, blocks, steps); one("scattered", 4, put<SCATTERED, 4>, 32, sectors, warm, blocks, steps);
    one("lines", 1, put<LINES, 1>, 32, sectors, warm, blocks, steps); one("lines", 4, put<LINES, 4>, 32, sectors, warm, blocks, steps);
    one("turns", 1, put<TURNS, 1>, 32, sectors, warm, blocks, steps); one("turns", 2, put<TURNS, 2>, 32, sectors, warm, blocks, steps); one("turns", 4, put<TURNS, 4>, 32, sectors, warm, blocks, steps);
    one("rows", 1, put<ROWS, 1>, 16, sectors, warm, blocks, steps); one("rows_apart", 1, put<ROWS_APART, 1>, 16, sectors, warm, blocks, steps);
    one("whole_lines", 1, put<WHOLE_LINES, 1>, 4, sectors, warm, blocks, 4 * steps);
  }
}
