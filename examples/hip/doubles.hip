// Double precision: arithmetic, square root, and functions of the device library.
#include "check.h"

__global__ void compute(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  y[4 * i] = fma(v, v, 1.0) / (v + 3.0);
  y[4 * i + 1] = sqrt(v);
  y[4 * i + 2] = exp(-v) + log(v + 1.0);
  y[4 * i + 3] = sin(v) * cos(v) + pow(v + 1.0, 0.75);
}

int main() {
  const int n = 512;
  std::vector<double> x(n);
  for (int i = 0; i < n; i++) x[i] = 0.013 * i;
  Device<double> dx(x), dy(4 * n);
  compute<<<blocks(n, 128), 128>>>(dx.data, dy.data, n);
  std::vector<double> y = dy.get();
  for (int i = 0; i < n; i++) {
    double v = x[i];
    expect_near(y[4 * i], (v * v + 1.0) / (v + 3.0), 1e-14, "quotient", i);
    expect_near(y[4 * i + 1], std::sqrt(v), 1e-14, "root", i);
    expect_near(y[4 * i + 2], std::exp(-v) + std::log(v + 1.0), 1e-13, "exponential", i);
    expect_near(y[4 * i + 3], std::sin(v) * std::cos(v) + std::pow(v + 1.0, 0.75), 1e-13, "waves", i);
  }
  std::puts("doubles: right");
}
