// Beside streams.cu: sets and copies as nodes of graphs, forks by events and in graphs kernel by kernel, copies of both directions at once.
// nvcc -O2 -std=c++17 -arch=sm_90a -o nodes nodes.cu; ./nodes > nodes.tsv
// Lines: experiment, what, nanoseconds (the median of 15).
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

typedef unsigned long long u64;
#define OK(call) do { cudaError_t failed = (call); if (failed != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(failed)); exit(1); } } while (0)
struct Seen { u64 start, end; };
__device__ __forceinline__ u64 now() { u64 t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }
__global__ void work(long cycles, Seen *seen) {
  u64 start = now();
  long from = clock64();
  while (clock64() - from < cycles) {}
  if (threadIdx.x == 0) seen[blockIdx.x] = {start, now()};
}
static const int ROUNDS = 15, GRID = 66;
static long us(double t) { return (long)(t * 1980); }
static Seen *pool;
static std::vector<Seen> host(1 << 16);
static int used;
static cudaStream_t S[40];
static char *dev, *dev2, *pinned;
static int take() { used += GRID; return used - GRID; }
static void launch(int at, double t, cudaStream_t s, int grid = GRID) { work<<<grid, 128, 0, s>>>(us(t), pool + at); }
static void fetch() { OK(cudaDeviceSynchronize()); OK(cudaMemcpy(host.data(), pool, used * sizeof(Seen), cudaMemcpyDeviceToHost)); }
static u64 begun(int at, int grid = GRID) { u64 t = ~0ull; for (int i = 0; i < grid; i++) t = std::min(t, host[at + i].start); return t; }
static u64 ended(int at, int grid = GRID) { u64 t = 0; for (int i = 0; i < grid; i++) t = std::max(t, host[at + i].end); return t; }
// A double has no room for nanoseconds since 1970, a difference of them has.
static double since(u64 later, u64 earlier) { return (double)(long long)(later - earlier); }
static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
static void say(const std::string &what, const std::string &of, std::vector<double> v) { printf("%s\t%s\t%.0f\n", what.c_str(), of.c_str(), median(v)); fflush(stdout); }

