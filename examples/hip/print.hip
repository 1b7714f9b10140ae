// printf in a kernel: every kind of argument, and the host's own output before and after it.
#include "check.h"

__global__ void say(const char *text) {
  if (threadIdx.x < 2) {
    int n = printf("lane %d of %u: %s %c %5.2f %-4d| %lld %x %e %%\n", static_cast<int>(threadIdx.x), 64u, text, 'z', 3.14159,
                   7, 1234567890123ll, 0xbeef, 0.5);
    if (n != 70) printf("length %d\n", n);
  }
  if (threadIdx.x == 63) printf("%*d|%.*f|%s|%p\n", 6, 42, 3, 2.0, "a text that is longer than fifty-six characters, so it needs two", (void *)16);
}

int main() {
  char *text;
  HIP(hipMallocManaged(&text, 16));
  std::snprintf(text, 16, "managed");
  std::printf("before\n");
  say<<<1, 64>>>(text);
  HIP(hipDeviceSynchronize());
  std::printf("after\n");
}
