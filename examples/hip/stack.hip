// Arrays of a thread's own, indexed by what is only known at run time.
#include "check.h"

__device__ __noinline__ int permute(int *values, int n, unsigned seed) {
  for (int i = n - 1; i > 0; i--) {
    seed = seed * 1664525u + 1013904223u;
    int j = (seed >> 16) % (i + 1);
    int t = values[i];
    values[i] = values[j];
    values[j] = t;
  }
  int sum = 0;
  for (int i = 0; i < n; i++) sum += values[i] * i;
  return sum;
}

__global__ void shuffle(int *out, int n) {
  int values[40];
  char letters[13];
  for (int i = 0; i < n; i++) values[i] = i;
  for (int i = 0; i < 13; i++) letters[i] = static_cast<char>(i * threadIdx.x);
  int sum = permute(values, n, threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + letters[sum % 13];
}

int main() {
  const int n = 40, threads = 192;
  Device<int> out(threads);
  shuffle<<<3, 64>>>(out.data, n);
  std::vector<int> found = out.get();
  for (int t = 0; t < threads; t++) {
    int values[n], sum = 0;
    for (int i = 0; i < n; i++) values[i] = i;
    unsigned seed = t % 64;
    for (int i = n - 1; i > 0; i--) {
      seed = seed * 1664525u + 1013904223u;
      std::swap(values[i], values[(seed >> 16) % (i + 1)]);
    }
    for (int i = 0; i < n; i++) sum += values[i] * i;
    EXPECT(found[t] == sum + static_cast<char>(sum % 13 * (t % 64)));
  }
  std::puts("stack: right");
}
