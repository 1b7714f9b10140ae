// Programmatic dependent launch: the second kernel prepares while the first still runs.
#include "common.h"
__global__ void first(float *a, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i * 0.5f;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 0.5f, 1.0f);
  asm volatile("griddepcontrol.launch_dependents;");
  if (i < n) a[i] = x;
}
__global__ void second(const float *a, float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 0.25f, 2.0f);
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n) b[i] = x + a[i];
}
int main() {
  int n = 1 << 15, rounds = 300;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int pair = 0; pair < 4; pair++) {
    first<<<n / 256, 256, 0, stream>>>(a, n, rounds);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(n / 256);
    config.blockDim = dim3(256);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, second, (const float *)a, b, n, rounds));
  }
  CHECK(cudaDeviceSynchronize());
  print("b", b, n);
}
