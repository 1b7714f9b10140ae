// Cycles a line of code takes in a loop over so many kilobytes that calls a function every few lines, one warp: whether the lines that follow the call are still asked for ahead of their use.
//
//   nvcc -O1 -gencode arch=compute_90a,code=sm_90a -o code_calls code_calls.cu && ./code_calls
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
// Dependent: a line of eight takes 32 cycles.
#define F4 "fma.rn.f32 %0,%0,%1,%1; fma.rn.f32 %0,%0,%1,%1; fma.rn.f32 %0,%0,%1,%1; fma.rn.f32 %0,%0,%1,%1;\n"
#define LINE F4 F4
#define LINES8 LINE LINE LINE LINE LINE LINE LINE LINE
template <int LONG> __device__ __noinline__ float function(float x, float a) {
#pragma unroll
  for (int k = 0; k < LONG; k++) asm volatile(LINE : "+f"(x) : "f"(a));
  return x;
}
template <int KB, int EVERY, int LONG> __global__ void loop(unsigned* out, float a, int turns) {
  float x = a;
  unsigned last;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(last) :: "memory");
#pragma unroll 1
  for (int t = 0; t < turns; t++) {
#pragma unroll
    for (int k = 0; k < KB; k++) {
      asm volatile(LINES8 : "+f"(x) : "f"(a));
      if (EVERY && k % EVERY == EVERY - 1) x = function<LONG>(x, a);
    }
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now) :: "memory");
    out[t] = now - last;
    last = now;
  }
  if (x == 1.2345e30f) out[0] = 1;
}
template <int KB, int EVERY, int LONG> void one(unsigned* out) {
  loop<KB, EVERY, LONG><<<1, 32>>>(out, 1.0f, 10);
  CHECK(cudaDeviceSynchronize());
  printf("%d,%d,%d", KB, EVERY, LONG);
  for (int t = 0; t < 10; t++) printf(",%u", out[t]);
  printf("\n");
}
template <int KB> void all(unsigned* out) { one<KB, 0, 0>(out); one<KB, 1, 2>(out); one<KB, 2, 2>(out); one<KB, 4, 2>(out); one<KB, 1, 20>(out); one<KB, 2, 20>(out); one<KB, 4, 20>(out); one<KB, 2, 80>(out); }
int main() {
  unsigned* out;
  CHECK(cudaMallocManaged(&out, 1 << 20));
  printf("KB,KB between calls,lines of the function,cycles by turn\n");
  all<16>(out); all<96>(out); all<192>(out);
}
