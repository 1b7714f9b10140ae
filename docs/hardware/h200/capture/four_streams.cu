// Four streams that wait for each other by events, twice; a kernel before lets the host get ahead.
#include "common.h"
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  const int blocks = 24;
  float *out = zeros<float>(5 * blocks * 128);
  cudaStream_t first, streams[4];
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  for (auto &stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t go, done[4][3];
  CHECK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming));
  for (auto &some : done)
    for (auto &event : some) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  spin<<<1, 32, 0, first>>>(out, 120000);
  for (int round = 0; round < 2; round++) {
    CHECK(cudaEventRecord(go, first));
    for (int s = 0; s < 4; s++) CHECK(cudaStreamWaitEvent(streams[s], go));
    for (int k = 0; k < 3; k++)
      for (int s = 0; s < 4; s++) {
        if (k > 0) CHECK(cudaStreamWaitEvent(streams[s], done[(s + 3) % 4][k - 1]));
        spin<<<blocks, 128, 0, streams[s]>>>(out + (s + 1) * blocks * 128, 2000 + 900 * ((s + 2 * k) % 5));
        CHECK(cudaEventRecord(done[s][k], streams[s]));
      }
    for (int s = 0; s < 4; s++) CHECK(cudaStreamWaitEvent(first, done[s][2]));
    spin<<<blocks, 128, 0, first>>>(out, 1500);
  }
  CHECK(cudaDeviceSynchronize());
  print("out", out, 5 * blocks * 128);
}
