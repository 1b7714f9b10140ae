// The host looks at memory that a kernel changes, without asking HIP.
#include "check.h"

__global__ void work(volatile int *flag, int *data, int rounds) {
  int v = 0;
  for (int i = 0; i < rounds; i++) v = v * 3 + i;
  data[0] = v;
  __threadfence_system();
  *flag = 1;
}

int main() {
  int *shared;
  HIP(hipHostMalloc(&shared, 2 * sizeof(int), hipHostMallocCoherent));
  shared[0] = 0;
  work<<<1, 1>>>(shared, shared + 1, 100);
  volatile int *flag = shared;
  while (*flag == 0) {
  }
  int v = 0;
  for (int i = 0; i < 100; i++) v = static_cast<int>(static_cast<unsigned>(v) * 3 + i);
  EXPECT(shared[1] == v);
  HIP(hipDeviceSynchronize());
  HIP(hipHostFree(shared));
  std::puts("polling: right");
}
