// A code object that the program loads from a file: kernels and variables by name, arguments in one piece.
#include "check.h"

#ifdef __HIP_DEVICE_COMPILE__
extern "C" __device__ int offset = 3;

extern "C" __global__ void shift(int *data, int n, short by, double scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = static_cast<int>((data[i] + by) * scale) + offset;
}
#endif

int main(int count, char **arguments) {
  EXPECT(count == 2);
  hipModule_t module;
  EXPECT(hipModuleLoad(&module, "/no/such/file") == hipErrorFileNotFound);
  HIP(hipModuleLoad(&module, arguments[1]));
  hipFunction_t shift, none;
  HIP(hipModuleGetFunction(&shift, module, "shift"));
  EXPECT(hipModuleGetFunction(&none, module, "unknown") == hipErrorNotFound);
  hipDeviceptr_t offset;
  size_t bytes;
  HIP(hipModuleGetGlobal(&offset, &bytes, module, "offset"));
  EXPECT(bytes == 4);
  int five = 5, n = 100;
  HIP(hipMemcpyHtoD(offset, &five, 4));
  std::vector<int> in(n);
  for (int i = 0; i < n; i++) in[i] = i;
  Device<int> data(in);
  struct {
    int *data;
    int n;
    short by;
    double scale;
  } packed = {data.data, n, -7, 2.0};
  size_t size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP(hipModuleLaunchKernel(shift, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  short by = 7;
  double scale = 0.5;
  void *separate[] = {&data.data, &n, &by, &scale};
  HIP(hipModuleLaunchKernel(shift, 2, 1, 1, 64, 1, 1, 0, nullptr, separate, nullptr));
  std::vector<int> out = data.get();
  for (int i = 0; i < n; i++) EXPECT(out[i] == static_cast<int>(((i - 7) * 2 + 5 + 7) * 0.5) + 5);
  HIP(hipModuleUnload(module));
  std::puts("module: right");
}
