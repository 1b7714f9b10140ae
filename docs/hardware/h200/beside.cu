// Short nodes of a graph beside those of another branch, which starts some rounds of arithmetic later. Captured with times (starts.cu says how).
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define OK(call) do { cudaError_t failed = (call); if (failed != cudaSuccess) { fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(failed)); exit(1); } } while (0)
__global__ void nothing() {}
__global__ void other() { asm volatile("nanosleep.u32 0;"); }
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void step(float *a, int n, float by) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = a[i] * by + 1.0f; }
__global__ void put(float *a, int n, float by) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = by; }
static float *left, *right;
static void node(int kind, cudaStream_t s, float *a) {
  if (kind == 0) nothing<<<1, 32, 0, s>>>();
  if (kind == 1) nothing<<<128, 256, 0, s>>>();
  if (kind == 2) spin<<<8, 128, 0, s>>>(a, 100);
  if (kind == 3) step<<<128, 256, 0, s>>>(a, 1 << 15, 0.5f);
  if (kind == 4) put<<<128, 256, 0, s>>>(a, 1 << 15, 0.5f);
  if (kind == 5) step<<<8, 256, 0, s>>>(a, 1 << 11, 0.5f);
}
int main() {
  cudaStream_t one, two; OK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking)); OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaEvent_t fork, join; OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming)); OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  OK(cudaMalloc(&left, 1 << 17)); OK(cudaMemset(left, 0, 1 << 17)); OK(cudaMalloc(&right, 1 << 17)); OK(cudaMemset(right, 0, 1 << 17)); OK(cudaDeviceSynchronize());
  for (int kind = 0; kind < 7; kind++) for (int delay = -1; delay <= 12; delay++) {
    int x = kind == 6 ? 3 : kind, y = kind == 6 ? 1 : kind;
    cudaGraph_t graph; cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    spin<<<8, 128, 0, one>>>(left, 100);
    if (delay >= 0) { OK(cudaEventRecord(fork, one)); OK(cudaStreamWaitEvent(two, fork)); }
    for (int k = 0; k < 4; k++) node(x, one, left);
    if (delay >= 0) { spin<<<1, 32, 0, two>>>(right, 1 + delay * 50); for (int k = 0; k < 4; k++) node(y, two, right); OK(cudaEventRecord(join, two)); OK(cudaStreamWaitEvent(one, join)); }
    other<<<1, 32, 0, one>>>();
    OK(cudaStreamEndCapture(one, &graph)); OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) { OK(cudaGraphLaunch(exec, one)); OK(cudaStreamSynchronize(one)); }
    OK(cudaGraphExecDestroy(exec)); OK(cudaGraphDestroy(graph));
  }
}
