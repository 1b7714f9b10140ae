// Kernels that do, step by step, what programs measured on an MI300A do (docs/amd-validation.md);
// the other samples of the same name solve the problem in a better way. Products and sums contract
// to fused multiply-adds, as they do by default in HIP.
#pragma clang fp contract(fast)

// y += A x by rows: the sum lives in memory.
kernel void rows_in_memory(global const float *a, global const float *x, global float *y, int nx, int ny, int clear) {
  int i = get_global_id(0);
  if (i >= nx) return;
  if (clear) y[i] = 0.0f;
  for (int j = 0; j < ny; j++) y[i] += a[i * ny + j] * x[j];
}

// y += A' x by columns: the sum lives in memory.
kernel void columns_in_memory(global const float *a, global const float *x, global float *y, int nx, int ny, int clear) {
  int j = get_global_id(0);
  if (j >= ny) return;
  if (clear) y[j] = 0.0f;
  for (int i = 0; i < nx; i++) y[j] += a[i * ny + j] * x[i];
}

kernel void fill(global uint *out, uint value, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = value;
}

// One work-item per pixel of a flat grid, integer pixels.
kernel void convolution_flat(global const uint *in, global const float *mask, global int *out, uint width, uint height, uint size, uint pitch) {
  uint i = get_global_id(0);
  uint x = i % width, y = i / width;
  if (y >= height) return;
  float sum = 0.0f;
  for (uint r = 0; r < size; r++)
    for (uint c = 0; c < size; c++)
      sum += (float)in[(y + r) * pitch + x + c] * mask[r * size + c];
  out[i] = (int)(sum + 0.5f);
}

// One work-item per window; the index of every element is found by division.
kernel void im2col_flat(global const float *in, global float *out, uint2 image, uint2 window, uint2 stride, uint2 pad, uint2 dilation, uint channels, uint batch) {
  uint item = get_global_id(0);
  int columns = (image.x - ((window.x - 1) * dilation.x + 1) + 2 * pad.x) / stride.x + 1;
  int rows = (image.y - ((window.y - 1) * dilation.y + 1) + 2 * pad.y) / stride.y + 1;
  int width = image.x, height = image.y, across = window.x, area = window.x * window.y;
  int picture = item / (rows * columns), place = item % (rows * columns);
  if (picture >= (int)batch) return;
  int px = place % columns, py = place / columns;
  for (int k = 0; k < area * (int)channels; k++) {
    int channel = k / area;
    int x = px * stride.x - pad.x + dilation.x * (k % across);
    int y = py * stride.y - pad.y + dilation.y * (k % area / across);
    float value = 0.0f;
    if (x >= 0 && y >= 0 && x < width && y < height)
      value = in[(picture * (int)channels + channel) * width * height + y * width + x];
    out[k * rows * columns * (int)batch + item] = value;
  }
}

// A group of 1 x 64 moves a strip of 16 rows and 64 columns with its halo through LDS.
#define STRIP 16
kernel void stencil_strip(global const float *in, global float *out, int alignment, float centre, float near, float far) {
  local float tile[STRIP + 2][66];
  int c = get_local_id(1);
  int columns = get_global_size(1) + 2;
  int pitch = columns % alignment == 0 ? columns : columns + alignment - columns % alignment;
  int corner = get_group_id(0) * STRIP * pitch + get_global_id(1);
  for (int r = 0; r < STRIP + 2; r++) tile[r][c + 1] = in[corner + r * pitch + 1];
  if (c == 0)
    for (int r = 0; r < STRIP + 2; r++) tile[r][0] = in[corner + r * pitch];
  else if (c == 63)
    for (int r = 0; r < STRIP + 2; r++) tile[r][65] = in[corner + r * pitch + 2];
  wl_barrier();
  for (int r = 1; r <= STRIP; r++) {
    float sides = tile[r - 1][c + 1] + tile[r + 1][c + 1] + tile[r][c + 2] + tile[r][c];
    float corners = tile[r - 1][c + 2] + tile[r + 1][c + 2] + tile[r - 1][c] + tile[r + 1][c];
    out[corner + r * pitch + 1] = centre * tile[r][c + 1] + near * sides + far * corners;
  }
}

