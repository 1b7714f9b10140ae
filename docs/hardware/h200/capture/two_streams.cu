// Copy in, compute, copy out in pieces over two streams with pinned memory.
#include "common.h"
__global__ void work(const float *in, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int r = 0; r < rounds; r++) x = fmaf(x, 0.999f, 0.001f);
  out[i] = x;
}
int main() {
  const int n = 1 << 19, pieces = 8, piece = n / pieces;
  float *host, *back, *in, *out;
  CHECK(cudaMallocHost(&host, n * 4));
  CHECK(cudaMallocHost(&back, n * 4));
  auto values = random_floats(3, n);
  for (int i = 0; i < n; i++) host[i] = values[i];
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  cudaStream_t streams[2];
  for (auto &stream : streams) CHECK(cudaStreamCreate(&stream));
  for (int p = 0; p < pieces; p++) {
    cudaStream_t stream = streams[p % 2];
    CHECK(cudaMemcpyAsync(in + p * piece, host + p * piece, piece * 4, cudaMemcpyHostToDevice, stream));
    work<<<piece / 256, 256, 0, stream>>>(in + p * piece, out + p * piece, piece, 400);
    CHECK(cudaMemcpyAsync(back + p * piece, out + p * piece, piece * 4, cudaMemcpyDeviceToHost, stream));
  }
  CHECK(cudaDeviceSynchronize());
  print("out", out, n);
}
