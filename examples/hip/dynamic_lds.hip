// LDS whose size the launch says, behind LDS whose size the compiler knows.
#include "check.h"

__global__ void reverse(const int *in, int *out, int n) {
  extern __shared__ int part[];
  __shared__ int marks[64];
  marks[threadIdx.x % 64] = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) part[i] = in[blockIdx.x * n + i];
  __syncthreads();
  atomicAdd(&marks[threadIdx.x % 64], 1);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = part[n - 1 - i] + (marks[0] >= 1 ? 0 : 1000);
}

int main() {
  const int n = 3000, count = 5;
  std::vector<int> in(n * count);
  for (int i = 0; i < n * count; i++) in[i] = i * 7;
  Device<int> din(in), dout(n * count);
  reverse<<<count, 256, n * sizeof(int)>>>(din.data, dout.data, n);
  std::vector<int> out = dout.get();
  for (int b = 0; b < count; b++)
    for (int i = 0; i < n; i++) EXPECT(out[b * n + i] == in[b * n + n - 1 - i]);
  reverse<<<1, 256, 100000>>>(din.data, dout.data, n);
  EXPECT(hipGetLastError() != hipSuccess);
  std::puts("dynamic_lds: right");
}
