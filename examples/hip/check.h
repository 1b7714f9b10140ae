// What the programs here share: every call is checked, every result is compared, a difference ends the program.
#pragma once
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP(call)                                                                                  \
  do {                                                                                             \
    hipError_t error_ = (call);                                                                    \
    if (error_ != hipSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error_)); \
      std::exit(2);                                                                                \
    }                                                                                              \
  } while (0)

#define EXPECT(condition)                                                                      \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      std::fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);            \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)

inline void expect_near(double found, double wanted, double tolerance, const char *what, long at) {
  if (!(std::fabs(found - wanted) <= tolerance * std::fmax(1.0, std::fabs(wanted)))) {
    std::fprintf(stderr, "%s[%ld] is %.9g, expected %.9g\n", what, at, found, wanted);
    std::exit(1);
  }
}

// Numbers that are the same on every machine.
struct Random {
  unsigned state;
  explicit Random(unsigned seed) : state(seed * 2654435761u + 1) {}
  unsigned next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
};

// An array on the GPU.
template <typename T>
struct Device {
  T *data = nullptr;
  size_t count;
  explicit Device(size_t n) : count(n) { HIP(hipMalloc(reinterpret_cast<void **>(&data), n * sizeof(T))); }
  explicit Device(const std::vector<T> &host) : Device(host.size()) { put(host); }
  Device(const Device &) = delete;
  ~Device() { (void)hipFree(data); }
  void put(const std::vector<T> &host) {
    HIP(hipMemcpy(data, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  std::vector<T> get() const {
    std::vector<T> host(count);
    HIP(hipMemcpy(host.data(), data, count * sizeof(T), hipMemcpyDeviceToHost));
    return host;
  }
};

inline int blocks(int items, int group) { return (items + group - 1) / group; }
