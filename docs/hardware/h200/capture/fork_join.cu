// A diamond over events: one producer, three consumers on streams of their own, one join; two priorities.
#include "common.h"
__global__ void produce(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = sqrtf(i) * 0.25f;
}
__global__ void consume(const float *a, float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  for (int r = 0; r < rounds; r++) x = x / (1.0f + x * 0.125f) + 0.5f;
  b[i] = x;
}
__global__ void join(const float *a, const float *b, const float *c, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = a[i] + b[i] * c[i];
}
int main() {
  const int n = 1 << 16;
  float *a = zeros<float>(n), *b[3], *d = zeros<float>(n);
  for (auto &one : b) one = zeros<float>(n);
  int low, high;
  CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
  cudaStream_t streams[4];
  for (int s = 0; s < 4; s++) CHECK(cudaStreamCreateWithPriority(&streams[s], cudaStreamNonBlocking, s == 3 ? high : low));
  cudaEvent_t made, done[3];
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  for (auto &event : done) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int round = 0; round < 2; round++) {
    produce<<<n / 256, 256, 0, streams[0]>>>(a, n);
    CHECK(cudaEventRecord(made, streams[0]));
    for (int s = 0; s < 3; s++) {
      CHECK(cudaStreamWaitEvent(streams[s + 1], made));
      consume<<<n / 256, 256, 0, streams[s + 1]>>>(a, b[s], n, 100 + 50 * s);
      CHECK(cudaEventRecord(done[s], streams[s + 1]));
      CHECK(cudaStreamWaitEvent(streams[0], done[s]));
    }
    join<<<n / 256, 256, 0, streams[0]>>>(b[0], b[1], b[2], d, n);
  }
  CHECK(cudaDeviceSynchronize());
  print("d", d, n);
}
