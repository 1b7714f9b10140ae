// Memory-bound kernels: one or a few operations per element.
kernel void vector_add(global const float *a, global const float *b, global float *c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

kernel void relu(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i] > 0.0f ? in[i] : 0.0f;
}

kernel void saxpy(global const float *x, global float *y, float a, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = wl_fma(a, x[i], y[i]);
}

// Wide loads and stores.
kernel void copy4(global const float4 *in, global float4 *out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = in[i];
}

// Reads with a stride: poor coalescing.
kernel void strided_sum(global const int *in, global int *out, int stride, int count) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < count; k++) sum += in[i * stride + k * 7 % stride];
  out[i] = sum;
}
