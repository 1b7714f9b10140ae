// What the published facts leave open about Hopper's SM, measured with clock reads on an H200.
// Build and run: see README.md beside this file. Output: group,name,parameter,value,unit
#include <cstdio>
#include <cstring>
#include <cstdint>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <vector>
namespace cg = cooperative_groups;
typedef uint32_t u32;
typedef uint64_t u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("CUDA %s line %d\n", cudaGetErrorString(e_), __LINE__); exit(2); } } while (0)
static void emit(const char* g, const char* n, const char* p, double v, const char* u) { printf("%s,%s,%s,%.2f,%s\n", g, n, p, v, u); fflush(stdout); }
__device__ __forceinline__ u32 clk() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory"); return t; }
__device__ __forceinline__ u32 sp(const void* p) { return (u32)__cvta_generic_to_shared(p); }

// ---- instruction supply from cold caches: straight-line code, executed once by one warp per block
#define F1(i) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a) : "f"(b), "f"(c));
#define F4(i) F1(i) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(d) : "f"(b), "f"(c)); asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(e) : "f"(b), "f"(c)); asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(f) : "f"(b), "f"(c));
#define F16(i) F4(i) F4(i) F4(i) F4(i)
#define F64(i) F16(i) F16(i) F16(i) F16(i)
#define F256(i) F64(i) F64(i) F64(i) F64(i)
#define F1K(i) F256(i) F256(i) F256(i) F256(i)
#define F4K(i) F1K(i) F1K(i) F1K(i) F1K(i)
#define STRAIGHT(name, body) __global__ void name(float* o, u32* t, float b, float c) { float a = threadIdx.x, d = a + 1, e = a + 2, f = a + 3; u32 t0 = clk(); body u32 t1 = clk(); if (threadIdx.x == 0) t[blockIdx.x] = t1 - t0; if (o) o[threadIdx.x] = a + d + e + f; }
STRAIGHT(line64, F64(0))
STRAIGHT(line256, F256(0))
STRAIGHT(line1k, F1K(0))
STRAIGHT(line4k, F4K(0))
STRAIGHT(line16k, F4K(0) F4K(0) F4K(0) F4K(0))
STRAIGHT(other16k, F4K(0) F4K(0) F4K(0) F4K(0) F1K(0))

// ---- fences
template <int KIND, int STORES> __global__ void fence(u32* g, u32* t) {
  u32* p = g + threadIdx.x + blockIdx.x * 65536;
  u32 s = 0;
  for (int r = 0; r < 5; r++) {
    __syncwarp();
    u32 t0 = clk();
#pragma unroll
    for (int i = 0; i < STORES; i++) asm volatile("st.global.u32 [%0], %1;" ::"l"(p + i * 1024), "r"(r) : "memory");
    if (KIND == 0) asm volatile("membar.cta;" ::: "memory");
    if (KIND == 1) asm volatile("membar.gl;" ::: "memory");
    if (KIND == 2) asm volatile("membar.sys;" ::: "memory");
    u32 t1 = clk();
    if (r) s += t1 - t0;
  }
  if (threadIdx.x == 0) t[blockIdx.x] = s / 4;
}

// ---- cp.async
template <int BYTES, bool CG> __device__ __forceinline__ void cpa(u32 d, const void* s) {
  if (CG) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(d), "l"(s) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(d), "l"(s), "n"(BYTES) : "memory");
}
template <int BYTES, bool CG> __global__ void cplat(const char* g, u32* t) {
  __shared__ alignas(128) char s[32 * 16];
  u32 d = sp(s) + threadIdx.x * BYTES;
  const char* p = g + threadIdx.x * BYTES;
  u32 first = 0, later = 0;
  for (int r = 0; r < 4; r++) {
    u32 t0 = clk();
    cpa<BYTES, CG>(d, p);
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    u32 t1 = clk();
    if (r == 0) first = t1 - t0; else later = t1 - t0;
  }
  if (threadIdx.x == 0) { t[0] = first; t[1] = later; }
}
template <int BYTES, bool CG> __global__ void cpbw(const char* g, u32* t, size_t span, int rounds) {
  extern __shared__ __align__(128) char s[];
  u32 d = sp(s) + threadIdx.x * BYTES;
  size_t step = (size_t)blockDim.x * BYTES, off = ((size_t)blockIdx.x * 8 * step * 4) % span;
  __syncthreads();
  u32 t0 = clk();
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int i = 0; i < 8; i++) { cpa<BYTES, CG>(d + (i & 1) * step, g + off + threadIdx.x * BYTES); off += step; if (off >= span) off -= span; }
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) t[blockIdx.x] = clk() - t0;
}

