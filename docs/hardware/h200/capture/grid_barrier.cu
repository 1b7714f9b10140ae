// A cooperative grid: Jacobi steps with a barrier of the whole grid between them.
#include "common.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void jacobi(float *a, float *b, int width, int height, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; s++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += gridDim.x * blockDim.x) {
      int x = i % width, y = i / width;
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
        b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - width] + a[i + width]);
    }
    grid.sync();
    float *swap = a;
    a = b;
    b = swap;
  }
}
int main() {
  int width = 256, height = 128, steps = 6;
  auto start = random_floats(6, width * height);
  float *a = device(start), *b = device(start);
  void *arguments[] = {&a, &b, &width, &height, &steps};
  CHECK(cudaLaunchCooperativeKernel((void *)jacobi, dim3(66), dim3(256), arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  print("a", a, width * height);
}
