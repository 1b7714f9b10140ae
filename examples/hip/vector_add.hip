// The smallest program there is.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 10007;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = 0.5f * i;
  }
  Device<float> da(a), db(b), dc(n);
  add<<<blocks(n, 256), 256>>>(da.data, db.data, dc.data, n);
  HIP(hipGetLastError());
  std::vector<float> c = dc.get();
  for (int i = 0; i < n; i++) EXPECT(c[i] == 1.5f * i);
  std::puts("vector_add: right");
}
