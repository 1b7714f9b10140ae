// Cycles a line of code takes in a loop over so many kilobytes, one warp: how the GPC's cache of 128 KB loses what does not fit.
//
//   nvcc -O1 -gencode arch=compute_90a,code=sm_90a -o code_loop code_loop.cu && ./code_loop
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
#define F4 "fma.rn.f32 %0,%0,%4,%4; fma.rn.f32 %1,%1,%4,%4; fma.rn.f32 %2,%2,%4,%4; fma.rn.f32 %3,%3,%4,%4;\n"
#define F64 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4 F4
template <int KB> __global__ void loop(unsigned* out, float a, int turns) {
  float x = a, y = a + 1, z = a + 2, w = a + 3;
  unsigned last;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(last) :: "memory");
#pragma unroll 1
  for (int t = 0; t < turns; t++) {
#pragma unroll
    for (int k = 0; k < KB; k++) asm volatile(F64 : "+f"(x), "+f"(y), "+f"(z), "+f"(w) : "f"(a));
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now) :: "memory");
    out[blockIdx.x * 16 + t] = now - last;
    last = now;
  }
  if (x + y + z + w == 1.2345e30f) out[0] = 1;
}
template <int KB> void one(unsigned* out) {
  for (int blocks : {1, 132}) {
    loop<KB><<<blocks, 32>>>(out, 1.0f, 10);
    CHECK(cudaDeviceSynchronize());
    printf("%d,%d", KB, blocks);
    for (int t = 0; t < 10; t++) printf(",%.1f", out[t] / (KB * 8.0));
    printf("\n");
  }
}
int main() {
  unsigned* out;
  CHECK(cudaMallocManaged(&out, 1 << 20));
  printf("KB,blocks,cycles per line by turn\n");
  one<24>(out); one<48>(out); one<96>(out); one<112>(out); one<120>(out); one<126>(out); one<132>(out); one<140>(out); one<152>(out); one<168>(out); one<192>(out); one<224>(out); one<256>(out); one<320>(out);
}