int main() {
  OK(cudaMalloc(&pool, host.size() * sizeof(Seen)));
  OK(cudaMalloc(&dev, 64 << 20)); OK(cudaMalloc(&dev2, 64 << 20)); OK(cudaMallocHost(&pinned, 64 << 20));
  for (auto &s : S) OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaEvent_t e[40]; for (auto &x : e) OK(cudaEventCreateWithFlags(&x, cudaEventDisableTiming));
  for (int i = 0; i < 50; i++) launch(0, 1000, S[0]);
  struct Middle { std::string name; std::function<void(cudaStream_t)> make; };
  std::vector<Middle> middles = {{"nothing", [](cudaStream_t) {}}};
  for (size_t bytes : {(size_t)4, (size_t)1024, (size_t)4096, (size_t)65536, (size_t)1 << 20}) {
    std::string b = std::to_string(bytes);
    middles.push_back({"set " + b, [=](cudaStream_t s) { OK(cudaMemsetAsync(dev, 0, bytes, s)); }});
    middles.push_back({"DtoD " + b, [=](cudaStream_t s) { OK(cudaMemcpyAsync(dev2, dev, bytes, cudaMemcpyDeviceToDevice, s)); }});
    middles.push_back({"HtoD " + b, [=](cudaStream_t s) { OK(cudaMemcpyAsync(dev, pinned, bytes, cudaMemcpyHostToDevice, s)); }});
    middles.push_back({"DtoH " + b, [=](cudaStream_t s) { OK(cudaMemcpyAsync(pinned, dev, bytes, cudaMemcpyDeviceToHost, s)); }});
  }
  // kernel, something, kernel: in a stream and in a graph
  for (auto &m : middles) for (int graph = 0; graph < 2; graph++) {
    used = 0; int a = take(), b = take(); std::vector<double> gap; cudaGraph_t g; cudaGraphExec_t x;
    auto all = [&](cudaStream_t s) { launch(a, 5, s); m.make(s); launch(b, 5, s); };
    if (graph) { OK(cudaStreamBeginCapture(S[0], cudaStreamCaptureModeThreadLocal)); all(S[0]); OK(cudaStreamEndCapture(S[0], &g)); OK(cudaGraphInstantiate(&x, g, 0)); }
    for (int r = 0; r < ROUNDS; r++) { int hold = take(); launch(hold, 60, S[0], 1); if (graph) OK(cudaGraphLaunch(x, S[0])); else all(S[0]); fetch(); used -= GRID; gap.push_back(since(begun(b), ended(a))); }
    say(std::string(graph ? "graph: " : "stream: ") + "kernel, " + m.name + ", kernel", "gap", gap);
  }
  // a fork by events and in a graph: when each of the kernels starts after the root
  for (int graph = 0; graph < 2; graph++) for (int wide : {1, 2, 3, 4, 6, 8, 16}) {
    used = 0; int root = take(), join = take(); std::vector<int> leaf; for (int i = 0; i < wide; i++) leaf.push_back(take());
    cudaGraph_t g; cudaGraphExec_t x;
    auto all = [&]() { launch(root, 5, S[0]); OK(cudaEventRecord(e[0], S[0])); for (int i = 0; i < wide; i++) { OK(cudaStreamWaitEvent(S[i + 1], e[0])); launch(leaf[i], 15, S[i + 1], 4); OK(cudaEventRecord(e[i + 1], S[i + 1])); OK(cudaStreamWaitEvent(S[0], e[i + 1])); } launch(join, 5, S[0]); };
    if (graph) { OK(cudaStreamBeginCapture(S[0], cudaStreamCaptureModeThreadLocal)); all(); OK(cudaStreamEndCapture(S[0], &g)); OK(cudaGraphInstantiate(&x, g, 0)); }
    std::vector<std::vector<double>> starts(wide); std::vector<double> back;
    for (int r = 0; r < ROUNDS; r++) { int hold = take(); launch(hold, 150, S[0], 1); if (graph) OK(cudaGraphLaunch(x, S[0])); else all(); fetch(); used -= GRID; std::vector<double> s; u64 last = 0; for (int l : leaf) { s.push_back(since(begun(l, 4), ended(root))); last = std::max(last, ended(l, 4)); } std::sort(s.begin(), s.end()); for (int i = 0; i < wide; i++) starts[i].push_back(s[i]); back.push_back(since(begun(join), last)); }
    std::string p = std::string(graph ? "graph" : "stream") + ": fork of " + std::to_string(wide);
    for (int i = 0; i < wide; i++) say(p, "start " + std::to_string(i + 1), starts[i]);
    say(p, "join", back);
  }
  // copies: alone, and of both directions at once, in pieces
  for (size_t bytes : {(size_t)16384, (size_t)65536, (size_t)262144, (size_t)1 << 20, (size_t)4 << 20}) for (int ways = 1; ways <= 3; ways++) {
    std::vector<double> took; int n = 12;
    for (int r = 0; r < ROUNDS; r++) { used = 0; int hold = take(), up = take(), down = take(); launch(hold, 100, S[0], 1); OK(cudaEventRecord(e[0], S[0])); OK(cudaStreamWaitEvent(S[1], e[0])); OK(cudaStreamWaitEvent(S[2], e[0]));
      for (int i = 0; i < n; i++) { if (ways & 1) OK(cudaMemcpyAsync(dev, pinned, bytes, cudaMemcpyHostToDevice, S[1])); if (ways & 2) OK(cudaMemcpyAsync(pinned + (32 << 20), dev2, bytes, cudaMemcpyDeviceToHost, S[2])); }
      launch(up, 1, S[1], 1); launch(down, 1, S[2], 1); fetch();
      took.push_back(since(std::max(ways & 1 ? begun(up, 1) : 0, ways & 2 ? begun(down, 1) : 0), ended(hold, 1))); }
    say(std::string(ways == 1 ? "to the GPU" : ways == 2 ? "to the host" : "both ways") + " " + std::to_string(bytes), "12 copies", took);
  }
}
