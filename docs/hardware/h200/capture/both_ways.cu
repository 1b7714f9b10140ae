// Copies to the GPU, copies to the host and kernels, all at once, behind a kernel that lets the host get ahead.
#include "common.h"
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  const int n = 1 << 19, pieces = 6;
  float *host, *back, *in, *from, *out = zeros<float>(66 * 128);
  CHECK(cudaMallocHost(&host, n * 4));
  CHECK(cudaMallocHost(&back, n * 4));
  for (int i = 0; i < n; i++) host[i] = i & 255;
  CHECK(cudaMalloc(&in, n * 4));
  from = zeros<float>(n);
  cudaStream_t gate, up, down, work;
  for (auto stream : {&gate, &up, &down, &work}) CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  cudaEvent_t go;
  CHECK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming));
  spin<<<1, 32, 0, gate>>>(out, 100000);
  CHECK(cudaEventRecord(go, gate));
  for (auto stream : {up, down, work}) CHECK(cudaStreamWaitEvent(stream, go));
  for (int p = 0; p < pieces; p++) {
    size_t bytes = (size_t)n * 4 >> (p % 3);
    CHECK(cudaMemcpyAsync(in, host, bytes, cudaMemcpyHostToDevice, up));
    CHECK(cudaMemcpyAsync(back, from, bytes, cudaMemcpyDeviceToHost, down));
    spin<<<66, 128, 0, work>>>(out, 5000 + 1500 * p);
  }
  CHECK(cudaDeviceSynchronize());
  print("out", out, 66 * 128);
  print("in", in, n);
}
