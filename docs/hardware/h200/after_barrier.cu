// What a warp still does behind BAR.SYNC while another warp of its block is late: clocks read behind the barrier,
// plainly, behind some arithmetic, behind a load from shared memory, a store there, a load from L1 and a special function.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o after_barrier after_barrier.cu && ./after_barrier
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
typedef unsigned u32;
#define CLOCK(i) asm volatile("mov.u32 %0, %clock;" : "=r"(c[i]) :: "memory")
__constant__ u32 table[64];
template <int KIND> __global__ void after(u32* out, u32* global, u32 a, int late) {
  __shared__ u32 s[1024];
  u32 c[17], x = a + threadIdx.x, y = a;
  float f = a + threadIdx.x;
  double dd = a;
  s[threadIdx.x] = x;
  volatile u32* v = s; volatile u32* g = global;
  for (int r = 0; r < 3; r++) {
    __syncthreads();
    u32 begin; asm volatile("mov.u32 %0, %clock;" : "=r"(begin) :: "memory");
    if (threadIdx.x < 32 && late) for (;;) { u32 n; asm volatile("mov.u32 %0, %clock;" : "=r"(n) :: "memory"); if (n - begin > 3000) break; }
    CLOCK(0);
    asm volatile("bar.sync 0;" ::: "memory");
    if (KIND == 1) { y = v[threadIdx.x ^ 1]; }
    if (KIND == 2) { v[threadIdx.x] = x; }
    if (KIND == 3) { y = g[threadIdx.x]; }
    if (KIND == 4) { asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(f)); }
    if (KIND == 5) { asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(x) : "r"(a)); asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(x) : "r"(a)); }
    if (KIND == 6) {
#pragma unroll 1
      for (u32 k = 0; k < a + 5; k++) asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(x) : "r"(a));
    }
    if (KIND == 7) { int q; asm volatile("cvt.rni.s32.f32 %0, %1;" : "=r"(q) : "f"(f)); y += q; }
    if (KIND == 8) { asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x)); }
    if (KIND == 9) { u32 b; asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 7; vote.sync.ballot.b32 %0, p, -1;}" : "=r"(b) : "r"(x)); y += b; }
    if (KIND == 10) { asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(dd)); }
    if (KIND == 11) { y += table[(x + r) & 63]; }
    if (KIND == 12) { asm volatile("popc.b32 %0, %0;" : "+r"(x)); }
    if (KIND == 13) { u32 q; asm volatile("mov.u32 %0, %laneid;" : "=r"(q)); y += q; }
    if (KIND == 14) { u32 q; asm volatile("mov.u32 %0, %ctaid.y;" : "=r"(q)); y += q; }
    if (KIND == 15) { asm volatile("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(x)); }
    if (KIND == 16) { if (x & 1) asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(x) : "r"(a)); else asm volatile("mul.lo.u32 %0, %0, 77;" : "+r"(x)); __syncwarp(); }
    CLOCK(1); CLOCK(2); CLOCK(3); CLOCK(4); CLOCK(5); CLOCK(6); CLOCK(7); CLOCK(8); CLOCK(9); CLOCK(10); CLOCK(11); CLOCK(12); CLOCK(13); CLOCK(14); CLOCK(15); CLOCK(16);
  }
  for (int i = 0; i < 17; i++) out[threadIdx.x * 17 + i] = c[i] - c[0];
  out[threadIdx.x * 17] = (x + y + (u32)f + (u32)dd) == 12345 ? 1 : 0;
}
int main() {
  u32 *out, *global; CHECK(cudaMalloc(&out, 1 << 20)); CHECK(cudaMalloc(&global, 1 << 20)); CHECK(cudaMemset(global, 0, 1 << 20));
  static u32 h[1024 * 17];
  const char* names[] = {"clocks", "shared load", "shared store", "global load", "rsqrt", "two multiply-adds", "loop", "conversion", "shuffle", "vote", "fp64", "indexed constant", "popc", "lane", "special register", "half2", "divergent branch"};
  auto one = [&](int kind, auto kernel, int warps, int late) {
    kernel<<<1, warps * 32>>>(out, global, 3, late); CHECK(cudaDeviceSynchronize()); CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int w : {0, 1, warps - 1}) { printf("%s, %d warps, %s, warp %d:", names[kind], warps, late ? "warp 0 late" : "together", w); for (int i = 1; i < 17; i++) printf(" %u", h[w * 32 * 17 + i]); printf("\n"); }
  };
  for (int warps : {4, 16}) for (int late : {1, 0}) { one(0, after<0>, warps, late); one(1, after<1>, warps, late); one(2, after<2>, warps, late); one(3, after<3>, warps, late); one(4, after<4>, warps, late); one(5, after<5>, warps, late);
    one(6, after<6>, warps, late); one(7, after<7>, warps, late); one(8, after<8>, warps, late); one(9, after<9>, warps, late); one(10, after<10>, warps, late); one(11, after<11>, warps, late); one(12, after<12>, warps, late); one(13, after<13>, warps, late); one(14, after<14>, warps, late); one(15, after<15>, warps, late); one(16, after<16>, warps, late); }
}
