// What a read finds after others have been there: words that this SM stored a while ago (in L1, or no more), and sectors next to
// one that was read from the other partition of L2 or from device memory.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o reads_after reads_after.cu && ./reads_after
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
__device__ __forceinline__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
__device__ __forceinline__ u32 sm() { u32 t; asm volatile("mov.u32 %0, %%smid;" : "=r"(t)); return t; }
__shared__ volatile u32 used;

// Stores `bytes` of each of `count` places `stride` apart with a lane or all of them, waits, reads the first word of each: cycles of each read.
__global__ void stored(char* p, int width, int lanes, int count, size_t stride, int wait, int before, u32* out) {
  u32 lane = threadIdx.x;
  if (before) for (int i = 0; i < count; i++) { u32 v; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p + i * stride) : "memory"); used = v; }
  for (int i = 0; i < count; i++) {
    char* a = p + i * stride + lane * width;
    if (lane < lanes) {
      if (width == 4) asm volatile("st.global.u32 [%0], %1;" :: "l"(a), "r"(i) : "memory");
      else if (width == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" :: "l"(a), "r"(i) : "memory");
      else asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" :: "l"(a), "r"(i) : "memory");
    }
  }
  u32 t0 = now();
  while (now() - t0 < (u32)wait) { }
  if (lane == 0) for (int i = 0; i < count; i++) {
    u32 v, begin = now();
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p + i * stride) : "memory");
    used = v;
    out[i] = now() - begin;
  }
}
// A lane stores the four parts of each sector in the order of `order` (two bits each), `parts` of them, then reads one part of each: cycles of each read.
__global__ void pieces(char* p, u32 order, int parts, int probe, int count, size_t stride, int gap, u32* out) {
  if (threadIdx.x) return;
  for (int i = 0; i < count; i++) for (int k = 0; k < parts; k++) {
    asm volatile("st.global.v2.u32 [%0], {%1,%1};" :: "l"(p + i * stride + (order >> 2 * k & 3) * 8), "r"(i) : "memory");
    for (u32 t0 = now(); now() - t0 < (u32)gap; ) { }
  }
  for (u32 t0 = now(); now() - t0 < 3000; ) { }
  for (int i = 0; i < count; i++) {
    u32 v, begin = now();
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p + i * stride + probe * 8) : "memory");
    used = v;
    out[i] = now() - begin;
  }
}
// The block on SM `who` writes or reads a region, sector by sector.
__global__ void warm(char* p, size_t bytes, int who, int write, u32* sink) {
  if (who >= 0 && sm() != who) return;
  size_t at = who >= 0 ? 0 : blockIdx.x * (size_t)4096, step = who >= 0 ? 4096 : gridDim.x * (size_t)4096;
  u32 x = 0;
  for (; at < bytes; at += step) for (size_t k = threadIdx.x * 4; k < 4096; k += blockDim.x * 4) {
    if (write) asm volatile("st.global.u32 [%0], %1;" :: "l"(p + at + k), "r"(1) : "memory");
    else { u32 v; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + at + k) : "memory"); x += v; }
  }
  if (x == 0x12345) sink[0] = x;
}
// One lane on SM `who` reads a word of each sector in turn, or of the line's sectors in the order of `order` (two bits each).
__global__ void walk(char* p, int lines, int who, u32 order, int cg, u32* out) {
  if (sm() != who || threadIdx.x) return;
  for (int i = 0; i < lines; i++) for (int k = 0; k < 4; k++) {
    char* a = p + (size_t)i * 128 + (order >> 2 * k & 3) * 32;
    u32 v, begin = now();
    if (cg) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(a) : "memory");
    else asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(a) : "memory");
    used = v;
    out[4 * i + k] = now() - begin;
  }
}
__global__ void flush(u32* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = i; }

