// Kernels of a stream with priority come between the blocks of one that fills the GPU four times.
#include "common.h"
extern __shared__ float room[];
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  if (rounds < 0) room[threadIdx.x] = x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  const int shared = 100 << 10, many = 132 * 2 * 4, some = 132;
  float *out = zeros<float>((many + some) * 32);
  CHECK(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  int least, most;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &most));
  cudaStream_t gate, low, high;
  CHECK(cudaStreamCreateWithFlags(&gate, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
  CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, most));
  cudaEvent_t go;
  CHECK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming));
  spin<<<1, 32, 0, gate>>>(out, 60000);
  CHECK(cudaEventRecord(go, gate));
  CHECK(cudaStreamWaitEvent(low, go));
  CHECK(cudaStreamWaitEvent(high, go));
  spin<<<many, 32, shared, low>>>(out, 6000);
  spin<<<1, 32, 0, high>>>(out, 8000);
  for (int i = 0; i < 2; i++) spin<<<some, 32, shared, high>>>(out + many * 32, 3000);
  CHECK(cudaDeviceSynchronize());
  print("out", out, (many + some) * 32);
}
