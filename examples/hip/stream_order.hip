// Streams that wait for each other's events, and the default stream that waits for all.
#include "check.h"

__global__ void append(int *list, int *length, int value, int delay) {
  volatile int v = 0;
  for (int i = 0; i < delay; i++) v = v + 1;
  list[(*length)++] = value;
}

int main() {
  Device<int> list(64), length(std::vector<int>{0});
  hipStream_t a, b, c;
  HIP(hipStreamCreate(&a));
  HIP(hipStreamCreate(&b));
  HIP(hipStreamCreateWithPriority(&c, hipStreamDefault, -1));
  hipEvent_t first, second;
  HIP(hipEventCreateWithFlags(&first, hipEventDisableTiming));
  HIP(hipEventCreateWithFlags(&second, hipEventDisableTiming));
  append<<<1, 1, 0, a>>>(list.data, length.data, 1, 500);
  HIP(hipEventRecord(first, a));
  HIP(hipStreamWaitEvent(b, first, 0));
  append<<<1, 1, 0, b>>>(list.data, length.data, 2, 300);
  HIP(hipEventRecord(second, b));
  HIP(hipStreamWaitEvent(c, second, 0));
  append<<<1, 1, 0, c>>>(list.data, length.data, 3, 200);
  append<<<1, 1>>>(list.data, length.data, 4, 100);
  append<<<1, 1, 0, a>>>(list.data, length.data, 5, 0);
  HIP(hipStreamSynchronize(a));
  EXPECT(hipStreamQuery(c) == hipSuccess);
  std::vector<int> found = list.get();
  EXPECT(length.get()[0] == 5);
  for (int i = 0; i < 5; i++) EXPECT(found[i] == i + 1);
  int priority;
  unsigned flags;
  HIP(hipStreamGetPriority(c, &priority));
  HIP(hipStreamGetFlags(c, &flags));
  EXPECT(priority == -1 && flags == hipStreamDefault);
  HIP(hipStreamDestroy(a));
  HIP(hipStreamDestroy(b));
  HIP(hipStreamDestroy(c));
  std::puts("stream_order: right");
}
