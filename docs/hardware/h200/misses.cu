// What limits an SM whose loads miss: how many lines it may have on their way, how fast scattered
// requests leave and answers come in; what reading special registers, branches and walks through
// constant memory cost many warps.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o misses misses.cu && ./misses
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)

__device__ __forceinline__ unsigned smid() { unsigned r; asm volatile("mov.u32 %0, %%smid;" : "=r"(r)); return r; }

struct Set { unsigned char on[132]; };

// K loads of each thread, all under way at once; G lanes share a line.
template <int K>
__global__ void __launch_bounds__(1024) burst(const char* p, size_t stride, int g, int bytes, Set set, unsigned* out, unsigned lines, int salt, unsigned* sink) {
  extern __shared__ unsigned last[];
  unsigned sm = smid();
  if (!set.on[sm]) return;
  if (threadIdx.x == 0) last[0] = 0;
  unsigned T = blockDim.x;
  const char* at[K];
  for (int k = 0; k < K; k++) {
    unsigned line = (k * T + threadIdx.x) / g;
    line = (line + sm * (K * T / g) + salt) & (lines - 1);
    if (bytes < 0) line = (line * 40503u + 7u) & (lines - 1);
    at[k] = p + line * stride + (threadIdx.x % g) * 4;
  }
  __syncthreads();
  unsigned begin = clock();
  unsigned v[K];
#pragma unroll
  for (int k = 0; k < K; k++) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k]) : "l"(at[k]));
  unsigned s = 0;
#pragma unroll
  for (int k = 0; k < K; k++) s += v[k];
  unsigned mine;
  asm volatile("{ .reg .u32 t; add.u32 t, %1, 0; mov.u32 %0, %%clock; }" : "=r"(mine) : "r"(s) : "memory");
  mine = (s == 0x12345u ? 1 : 0) + clock() - begin;
  atomicMax(&last[0], mine);
  __syncthreads();
  if (threadIdx.x == 0) out[sm] = last[0];
  if (s == 0x12345u) sink[threadIdx.x] = s;
}

// A chain of gathers by one warp: each link needs all lanes of the one before.
__global__ void chain(const char* p, int lanes, unsigned lines, int steps, unsigned salt, unsigned* out, unsigned* sink) {
  unsigned lane = threadIdx.x;
  unsigned x = 0;
  unsigned begin = 0;
  unsigned seed = salt + lane * 977u;
  if (lane < lanes) {
    for (int i = 0; i < steps; i++) {
      if (i == 4) begin = clock();
      seed = seed * 1664525u + 1013904223u;
      unsigned line = ((seed >> 8) + x) & (lines - 1);
      unsigned v;
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p + (size_t)line * 128));
      x += __reduce_or_sync((1ull << lanes) - 1, v);
    }
    if (lane == 0) out[0] = clock() - begin;
    if (x == 0x12345u) sink[0] = x;
  }
}

// Scattered loads without end: sectors per cycle.
template <int K>
__global__ void __launch_bounds__(1024) stream(const char* p, unsigned lines, Set set, int rounds, unsigned* out, unsigned* sink) {
  unsigned sm = smid();
  if (!set.on[sm]) return;
  unsigned seed = (sm * 1024 + threadIdx.x) * 747796405u + 2891336453u;
  unsigned s = 0;
  __syncthreads();
  unsigned begin = clock();
  for (int r = 0; r < rounds; r++) {
    unsigned v[K];
#pragma unroll
    for (int k = 0; k < K; k++) {
      seed = seed * 1664525u + 1013904223u;
      unsigned line = (seed >> 7) & (lines - 1);
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(p + (size_t)line * 128));
    }
#pragma unroll
    for (int k = 0; k < K; k++) s += v[k];
    seed += s;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[sm] = clock() - begin;
  if (s == 0x12345u) sink[threadIdx.x] = s;
}

__global__ void touch(unsigned* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] += 0; }
__global__ void flush(unsigned* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = i; }

// Special registers: N reads of each warp.
#define READ(name, reg) \
  template <int N> __global__ void name(unsigned* out, unsigned* sink) { \
    __shared__ unsigned last; \
    if (threadIdx.x == 0) last = 0; \
    __syncthreads(); \
    unsigned begin = clock(); \
    unsigned v[N]; \
    _Pragma("unroll") for (int i = 0; i < N; i++) asm volatile("mov.u32 %0, " reg ";" : "=r"(v[i])); \
    unsigned s = 0; \
    _Pragma("unroll") for (int i = 0; i < N; i++) s += v[i]; \
    unsigned mine = (s == 0x12345u) + clock() - begin; \
    atomicMax(&last, mine); \
    __syncthreads(); \
    if (threadIdx.x == 0) out[0] = last; \
    if (s == 0x12345u) sink[threadIdx.x] = s; \
  }
