// Counting words: transform, sort, reduce by key, gather.
#include "common.h"
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
struct Hash {
  __host__ __device__ int operator()(int x) const { return (int)((unsigned)x * 2654435761u >> 20); }
};
int main() {
  const int n = 1 << 16;
  auto host = random_ints(15, n, 5000);
  thrust::device_vector<int> words(host.begin(), host.end()), keys(n), counts(n), longest(n);
  thrust::transform(words.begin(), words.end(), words.begin(), Hash());
  thrust::sort(words.begin(), words.end());
  auto end = thrust::reduce_by_key(words.begin(), words.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
  int distinct = end.first - keys.begin();
  thrust::gather(counts.begin(), counts.begin() + distinct, words.begin(), longest.begin());
  int sum = thrust::reduce(longest.begin(), longest.begin() + distinct);
  printf("distinct %d sum %d\n", distinct, sum);
}
