// The special function unit over whole ranges of its input. Every kernel "mufuN" is compiled with MUFU.EX2; mufu.py
// changes the function in the machine code to number N, since PTX does not reach all of them without a factor before.
typedef unsigned long long u64;
__device__ __forceinline__ u64 mix(u64 z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}
__device__ __forceinline__ unsigned special(unsigned x) {
  unsigned y;
  asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ __forceinline__ unsigned rcp64h(unsigned x) {
  u64 y;
  asm volatile("rcp.approx.ftz.f64 %0, %1;" : "=l"(y) : "l"((u64)x << 32));
  return (unsigned)(y >> 32);
}
__device__ __forceinline__ unsigned rsq64h(unsigned x) {
  u64 y;
  asm volatile("rsqrt.approx.ftz.f64 %0, %1;" : "=l"(y) : "l"((u64)x << 32));
  return (unsigned)(y >> 32);
}
#define HALF(name, ptx) \
  __device__ __forceinline__ unsigned name(unsigned x) { \
    unsigned short y; \
    asm volatile(ptx : "=h"(y) : "h"((unsigned short)x)); \
    return y; \
  }
HALF(ex2h, "ex2.approx.f16 %0, %1;")
HALF(tanhh, "tanh.approx.f16 %0, %1;")
HALF(ex2b, "ex2.approx.ftz.bf16 %0, %1;")
HALF(tanhb, "tanh.approx.bf16 %0, %1;")
#define KERNELS(name, f) \
  extern "C" __global__ void dump_##name(unsigned start, unsigned step, unsigned *out) { \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
    out[i] = f(start + i * step); \
  } \
  extern "C" __global__ void list_##name(const unsigned *in, unsigned *out) { \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
    out[i] = f(in[i]); \
  } \
  extern "C" __global__ void sums_##name(u64 *out) { /* a block: 2^18 inputs in order */ \
    u64 sum = 0; \
    unsigned first = blockIdx.x << 18; \
    for (unsigned i = threadIdx.x; i < 1u << 18; i += blockDim.x) \
      sum += mix(f(first + i) + (i + 1) * 0x9E3779B97F4A7C15ull); \
    atomicAdd(out + blockIdx.x, sum); \
  }
KERNELS(mufu, special)
KERNELS(rcp64h, rcp64h)
KERNELS(rsq64h, rsq64h)
KERNELS(ex2h, ex2h)
KERNELS(tanhh, tanhh)
KERNELS(ex2b, ex2b)
KERNELS(tanhb, tanhb)
