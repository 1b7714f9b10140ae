// A fast Fourier transform in LDS, and back.
#include "../check.h"

const int N = 256;

__global__ void transform(float2 *data, float sign) {
  __shared__ float2 a[N];
  float2 *own = data + blockIdx.x * N;
  int t = threadIdx.x;
  for (int k = t; k < N; k += N / 2) a[__brev(k) >> 24] = own[k];
  for (int half = 1; half < N; half *= 2) {
    __syncthreads();
    int k = t % half, low = (t / half) * 2 * half + k;
    float s, c;
    sincosf(sign * 3.14159265f * k / half, &s, &c);
    float2 u = a[low], v = a[low + half];
    float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
    a[low] = make_float2(u.x + w.x, u.y + w.y);
    a[low + half] = make_float2(u.x - w.x, u.y - w.y);
  }
  __syncthreads();
  for (int k = t; k < N; k += N / 2) own[k] = a[k];
}

int main() {
  const int batch = 4;
  Random random(43);
  std::vector<float2> in(batch * N);
  for (auto &v : in) v = make_float2(random.unit() - 0.5f, random.unit() - 0.5f);
  Device<float2> data(in);
  transform<<<batch, N / 2>>>(data.data, -1.0f);
  std::vector<float2> spectrum = data.get();
  for (int b = 0; b < batch; b++)
    for (int k = 0; k < N; k += 17) {
      double re = 0, im = 0;
      for (int j = 0; j < N; j++) {
        double angle = -2 * M_PI * j * k / N;
        re += in[b * N + j].x * std::cos(angle) - in[b * N + j].y * std::sin(angle);
        im += in[b * N + j].x * std::sin(angle) + in[b * N + j].y * std::cos(angle);
      }
      expect_near(spectrum[b * N + k].x, re, 1e-4, "re", k);
      expect_near(spectrum[b * N + k].y, im, 1e-4, "im", k);
    }
  transform<<<batch, N / 2>>>(data.data, 1.0f);
  std::vector<float2> back = data.get();
  for (int i = 0; i < batch * N; i++) {
    expect_near(back[i].x / N, in[i].x, 1e-5, "back", i);
    expect_near(back[i].y / N, in[i].y, 1e-5, "back", i);
  }
  std::puts("fft: right");
}
