// Programs that do not end as they should: leaves abort | exit | kill | loop.
#include <csignal>
#include <cstring>
#include <unistd.h>
#include "check.h"

__global__ void set(int *data) { data[threadIdx.x] = threadIdx.x; }

int main(int count, char **arguments) {
  const char *how = count > 1 ? arguments[1] : "";
  Device<int> data(64);
  set<<<1, 64>>>(data.data);
  HIP(hipDeviceSynchronize());
  set<<<1, 64>>>(data.data);
  if (std::strcmp(how, "abort") == 0) std::abort();
  if (std::strcmp(how, "exit") == 0) _exit(3);
  if (std::strcmp(how, "kill") == 0) std::raise(SIGKILL);
  if (std::strcmp(how, "return") == 0) return 7;
  std::puts("leaves: right");
}
