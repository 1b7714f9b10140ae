// Functions of the host that run in streams, in their turn.
#include "check.h"
#include <dlfcn.h>

struct Log {
  int count;
  int seen[8];
};

__global__ void set(int *data, int value) { *data = value; }

struct Look {
  Log *log;
  int *data;
};

static void look(void *user) {
  Look *look = static_cast<Look *>(user);
  look->log->seen[look->log->count++] = *look->data;
}

static void look_again(hipStream_t, hipError_t status, void *user) {
  EXPECT(status == hipSuccess);
  look(user);
}

int main() {
  int *data;
  HIP(hipMallocManaged(&data, sizeof(int)));
  *data = 0;
  Log log = {};
  Look what = {&log, data};
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  set<<<1, 1, 0, stream>>>(data, 10);
  // HIP 5.2 declares it and does not have it.
  auto launch = reinterpret_cast<hipError_t (*)(hipStream_t, void (*)(void *), void *)>(dlsym(RTLD_DEFAULT, "hipLaunchHostFunc"));
  EXPECT(launch != nullptr);
  HIP(launch(stream, look, &what));
  set<<<1, 1, 0, stream>>>(data, 20);
  HIP(hipStreamAddCallback(stream, look_again, &what, 0));
  set<<<1, 1, 0, stream>>>(data, 30);
  EXPECT(log.count == 0);
  HIP(hipStreamSynchronize(stream));
  EXPECT(log.count == 2 && log.seen[0] == 10 && log.seen[1] == 20);
  EXPECT(*data == 30);
  HIP(hipStreamDestroy(stream));
  HIP(hipFree(data));
  std::puts("callbacks: right");
}
