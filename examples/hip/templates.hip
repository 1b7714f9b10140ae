// Kernels made from templates: types, numbers, functors and lambdas.
#include "check.h"

template <typename T>
struct Scale {
  T factor;
  __device__ T operator()(T v) const { return v * factor; }
};

template <int N>
struct Power {
  template <typename T>
  __device__ static T of(T v) {
    return v * Power<N - 1>::of(v);
  }
};
template <>
struct Power<0> {
  template <typename T>
  __device__ static T of(T) {
    return T(1);
  }
};

template <typename T, typename F>
__global__ void apply(T *data, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = f(data[i]);
}

template <typename T, int N>
__global__ void power(T *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = Power<N>::of(data[i]);
}

template <typename T>
void check(T factor) {
  const int n = 200;
  std::vector<T> in(n);
  for (int i = 0; i < n; i++) in[i] = static_cast<T>(i % 11);
  Device<T> d(in);
  apply<<<blocks(n, 64), 64>>>(d.data, n, Scale<T>{factor});
  power<T, 3><<<blocks(n, 64), 64>>>(d.data, n);
  T added = factor;
  apply<<<blocks(n, 64), 64>>>(d.data, n, [added] __device__(T v) { return static_cast<T>(v + added); });
  std::vector<T> out = d.get();
  for (int i = 0; i < n; i++) {
    T v = static_cast<T>(in[i] * factor);
    EXPECT(out[i] == static_cast<T>(static_cast<T>(v * static_cast<T>(v * v)) + added));
  }
}

int main() {
  check<int>(3);
  check<float>(0.5f);
  check<double>(2.5);
  check<short>(2);
  check<long long>(1000000);
  check<unsigned char>(1);
  std::puts("templates: right");
}
