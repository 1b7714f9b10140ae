// A matrix turned in tiles of LDS, padded against bank conflicts.
#include "check.h"

const int TILE = 32, ROWS = 8;

__global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int r = 0; r < TILE; r += ROWS)
    if (x < width && y + r < height) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int r = 0; r < TILE; r += ROWS)
    if (x < height && y + r < width) out[(y + r) * height + x] = tile[threadIdx.x][threadIdx.y + r];
}

int main() {
  const int width = 150, height = 90;
  std::vector<float> in(width * height);
  for (size_t i = 0; i < in.size(); i++) in[i] = i;
  Device<float> din(in), dout(in.size());
  transpose<<<dim3(blocks(width, TILE), blocks(height, TILE)), dim3(TILE, ROWS)>>>(din.data, dout.data, width, height);
  std::vector<float> out = dout.get();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) EXPECT(out[x * height + y] == in[y * width + x]);
  std::puts("transpose: right");
}