int main() {
  char* data; u32 *junk, *out;
  CHECK(cudaMalloc(&data, 1 << 30)); CHECK(cudaMemset(data, 0, 1 << 30)); CHECK(cudaMalloc(&junk, 256 << 20)); CHECK(cudaMallocManaged(&out, 1 << 22));
  auto clean = [&] { flush<<<528, 512>>>(junk, 64ull << 20); CHECK(cudaDeviceSynchronize()); };
  size_t fresh = 0;
  auto region = [&](size_t bytes) { char* p = data + fresh; fresh = (fresh + bytes + 4096) & ~4095ull; if (fresh > (900ull << 20)) fresh = 0; return p; };
  printf("stored,width,lanes,count,stride,wait,read_before,hits,p10,p50,p90\n");
  for (int before : {0, 1}) for (auto wl : std::vector<std::pair<int, int>>{{4, 1}, {8, 1}, {16, 1}, {4, 8}, {4, 32}, {16, 32}}) for (size_t stride : {32ul, 128ul, 512ul}) {
    if ((size_t)wl.first * wl.second > stride) continue;
    for (int count : {1, 8, 64, 256}) for (int wait : {0, 300, 1000, 4000, 40000}) {
      if (before && (wait == 300 || wait == 4000)) continue;
      std::vector<u32> all; int hits = 0;
      for (int r = 0; r < 3 || all.size() < 8; r++) {
        char* p = region(stride * count + 65536);
        stored<<<1, 32>>>(p, wl.first, wl.second, count, stride, wait, before, out); CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < count; i++) { all.push_back(out[i]); hits += out[i] < 150; }
      }
      std::sort(all.begin(), all.end());
      printf("stored,%d,%d,%d,%zu,%d,%d,%.3f,%u,%u,%u\n", wl.first, wl.second, count, stride, wait, before, (double)hits / all.size(), all[all.size() / 10], all[all.size() / 2], all[all.size() * 9 / 10]);
    }
  }
  printf("pieces,order,parts,probe,gap,stride,hits,p50\n");
  for (size_t stride : {32ul, 128ul}) for (int gap : {0, 100}) for (u32 order : {0xe4u, 0x1bu, 0x4eu}) for (int parts : {1, 2, 3, 4}) for (int probe = 0; probe < 4; probe++) {
    std::vector<u32> all; int hits = 0;
    for (int r = 0; r < 3; r++) {
      pieces<<<1, 32>>>(region(stride * 32 + 65536), order, parts, probe, 32, stride, gap, out); CHECK(cudaDeviceSynchronize());
      for (int i = 0; i < 32; i++) { all.push_back(out[i]); hits += out[i] < 150; }
    }
    std::sort(all.begin(), all.end());
    printf("pieces,%x,%d,%d,%d,%zu,%.3f,%u\n", order, parts, probe, gap, stride, (double)hits / all.size(), all[all.size() / 2]);
  }
  printf("walk,warmed_by,write,reader,order,cg,position,mean,p10,p50,p90,above_380\n");
  struct { int who, write; } ways[] = {{0, 0}, {0, 1}, {-1, 1}, {-1, 0}, {-2, 0}};
  for (auto w : ways) for (int cg : {1, 0}) for (u32 order : {0xe4u, 0x1bu, 0x4eu}) for (int reader : {0, 1, 2, 17, 40, 77}) {
    int lines = 1024;
    char* p = region(lines * 128);
    clean();
    if (w.who != -2) { warm<<<132, 256>>>(p, lines * 128, w.who, w.write, junk); CHECK(cudaDeviceSynchronize()); }
    for (int i = 0; i < 4 * lines; i++) out[i] = 0;
    walk<<<132, 32>>>(p, lines, reader, order, cg, out); CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < 4; k++) {
      std::vector<u32> v; double m = 0; int far = 0;
      for (int i = 8; i < lines; i++) { u32 t = out[4 * i + k]; v.push_back(t); m += t; far += t > 380; }
      std::sort(v.begin(), v.end());
      printf("walk,%d,%d,%d,%x,%d,%d,%.1f,%u,%u,%u,%.3f\n", w.who, w.write, reader, order, cg, k, m / v.size(), v[v.size() / 10], v[v.size() / 2], v[v.size() * 9 / 10], (double)far / v.size());
    }
  }
}
