// Pieces of a megabyte through three streams: copied to the GPU, worked on, copied back.
#include "common.h"
__global__ void work(const float *in, float *out, int n, int rounds) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    for (int r = 0; r < rounds; r++) x = fmaf(x, 0.999f, 0.001f);
    out[i] = x;
  }
}
int main() {
  const int piece = 1 << 18, pieces = 9, n = piece * 3;
  float *host, *back, *in, *out;
  CHECK(cudaMallocHost(&host, n * 4));
  CHECK(cudaMallocHost(&back, n * 4));
  for (int i = 0; i < n; i++) host[i] = (i % 1000) * 0.001f;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  cudaStream_t streams[3];
  for (auto &stream : streams) CHECK(cudaStreamCreate(&stream));
  for (int p = 0; p < pieces; p++) {
    int at = p % 3 * piece;
    cudaStream_t stream = streams[p % 3];
    CHECK(cudaMemcpyAsync(in + at, host + at, piece * 4, cudaMemcpyHostToDevice, stream));
    work<<<64, 256, 0, stream>>>(in + at, out + at, piece, 40 + 10 * p);
    CHECK(cudaMemcpyAsync(back + at, out + at, piece * 4, cudaMemcpyDeviceToHost, stream));
  }
  CHECK(cudaDeviceSynchronize());
  print("out", out, n);
}
