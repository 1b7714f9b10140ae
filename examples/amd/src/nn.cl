// Layers of neural networks.
kernel void softmax(global const float *in, global float *out, int width) {
  local float part[64];
  int l = get_local_id(0);
  global const float *row = in + get_group_id(0) * width;
  float most = -3.0e38f;
  for (int i = l; i < width; i += 64) most = wl_max(most, row[i]);
  part[l] = most;
  wl_barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (l < step) part[l] = wl_max(part[l], part[l + step]);
    wl_barrier();
  }
  most = part[0];
  wl_barrier();
  float sum = 0.0f;
  for (int i = l; i < width; i += 64) sum += wl_exp(row[i] - most);
  part[l] = sum;
  wl_barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (l < step) part[l] += part[l + step];
    wl_barrier();
  }
  float scale = 1.0f / part[0];
  for (int i = l; i < width; i += 64) out[get_group_id(0) * width + i] = wl_exp(row[i] - most) * scale;
}

kernel void layer_norm(global const float *in, global const float *gain, global const float *bias, global float *out, int width) {
  int r = get_global_id(0);
  float sum = 0.0f, squares = 0.0f;
  for (int i = 0; i < width; i++) sum += in[r * width + i];
  float mean = sum / width;
  for (int i = 0; i < width; i++) {
    float d = in[r * width + i] - mean;
    squares = wl_fma(d, d, squares);
  }
  float scale = 1.0f / wl_sqrt(squares / width + 1.0e-5f);
  for (int i = 0; i < width; i++)
    out[r * width + i] = wl_fma((in[r * width + i] - mean) * scale, gain[i], bias[i]);
}

kernel void im2col(global const float *in, global float *out, int width, int height, int kernelSize) {
  int x = get_global_id(0), y = get_global_id(1);
  int ow = width - kernelSize + 1, oh = height - kernelSize + 1;
  if (x >= ow || y >= oh) return;
  for (int j = 0; j < kernelSize; j++)
    for (int i = 0; i < kernelSize; i++)
      out[(j * kernelSize + i) * ow * oh + y * ow + x] = in[(y + j) * width + x + i];
}

kernel void conv2d(global const float *in, global const float *weights, global float *out, int width, int height, int channels) {
  int x = get_global_id(0), y = get_global_id(1), o = get_global_id(2);
  float sum = 0.0f;
  for (int c = 0; c < channels; c++)
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) {
        int px = x + i, py = y + j;
        float v = px >= 0 && px < width && py >= 0 && py < height ? in[(c * height + py) * width + px] : 0.0f;
        sum = wl_fma(v, weights[((o * channels + c) * 3 + j + 1) * 3 + i + 1], sum);
      }
  out[(o * height + y) * width + x] = sum;
}

kernel void max_pool(global const float *in, global float *out, int width) {
  int x = get_global_id(0), y = get_global_id(1), ow = width / 2;
  global const float *p = in + 2 * y * width + 2 * x;
  out[y * ow + x] = wl_max(wl_max(p[0], p[1]), wl_max(p[width], p[width + 1]));
}
