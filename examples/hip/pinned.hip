// Memory of the host that the GPU sees: allocated so, and registered later.
#include "check.h"

__global__ void twice(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

int main() {
  const int n = 3000;
  int *pinned;
  HIP(hipHostMalloc(&pinned, n * sizeof(int), hipHostMallocMapped));
  for (int i = 0; i < n; i++) pinned[i] = i;
  int *seen;
  HIP(hipHostGetDevicePointer(reinterpret_cast<void **>(&seen), pinned, 0));
  twice<<<blocks(n, 256), 256>>>(seen, n);
  HIP(hipDeviceSynchronize());
  for (int i = 0; i < n; i++) EXPECT(pinned[i] == 2 * i);
  hipPointerAttribute_t about;
  HIP(hipPointerGetAttributes(&about, pinned));
  EXPECT(about.memoryType == hipMemoryTypeHost);

  std::vector<int> plain(n + 100, 7);
  HIP(hipHostRegister(plain.data() + 50, n * sizeof(int), hipHostRegisterDefault));
  HIP(hipHostGetDevicePointer(reinterpret_cast<void **>(&seen), plain.data() + 50, 0));
  twice<<<blocks(n, 256), 256>>>(seen, n);
  HIP(hipDeviceSynchronize());
  plain[60] += 1;
  twice<<<blocks(n, 256), 256>>>(seen, n);
  HIP(hipDeviceSynchronize());
  HIP(hipHostUnregister(plain.data() + 50));
  for (int i = 0; i < n + 100; i++) EXPECT(plain[i] == (i < 50 || i >= n + 50 ? 7 : i == 60 ? 30 : 28));

  // copies between pinned and device memory need not wait
  Device<int> device(n);
  HIP(hipMemcpyAsync(device.data, pinned, n * sizeof(int), hipMemcpyHostToDevice, nullptr));
  twice<<<blocks(n, 256), 256>>>(device.data, n);
  HIP(hipMemcpyAsync(pinned, device.data, n * sizeof(int), hipMemcpyDeviceToHost, nullptr));
  HIP(hipStreamSynchronize(nullptr));
  for (int i = 0; i < n; i++) EXPECT(pinned[i] == 4 * i);
  HIP(hipHostFree(pinned));
  std::puts("pinned: right");
}
