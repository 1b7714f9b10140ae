// Sets and copies on the GPU beside kernels.
#include "common.h"
__global__ void spin(float *out, int rounds) {
  float x = threadIdx.x;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 1.0001f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
  const size_t bytes = 8 << 20;
  float *out = zeros<float>(66 * 128);
  char *a = zeros<char>(bytes), *b = zeros<char>(bytes);
  cudaStream_t gate, fill, copy, work;
  for (auto stream : {&gate, &fill, &copy, &work}) CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  cudaEvent_t go;
  CHECK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming));
  spin<<<1, 32, 0, gate>>>(out, 100000);
  CHECK(cudaEventRecord(go, gate));
  for (auto stream : {fill, copy, work}) CHECK(cudaStreamWaitEvent(stream, go));
  for (int p = 0; p < 6; p++) {
    CHECK(cudaMemsetAsync(a, p, bytes >> p % 3, fill));
    CHECK(cudaMemcpyAsync(b, b + bytes / 2, bytes / 2 >> p % 3, cudaMemcpyDeviceToDevice, copy));
    spin<<<66, 128, 0, work>>>(out, 1500 + 300 * p);
  }
  CHECK(cudaDeviceSynchronize());
  print("out", out, 66 * 128);
}
