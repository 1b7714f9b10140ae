// An assertion that fails in a kernel: it is printed, and the program hears of it.
#include <cassert>
#include "check.h"

__global__ void test(const int *data) { assert(data[threadIdx.x] < 10); }

int main() {
  Device<int> small(std::vector<int>(64, 3));
  test<<<1, 64>>>(small.data);
  HIP(hipDeviceSynchronize());
  std::vector<int> values(64, 3);
  values[5] = 12;
  Device<int> large(values);
  test<<<1, 64>>>(large.data);
  EXPECT(hipDeviceSynchronize() == hipErrorLaunchFailure);
  std::puts("assertion: right");
}
