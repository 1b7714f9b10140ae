// A graph that forks into ten branches of two kernels each and joins them, launched three times.
#include "common.h"
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  const int wide = 10, blocks = 8;
  float *out = zeros<float>((wide + 1) * blocks * 128);
  cudaStream_t one, streams[wide];
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  for (auto &stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  spin<<<blocks, 128, 0, one>>>(out, 1000);
  CHECK(cudaEventRecord(fork, one));
  for (int s = 0; s < wide; s++) {
    CHECK(cudaStreamWaitEvent(streams[s], fork));
    for (int k = 0; k < 2; k++) spin<<<blocks, 128, 0, streams[s]>>>(out + (s + 1) * blocks * 128, 1500 + 200 * ((3 * s + 2 * k) % 7));
    CHECK(cudaEventRecord(join, streams[s]));
    CHECK(cudaStreamWaitEvent(one, join));
  }
  spin<<<blocks, 128, 0, one>>>(out, 1000);
  CHECK(cudaStreamEndCapture(one, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  spin<<<1, 32, 0, one>>>(out, 60000);
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(exec, one));
  CHECK(cudaDeviceSynchronize());
  print("out", out, (wide + 1) * blocks * 128);
}
