#include "common.h"
#include <cub/cub.cuh>
int main() {
  const int n = 1 << 17;
  int *keys = device(random_ints(11, n, 1u << 30)), *values = device(random_ints(12, n, 1000)), *sorted = zeros<int>(n), *carried = zeros<int>(n);
  void *room = nullptr;
  size_t bytes = 0;
  CHECK(cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted, values, carried, n));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted, values, carried, n));
  CHECK(cudaDeviceSynchronize());
  print("sorted", sorted, n);
  print("carried", carried, n);
}
