// Chunks that are copied in, worked on and copied out in several streams.
#include "check.h"

__global__ void work(float *data, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = data[i];
  for (int k = 0; k < rounds; k++) v = v * 0.5f + 1.0f;
  data[i] = v;
}

int main() {
  const int chunks = 8, n = 2048, rounds = 64;
  float *host;
  HIP(hipHostMalloc(&host, chunks * n * sizeof(float), 0));
  for (int i = 0; i < chunks * n; i++) host[i] = i;
  Device<float> device(chunks * n);
  hipStream_t streams[3];
  for (auto &s : streams) HIP(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
  for (int c = 0; c < chunks; c++) {
    hipStream_t s = streams[c % 3];
    HIP(hipMemcpyAsync(device.data + c * n, host + c * n, n * sizeof(float), hipMemcpyHostToDevice, s));
    work<<<blocks(n, 256), 256, 0, s>>>(device.data + c * n, n, rounds);
    HIP(hipMemcpyAsync(host + c * n, device.data + c * n, n * sizeof(float), hipMemcpyDeviceToHost, s));
  }
  for (auto &s : streams) HIP(hipStreamSynchronize(s));
  for (int i = 0; i < chunks * n; i++) {
    float v = i;
    for (int k = 0; k < rounds; k++) v = v * 0.5f + 1.0f;
    expect_near(host[i], v, 1e-6, "host", i);
  }
  for (auto &s : streams) HIP(hipStreamDestroy(s));
  HIP(hipHostFree(host));
  std::puts("pipeline: right");
}
