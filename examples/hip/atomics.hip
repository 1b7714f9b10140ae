// Every kind of atomic operation, in memory and in LDS.
#include "check.h"

struct Results {
  int sum, difference, least, most, bits_and, bits_or, bits_xor, exchanged, swapped;
  unsigned long long wide, wide_most;
  float single;
  double twice;
  int in_lds;
};

__global__ void all(Results *r) {
  __shared__ int lds;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) lds = 0;
  __syncthreads();
  atomicAdd(&r->sum, i);
  atomicSub(&r->difference, i);
  atomicMin(&r->least, 1000 - i);
  atomicMax(&r->most, i);
  atomicAnd(&r->bits_and, ~(1 << (i % 20)));
  atomicOr(&r->bits_or, 1 << (i % 20));
  atomicXor(&r->bits_xor, i);
  atomicExch(&r->exchanged, 77);
  atomicAdd(&r->wide, 1ull << 33);
  atomicMax(&r->wide_most, static_cast<unsigned long long>(i) << 34);
  atomicAdd(&r->single, 0.5f);
  atomicAdd(&r->twice, 0.25);
  int seen = r->swapped, next;
  do {
    next = seen;
    seen = atomicCAS(&r->swapped, next, next + 3);
  } while (seen != next);
  atomicAdd(&lds, 2);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&r->in_lds, lds);
}

int main() {
  const int n = 512;
  Results start = {};
  start.least = 5000;
  start.bits_and = -1;
  Device<Results> results(std::vector<Results>{start});
  all<<<4, n / 4>>>(results.data);
  Results r = results.get()[0];
  int x = 0;
  for (int i = 0; i < n; i++) {
    x ^= i;
  }
  EXPECT(r.sum == n * (n - 1) / 2);
  EXPECT(r.difference == -n * (n - 1) / 2);
  EXPECT(r.least == 1000 - (n - 1));
  EXPECT(r.most == n - 1);
  EXPECT(r.bits_and == ~((1 << 20) - 1));
  EXPECT(r.bits_or == (1 << 20) - 1);
  EXPECT(r.bits_xor == x);
  EXPECT(r.exchanged == 77);
  EXPECT(r.wide == (1ull << 33) * n);
  EXPECT(r.wide_most == static_cast<unsigned long long>(n - 1) << 34);
  EXPECT(r.single == 0.5f * n);
  EXPECT(r.twice == 0.25 * n);
  EXPECT(r.swapped == 3 * n);
  EXPECT(r.in_lds == 2 * n);
  std::puts("atomics: right");
}
