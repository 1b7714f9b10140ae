// Constant memory and variables of the GPU, by name.
#include "check.h"

__constant__ float coefficients[8];
__device__ int counter = 40;
__device__ float table[16];
__device__ int *indirect;
static __device__ double hidden = 2.5;

__global__ void use(float *out) {
  float v = 0;
  for (int k = 7; k >= 0; k--) v = v * threadIdx.x + coefficients[k];
  out[threadIdx.x] = v + table[threadIdx.x % 16];
  if (threadIdx.x == 0) {
    atomicAdd(&counter, 2);
    hidden *= 2;
    *indirect = 9;
  }
}

int main() {
  float c[8], t[16];
  for (int i = 0; i < 8; i++) c[i] = 1.0f / (1 << i);
  for (int i = 0; i < 16; i++) t[i] = 100.0f * i;
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), c, sizeof c));
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(table), t, sizeof t / 2));
  void *address;
  size_t bytes;
  HIP(hipGetSymbolAddress(&address, HIP_SYMBOL(table)));
  HIP(hipGetSymbolSize(&bytes, HIP_SYMBOL(table)));
  EXPECT(bytes == sizeof t);
  HIP(hipMemcpy(static_cast<float *>(address) + 8, t + 8, sizeof t / 2, hipMemcpyHostToDevice));
  Device<int> place(1);
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(indirect), &place.data, sizeof place.data));
  Device<float> out(32);
  use<<<1, 32>>>(out.data);
  std::vector<float> found = out.get();
  for (int i = 0; i < 32; i++) {
    double v = 0;
    for (int k = 7; k >= 0; k--) v = v * i + c[k];
    expect_near(found[i], v + t[i % 16], 1e-5, "out", i);
  }
  int count;
  double twice;
  HIP(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
  HIP(hipMemcpyFromSymbol(&twice, HIP_SYMBOL(hidden), sizeof twice));
  EXPECT(count == 42);
  EXPECT(twice == 5.0);
  EXPECT(place.get()[0] == 9);
  EXPECT(hipMemcpyToSymbol(HIP_SYMBOL(table), t, sizeof t, 4) == hipErrorInvalidValue);
  (void)hipGetLastError();
  std::puts("symbols: right");
}
