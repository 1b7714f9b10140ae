#include "common.h"
#include <cub/cub.cuh>
int main() {
  const int n = 1 << 18;
  float *in = device(random_floats(14, n)), *out = zeros<float>(4);
  cub::KeyValuePair<int, float> *most = nullptr;
  CHECK(cudaMalloc(&most, sizeof(*most)));
  CHECK(cudaMemset(most, 0, sizeof(*most)));
  void *room = nullptr;
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(room, bytes, in, out, n));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cub::DeviceReduce::Sum(room, bytes, in, out, n));
  void *second = nullptr;
  CHECK(cub::DeviceReduce::Max(second, bytes, in, out + 1, n));
  CHECK(cudaMalloc(&second, bytes));
  CHECK(cub::DeviceReduce::Max(second, bytes, in, out + 1, n));
  CHECK(cudaDeviceSynchronize());
  print("out", out, 4);
}
