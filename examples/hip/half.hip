// Half precision, alone and in pairs.
#include "check.h"
#include <hip/hip_fp16.h>

__global__ void compute(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half a = __float2half(in[i]), b = __float2half(0.25f * i);
  out[4 * i] = __half2float(__hadd(a, b));
  out[4 * i + 1] = __half2float(__hmul(a, b));
  __half2 pair = __halves2half2(a, b);
  __half2 sum = __hfma2(pair, pair, pair);
  out[4 * i + 2] = __low2float(sum);
  out[4 * i + 3] = __high2float(sum);
}

static float rounded(float v) { return static_cast<float>(static_cast<_Float16>(v)); }

int main() {
  const int n = 128;
  std::vector<float> in(n);
  for (int i = 0; i < n; i++) in[i] = 0.37f * i - 11;
  Device<float> din(in), dout(4 * n);
  compute<<<2, 64>>>(din.data, dout.data, n);
  std::vector<float> out = dout.get();
  for (int i = 0; i < n; i++) {
    float a = rounded(in[i]), b = rounded(0.25f * i);
    EXPECT(out[4 * i] == rounded(a + b));
    EXPECT(out[4 * i + 1] == rounded(a * b));
    EXPECT(out[4 * i + 2] == rounded(a * a + a));
    EXPECT(out[4 * i + 3] == rounded(b * b + b));
  }
  std::puts("half: right");
}
