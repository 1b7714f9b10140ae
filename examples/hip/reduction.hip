// A sum in LDS and between lanes, and a maximum.
#include "check.h"

__global__ void reduce(const int *in, long long *sum, int *largest, int n) {
  __shared__ int part[256];
  __shared__ int most[256];
  int own = 0, best = -2147483647;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    own += in[i];
    best = max(best, in[i]);
  }
  part[threadIdx.x] = own;
  most[threadIdx.x] = best;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 64; half /= 2) {
    if (threadIdx.x < half) {
      part[threadIdx.x] += part[threadIdx.x + half];
      most[threadIdx.x] = max(most[threadIdx.x], most[threadIdx.x + half]);
    }
    __syncthreads();
  }
  if (threadIdx.x < 64) {
    int s = part[threadIdx.x], m = most[threadIdx.x];
    for (int offset = 32; offset > 0; offset /= 2) {
      s += __shfl_down(s, offset);
      m = max(m, __shfl_down(m, offset));
    }
    if (threadIdx.x == 0) {
      atomicAdd(reinterpret_cast<unsigned long long *>(sum), static_cast<unsigned long long>(static_cast<long long>(s)));
      atomicMax(largest, m);
    }
  }
}

int main() {
  const int n = 50000;
  Random random(3);
  std::vector<int> in(n);
  long long sum = 0;
  int largest = -2147483647;
  for (int &v : in) {
    v = static_cast<int>(random.next() % 20001) - 10000;
    sum += v;
    largest = v > largest ? v : largest;
  }
  Device<int> din(in), dlargest(std::vector<int>{-2147483647});
  Device<long long> dsum(std::vector<long long>{0});
  reduce<<<24, 256>>>(din.data, dsum.data, dlargest.data, n);
  EXPECT(dsum.get()[0] == sum);
  EXPECT(dlargest.get()[0] == largest);
  std::puts("reduction: right");
}
