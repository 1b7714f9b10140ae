// Helpers of the programs that are captured on the H200: inputs that do not depend on a library, and errors that end the program.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    cudaError_t error = (call);                                                          \
    if (error != cudaSuccess) {                                                          \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));     \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

static uint32_t random_word(uint64_t seed, uint64_t i) {
  return (uint32_t)(mix(seed + (i + 1) * 0x9E3779B97F4A7C15ull) >> 32);
}

static std::vector<float> random_floats(uint64_t seed, size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; i++) values[i] = (random_word(seed, i) >> 8) * 0x1p-24f;
  return values;
}

static std::vector<int> random_ints(uint64_t seed, size_t count, uint32_t below) {
  std::vector<int> values(count);
  for (size_t i = 0; i < count; i++) values[i] = random_word(seed, i) % below;
  return values;
}

template <class T> static T *device(const std::vector<T> &values) {
  T *memory;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T> static T *zeros(size_t count) {
  T *memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

// Prints a sum over the words, so that a run can be compared with another.
template <class T> static void print(const char *name, const T *memory, size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  const uint32_t *words = (const uint32_t *)values.data();
  uint64_t sum = 0;
  for (size_t i = 0; i < count * sizeof(T) / 4; i++) sum += mix(words[i] + (i + 1) * 0x9E3779B97F4A7C15ull);
  printf("%s %016llx\n", name, (unsigned long long)sum);
}
