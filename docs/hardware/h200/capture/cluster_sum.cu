// Clusters of four blocks: distributed shared memory and cluster barriers.
#include "common.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) sums(const float *in, float *out, int n) {
  __shared__ float part[128];
  cg::cluster_group cluster = cg::this_cluster();
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += in[i];
  part[threadIdx.x] = sum;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    float all = 0;
    for (int block = 0; block < 4; block++) all += cluster.map_shared_rank(part, block)[threadIdx.x];
    out[blockIdx.x / 4 * 128 + threadIdx.x] = all;
  }
  cluster.sync();
}
int main() {
  const int n = 1 << 17;
  float *in = device(random_floats(16, n)), *out = zeros<float>(16 * 128);
  sums<<<64, 128>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  print("out", out, 16 * 128);
}