// ---- warpgroup matrix product beside shared-memory loads
__device__ __forceinline__ u64 mdesc(u32 a) { return (u64)((a & 0x3FFFF) >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62; }
__device__ __forceinline__ void mma64(float* d, u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31},%32,%33,1,1,1,0,0;"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]) : "l"(a), "l"(b));
}
__global__ void mmalds(u32* t, float* o, int wg, int lds) {
  extern __shared__ __align__(1024) char raw[];
  u32 base = (sp(raw) + 1023) & ~1023u;
  int w = threadIdx.x >> 5;
  __shared__ volatile int stop;
  if (threadIdx.x == 0) stop = 0;
  __syncthreads();
  u32 t0 = clk();
  if (w < 4) {
    if (wg) {
      float d[32];
#pragma unroll
      for (int i = 0; i < 32; i++) d[i] = 0;
      for (int r = 0; r < 64; r++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < 8; k++) mma64(d, mdesc(base + (k & 3) * 32), mdesc(base + 8192 + (k & 3) * 32));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
      }
      if (o) o[threadIdx.x] = d[0] + d[31];
      if (threadIdx.x == 0) t[0] = clk() - t0;
    }
  } else if (lds) {
    float x = 0;
    u32 a = base + 32768 + (threadIdx.x & 31) * 16;
    for (int r = 0; r < 64; r++) {
#pragma unroll
      for (int k = 0; k < 16; k++) { float p, q, u, v; asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(p), "=f"(q), "=f"(u), "=f"(v) : "r"(a + ((k * 512 + r * 1024) & 16383))); x += p + q + u + v; }
    }
    if (o) o[threadIdx.x] = x;
    if (threadIdx.x == 128) t[1] = clk() - t0;
  }
}

// ---- bulk copies: multicast, reduction
__device__ __forceinline__ void binit(u32 b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n)); }
__device__ __forceinline__ void bexp(u32 b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory"); }
__device__ __forceinline__ void bwait(u32 b, int ph) { asm volatile("{\n.reg .pred p;\nL1:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra L2;\nbra L1;\nL2:\n}" ::"r"(b), "r"(ph) : "memory"); }
template <bool MC> __global__ void mcast(const char* g, u32* t, int bytes, int rounds, size_t span) {
  extern __shared__ __align__(128) char s[];
  __shared__ alignas(8) u64 bar;
  cg::cluster_group c = cg::this_cluster();
  u32 n = c.num_blocks(), me = c.block_rank();
  if (threadIdx.x == 0) { binit(sp(&bar), 1); asm volatile("fence.mbarrier_init.release.cluster;"); }
  c.sync();
  u32 t0 = clk();
  for (int r = 0; r < rounds; r++) {
    if (threadIdx.x == 0) {
      size_t off = ((size_t)(blockIdx.x / n) * rounds + r) * bytes % span;
      bexp(sp(&bar), bytes);
      if (MC) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(sp(s) + me * (bytes / n)), "l"(g + off + me * (bytes / n)), "r"(bytes / n), "r"(sp(&bar)), "h"((unsigned short)((1 << n) - 1)) : "memory");
      else asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sp(s)), "l"(g + off), "r"(bytes), "r"(sp(&bar)) : "memory");
      bwait(sp(&bar), r & 1);
    }
    __syncwarp();
    if (MC) asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  }
  u32 t1 = clk();
  c.sync();
  if (threadIdx.x == 0) t[blockIdx.x] = t1 - t0;
}
__global__ void bulkred(float* g, u32* t, int bytes, int rounds, int op) {
  extern __shared__ __align__(128) char s[];
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) ((float*)s)[i] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    float* p = g + (size_t)blockIdx.x * 65536;
    u32 t0 = clk();
    for (int r = 0; r < rounds; r++) {
      if (op) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(p), "r"(sp(s)), "r"(bytes) : "memory");
      else asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(p), "r"(sp(s)), "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 2;" ::: "memory");
    }
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    t[blockIdx.x * 2] = clk() - t0;
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    t[blockIdx.x * 2 + 1] = clk() - t0;
  }
}

