// Events: their times are those of the simulated GPU.
#include "check.h"

__global__ void spin(float *data, int rounds) {
  float v = threadIdx.x;
  for (int i = 0; i < rounds; i++) v = v * 0.999f + 1.0f;
  data[threadIdx.x] = v;
}

static float milliseconds(float *data, int rounds) {
  hipEvent_t start, stop;
  HIP(hipEventCreate(&start));
  HIP(hipEventCreate(&stop));
  HIP(hipEventRecord(start, nullptr));
  spin<<<1, 64>>>(data, rounds);
  HIP(hipEventRecord(stop, nullptr));
  HIP(hipEventSynchronize(stop));
  HIP(hipEventQuery(stop));
  float time;
  HIP(hipEventElapsedTime(&time, start, stop));
  HIP(hipEventDestroy(start));
  HIP(hipEventDestroy(stop));
  return time;
}

int main() {
  Device<float> data(64);
  milliseconds(data.data, 100);
  float once = milliseconds(data.data, 4000), often = milliseconds(data.data, 16000);
  EXPECT(once > 0);
  EXPECT(often > 2.5f * once && often < 4.5f * once);
  hipEvent_t never, untimed;
  HIP(hipEventCreate(&never));
  HIP(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
  float time;
  EXPECT(hipEventElapsedTime(&time, never, never) == hipErrorInvalidHandle);
  EXPECT(hipEventElapsedTime(&time, untimed, never) == hipErrorInvalidHandle);
  // a query lets time pass until it succeeds
  spin<<<1, 64>>>(data.data, 4000);
  HIP(hipEventRecord(never, nullptr));
  int asked = 0;
  hipError_t state;
  while ((state = hipEventQuery(never)) == hipErrorNotReady) asked++;
  EXPECT(state == hipSuccess && asked > 0);
  std::puts("events: right");
}
