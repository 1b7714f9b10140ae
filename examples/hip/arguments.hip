// Arguments of every size: structures by value, vectors, many of them.
#include "check.h"

struct Small {
  char letter;
  short number;
};
struct Large {
  double values[5];
  int count;
  Small inner;
};

__global__ void gather(double *out, char a, short b, int c, long long d, float e, double f, bool g, float4 h, Small s, Large l,
                       int2 i, const double *p) {
  double sum = static_cast<double>(d) + a + b + c + e + f + (g ? 1000 : 0) + h.x + h.y + h.z + h.w + s.letter + s.number;
  for (int k = 0; k < l.count; k++) sum += l.values[k];
  sum += l.inner.letter + l.inner.number + i.x * i.y;
  out[threadIdx.x] = sum + p[threadIdx.x];
}

int main() {
  std::vector<double> in(64);
  for (int i = 0; i < 64; i++) in[i] = i / 8.0;
  Device<double> p(in), out(64);
  Small s = {3, -300};
  Large l = {{0.5, 1.5, 2.5, 3.5, 4.5}, 4, {7, 9}};
  gather<<<1, 64>>>(out.data, 'A', -2, 30000, 1ll << 40, 0.25f, 1e-3, true, make_float4(1, 2, 3, 4), s, l, make_int2(6, 7), p.data);
  std::vector<double> found = out.get();
  double sum = 'A' - 2 + 30000 + static_cast<double>(1ll << 40) + 0.25 + 1e-3 + 1000 + 10 + 3 - 300 + 8.0 + 16 + 42;
  for (int i = 0; i < 64; i++) expect_near(found[i], sum + in[i], 1e-15, "out", i);
  std::puts("arguments: right");
}
