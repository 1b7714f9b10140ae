// Loops of very different length in neighbouring lanes.
#include "check.h"

__global__ void collatz(int *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long v = i + 1;
  int count = 0;
  while (v != 1) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    count++;
  }
  steps[i] = count;
}

__global__ void primes(unsigned char *prime, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool is = i >= 2;
  for (int d = 2; d * d <= i; d++) {
    if (i % d == 0) {
      is = false;
      break;
    }
  }
  prime[i] = is;
}

int main() {
  const int n = 2000;
  Device<int> steps(n);
  Device<unsigned char> prime(n);
  collatz<<<blocks(n, 128), 128>>>(steps.data, n);
  primes<<<blocks(n, 128), 128>>>(prime.data, n);
  std::vector<int> s = steps.get();
  std::vector<unsigned char> p = prime.get();
  int most = 0, count = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long v = i + 1;
    int c = 0;
    for (; v != 1; c++) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    EXPECT(s[i] == c);
    most = c > most ? c : most;
    count += p[i];
  }
  EXPECT(most == 181);
  EXPECT(count == 303);
  std::puts("loops: right");
}
