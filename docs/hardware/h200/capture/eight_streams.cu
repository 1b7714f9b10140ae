// Eight streams of small kernels that could run side by side.
#include "common.h"
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  float *out = zeros<float>(8 * 16 * 128);
  cudaStream_t streams[8];
  for (auto &stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < 3; round++)
    for (int s = 0; s < 8; s++) spin<<<16, 128, 0, streams[s]>>>(out + s * 16 * 128, 2000 + 500 * s);
  CHECK(cudaDeviceSynchronize());
  print("out", out, 8 * 16 * 128);
}