// Each work-item of a 16 x 16 group turns a block of 4 x 4.
kernel void transpose_blocks(global float4 *out, global const float4 *in, local float4 *tile, uint width, uint height, uint groups) {
  uint lx = get_local_id(0), ly = get_local_id(1), n = get_local_size(0);
  uint gy = get_group_id(0), gx = (get_group_id(0) + get_group_id(1)) % groups;
  uint from = gx * n + lx + (gy * n + ly) * width * 4;
  for (int r = 0; r < 4; r++) tile[ly * n * 4 + lx + r * n] = in[from + r * width];
  wl_barrier();
  uint at = lx * n * 4 + ly;
  float4 a = tile[at], b = tile[at + n], c = tile[at + 2 * n], d = tile[at + 3 * n];
  uint to = gy * n + lx + (gx * n + ly) * height * 4;
  out[to] = (float4)(a.x, b.x, c.x, d.x);
  out[to + height] = (float4)(a.y, b.y, c.y, d.y);
  out[to + 2 * height] = (float4)(a.z, b.z, c.z, d.z);
  out[to + 3 * height] = (float4)(a.w, b.w, c.w, d.w);
}

// Floyd and Warshall with the node each path goes through.
kernel void floyd_warshall_paths(global uint *distance, global uint *through, uint n, uint k) {
  int x = get_global_id(0), y = get_global_id(1);
  int old = distance[y * n + x];
  int other = distance[y * n + k] + distance[k * n + x];
  if (other < old) {
    distance[y * n + x] = other;
    through[y * n + x] = k;
  }
}

// Samples before the first come from a history.
kernel void fir_history(global float *out, global const float *taps, global const float *in, global const float *history, uint tapCount) {
  uint i = get_global_id(0);
  float sum = 0.0f;
  for (uint t = 0; t < tapCount; t++)
    if (i >= t)
      sum += taps[t] * in[i - t];
    else
      sum += taps[t] * history[tapCount - (t - i)];
  out[i] = sum;
}