// ---- issue of memory instructions: the stall counts between the clock reads are rewritten to 1 (patch_stalls.py)
template <int K> __device__ __forceinline__ void one(u32& r, u32 sa, const u32* g, u32 v, int i) {
  if (K == 0) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(sa + i * 128) : "memory");
  if (K == 1) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(r) : "l"(g + i * 32) : "memory");
  if (K == 2) asm volatile("st.shared.u32 [%0], %1;" ::"r"(sa + i * 128), "r"(v) : "memory");
  if (K == 3) asm volatile("st.global.u32 [%0], %1;" ::"l"(g + i * 32), "r"(v) : "memory");
  if (K == 4) asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(r) : "r"(r) : "memory");
  if (K == 5) asm volatile("ex2.approx.f32 %0, %1;" : "=f"(*(float*)&r) : "f"(*(float*)&r) : "memory");
}
template <int K, int N> __device__ __forceinline__ void queue(u32* o, u32* g, u32 v) {
  __shared__ u32 s[1024];
  u32 r[16];
  u64 t0, t1;
  s[threadIdx.x] = v;
  for (int i = 0; i < 16; i++) r[i] = v * (i + threadIdx.x);
  u32 sa = sp(s) + (threadIdx.x & 31) * 4;
  u32* p = g + (threadIdx.x & 31);
  for (int rep = 0; rep < 2; rep++) {
    for (int i = 0; i < N; i++) { u32 x; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(p + i * 32) : "memory"); v += x & 1; }
    __syncthreads();
    s[threadIdx.x + 32] = v;
    __syncthreads();
    v += s[(threadIdx.x & 31) + 32] & 2;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t0)::"memory");
#pragma unroll
    for (int i = 0; i < N; i++) one<K>(r[i], sa, p, v, i);
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t1)::"memory");
    for (int i = 0; i < N; i++) v += r[i] & 4;
  }
  o[threadIdx.x * 2] = (u32)t0; o[threadIdx.x * 2 + 1] = (u32)t1;
  if (v == 123456789) o[9000] = v;
}
#define Q(name, k, n) extern "C" __global__ void q_##name##_##n(u32* o, u32* g, u32 v) { queue<k, n>(o, g, v); }
#define QS(name, k) Q(name, k, 1) Q(name, k, 2) Q(name, k, 3) Q(name, k, 4) Q(name, k, 5) Q(name, k, 6) Q(name, k, 7) Q(name, k, 8) Q(name, k, 9) Q(name, k, 10) Q(name, k, 12) Q(name, k, 14) Q(name, k, 16)
QS(lds, 0) QS(ldg, 1) QS(sts, 2) QS(stg, 3) QS(shfl, 4) QS(mufu, 5)

