// The matrix product that was measured on an MI300A, step by step, like the kernels of measured.cl; but in HIP and
// with four floats as a structure, as HIP has them: the compiler then waits for the rows of B one after the other.
#include "warpline_hip.h"
#pragma clang fp contract(fast)

struct alignas(16) quad {
  float x, y, z, w;
};

#define DOT(a, c) a.x * b0.c + a.y * b1.c + a.z * b2.c + a.w * b3.c
#define ADD_ROW(s, a) s.x += DOT(a, x), s.y += DOT(a, y), s.z += DOT(a, z), s.w += DOT(a, w)

// C = A B, 4 x 4 elements per work-item; the tile of A is a buffer in memory that all groups share.
extern "C" __global__ void matmul_blocks(const quad *a, const quad *b, quad *c, int width, quad *tile) {
  int lx = thread_x(), ly = __builtin_amdgcn_workitem_id_y(), n = block_dim_x();
  int x = global_x(), y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + ly;
  int pitch = __builtin_amdgcn_grid_size_x(), quads = width / 4;
  quad s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, s3 = s0;
  for (int t = 0; t < quads / n; t++) {
    for (int r = 0; r < 4; r++) tile[lx + n * (4 * ly + r)] = a[t * n + lx + (4 * ly + r) * quads];
    sync_threads();
    int first = x + t * n * 4 * pitch;
    for (int k = 0; k < 4 * n; k += 4) {
      int place = (k >> 2) + 4 * ly * n;
      quad a0 = tile[place], a1 = tile[place + n], a2 = tile[place + 2 * n], a3 = tile[place + 3 * n];
      quad b0 = b[first + k * pitch], b1 = b[first + (k + 1) * pitch];
      quad b2 = b[first + (k + 2) * pitch], b3 = b[first + (k + 3) * pitch];
      ADD_ROW(s0, a0);
      ADD_ROW(s1, a1);
      ADD_ROW(s2, a2);
      ADD_ROW(s3, a3);
    }
    sync_threads();
  }
  quad *to = c + x + 4 * y * pitch;
  to[0] = s0;
  to[pitch] = s1;
  to[2 * pitch] = s2;
  to[3 * pitch] = s3;
}
