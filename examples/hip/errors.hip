// Errors: each wrong call has its own, and the last one is kept.
#include <cstring>
#include "check.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(64) small() {}

int main() {
  EXPECT(hipGetLastError() == hipSuccess);
  EXPECT(hipMalloc(reinterpret_cast<void **>(0), 16) == hipErrorInvalidValue);
  EXPECT(hipPeekAtLastError() == hipErrorInvalidValue);
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
  EXPECT(hipGetLastError() == hipSuccess);
  void *p;
  EXPECT(hipMalloc(&p, size_t(1) << 45) == hipErrorOutOfMemory);
  EXPECT(p == nullptr);
  EXPECT(hipFree(reinterpret_cast<void *>(0x1234)) == hipErrorInvalidValue);
  EXPECT(hipFree(nullptr) == hipSuccess);
  EXPECT(hipSetDevice(7) == hipErrorInvalidDevice);
  int host[4];
  HIP(hipMalloc(&p, 16));
  EXPECT(hipMemcpy(p, host, 17, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  EXPECT(hipMemcpy(host, p, 16, static_cast<hipMemcpyKind>(9)) == hipErrorInvalidMemcpyDirection);
  EXPECT(hipMemcpy(host, host + 2, 8, hipMemcpyDeviceToHost) == hipErrorInvalidValue);
  HIP(hipMemcpy(host, p, 0, hipMemcpyDeviceToHost));
  nothing<<<1, 2048>>>();
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  nothing<<<0, 64>>>();
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  small<<<1, 128>>>();
  EXPECT(hipGetLastError() == hipErrorLaunchFailure);
  EXPECT(hipEventSynchronize(nullptr) == hipErrorInvalidHandle);
  int value;
  EXPECT(hipMemcpyFromSymbol(&value, host, 4) == hipErrorInvalidSymbol);
  EXPECT(std::strcmp(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue") == 0);
  EXPECT(std::strlen(hipGetErrorString(hipErrorOutOfMemory)) > 0);
  nothing<<<1, 64>>>();
  HIP(hipDeviceSynchronize());
  HIP(hipFree(p));
  std::puts("errors: right");
}
