// A chain with a fork as a CUDA graph, launched five times, then the same work on a stream.
#include "common.h"
__global__ void step(float *a, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * by + 1.0f;
}
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
static void work(cudaStream_t one, cudaStream_t two, cudaEvent_t fork, cudaEvent_t join, float *a, float *b, float *c, int n) {
  step<<<n / 256, 256, 0, one>>>(a, n, 0.5f);
  CHECK(cudaEventRecord(fork, one));
  CHECK(cudaStreamWaitEvent(two, fork));
  for (int i = 0; i < 3; i++) step<<<n / 256, 256, 0, one>>>(a, n, 0.75f + i);
  CHECK(cudaMemsetAsync(b, 0, n * 4 / 2, two));
  for (int i = 0; i < 2; i++) step<<<n / 256, 256, 0, two>>>(b, n, 0.25f + i);
  CHECK(cudaEventRecord(join, two));
  CHECK(cudaStreamWaitEvent(one, join));
  add<<<n / 256, 256, 0, one>>>(a, b, c, n);
}
int main() {
  const int n = 1 << 15;
  float *a = device(random_floats(4, n)), *b = device(random_floats(5, n)), *c = zeros<float>(n);
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  work(one, two, fork, join, a, b, c, n);
  CHECK(cudaStreamEndCapture(one, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 5; i++) CHECK(cudaGraphLaunch(exec, one));
  CHECK(cudaStreamSynchronize(one));
  for (int i = 0; i < 2; i++) work(one, two, fork, join, a, b, c, n);
  CHECK(cudaDeviceSynchronize());
  print("c", c, n);
}
