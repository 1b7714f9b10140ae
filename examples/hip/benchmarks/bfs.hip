// Breadth-first search, a kernel per level, until nothing changes.
#include "../check.h"

__global__ void expand(const int *start, const int *edges, int *level, int current, int *changed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || level[i] != current) return;
  for (int e = start[i]; e < start[i + 1]; e++) {
    if (atomicCAS(&level[edges[e]], -1, current + 1) == -1) *changed = 1;
  }
}

int main() {
  const int n = 3000, degree = 4;
  Random random(17);
  std::vector<int> start(n + 1), edges, level(n, -1);
  for (int i = 0; i < n; i++) {
    start[i] = edges.size();
    for (int d = 0; d < degree; d++)
      edges.push_back(d == 0 ? (i + 1) % n : (i + random.next() % 50) % n);
  }
  start[n] = edges.size();
  level[0] = 0;
  std::vector<int> wanted = level, queue = {0};
  for (size_t q = 0; q < queue.size(); q++)
    for (int e = start[queue[q]]; e < start[queue[q] + 1]; e++)
      if (wanted[edges[e]] < 0) {
        wanted[edges[e]] = wanted[queue[q]] + 1;
        queue.push_back(edges[e]);
      }
  Device<int> dstart(start), dedges(edges), dlevel(level), dchanged(1);
  int changed = 1, rounds = 0;
  while (changed != 0) {
    changed = 0;
    HIP(hipMemcpy(dchanged.data, &changed, sizeof changed, hipMemcpyHostToDevice));
    expand<<<blocks(n, 256), 256>>>(dstart.data, dedges.data, dlevel.data, rounds++, dchanged.data, n);
    HIP(hipMemcpy(&changed, dchanged.data, sizeof changed, hipMemcpyDeviceToHost));
  }
  EXPECT(dlevel.get() == wanted);
  EXPECT(rounds > 10);
  std::puts("bfs: right");
}
