// An access behind a buffer: the GPU stops there, and the program hears of it from then on.
#include "check.h"

__global__ void write(int *data, int at) { data[at + threadIdx.x] = 1; }

int main() {
  Device<int> data(1000);
  write<<<1, 64>>>(data.data, 900);
  HIP(hipDeviceSynchronize());
  write<<<1, 64>>>(data.data, 950);
  EXPECT(hipDeviceSynchronize() == hipErrorIllegalAddress);
  EXPECT(hipMemset(data.data, 0, 16) == hipErrorIllegalAddress);
  std::puts("out_of_bounds: right");
}
