// What C++ programs bring: global variables, tables, function pointers, recursion, dynamic LDS.
#include "warpline_hip.h"

__device__ int scale = 3;
__device__ int visits;
__device__ int *self = &visits;
__constant__ int weights[8] = {1, -2, 3, -4, 5, -6, 7, -8};

extern "C" __global__ void globals(const int *in, int *out, int n) {
  int i = global_x();
  if (i >= n) return;
  out[i] = in[i] * scale + weights[i & 7];
  __scoped_atomic_fetch_add(self, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

extern "C" __global__ void read_visits(int *out) {
  if (thread_x() == 0) *out = visits;
}

static __device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
static __device__ __attribute__((noinline)) int square(int x) { return x * x; }
static __device__ __attribute__((noinline)) int negate(int x) { return -x; }
typedef int (*function)(int);
__device__ function table[3] = {twice, square, negate};

// Lanes of one wave call different functions.
extern "C" __global__ void indirect(const int *in, int *out) {
  int i = global_x();
  function f = table[(uint)in[i] % 3];
  out[i] = f(in[i]) + 1;
}

static __device__ __attribute__((noinline)) int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void recursion(const int *in, int *out) {
  int i = global_x();
  out[i] = ackermann(in[i] & 1, 3 + (in[i] & 3));
}

// The size of this array is chosen at launch.
extern __shared__ int dynamic[];

extern "C" __global__ void reverse(const int *in, int *out) {
  dynamic[thread_x()] = in[global_x()];
  sync_threads();
  out[global_x()] = dynamic[block_dim_x() - 1 - thread_x()];
}

template <typename T, int N> struct Ring {
  T item[N];
  int at = 0;
  __device__ void push(T v) { item[at++ % N] = v; }
  __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += item[i]; return s; }
};

struct Pair { float a; int b; short c[2]; };

extern "C" __global__ void structures(Pair p, const float *in, float *out) {
  Ring<float, 4> ring = {};
  int i = global_x();
  for (int k = 0; k < 7; k++) ring.push(in[i + k]);
  out[i] = ring.sum() * p.a + (float)(p.b + p.c[i & 1]);
}
