// Counts in LDS first, then in memory.
#include "check.h"

__global__ void count(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  if (own[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
  const int n = 40000;
  Random random(7);
  std::vector<unsigned char> in(n);
  std::vector<unsigned> wanted(256, 0);
  for (auto &v : in) {
    v = static_cast<unsigned char>((random.next() % 256) & (random.next() % 256));
    wanted[v]++;
  }
  Device<unsigned char> din(in);
  Device<unsigned> dbins(256);
  HIP(hipMemset(dbins.data, 0, 256 * sizeof(unsigned)));
  count<<<16, 256>>>(din.data, dbins.data, n);
  EXPECT(dbins.get() == wanted);
  std::puts("histogram: right");
}
