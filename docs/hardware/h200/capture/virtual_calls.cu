// Functions through pointers: a table of __device__ functions, and objects with virtual methods made on the GPU.
#include "common.h"
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float cube(float x) { return x * x * x; }
__device__ __noinline__ float half(float x) { return x * 0.5f; }
typedef float (*Function)(float);
__device__ Function functions[3] = {square, cube, half};
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Disc : Shape {
  float r;
  __device__ Disc(float r) : r(r) {}
  __device__ float area() const override { return 3.14159265f * r * r; }
};
struct Box : Shape {
  float a, b;
  __device__ Box(float a, float b) : a(a), b(b) {}
  __device__ float area() const override { return a * b; }
};
__global__ void apply(const float *in, const int *which, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = functions[which[i]](in[i]);
}
__global__ void areas(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Disc disc(in[i]);
  Box box(in[i], i);
  Shape *shape = in[i] > 0.5f ? (Shape *)&disc : (Shape *)&box;
  out[i] = shape->area();
}
int main() {
  const int n = 1 << 13;
  float *in = device(random_floats(17, n)), *out = zeros<float>(n);
  int *which = device(random_ints(18, n, 3));
  apply<<<n / 256, 256>>>(in, which, out, n);
  areas<<<n / 256, 256>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  print("out", out, n);
}