// Tiles of bodies go through a buffer in memory that all groups share.
kernel void nbody_shared(global const float4 *position, global const float4 *velocity, int n, float dt, float soft, global float4 *tile, global float4 *newPosition, global float4 *newVelocity) {
  uint l = get_local_id(0), i = get_global_id(0), size = get_local_size(0);
  float4 me = position[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int t = 0; t < n / (int)size; t++) {
    tile[l] = position[t * size + l];
    wl_barrier();
    for (uint k = 0; k < size; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float near = 1.0f / wl_sqrt(dx * dx + dy * dy + dz * dz + soft);
      float s = tile[k].w * (near * near * near);
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    wl_barrier();
  }
  float4 v = velocity[i];
  float moved = 0.5f * dt * dt;
  newPosition[i] = (float4)(me.x + v.x * dt + ax * moved, me.y + v.y * dt + ay * moved, me.z + v.z * dt + az * moved, me.w);
  newVelocity[i] = (float4)(v.x + ax * dt, v.y + ay * dt, v.z + az * dt, v.w);
}

// A wave per row, its partial sums in LDS all the time.
kernel void pagerank_wave(uint n, global const uint *rows, global const uint *columns, global const float *values, global const float *x, global float *y) {
  local volatile float part[64];
  int lane = get_local_id(0);
  uint row = get_group_id(0);
  if (row >= n) return;
  y[row] = 0.0f;
  part[lane] = 0.0f;
  for (int k = rows[row] + lane; k < (int)rows[row + 1]; k += 64) part[lane] += values[k] * x[columns[k]];
  for (int step = 32; step > 0; step /= 2)
    if (lane < step) part[lane] += part[lane + step];
  if (lane == 0) y[row] += part[0];
}

// Alignment of a block of 64 x 64 by one wave in LDS, first its upper left half by diagonals, then
// the rest; group i of a launch has block (x + i, y - i).
#define S(r, c) score[(r) * (size + 1) + (c)]
#define R(r, c) match[(r) * size + (c)]
#define BEST(r, c) \
  wl_max(wl_max(S(r - 1, c - 1) + R(r - 1, c - 1), S(r, c - 1) - penalty), S(r - 1, c) - penalty)
kernel void nw_block(global const int *reference, global int *scores, int pitch, int penalty, int x, int y, int size) {
  local int score[65 * 65];
  local int match[64 * 64];
  int l = get_local_id(0), g = get_group_id(0);
  int corner = pitch * size * (y - g) + size * (x + g);
  if (l == 0) S(0, 0) = scores[corner];
  wl_barrier();
  for (int r = 0; r < size; r++) R(r, l) = reference[corner + pitch * (r + 1) + l + 1];
  wl_barrier();
  S(l + 1, 0) = scores[corner + pitch * (l + 1)];
  wl_barrier();
  S(0, l + 1) = scores[corner + l + 1];
  wl_barrier();
  for (int d = 0; d < size; d++) {
    if (l <= d) {
      int c = l + 1, r = d - l + 1;
      S(r, c) = BEST(r, c);
    }
    wl_barrier();
  }
  for (int d = size - 2; d >= 0; d--) {
    if (l <= d) {
      int c = l + size - d, r = size - l;
      S(r, c) = BEST(r, c);
    }
    wl_barrier();
  }
  for (int r = 0; r < size; r++) scores[corner + pitch * (r + 1) + l + 1] = S(r + 1, l + 1);
}

// One level of a breadth-first search: 32 lanes look at 32 vertices one after the other, and at the neighbours of a reached one together.
kernel void bfs_chunks(global uint *level, global const uint *rows, global const uint *edges, int lanes, int chunk, uint n, int depth, global int *changed) {
  int id = get_global_id(0);
  int first = id / lanes * chunk;
  int end = first + chunk < (int)n ? first + chunk : (int)n;
  for (int v = first; v < end; v++) {
    if (level[v] != (uint)depth) continue;
    uint from = rows[v];
    int count = (int)(rows[v + 1] - from);
    for (int i = id % lanes; i < count; i += lanes) {
      uint other = edges[from + i];
      if (level[other] == 0xffffffffu) {
        level[other] = depth + 1;
        *changed = 1;
      }
    }
  }
}

// d = alpha a b + beta c in tiles of 16 x 16, as a convolution over unfolded windows ends.
#define TILE 16
kernel void gemm_bias(int m, int n, int k, float alpha, float beta, global const float *a, global const float *b, global const float *c, global float *d) {
  local float left[TILE][TILE], right[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  d[row * n + column] = 0.0f;
  float sum = 0.0f;
  for (int t = 0; t < (k - 1) / TILE + 1; t++) {
    int at = t * TILE;
    left[y][x] = at + x < k && row < m ? a[row * k + at + x] : 0.0f;
    right[y][x] = at + y < k && column < n ? b[(at + y) * n + column] : 0.0f;
    wl_barrier();
    for (int i = 0; i < TILE; i++)
      if (at + i < k) sum += left[y][i] * right[i][x];
    wl_barrier();
  }
  if (row < m && column < n) d[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// 32 bits of 2 / pi, those before its point first.
static uint two_over_pi(int word) {
  uint bits = 0;
  bits = word == 1 ? 0xa2f9836eu : bits;
  bits = word == 2 ? 0x4e441529u : bits;
  bits = word == 3 ? 0xfc2757d1u : bits;
  bits = word == 4 ? 0xf534ddc0u : bits;
  bits = word == 5 ? 0xdb629599u : bits;
  bits = word == 6 ? 0x3c439041u : bits;
  return word == 7 ? 0xfe5163abu : bits;
}

// An angle's size less multiples of a right angle, for all angles as in a mathematical library: pi / 2
// in three parts, or, where n would not be exact, as many bits of 2 / pi as leave less than four right angles.
static float less_quarters(float size, int *quarters) {
  if (size < 131072.0f) {
    float n = __builtin_rintf(size * 0.63661977f);
    *quarters = (int)n;
    return wl_fma(n, 1.7151245e-15f, wl_fma(n, 4.371139e-8f, wl_fma(n, -1.5707964f, size)));
  }
  uint bits = __builtin_astype(size, uint), mantissa = (bits & 0x7fffffu) | 0x800000u;
  int first = (int)(bits >> 23) - 120, word = first / 32, more = 32 - first % 32;
  uint w0 = two_over_pi(word), w1 = two_over_pi(word + 1), w2 = two_over_pi(word + 2), w3 = two_over_pi(word + 3);
  uint high = (uint)(((ulong)w0 << 32 | w1) >> more), middle = (uint)(((ulong)w1 << 32 | w2) >> more);
  uint low = (uint)(((ulong)w2 << 32 | w3) >> more);
  ulong part = (ulong)mantissa * middle + ((ulong)mantissa * low >> 32);
  uint top = mantissa * high + (uint)(part >> 32);
  long rest = (long)(((ulong)top << 32 | (uint)part) << 2);
  *quarters = (int)(top >> 30) + (rest < 0);
  return (float)rest * 8.515304e-20f;
}

static float wave(float rest, int quarters) {
  float q = rest * rest;
  float s = rest + rest * q * (-0.16666667f + q * (8.333331e-3f + q * (-1.9840874e-4f + q * 2.7525562e-6f)));
  float c = 1.0f + q * (-0.5f + q * (4.1666664e-2f + q * (-1.3888378e-3f + q * 2.4760495e-5f)));
  float value = quarters & 1 ? c : s;
  return quarters & 2 ? -value : value;
}

static float sine(float angle) {
  int quarters;
  float size = __builtin_fabsf(angle), rest = less_quarters(size, &quarters);
  float value = wave(rest, quarters);
  return size < __builtin_inff() ? (angle < 0.0f ? -value : value) : __builtin_nanf("");
}

static float cosine(float angle) {
  int quarters;
  float size = __builtin_fabsf(angle), rest = less_quarters(size, &quarters);
  float value = wave(rest, quarters + 1);
  return size < __builtin_inff() ? value : __builtin_nanf("");
}

static float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

static float2 factor(float2 v, float angle) { return times(v, (float2)(cosine(angle), sine(angle))); }

// Eight points in place: three steps of butterflies, the result in bit-reversed order.
static void fft8(float2 *v) {
  const float h = 0.70710678f;
  for (int i = 0; i < 4; i++) {
    float2 a = v[i], b = v[i + 4];
    v[i] = a + b;
    v[i + 4] = a - b;
  }
  v[5] = times(v[5], (float2)(h, -h));
  v[6] = times(v[6], (float2)(0.0f, -1.0f));
  v[7] = times(v[7], (float2)(-h, -h));
  for (int i = 0; i < 8; i += 4) {
    for (int k = 0; k < 2; k++) {
      float2 a = v[i + k], b = v[i + k + 2];
      v[i + k] = a + b;
      v[i + k + 2] = a - b;
    }
    v[i + 3] = times(v[i + 3], (float2)(0.0f, -1.0f));
    for (int k = 0; k < 4; k += 2) {
      float2 a = v[i + k], b = v[i + k + 1];
      v[i + k] = a + b;
      v[i + k + 1] = a - b;
    }
  }
}

// Factors of the first seven results; then real and imaginary parts change lanes through LDS, one after the other.
static void twist(float2 *v, int lane, float points) {
  const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (int i = 1; i < 8; i++) v[i] = factor(v[i], -6.2831855f * order[i] / points * lane);
}

static void change(float2 *v, local float *part, int to, int step, int from, int stride) {
  const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (int i = 0; i < 8; i++) part[to + order[i] * step] = v[i].x;
  wl_barrier();
  for (int i = 0; i < 8; i++) v[i].x = part[from + i * stride];
  wl_barrier();
  for (int i = 0; i < 8; i++) part[to + order[i] * step] = v[i].y;
  wl_barrier();
  for (int i = 0; i < 8; i++) v[i].y = part[from + i * stride];
  wl_barrier();
}

// 512 complex points by 64 lanes: 8 x 8 x 8.
kernel void fft512_radix8(global float2 *data) {
  local float part[8 * 66];
  const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  int l = get_local_id(0);
  global float2 *mine = data + get_group_id(0) * 512 + l;
  float2 v[8];
  for (int i = 0; i < 8; i++) v[i] = mine[64 * i];
  fft8(v);
  twist(v, l, 512.0f);
  change(v, part, l, 66, l / 8 * 66 + l % 8, 8);
  fft8(v);
  twist(v, l % 8, 64.0f);
  // Result s of lane (m, a) goes to lane m + 8 s.
  change(v, part, l / 8 * 8 + l % 8, 66, l % 8 * 8 + l / 8 * 66, 1);
  fft8(v);
  for (int i = 0; i < 8; i++) mine[64 * order[i]] = v[i];
}
