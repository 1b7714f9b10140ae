// What the lanes of a wave tell each other.
#include "check.h"

__global__ void lanes(int *out) {
  int lane = threadIdx.x % 64;
  int v = lane * 3;
  int *o = out + 12 * threadIdx.x;
  o[0] = __shfl(v, 5);
  o[1] = __shfl_up(v, 2);
  o[2] = __shfl_down(v, 3);
  o[3] = __shfl_xor(v, 7);
  unsigned long long odd = __ballot(lane % 2);
  o[4] = static_cast<int>(odd >> 32);
  o[5] = __popcll(odd);
  o[6] = __any(lane == 63);
  o[7] = __all(lane < 63);
  o[8] = __popc(lane) + __clz(lane + 1) + __ffs(lane);
  o[9] = __lane_id();
  o[10] = __shfl(v, (lane + 1) % 16, 16);
  o[11] = static_cast<int>(__brev(lane) >> 26);
}

int main() {
  const int n = 128;
  Device<int> out(12 * n);
  lanes<<<1, n>>>(out.data);
  std::vector<int> found = out.get();
  for (int t = 0; t < n; t++) {
    int lane = t % 64, *o = &found[12 * t];
    EXPECT(o[0] == 15);
    EXPECT(o[1] == 3 * (lane < 2 ? lane : lane - 2));
    EXPECT(o[2] == 3 * (lane > 60 ? lane : lane + 3));
    EXPECT(o[3] == 3 * (lane ^ 7));
    EXPECT(o[4] == static_cast<int>(0xaaaaaaaa));
    EXPECT(o[5] == 32);
    EXPECT(o[6] != 0);
    EXPECT(o[7] == 0);
    EXPECT(o[8] == __builtin_popcount(lane) + __builtin_clz(lane + 1) + __builtin_ffs(lane));
    EXPECT(o[9] == lane);
    EXPECT(o[10] == 3 * (lane / 16 * 16 + (lane + 1) % 16));
    int reversed = 0;
    for (int b = 0; b < 6; b++) reversed |= (lane >> b & 1) << (5 - b);
    EXPECT(o[11] == reversed);
  }
  std::puts("lanes: right");
}
