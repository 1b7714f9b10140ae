// Prices of options.
#include "../check.h"

__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void price(const float *stock, const float *strike, const float *years, float *call, float *put, int n) {
  const float rate = 0.02f, volatility = 0.3f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float root = sqrtf(years[i]);
    float d1 = (logf(stock[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    float d2 = d1 - volatility * root;
    float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = stock[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - stock[i] * normal(-d1);
  }
}

int main() {
  const int n = 2000;
  Random random(29);
  std::vector<float> s(n), k(n), t(n);
  for (int i = 0; i < n; i++) {
    s[i] = 5 + 25 * random.unit();
    k[i] = 1 + 99 * random.unit();
    t[i] = 0.25f + 9.75f * random.unit();
  }
  Device<float> ds(s), dk(k), dt(t), dcall(n), dput(n);
  price<<<4, 256>>>(ds.data, dk.data, dt.data, dcall.data, dput.data, n);
  std::vector<float> call = dcall.get(), put = dput.get();
  for (int i = 0; i < n; i++) {
    double root = std::sqrt(t[i]), d1 = (std::log(s[i] / k[i]) + (0.02 + 0.045) * t[i]) / (0.3 * root), d2 = d1 - 0.3 * root;
    double discounted = k[i] * std::exp(-0.02 * t[i]);
    auto normal = [](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); };
    expect_near(call[i], s[i] * normal(d1) - discounted * normal(d2), 2e-4, "call", i);
    expect_near(put[i], discounted * normal(-d2) - s[i] * normal(-d1), 2e-4, "put", i);
  }
  std::puts("blackscholes: right");
}