READ(s2r_tid, "%%tid.x")
READ(s2r_tidy, "%%tid.y")
READ(s2r_ctaid, "%%ctaid.x")
READ(s2r_lane, "%%laneid")
READ(s2r_smid, "%%smid")
READ(s2r_ltmask, "%%lanemask_lt")

template <int N> __global__ void shuffles(unsigned* out, unsigned* sink) {
  __shared__ unsigned last;
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  unsigned v[N];
  unsigned begin = clock();
#pragma unroll
  for (int i = 0; i < N; i++) v[i] = __shfl_xor_sync(~0u, threadIdx.x + i, 1);
  unsigned s = 0;
#pragma unroll
  for (int i = 0; i < N; i++) s += v[i];
  unsigned mine = (s == 0x12345u) + clock() - begin;
  atomicMax(&last, mine);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = last;
  if (s == 0x12345u) sink[threadIdx.x] = s;
}

// Branches over slow paths, as square roots and divisions have them.
template <int N> __global__ void roots(float x, int trips, unsigned* out, float* sink) {
  __syncthreads();
  unsigned begin = clock();
#pragma unroll 1
  for (int t = 0; t < trips; t++) {
#pragma unroll
    for (int i = 0; i < N; i++) x = sqrtf(x) + 1.5f;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = clock() - begin;
  sink[threadIdx.x] = x;
}
template <int N> __global__ void rootsfast(float x, int trips, unsigned* out, float* sink) {
  __syncthreads();
  unsigned begin = clock();
#pragma unroll 1
  for (int t = 0; t < trips; t++) {
#pragma unroll
    for (int i = 0; i < N; i++) {
      float y;
      asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
      float g = y * x, h = y * 0.5f;
      float r = fmaf(-g, g, x);
      x = fmaf(r, h, g) + 1.5f;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = clock() - begin;
  sink[threadIdx.x] = x;
}
// A branch that is not taken, one that is, and divergence.
__global__ void branches(int trips, int kind, volatile int* zero, unsigned* out, int* sink) {
  int z = *zero;
  int x = threadIdx.x;
  int take = kind == 0 ? z : kind == 1 ? 1 - z : threadIdx.x & 1;
  __syncthreads();
  unsigned begin = clock();
#pragma unroll 1
  for (int t = 0; t < trips; t++) {
#define ONE asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p bra L%=; add.s32 %0, %0, 3; xor.b32 %0, %0, 5; add.s32 %0, %0, 3; xor.b32 %0, %0, 9; add.s32 %0, %0, 3; xor.b32 %0, %0, 17; add.s32 %0, %0, 3; xor.b32 %0, %0, 33; add.s32 %0, %0, 3; xor.b32 %0, %0, 65; add.s32 %0, %0, 7; xor.b32 %0, %0, 129; add.s32 %0, %0, 9; xor.b32 %0, %0, 251; L%=: }" : "+r"(x) : "r"(take) : "memory");
    ONE ONE ONE ONE ONE ONE ONE ONE
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = clock() - begin;
  sink[threadIdx.x] = x;
}

__constant__ float4 atoms[4000];
// A table of constants walked by a uniform index.
__global__ void walk(int count, int passes, unsigned* out, float* sink) {
  float x = threadIdx.x, s = 0;
  for (int p = 0; p < passes; p++) {
    __syncthreads();
    unsigned begin = clock();
#pragma unroll 4
    for (int i = 0; i < count; i++) {
      float d = x - atoms[i].x, e = x - atoms[i].y;
      s += atoms[i].w * (d * d + e * e + atoms[i].z);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[p] = clock() - begin;
  }
  sink[threadIdx.x] = s;
}

int main() {
  unsigned *out, *sink;
  char* data; unsigned* junk;
  size_t bytes = 1ull << 30, junkWords = 64ull << 20;
  CHECK(cudaMalloc(&data, bytes)); CHECK(cudaMalloc(&junk, junkWords * 4));
  CHECK(cudaMemset(data, 0, bytes));
  CHECK(cudaMallocManaged(&out, 4096)); CHECK(cudaMalloc(&sink, 1 << 20));
  CHECK(cudaDeviceSynchronize());
  auto clean = [&] { flush<<<528, 512>>>(junk, junkWords); CHECK(cudaDeviceSynchronize()); };
  int gpc[16] = {2,3,18,19,34,35,50,51,64,65,78,79,92,93,106,107};
  auto make = [&](int n) { Set s; for (auto& o : s.on) o = 0; if (n == 1) s.on[2] = 1; else if (n == 2) s.on[2] = s.on[3] = 1; else if (n <= 16) for (int i = 0; i < n; i++) s.on[gpc[i]] = 1; else if (n == 66) for (int i = 0; i < 132; i += 2) s.on[i] = 1; else for (int i = 0; i < 132; i++) s.on[i] = 1; return s; };
  CHECK(cudaFuncSetAttribute(burst<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
  CHECK(cudaFuncSetAttribute(burst<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
  CHECK(cudaFuncSetAttribute(burst<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
  CHECK(cudaFuncSetAttribute(burst<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
  auto one = [&](int K, int T, size_t stride, int g, int order, Set s, unsigned lines, int salt) {
    size_t sh = 120 << 10;
    switch (K) {
      case 1: burst<1><<<132, T, sh>>>(data, stride, g, order, s, out, lines, salt, sink); break;
      case 2: burst<2><<<132, T, sh>>>(data, stride, g, order, s, out, lines, salt, sink); break;
      case 4: burst<4><<<132, T, sh>>>(data, stride, g, order, s, out, lines, salt, sink); break;
      default: burst<8><<<132, T, sh>>>(data, stride, g, order, s, out, lines, salt, sink); break;
    }
    CHECK(cudaDeviceSynchronize());
    double sum = 0; unsigned most = 0; int n = 0;
    for (int i = 0; i < 132; i++) if (s.on[i]) { sum += out[i]; most = std::max(most, out[i]); n++; }
    return std::pair<double, unsigned>(sum / n, most);
  };
  printf("burst,where,stride,sms,lanes_per_line,threads,loads,cycles_mean,cycles_max\n");
  size_t strides[] = {128, 2048, 16384};
  for (size_t stride : strides) for (int n : {1, 2, 16, 132}) for (int g : {1, 32}) {
    if (n > 2 && stride == 16384) continue;
    for (int T : {32, 64, 128, 256, 512, 1024}) for (int K : {1, 2, 4, 8}) {
      if (T < 256 && K > 1 && K < 8) continue;
      unsigned lines = 1; while ((size_t)lines * 2 * stride <= bytes) lines *= 2;
      if (n == 132 && (size_t)132 * T * K / g > lines) continue;
      Set s = make(n);
      std::vector<double> dram, l2; std::vector<unsigned> m1, m2;
      for (int r = 0; r < 5; r++) {
        clean();
        auto a = one(K, T, stride, g, 0, s, lines, r * 12345);
        dram.push_back(a.first); m1.push_back(a.second);
        auto b = one(K, T, stride, g, 0, s, lines, r * 12345);
        b = one(K, T, stride, g, 0, s, lines, r * 12345);
        l2.push_back(b.first); m2.push_back(b.second);
      }
      std::sort(dram.begin(), dram.end()); std::sort(l2.begin(), l2.end()); std::sort(m1.begin(), m1.end()); std::sort(m2.begin(), m2.end());
      printf("burst,dram,%zu,%d,%d,%d,%d,%.0f,%u\n", stride, n, g, T, K, dram[2], m1[2]);
      printf("burst,l2,%zu,%d,%d,%d,%d,%.0f,%u\n", stride, n, g, T, K, l2[2], m2[2]);
    }
  }
  fflush(stdout);
  printf("chain,where,lanes,cycles\n");
  for (int lanes : {1, 2, 4, 8, 16, 32}) {
    std::vector<double> d;
    for (int r = 0; r < 9; r++) { clean(); chain<<<1, 32>>>(data, lanes, 1 << 20, 68, 99 + r * 7777, out, sink); CHECK(cudaDeviceSynchronize()); d.push_back(out[0] / 64.0); }
    std::sort(d.begin(), d.end()); printf("chain,dram,%d,%.1f\n", lanes, d[4]);
    d.clear();
    for (int r = 0; r < 9; r++) { touch<<<132, 512>>>((unsigned*)data, (4 << 20) / 4); chain<<<1, 32>>>(data, lanes, 1 << 15, 1028, 99 + r * 7777, out, sink); CHECK(cudaDeviceSynchronize()); chain<<<1, 32>>>(data, lanes, 1 << 15, 132, 55 + r * 7777, out, sink); CHECK(cudaDeviceSynchronize()); d.push_back(out[0] / 128.0); }
    std::sort(d.begin(), d.end()); printf("chain,l2,%d,%.1f\n", lanes, d[4]);
  }
  fflush(stdout);
  printf("stream,where,sms,threads,in_flight,sectors_per_cycle_and_sm\n");
  for (int n : {1, 2, 16, 66, 132}) for (int T : {128, 256, 512, 1024}) for (int w = 0; w < 2; w++) {
    Set s = make(n);
    unsigned lines = w ? 1 << 23 : 1 << 16;
    int rounds = 40;
    auto go = [&](int K) {
      switch (K) { case 1: stream<1><<<132, T, 0>>>(data, lines, s, rounds, out, sink); break; case 4: stream<4><<<132, T, 0>>>(data, lines, s, rounds, out, sink); break; default: stream<8><<<132, T, 0>>>(data, lines, s, rounds, out, sink); }
      CHECK(cudaDeviceSynchronize());
    };
    for (int K : {1, 4, 8}) {
      for (int i = 0; i < 132; i++) out[i] = 0;
      if (w) clean(); else touch<<<132, 512>>>((unsigned*)data, (8 << 20) / 4);
      go(K); if (!w) go(K);
      double sum = 0; for (int i = 0; i < 132; i++) if (s.on[i] && out[i]) sum += (double)rounds * K * T / out[i];
      printf("stream,%s,%d,%d,%d,%.3f\n", w ? "dram" : "l2", n, T, K, sum / n);
    }
  }
  fflush(stdout);
  printf("special,register,warps,reads,cycles\n");
#define SPECIAL(name) for (int w : {1, 2, 4, 8, 16, 32}) { \
    for (int r = 0; r < 2; r++) { name<1><<<1, 32 * w>>>(out, sink); CHECK(cudaDeviceSynchronize()); } unsigned a = out[0]; \
    for (int r = 0; r < 2; r++) { name<2><<<1, 32 * w>>>(out, sink); CHECK(cudaDeviceSynchronize()); } unsigned b = out[0]; \
    for (int r = 0; r < 2; r++) { name<4><<<1, 32 * w>>>(out, sink); CHECK(cudaDeviceSynchronize()); } unsigned c = out[0]; \
    for (int r = 0; r < 2; r++) { name<16><<<1, 32 * w>>>(out, sink); CHECK(cudaDeviceSynchronize()); } unsigned d = out[0]; \
    for (int r = 0; r < 2; r++) { name<48><<<1, 32 * w>>>(out, sink); CHECK(cudaDeviceSynchronize()); } unsigned e = out[0]; \
    printf("special," #name ",%d,1/2/4/16/48,%u/%u/%u/%u/%u\n", w, a, b, c, d, e); }
  SPECIAL(s2r_tid) SPECIAL(s2r_tidy) SPECIAL(s2r_ctaid) SPECIAL(s2r_lane) SPECIAL(s2r_smid) SPECIAL(s2r_ltmask) SPECIAL(shuffles)
  printf("roots,kind,warps,trips,cycles\n");
  for (int w : {1, 4, 8, 16, 32}) for (int trips : {20, 120}) {
    for (int r = 0; r < 2; r++) { roots<8><<<1, 32 * w>>>(2.5f, trips, out, (float*)sink); CHECK(cudaDeviceSynchronize()); }
    printf("roots,slow path,%d,%d,%u\n", w, trips, out[0]);
    for (int r = 0; r < 2; r++) { rootsfast<8><<<1, 32 * w>>>(2.5f, trips, out, (float*)sink); CHECK(cudaDeviceSynchronize()); }
    printf("roots,none,%d,%d,%u\n", w, trips, out[0]);
  }
  int* zero; CHECK(cudaMallocManaged(&zero, 4)); *zero = 0;
  for (int w : {1, 4, 8, 16, 32}) for (int kind = 0; kind < 3; kind++) {
    unsigned a, b;
    for (int r = 0; r < 2; r++) { branches<<<1, 32 * w>>>(20, kind, zero, out, (int*)sink); CHECK(cudaDeviceSynchronize()); } a = out[0];
    for (int r = 0; r < 2; r++) { branches<<<1, 32 * w>>>(120, kind, zero, out, (int*)sink); CHECK(cudaDeviceSynchronize()); } b = out[0];
    printf("branches,%s,%d,%.2f per branch\n", kind == 0 ? "not taken" : kind == 1 ? "taken" : "both", w, (b - a) / 800.0);
  }
  for (int w : {1, 4, 8, 16, 32}) for (int count : {64, 512, 4000}) {
    clean();
    walk<<<1, 32 * w>>>(count, 3, out, (float*)sink); CHECK(cudaDeviceSynchronize());
    printf("walk,1 SM,%d warps,%d,%.2f %.2f %.2f\n", w, count, out[0] / (double)count, out[1] / (double)count, out[2] / (double)count);
    clean();
    walk<<<264, 32 * w>>>(count, 3, out, (float*)sink); CHECK(cudaDeviceSynchronize());
    printf("walk,132 SMs,%d warps,%d,%.2f %.2f %.2f\n", w, count, out[0] / (double)count, out[1] / (double)count, out[2] / (double)count);
  }
  return 0;
}
