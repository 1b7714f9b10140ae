// Sparse and irregular kernels.
kernel void spmv_scalar(global const int *rows, global const int *columns, global const float *values, global const float *x, global float *y, int n) {
  int r = get_global_id(0);
  if (r >= n) return;
  float sum = 0.0f;
  for (int k = rows[r]; k < rows[r + 1]; k++) sum = wl_fma(values[k], x[columns[k]], sum);
  y[r] = sum;
}

// One wave per row; lanes combine through LDS.
kernel void spmv_vector(global const int *rows, global const int *columns, global const int *values, global const int *x, global int *y, int n) {
  local int part[256];
  int l = get_local_id(0), lane = l % 64, r = get_global_id(0) / 64;
  int sum = 0;
  if (r < n)
    for (int k = rows[r] + lane; k < rows[r + 1]; k += 64) sum += values[k] * x[columns[k]];
  part[l] = sum;
  for (int step = 32; step > 0; step /= 2) {
    wl_barrier();
    if (lane < step) part[l] += part[l + step];
  }
  if (lane == 0 && r < n) y[r] = part[l];
}

kernel void bfs_level(global const int *rows, global const int *edges, global int *level, global int *changed, int depth, int n) {
  int v = get_global_id(0);
  if (v >= n || level[v] != depth) return;
  for (int k = rows[v]; k < rows[v + 1]; k++)
    if (level[edges[k]] < 0) {
      level[edges[k]] = depth + 1;
      *changed = 1;
    }
}

kernel void pagerank(global const int *rows, global const int *from, global const float *weight, global const float *rank, global float *next, int n) {
  int v = get_global_id(0);
  if (v >= n) return;
  float sum = 0.0f;
  for (int k = rows[v]; k < rows[v + 1]; k++) sum = wl_fma(rank[from[k]], weight[k], sum);
  next[v] = wl_fma(0.85f, sum, 0.15f / n);
}

kernel void floyd_warshall(global int *distance, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  int through = distance[y * n + k] + distance[k * n + x];
  if (through < distance[y * n + x]) distance[y * n + x] = through;
}

// Needleman-Wunsch alignment, one anti-diagonal per launch.
kernel void nw_diagonal(global int *score, global const int *reference, int width, int diagonal, int penalty) {
  int first = diagonal < width ? 1 : diagonal - width + 2;
  int y = first + get_global_id(0), x = diagonal - y + 1;
  if (y >= width || x < 1) return;
  int best = score[(y - 1) * width + x - 1] + reference[y * width + x];
  best = wl_max(best, score[y * width + x - 1] - penalty);
  score[y * width + x] = wl_max(best, score[(y - 1) * width + x] - penalty);
}
