// Special functions, divisions, roots, doubles: whatever a mathematics library is made of.
#include "common.h"
__global__ void singles(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i] * 20.0f - 10.0f;
  float *o = out + 12 * i;
  o[0] = expf(x), o[1] = logf(fabsf(x)), o[2] = sinf(x), o[3] = cosf(x * 3), o[4] = tanhf(x), o[5] = 1.0f / x;
  o[6] = rsqrtf(fabsf(x)), o[7] = sqrtf(fabsf(x)), o[8] = __expf(x), o[9] = __sinf(x), o[10] = powf(fabsf(x), 1.7f), o[11] = erff(x);
}
__global__ void doubles(const float *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i] * 20.0 - 10.0;
  double *o = out + 4 * i;
  o[0] = exp(x), o[1] = sqrt(fabs(x)), o[2] = 1.0 / x, o[3] = sin(x);
}
int main() {
  const int n = 1 << 13;
  float *in = device(random_floats(7, n)), *out = zeros<float>(12 * n);
  double *wide = zeros<double>(4 * n);
  singles<<<n / 128, 128>>>(in, out, n);
  doubles<<<n / 128, 128>>>(in, wide, n);
  CHECK(cudaDeviceSynchronize());
  print("singles", out, 12 * n);
  print("doubles", wide, 4 * n);
}
