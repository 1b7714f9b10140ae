// Steps until a point leaves the circle.
#include "../check.h"

__host__ __device__ int escape(double cx, double cy, int most) {
  double x = 0, y = 0;
  int n = 0;
  while (n < most && x * x + y * y <= 4.0) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  return n;
}

__global__ void image(int *out, int width, int height, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = escape(-2.0 + 3.0 * x / width, -1.0 + 2.0 * y / height, most);
}

int main() {
  const int width = 72, height = 48, most = 60;
  Device<int> out(width * height);
  image<<<dim3(blocks(width, 16), blocks(height, 16)), dim3(16, 16)>>>(out.data, width, height, most);
  std::vector<int> found = out.get();
  int different = 0;
  long inside = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      different += found[y * width + x] != escape(-2.0 + 3.0 * x / width, -1.0 + 2.0 * y / height, most);
      inside += found[y * width + x] == most;
    }
  // fused multiply-add may turn a point at the very edge
  EXPECT(different <= width * height / 200);
  EXPECT(inside > width * height / 6);
  std::puts("mandelbrot: right");
}
