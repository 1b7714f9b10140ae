// Matrix cores (gfx90a, gfx942): one wave computes a tile of C = A B, row major, n a multiple of the tile.
#include "warpline_hip.h"
typedef float float4v __attribute__((ext_vector_type(4)));
typedef float float16v __attribute__((ext_vector_type(16)));
typedef double double4v __attribute__((ext_vector_type(4)));
typedef int int4v __attribute__((ext_vector_type(4)));
typedef _Float16 half4v __attribute__((ext_vector_type(4)));

// 16 x 16 x 4: lane l holds A[l % 16][l / 16], B[l / 16][l % 16], C[4 (l / 16) + i][l % 16].
extern "C" __global__ void mfma_f32(const float *a, const float *b, float *c, int n) {
  int l = thread_x(), row = block_x() / (n / 16) * 16, column = block_x() % (n / 16) * 16;
  float4v sum = {0, 0, 0, 0};
  for (int k = 0; k < n; k += 4)
    sum = __builtin_amdgcn_mfma_f32_16x16x4f32(a[(row + l % 16) * n + k + l / 16], b[(k + l / 16) * n + column + l % 16], sum, 0, 0, 0);
  for (int i = 0; i < 4; i++) c[(row + 4 * (l / 16) + i) * n + column + l % 16] = sum[i];
}

// 32 x 32 x 8 in half precision: four values of A and B per lane.
extern "C" __global__ void mfma_f16(const _Float16 *a, const _Float16 *b, float *c, int n) {
  int l = thread_x(), row = block_x() / (n / 32) * 32, column = block_x() % (n / 32) * 32;
  float16v sum = {};
  for (int k = 0; k < n; k += 8) {
    half4v x, y;
    for (int i = 0; i < 4; i++) {
      x[i] = a[(row + l % 32) * n + k + 4 * (l / 32) + i];
      y[i] = b[(k + 4 * (l / 32) + i) * n + column + l % 32];
    }
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, sum, 0, 0, 0);
  }
  for (int i = 0; i < 16; i++) c[(row + 8 * (i / 4) + 4 * (l / 32) + i % 4) * n + column + l % 32] = sum[i];
}

// 16 x 16 x 4 in double precision.
extern "C" __global__ void mfma_f64(const double *a, const double *b, double *c, int n) {
  int l = thread_x(), row = block_x() / (n / 16) * 16, column = block_x() % (n / 16) * 16;
  double4v sum = {0, 0, 0, 0};
  for (int k = 0; k < n; k += 4)
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[(row + l % 16) * n + k + l / 16], b[(k + l / 16) * n + column + l % 16], sum, 0, 0, 0);
  for (int i = 0; i < 4; i++) c[(row + 4 * i + l / 16) * n + column + l % 16] = sum[i];
}
