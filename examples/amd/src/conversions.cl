// Conversions, rounding and special values in single precision.
kernel void convert(global const float *in, global int *out) {
  int i = get_global_id(0);
  float x = in[i];
  out[8 * i] = (int)__builtin_truncf(x);
  out[8 * i + 1] = (int)__builtin_floorf(x);
  out[8 * i + 2] = (int)__builtin_ceilf(x);
  out[8 * i + 3] = (int)__builtin_rintf(x);
  out[8 * i + 4] = __builtin_bit_cast(int, (float)(int)x);
  out[8 * i + 5] = __builtin_bit_cast(int, (float)(uint)(i * 2654435761u));
  out[8 * i + 6] = __builtin_bit_cast(int, (float)((double)x * 1.25));
  out[8 * i + 7] = __builtin_isnan(x) | __builtin_isinf(x) << 1 | (x < 0.0f) << 2 | (x == x) << 3;
}

kernel void quotients(global const float *a, global const float *b, global float *out) {
  int i = get_global_id(0);
  out[3 * i] = a[i] / b[i];
  out[3 * i + 1] = wl_sqrt(__builtin_fabsf(a[i]));
  out[3 * i + 2] = wl_max(a[i], b[i]) - wl_min(a[i], b[i]);
}
