// Neighbourhoods: stencils, filters, convolution.
kernel void stencil2d(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
    return;
  }
  float near = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
  float far = in[i - width - 1] + in[i - width + 1] + in[i + width - 1] + in[i + width + 1];
  out[i] = 0.5f * in[i] + 0.1f * near + 0.025f * far;
}

kernel void convolution(global const float *in, constant float *mask, global float *out, int width, int maskSize) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int j = 0; j < maskSize; j++)
    for (int i = 0; i < maskSize; i++)
      sum = wl_fma(in[(y + j) * (width + maskSize - 1) + x + i], mask[j * maskSize + i], sum);
  out[y * width + x] = sum;
}

kernel void fir(global const float *in, constant float *taps, global float *out, int tapCount, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0.0f;
  for (int t = 0; t < tapCount; t++) sum += (i - t >= 0 ? in[i - t] : 0.0f) * taps[t];
  out[i] = sum;
}

// A row of the tile with its halo in LDS.
kernel void blur_lds(global const int *in, global int *out, int n) {
  local int row[256 + 8];
  int l = get_local_id(0), i = get_global_id(0);
  row[l + 4] = in[i];
  if (l < 4) {
    row[l] = i >= 4 ? in[i - 4] : 0;
    row[l + 260] = i + 256 < n ? in[i + 256] : 0;
  }
  wl_barrier();
  int sum = 0;
  for (int k = 0; k < 9; k++) sum += row[l + k];
  out[i] = sum / 9;
}
