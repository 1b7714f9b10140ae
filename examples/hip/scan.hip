// A prefix sum over several blocks, in three kernels.
#include "check.h"

const int BLOCK = 256;

__global__ void scan_blocks(const int *in, int *out, int *sums, int n) {
  __shared__ int data[2][BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int from = 0;
  data[0][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < BLOCK; distance *= 2) {
    int v = data[from][threadIdx.x];
    if (threadIdx.x >= distance) v += data[from][threadIdx.x - distance];
    data[1 - from][threadIdx.x] = v;
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = data[from][threadIdx.x];
  if (threadIdx.x == BLOCK - 1) sums[blockIdx.x] = data[from][threadIdx.x];
}

__global__ void scan_sums(int *sums, int n) {
  if (threadIdx.x == 0)
    for (int i = 1; i < n; i++) sums[i] += sums[i - 1];
}

__global__ void add_sums(int *out, const int *sums, int n) {
  int i = (blockIdx.x + 1) * BLOCK + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

int main() {
  const int n = 6000, count = blocks(n, BLOCK);
  Random random(5);
  std::vector<int> in(n);
  for (int &v : in) v = random.next() % 100;
  Device<int> din(in), dout(n), dsums(count);
  scan_blocks<<<count, BLOCK>>>(din.data, dout.data, dsums.data, n);
  scan_sums<<<1, 64>>>(dsums.data, count);
  add_sums<<<count - 1, BLOCK>>>(dout.data, dsums.data, n);
  std::vector<int> out = dout.get();
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[i];
    EXPECT(out[i] == sum);
  }
  std::puts("scan: right");
}
