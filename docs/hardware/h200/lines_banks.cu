// What a load that finds all in L1 costs, by the lines it touches and by how many lines have a word wanted in one bank: cycles to the use of its value (one warp), cycles per instruction (32 warps).
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o lines_banks lines_banks.cu && ./lines_banks
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
struct Places { int at[32]; };
__device__ __forceinline__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
__shared__ volatile u32 used[1024];
template<int W> __device__ __forceinline__ u32 load(const char* a) {
  u32 x, y, z, w;
  if (W == 4) { asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(a) : "memory"); return x; }
  if (W == 8) { asm volatile("ld.global.ca.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "l"(a) : "memory"); return x + y; }
  asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(a) : "memory"); return x + y + z + w;
}
template<int W> __global__ void latency(const char* p, Places s, u32* out) {
  const char* a = p + s.at[threadIdx.x];
  u32 x = load<W>(a), best = ~0u;
  for (int r = 0; r < 16; r++) {
    for (u32 t = now(); now() - t < 300;) {}
    u32 t = now();
    x += load<W>(a + x);
    used[threadIdx.x] = x;
    t = now() - t;
    best = min(best, t);
  }
  out[threadIdx.x] = best;
}
template<int W> __global__ void rate(const char* p, Places s, int none, u32* out) {
  const char* a = p + s.at[threadIdx.x % 32];
  u32 x = load<W>(a);
  a += x;
  __syncthreads();
  u32 t = now();
#pragma unroll 32
  for (int r = 0; r < 256; r++) { x += load<W>(a); a += none; }
  used[threadIdx.x] = x;
  __syncthreads();
  t = now() - t;
  if (threadIdx.x == 0) out[0] = t + x;
}
// The same for stores of words of each warp's own; all of a warp's lines are in L1.
template<int W> __global__ void stores(char* p, Places s, int none, u32* out) {
  char* a = p + threadIdx.x / 32 * 65536 + s.at[threadIdx.x % 32];
  __syncthreads();
  u32 t = now(), v = threadIdx.x;
#pragma unroll
  for (int r = 0; r < 64; r++) {
    if (W == 4) asm volatile("st.global.u32 [%0], %1;" :: "l"(a), "r"(v) : "memory");
    else if (W == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" :: "l"(a), "r"(v) : "memory");
    else asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" :: "l"(a), "r"(v) : "memory");
    a += none;
  }
  __syncthreads();
  t = now() - t;
  if (threadIdx.x == 0) out[0] = t;
}
const char* data; u32* out;
template<int W> void one(const char* name, int lines, int degree, Places s) {
  latency<W><<<1, 32>>>(data, s, out); CHECK(cudaDeviceSynchronize()); u32 l = out[0];
  double r = 1e9; for (int k = 0; k < 3; k++) { rate<W><<<1, 1024>>>(data, s, 0, out); CHECK(cudaDeviceSynchronize()); r = std::min(r, out[0] / (32.0 * 256)); }
  double w = 1e9; for (int k = 0; k < 3; k++) { stores<W><<<1, 1024>>>((char*)data + (1 << 20), s, 0, out); CHECK(cudaDeviceSynchronize()); w = std::min(w, out[0] / (32.0 * 64)); }
  printf("%s,%d,%d,%d,%u,%.2f,%.2f\n", name, W, lines, degree, l, r, w);
}
template<int W> void all() {
  for (int lines : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) for (int degree : {1, 2, 4, 8, 16, 32}) {
    if (degree > lines) continue;
    // Lane i reads line i % lines; `degree` neighbours read the same place in their lines.
    Places s; for (int i = 0; i < 32; i++) s.at[i] = i % lines * 1152 + i / degree * W % 128;
    one<W>("lines and banks", lines, degree, s);
  }
  // Rows of a tile, side by side in memory and not aligned to lines.
  for (int row : {32, 16, 8}) for (int pitch : {512, 528, 576, 1152}) for (int at = 0; at < 128; at += W == 4 ? 12 : 16) {
    if (row == 32 && pitch != 512) continue;
    Places s; std::set<int> lines; std::vector<std::set<int>> bank(64);
    for (int i = 0; i < 32; i++) { s.at[i] = at + i / row * pitch + i % row * W; lines.insert(s.at[i] / 128); for (int w = 0; w < W / 4; w++) bank[s.at[i] / 4 % 32 + w].insert(s.at[i] / 128); }
    int most = 0; for (auto& b : bank) most = std::max<int>(most, b.size());
    char name[64]; sprintf(name, "rows of %d lanes %d apart from %d on", row, pitch, at);
    one<W>(name, lines.size(), most, s);
  }
  // A lane for each line, all in banks of their own, lines so far apart: which lines are looked up together.
  if (W == 4) for (int lines : {8, 16, 32}) for (int apart : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 36, 40, 48, 64, 68, 72, 80, 96, 128}) {
    Places s; for (int i = 0; i < 32; i++) s.at[i] = i % lines * apart * 128 + i * 4;
    char name[64]; sprintf(name, "lines %d apart", apart);
    one<W>(name, lines, 1, s);
  }
  std::mt19937 g(7);
  for (int kb : {1, 2, 4, 8, 32}) for (int k = 0; k < 6; k++) {
    Places s; std::set<int> lines; std::vector<std::set<int>> bank(32);
    for (int i = 0; i < 32; i++) { s.at[i] = g() % (kb * 1024 / W) * W; lines.insert(s.at[i] / 128); for (int w = 0; w < W / 4; w++) bank[s.at[i] / 4 % 32 + w].insert(s.at[i] / 128); }
    int most = 0; for (auto& b : bank) most = std::max<int>(most, b.size());
    one<W>("random", lines.size(), most, s);
  }
}
int main() {
  void* p; CHECK(cudaMalloc(&p, 8 << 20)); CHECK(cudaMemset(p, 0, 8 << 20)); data = (const char*)p; CHECK(cudaMallocManaged(&out, 4096));
  printf("places,width,lines,lines in a bank,cycles to use,cycles each,cycles each store\n");
  all<4>(); all<8>(); all<16>();
}
