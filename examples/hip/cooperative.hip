// Cooperative groups: blocks, tiles, and a grid that waits for itself.
#include "check.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(float *a, float *b, int n, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    float *from = r % 2 == 0 ? a : b, *to = r % 2 == 0 ? b : a;
    if (i < n) to[i] = 0.25f * from[(i + n - 1) % n] + 0.5f * from[i] + 0.25f * from[(i + 1) % n];
    grid.sync();
  }
}

__global__ void tiles(int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int v = threadIdx.x;
  for (int offset = 8; offset > 0; offset /= 2) v += tile.shfl_down(v, offset);
  block.sync();
  if (tile.thread_rank() == 0) out[threadIdx.x / 16] = v;
}

int main() {
  int n = 1024, rounds = 6;
  std::vector<float> start(n);
  for (int i = 0; i < n; i++) start[i] = (i * 37) % 100;
  Device<float> a(start), b(n);
  void *arguments[] = {&a.data, &b.data, &n, &rounds};
  HIP(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(relax), dim3(4), dim3(256), arguments, 0, nullptr));
  HIP(hipDeviceSynchronize());
  std::vector<float> wanted = start, next(n);
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < n; i++) next[i] = 0.25f * wanted[(i + n - 1) % n] + 0.5f * wanted[i] + 0.25f * wanted[(i + 1) % n];
    wanted.swap(next);
  }
  std::vector<float> found = a.get();
  for (int i = 0; i < n; i++) expect_near(found[i], wanted[i], 1e-5, "a", i);
  EXPECT(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(relax), dim3(100000), dim3(256), arguments, 0, nullptr) ==
         hipErrorCooperativeLaunchTooLarge);
  (void)hipGetLastError();
  Device<int> sums(8);
  tiles<<<1, 128>>>(sums.data);
  std::vector<int> s = sums.get();
  for (int t = 0; t < 8; t++) EXPECT(s[t] == 16 * 16 * t + 120);
  std::puts("cooperative: right");
}
