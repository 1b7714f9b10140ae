// Transforms.

// 512 complex points in LDS by a group of 64: radix 2, decimation in time.
kernel void fft512(global float2 *data) {
  local float2 part[512];
  int l = get_local_id(0);
  global float2 *mine = data + get_group_id(0) * 512;
  for (int k = 0; k < 8; k++) {
    uint i = l + 64 * k;
    part[__builtin_bitreverse32(i) >> 23] = mine[i];
  }
  wl_barrier();
  for (int span = 1; span < 512; span *= 2) {
    for (int k = 0; k < 4; k++) {
      int i = l + 64 * k;
      int at = (i / span) * 2 * span + i % span;
      float turns = -(float)(i % span) / (float)(2 * span);
      float c = wl_cos_turns(turns), s = wl_sin_turns(turns);
      float2 a = part[at], b = part[at + span];
      float2 t = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
      part[at] = a + t;
      part[at + span] = a - t;
    }
    wl_barrier();
  }
  for (int k = 0; k < 8; k++) mine[l + 64 * k] = part[l + 64 * k];
}

kernel void walsh_step(global float *data, int step) {
  int i = get_global_id(0);
  int at = i % step + i / step * 2 * step;
  float a = data[at], b = data[at + step];
  data[at] = a + b;
  data[at + step] = a - b;
}

// Haar wavelet of integers, each group 512 values.
kernel void haar(global int *data) {
  local int part[512];
  int l = get_local_id(0);
  global int *mine = data + get_group_id(0) * 512;
  part[l] = mine[l];
  part[l + 256] = mine[l + 256];
  for (int n = 256; n > 0; n /= 2) {
    wl_barrier();
    int a = 0, b = 0;
    if (l < n) {
      a = part[2 * l];
      b = part[2 * l + 1];
    }
    wl_barrier();
    if (l < n) {
      part[l] = a + b;
      part[n + l] = a - b;
    }
  }
  wl_barrier();
  mine[l] = part[l];
  mine[l + 256] = part[l + 256];
}
