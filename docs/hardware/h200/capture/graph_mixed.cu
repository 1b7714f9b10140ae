// A graph of kernels, sets and copies in three branches, launched four times.
#include "common.h"
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  const int blocks = 16, n = blocks * 128, many = 1 << 16;
  float *a = zeros<float>(n), *b = zeros<float>(many), *c = zeros<float>(many), *d = zeros<float>(n), *back;
  CHECK(cudaMallocHost(&back, many * 4));
  cudaStream_t one, two, three;
  for (auto stream : {&one, &two, &three}) CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  cudaEvent_t fork, join, last;
  for (auto event : {&fork, &join, &last}) CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  spin<<<blocks, 128, 0, one>>>(a, 1000);
  CHECK(cudaEventRecord(fork, one));
  CHECK(cudaStreamWaitEvent(two, fork));
  CHECK(cudaStreamWaitEvent(three, fork));
  for (int k = 0; k < 4; k++) spin<<<blocks, 128, 0, one>>>(a, 2000 + 300 * k);
  CHECK(cudaMemsetAsync(b, 0, many * 4, two));
  spin<<<blocks, 128, 0, two>>>(b, 1500);
  CHECK(cudaMemcpyAsync(c, b, many * 4, cudaMemcpyDeviceToDevice, two));
  spin<<<blocks, 128, 0, two>>>(c, 1500);
  CHECK(cudaEventRecord(join, two));
  spin<<<blocks, 128, 0, three>>>(d, 1000);
  CHECK(cudaMemcpyAsync(back, d, n * 4, cudaMemcpyDeviceToHost, three));
  CHECK(cudaEventRecord(last, three));
  CHECK(cudaStreamWaitEvent(one, join));
  CHECK(cudaStreamWaitEvent(one, last));
  spin<<<blocks, 128, 0, one>>>(a, 1000);
  CHECK(cudaStreamEndCapture(one, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  spin<<<1, 32, 0, one>>>(a, 60000);
  for (int i = 0; i < 4; i++) CHECK(cudaGraphLaunch(exec, one));
  CHECK(cudaDeviceSynchronize());
  print("a", a, n);
  print("c", c, many);
}
