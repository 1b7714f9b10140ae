#include "common.h"
#include <cub/cub.cuh>
int main() {
  const int n = 1 << 18;
  int *in = device(random_ints(13, n, 100)), *out = zeros<int>(n), *flagged = zeros<int>(n), *count = zeros<int>(1);
  void *room = nullptr;
  size_t bytes = 0;
  CHECK(cub::DeviceScan::ExclusiveSum(room, bytes, in, out, n));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cub::DeviceScan::ExclusiveSum(room, bytes, in, out, n));
  void *more = nullptr;
  CHECK(cub::DeviceSelect::Unique(more, bytes, in, flagged, count, n));
  CHECK(cudaMalloc(&more, bytes));
  CHECK(cub::DeviceSelect::Unique(more, bytes, in, flagged, count, n));
  CHECK(cudaDeviceSynchronize());
  print("out", out, n);
  print("flagged", flagged, n);
}