static u32* dt; static u32 ht[4096];
static void get(int n) { CK(cudaDeviceSynchronize()); CK(cudaMemcpy(ht, dt, n * 4, cudaMemcpyDeviceToHost)); }
static double med(int n) { std::sort(ht, ht + n); return ht[n / 2]; }
template <class K> static void straight(K k, const char* name, int n, char* big) {
  char p[100];
  for (int blocks : {1, 132}) {
    double cold = 0, warm = 0;
    for (int r = 0; r < 3; r++) {
      other16k<<<132, 32>>>(nullptr, dt, 1, 0); CK(cudaMemset(big, r, (size_t)512 << 20)); CK(cudaDeviceSynchronize());
      k<<<blocks, 32>>>(nullptr, dt, 1, 0); get(blocks); cold = med(blocks);
      k<<<blocks, 32>>>(nullptr, dt, 1, 0); get(blocks); warm = med(blocks);
    }
    sprintf(p, "%d instructions %d blocks", n, blocks);
    emit("icache", name, p, cold, "cycles cold (L2 flushed)"); emit("icache", name, p, warm, "cycles second launch");
  }
}
template <int KIND, int ST> static void fences(u32* g) { const char* nm[] = {"membar.cta", "membar.gl", "membar.sys"}; char p[50]; for (int b : {1, 132}) { fence<KIND, ST><<<b, 32>>>(g, dt); get(b); sprintf(p, "%d stores before; %d blocks", ST, b); emit("fence", nm[KIND], p, med(b), "cycles incl. issue of the stores"); } }
template <int B, bool CG> static void cps(char* big) {
  char p[100]; sprintf(p, "%d bytes %s", B, CG ? "cg" : "ca");
  cplat<B, CG><<<1, 32>>>(big + 4096, dt); get(2); emit("cpasync", "first (L2 or DRAM)", p, ht[0], "cycles clock..commit+wait..clock"); emit("cpasync", "again", p, ht[1], "cycles");
  CK(cudaFuncSetAttribute(cpbw<B, CG>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  for (int b : {1, 132}) for (int th : {256, 1024}) { cpbw<B, CG><<<b, th, 2 * th * B>>>(big, dt, 8 << 20, 64); cpbw<B, CG><<<b, th, 2 * th * B>>>(big, dt, 8 << 20, 64); get(b); double m = med(b); sprintf(p, "%d bytes %s %d blocks x %d threads", B, CG ? "cg" : "ca", b, th); emit("cpasync", "L2-hit bandwidth per SM", p, 64.0 * 8 * th * B / m, "B/cycle"); }
}
int main(int argc, char** argv) {
  char* big; CK(cudaMalloc(&big, (size_t)1 << 30)); CK(cudaMalloc(&dt, 65536)); CK(cudaMemset(big, 0, (size_t)1 << 30));
  if (argc > 1) { // patched cubin: queue tests
    CUmodule m; CUfunction f; CK(cudaFree(0));
    if (cuModuleLoad(&m, argv[1]) != CUDA_SUCCESS) { printf("cannot load %s\n", argv[1]); return 2; }
    for (const char* k : {"lds", "ldg", "sts", "stg", "shfl", "mufu"})
      for (int w : {1, 2, 4, 8, 16}) {
        if (argc > 2 && strcmp(argv[2], k)) continue;
        printf("queue,%s,%d warps; n=1 2 3 4 5 6 7 8 9 10 12 14 16,", k, w);
        for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16}) {
          char nm[40]; sprintf(nm, "q_%s_%d", k, n);
          if (cuModuleGetFunction(&f, m, nm) != CUDA_SUCCESS) { printf("no %s\n", nm); continue; }
          u32 v = 1; void* a[] = {&dt, &big, &v};
          for (int r = 0; r < 3; r++) cuLaunchKernel(f, 1, 1, 1, w * 32, 1, 1, 0, 0, a, 0);
          get(w * 64); for (int i = 0; i < w; i++) ht[i] = ht[i * 64 + 1] - ht[i * 64]; printf("%.0f ", med(w));
        }
        printf(",cycles from first to last clock read\n");
      }
    return 0;
  }
  straight(line64, "straight line", 64, big); straight(line256, "straight line", 256, big); straight(line1k, "straight line", 1024, big); straight(line4k, "straight line", 4096, big); straight(line16k, "straight line", 16384, big);
  fences<0, 0>((u32*)big); fences<0, 4>((u32*)big); fences<1, 0>((u32*)big); fences<1, 1>((u32*)big); fences<1, 8>((u32*)big); fences<2, 0>((u32*)big); fences<2, 4>((u32*)big);
  cps<4, false>(big); cps<8, false>(big); cps<16, false>(big); cps<16, true>(big);
  CK(cudaFuncSetAttribute(mmalds, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  for (int th : {160, 256, 384, 640}) for (int mode = 1; mode < 4; mode++) { ht[0] = ht[1] = 0; CK(cudaMemset(dt, 0, 64)); mmalds<<<1, th, 65536>>>(dt, nullptr, mode & 1, mode >> 1); get(2); char p[80]; sprintf(p, "%d LDS warps; %s%s", th / 32 - 4, mode & 1 ? "wgmma " : "", mode & 2 ? "lds" : ""); if (mode & 1) emit("mmalds", "m64n64k16 SS", p, ht[0] / 512.0, "cycles each"); if (mode & 2) emit("mmalds", "LDS.128", p, ht[1] / 1024.0, "cycles each per warp"); }
  for (int n : {1, 2, 4, 8}) for (int bytes : {4096, 16384, 32768}) for (int mc = 0; mc < 2; mc++) for (int clusters : {1, 132 / n / 2}) {
    if (mc && n == 1) continue;
    auto k = mc ? mcast<true> : mcast<false>; CK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    cudaLaunchConfig_t c = {}; c.gridDim = clusters * n; c.blockDim = 32; c.dynamicSmemBytes = bytes; cudaLaunchAttribute at; at.id = cudaLaunchAttributeClusterDimension; at.val.clusterDim = {(unsigned)n, 1, 1}; c.attrs = &at; c.numAttrs = 1;
    for (int r = 0; r < 2; r++) CK(cudaLaunchKernelEx(&c, k, (const char*)big, dt, bytes, 32, (size_t)8 << 20)); get(clusters * n); char p[100]; sprintf(p, "cluster %d; %d bytes; %d clusters", n, bytes, clusters); emit("bulk", mc ? "multicast load and wait" : "plain load and wait", p, med(clusters * n) / 32, "cycles each"); }
  for (int op = 0; op < 2; op++) for (int bytes : {1024, 4096, 16384}) for (int b : {1, 132}) { bulkred<<<b, 128, bytes>>>((float*)big, dt, bytes, 32, op); get(2 * b); char p[80]; sprintf(p, "%d bytes; %d blocks", bytes, b); emit("bulk", op ? "reduce add f32" : "store", p, bytes * 32.0 / ht[0], "B/cycle until sources read"); emit("bulk", op ? "reduce add f32" : "store", p, (double)ht[1] - ht[0], "cycles more until complete"); }
}
