// Dense linear algebra.
kernel void matmul_naive(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum = wl_fma(a[y * n + k], b[k * n + x], sum);
  c[y * n + x] = sum;
}

#define TILE 16
kernel void matmul_tiled(global const float *a, global const float *b, global float *c, int n) {
  local float ta[TILE][TILE], tb[TILE][TILE];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
  float sum = 0.0f;
  for (int t = 0; t < n; t += TILE) {
    ta[ly][lx] = a[y * n + t + lx];
    tb[ly][lx] = b[(t + ly) * n + x];
    wl_barrier();
    for (int k = 0; k < TILE; k++) sum = wl_fma(ta[ly][k], tb[k][lx], sum);
    wl_barrier();
  }
  c[y * n + x] = sum;
}

// The extra column keeps a tile's column out of one LDS bank.
kernel void transpose(global const float *in, global float *out, int width, int height) {
  local float tile[TILE][TILE + 1];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
  if (x < width && y < height) tile[ly][lx] = in[y * width + x];
  wl_barrier();
  int tx = get_group_id(1) * TILE + lx, ty = get_group_id(0) * TILE + ly;
  if (tx < height && ty < width) out[ty * height + tx] = tile[lx][ly];
}

// tmp = A x, one work-item per row.
kernel void atax_ax(global const float *a, global const float *x, global float *tmp, int nx, int ny) {
  int i = get_global_id(0);
  if (i >= nx) return;
  float sum = 0.0f;
  for (int j = 0; j < ny; j++) sum = wl_fma(a[i * ny + j], x[j], sum);
  tmp[i] = sum;
}

// y = A' tmp, one work-item per column.
kernel void atax_aty(global const float *a, global const float *tmp, global float *y, int nx, int ny) {
  int j = get_global_id(0);
  if (j >= ny) return;
  float sum = 0.0f;
  for (int i = 0; i < nx; i++) sum = wl_fma(a[i * ny + j], tmp[i], sum);
  y[j] = sum;
}
