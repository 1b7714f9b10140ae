// Bodies that attract each other, tile by tile.
#include "../check.h"

const int BLOCK = 64;

__global__ void step(const float4 *from, float4 *to, float4 *speed, int n, float dt) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 own = from[i];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n; t += BLOCK) {
    tile[threadIdx.x] = from[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) {
      float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
      float inverse = 1.0f / sqrtf(r2);
      float f = tile[k].w * inverse * inverse * inverse;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  float4 v = speed[i];
  v.x += ax * dt;
  v.y += ay * dt;
  v.z += az * dt;
  speed[i] = v;
  to[i] = make_float4(own.x + v.x * dt, own.y + v.y * dt, own.z + v.z * dt, own.w);
}

int main() {
  const int n = 256, steps = 2;
  const float dt = 0.01f;
  Random random(13);
  std::vector<float4> p(n), v(n, make_float4(0, 0, 0, 0));
  for (auto &b : p) b = make_float4(random.unit(), random.unit(), random.unit(), random.unit());
  Device<float4> a(p), b(n), speed(v);
  for (int s = 0; s < steps; s++)
    step<<<n / BLOCK, BLOCK>>>(s % 2 == 0 ? a.data : b.data, s % 2 == 0 ? b.data : a.data, speed.data, n, dt);
  std::vector<float4> found = a.get();
  std::vector<double> x(3 * n), w(3 * n, 0.0);
  for (int i = 0; i < n; i++) {
    x[3 * i] = p[i].x;
    x[3 * i + 1] = p[i].y;
    x[3 * i + 2] = p[i].z;
  }
  for (int s = 0; s < steps; s++) {
    std::vector<double> next = x;
    for (int i = 0; i < n; i++) {
      double acceleration[3] = {0, 0, 0};
      for (int k = 0; k < n; k++) {
        double d[3], r2 = 0.01;
        for (int c = 0; c < 3; c++) {
          d[c] = x[3 * k + c] - x[3 * i + c];
          r2 += d[c] * d[c];
        }
        for (int c = 0; c < 3; c++) acceleration[c] += p[k].w * d[c] / (r2 * std::sqrt(r2));
      }
      for (int c = 0; c < 3; c++) {
        w[3 * i + c] += acceleration[c] * dt;
        next[3 * i + c] = x[3 * i + c] + w[3 * i + c] * dt;
      }
    }
    x = next;
  }
  for (int i = 0; i < n; i++) {
    expect_near(found[i].x, x[3 * i], 1e-3, "x", i);
    expect_near(found[i].y, x[3 * i + 1], 1e-3, "y", i);
    expect_near(found[i].z, x[3 * i + 2], 1e-3, "z", i);
  }
  std::puts("nbody: right");
}
