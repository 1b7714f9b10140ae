// Sorting by a network: large distances in memory, small ones in LDS.
#include "../check.h"

const int BLOCK = 256;

__device__ void exchange(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ void far(unsigned *data, int distance, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = i / distance * 2 * distance + i % distance;
  exchange(data[low], data[low + distance], (low & size) == 0);
}

__global__ void near(unsigned *data, int from, int size) {
  __shared__ unsigned part[2 * BLOCK];
  int base = blockIdx.x * 2 * BLOCK;
  part[threadIdx.x] = data[base + threadIdx.x];
  part[threadIdx.x + BLOCK] = data[base + threadIdx.x + BLOCK];
  for (int distance = from; distance > 0; distance /= 2) {
    __syncthreads();
    int low = threadIdx.x / distance * 2 * distance + threadIdx.x % distance;
    exchange(part[low], part[low + distance], ((base + low) & size) == 0);
  }
  __syncthreads();
  data[base + threadIdx.x] = part[threadIdx.x];
  data[base + threadIdx.x + BLOCK] = part[threadIdx.x + BLOCK];
}

int main() {
  const int n = 2048;
  Random random(37);
  std::vector<unsigned> in(n);
  for (auto &v : in) v = random.next();
  Device<unsigned> data(in);
  for (int size = 2; size <= n; size *= 2)
    for (int distance = size / 2; distance > 0;) {
      if (distance >= 2 * BLOCK) {
        far<<<n / 2 / BLOCK, BLOCK>>>(data.data, distance, size);
        distance /= 2;
      } else {
        near<<<n / 2 / BLOCK, BLOCK>>>(data.data, distance, size);
        distance = 0;
      }
    }
  std::vector<unsigned> out = data.get();
  unsigned long long before = 0, after = 0;
  for (int i = 0; i < n; i++) {
    before += in[i];
    after += out[i];
    EXPECT(i == 0 || out[i - 1] <= out[i]);
  }
  EXPECT(before == after);
  std::puts("bitonic: right");
}
