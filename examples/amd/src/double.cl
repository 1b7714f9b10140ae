// Double precision.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void daxpy(global const double *x, global double *y, double a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = __builtin_fma(a, x[i], y[i]);
}

kernel void dot_f64(global const double *a, global const double *b, global double *out) {
  local double part[128];
  int l = get_local_id(0);
  part[l] = a[get_global_id(0)] * b[get_global_id(0)];
  for (int step = 64; step > 0; step /= 2) {
    wl_barrier();
    if (l < step) part[l] += part[l + step];
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}

// Division, square root, comparison, conversion.
kernel void newton_f64(global const double *in, global double *out, global int *whole) {
  int i = get_global_id(0);
  double a = in[i], x = a > 1.0 ? a : 1.0;
  for (int k = 0; k < 6; k++) x = 0.5 * (x + a / x);
  out[i] = x - __builtin_sqrt(a);
  whole[i] = (int)x + (int)__builtin_floor(a * 0.25);
}

kernel void horner_f64(global const double *x, global double *y) {
  int i = get_global_id(0);
  double r = 1.0 / 362880.0;
  r = __builtin_fma(r, x[i], 1.0 / 40320.0);
  r = __builtin_fma(r, x[i], 1.0 / 5040.0);
  r = __builtin_fma(r, x[i], 1.0 / 720.0);
  r = __builtin_fma(r, x[i], 1.0 / 120.0);
  r = __builtin_fma(r, x[i], 1.0 / 24.0);
  r = __builtin_fma(r, x[i], 1.0 / 6.0);
  r = __builtin_fma(r, x[i], 0.5);
  r = __builtin_fma(r, x[i], 1.0);
  y[i] = __builtin_fma(r, x[i], 1.0);
}
