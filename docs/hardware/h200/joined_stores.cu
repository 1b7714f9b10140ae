// Stores that follow each other by an exact number of cycles; joined_stores_run.cpp sets the distances in the compiled code and runs it.
//   nvcc -cubin -arch=sm_90a -o joined_stores.cubin joined_stores.cu
typedef unsigned u32;
__device__ __forceinline__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
struct Places { int at[8]; };
#define KERNEL(NAME, STORE) \
extern "C" __global__ void NAME(char* p, Places s, int lane, int warp, int reader, int probe, int rounds, u32* out) { \
  __shared__ volatile u32 used; \
  uint4 v = ((uint4*)out)[64 + threadIdx.x]; \
  for (int r = 0; r < rounds; r++) { \
    char* base = p + (size_t)r * 69888 + threadIdx.x % 32 * lane + threadIdx.x / 32 * warp; \
    char *a0 = base + s.at[0], *a1 = base + s.at[1], *a2 = base + s.at[2], *a3 = base + s.at[3], *a4 = base + s.at[4], *a5 = base + s.at[5], *a6 = base + s.at[6], *a7 = base + s.at[7]; \
    asm volatile("" : "+l"(a0), "+l"(a1), "+l"(a2), "+l"(a3), "+l"(a4), "+l"(a5), "+l"(a6), "+l"(a7)); \
    for (u32 t = now(); now() - t < 500;) {} \
    STORE(a0) STORE(a1) STORE(a2) STORE(a3) STORE(a4) STORE(a5) STORE(a6) STORE(a7) \
    for (u32 t = now(); now() - t < 3000;) {} \
    if (threadIdx.x != reader) continue; \
    u32 x, t = now(); \
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(base + probe) : "memory"); \
    used = x; \
    out[r] = now() - t; \
  } \
}
#define STORE1(A) asm volatile("st.global.u8 [%0], %1;" :: "l"(A), "r"(v.x) : "memory");
#define STORE4(A) asm volatile("st.global.u32 [%0], %1;" :: "l"(A), "r"(v.x) : "memory");
#define STORE8(A) asm volatile("st.global.v2.u32 [%0], {%1,%2};" :: "l"(A), "r"(v.x), "r"(v.y) : "memory");
#define STORE16(A) asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" :: "l"(A), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
KERNEL(stores1, STORE1)
KERNEL(stores4, STORE4)
KERNEL(stores8, STORE8)
KERNEL(stores16, STORE16)
