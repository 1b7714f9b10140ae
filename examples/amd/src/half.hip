// Half precision: scalar, packed and mixed.
#include "warpline_hip.h"
typedef _Float16 half2 __attribute__((ext_vector_type(2)));

extern "C" __global__ void half_axpy(const _Float16 *x, _Float16 *y, float a, int n) {
  int i = global_x();
  if (i < n) y[i] = (_Float16)a * x[i] + y[i];
}

extern "C" __global__ void half_packed(const half2 *a, const half2 *b, half2 *out) {
  int i = global_x();
  half2 m = a[i] * b[i];
  half2 s = a[i] - b[i];
  out[i] = __builtin_elementwise_max(m, s) + (half2){(_Float16)1.0f, (_Float16)-0.5f};
}

extern "C" __global__ void half_dot(const _Float16 *a, const _Float16 *b, float *out, int length) {
  int i = global_x();
  float sum = 0.0f;
  for (int k = 0; k < length; k++) sum = __builtin_fmaf((float)a[i * length + k], (float)b[i * length + k], sum);
  out[i] = sum;
}

// bfloat16 by hand: the upper half of a float, rounded to even.
extern "C" __global__ void bfloat(const float *in, ushort *out, float *back) {
  int i = global_x();
  uint bits = __builtin_bit_cast(uint, in[i]);
  ushort b = (ushort)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  out[i] = b;
  back[i] = __builtin_bit_cast(float, (uint)b << 16) * 2.0f;
}
