// One source file of a small HIP program; see build.sh.
#include <hip/hip_runtime.h>

__global__ void scale(float *data, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

void shift_on_gpu(int *data);

int main() {
  scale<<<1, 64>>>(nullptr, 2, 0);
  shift_on_gpu(nullptr);
  return 0;
}
