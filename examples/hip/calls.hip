// Functions that are called: through pointers, through virtual tables, and by themselves.
#include "check.h"

typedef int (*Operation)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ Operation operations[3] = {plus, minus, times};

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Box : Shape {
  int width, height;
  __device__ Box(int w, int h) : width(w), height(h) {}
  __device__ int area() const override { return width * height; }
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void call(int *out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int v = operations[i % 3](i, 3);
  Square square(i);
  Box box(i, 2);
  const Shape *shape = i % 2 == 0 ? static_cast<const Shape *>(&square) : &box;
  out[3 * i] = v;
  out[3 * i + 1] = shape->area();
  out[3 * i + 2] = fibonacci(i % 8);
}

int main() {
  const int n = 64;
  Device<int> out(3 * n);
  call<<<1, 64>>>(out.data, n);
  std::vector<int> found = out.get();
  int fib[8] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (int i = 0; i < n; i++) {
    EXPECT(found[3 * i] == (i % 3 == 0 ? i + 3 : i % 3 == 1 ? i - 3 : i * 3));
    EXPECT(found[3 * i + 1] == (i % 2 == 0 ? i * i : i * 2));
    EXPECT(found[3 * i + 2] == fib[i % 8]);
  }
  std::puts("calls: right");
}
