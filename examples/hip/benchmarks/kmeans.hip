// Points and the centres they are nearest to.
#include "../check.h"

const int DIMENSIONS = 4, CENTRES = 6;

__global__ void assign(const float *points, const float *centres, int *nearest, float *sums, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int best = 0;
  float least = 3e38f;
  for (int c = 0; c < CENTRES; c++) {
    float distance = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
      float difference = points[d * n + i] - centres[c * DIMENSIONS + d];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  nearest[i] = best;
  atomicAdd(&counts[best], 1);
  for (int d = 0; d < DIMENSIONS; d++) atomicAdd(&sums[best * DIMENSIONS + d], points[d * n + i]);
}

int main() {
  const int n = 1500, rounds = 3;
  Random random(19);
  std::vector<float> points(DIMENSIONS * n), centres(CENTRES * DIMENSIONS);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < DIMENSIONS; d++) points[d * n + i] = 10.0f * ((i * (d + 3)) % CENTRES) + random.unit();
  for (int c = 0; c < CENTRES; c++)
    for (int d = 0; d < DIMENSIONS; d++) centres[c * DIMENSIONS + d] = points[d * n + c] + 2 * random.unit();
  std::vector<float> wanted = centres;
  Device<float> dpoints(points), dcentres(CENTRES * DIMENSIONS), dsums(CENTRES * DIMENSIONS);
  Device<int> dnearest(n), dcounts(CENTRES);
  std::vector<int> nearest;
  for (int r = 0; r < rounds; r++) {
    dcentres.put(centres);
    HIP(hipMemset(dsums.data, 0, CENTRES * DIMENSIONS * sizeof(float)));
    HIP(hipMemset(dcounts.data, 0, CENTRES * sizeof(int)));
    assign<<<blocks(n, 256), 256>>>(dpoints.data, dcentres.data, dnearest.data, dsums.data, dcounts.data, n);
    std::vector<float> sums = dsums.get();
    std::vector<int> counts = dcounts.get();
    for (int k = 0; k < CENTRES * DIMENSIONS; k++)
      if (counts[k / DIMENSIONS] > 0) centres[k] = sums[k] / counts[k / DIMENSIONS];
    nearest = dnearest.get();
    std::vector<double> exact(CENTRES * DIMENSIONS, 0.0);
    std::vector<int> count(CENTRES, 0);
    for (int i = 0; i < n; i++) {
      int best = 0;
      double least = 1e300;
      for (int c = 0; c < CENTRES; c++) {
        double distance = 0;
        for (int d = 0; d < DIMENSIONS; d++) distance += std::pow(points[d * n + i] - wanted[c * DIMENSIONS + d], 2);
        if (distance < least) {
          least = distance;
          best = c;
        }
      }
      EXPECT(nearest[i] == best);
      count[best]++;
      for (int d = 0; d < DIMENSIONS; d++) exact[best * DIMENSIONS + d] += points[d * n + i];
    }
    for (int k = 0; k < CENTRES * DIMENSIONS; k++)
      if (count[k / DIMENSIONS] > 0) {
        expect_near(centres[k], exact[k] / count[k / DIMENSIONS], 1e-3, "centre", k);
        wanted[k] = centres[k];
      }
  }
  std::puts("kmeans: right");
}
