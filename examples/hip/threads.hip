// Several threads of the host, each with its own stream, and the stream that each has anyway.
#include <thread>
#include "check.h"

__global__ void fill(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value + i;
}

static void use(int which) {
  const int n = 1000;
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  Device<int> data(n);
  std::vector<int> found(n);
  for (int round = 0; round < 3; round++) {
    hipStream_t chosen = round == 2 ? hipStreamPerThread : stream;
    fill<<<blocks(n, 256), 256, 0, chosen>>>(data.data, n, 1000 * which + round);
    HIP(hipMemcpyAsync(found.data(), data.data, n * sizeof(int), hipMemcpyDeviceToHost, chosen));
    HIP(hipStreamSynchronize(chosen));
    for (int i = 0; i < n; i++) EXPECT(found[i] == 1000 * which + round + i);
  }
  EXPECT(hipSetDevice(which + 1) == hipErrorInvalidDevice);
  EXPECT(hipGetLastError() == hipErrorInvalidDevice);
  HIP(hipStreamDestroy(stream));
}

int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) threads.emplace_back(use, t);
  for (auto &t : threads) t.join();
  EXPECT(hipGetLastError() == hipSuccess);
  std::puts("threads: right");
}
