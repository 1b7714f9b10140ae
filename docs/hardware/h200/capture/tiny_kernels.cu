// Two hundred launches of kernels that do next to nothing.
#include "common.h"
__global__ void increment(int *a) { a[threadIdx.x] += threadIdx.x; }
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
int main() {
  int *a = zeros<int>(64);
  for (int i = 0; i < 100; i++) {
    increment<<<1, 64>>>(a);
    twice<<<1, 64>>>(a);
  }
  CHECK(cudaDeviceSynchronize());
  print("a", a, 64);
}
