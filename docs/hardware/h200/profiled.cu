// What a profiler (CUPTI, concurrent kernels) counts to a kernel, against what its blocks see.
// nvcc -O2 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o profiled profiled.cu -lcupti
// ./profiled > profiled.tsv
// Lines: experiment, context, launches, then means in ns: what the profiler counts; from the first instruction of the first block to the last of the
// last (globaltimer); the difference; from the profiler's start to the first block and from the last block to the profiler's end, both up to a
// constant that drifts; from the end of the kernel before to the start (profiler); the clock.
#include <cuda_runtime.h>
#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>
typedef unsigned long long u64;
#define OK(call) do { cudaError_t failed = (call); if (failed != cudaSuccess) { fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(failed)); exit(1); } } while (0)

struct Seen { u64 start, end; long cycles; long pad; };
__device__ __forceinline__ u64 now() { u64 t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }

// Kernels of one text under several names: the profiler tells them apart, and each has code of its own.
template <int ID> __global__ void spin(long cycles, Seen* seen) {
  u64 start = now(); long from = clock64();
  while (clock64() - from < cycles) {}
  if (seen && threadIdx.x == 0) { long c = clock64() - from; u64 t = now(); seen[blockIdx.x] = {start, t, c, 0}; }
}
template <int ID> __global__ void empty() {}
template <int BYTES> struct Some { long cycles; Seen* seen; char rest[BYTES]; };
template <int BYTES> __global__ void parameters(Some<BYTES> p) {
  u64 start = now(); long from = clock64();
  while (clock64() - from < p.cycles + p.rest[BYTES - 1]) {}
  if (threadIdx.x == 0) { long c = clock64() - from; u64 t = now(); p.seen[blockIdx.x] = {start, t, c, 0}; }
}
// Ends with stores: n words of 4 bytes a thread, a row of the grid apart.
__global__ void stores(long cycles, Seen* seen, int* to, int n) {
  u64 start = now(); long from = clock64();
  while (clock64() - from < cycles) {}
  if (threadIdx.x == 0) { long c = clock64() - from; u64 t = now(); seen[blockIdx.x] = {start, t, c, 0}; }
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i++) to[at + (size_t)i * gridDim.x * blockDim.x] = i;
}
__global__ void adds(long cycles, Seen* seen, int* to, int n) {
  u64 start = now(); long from = clock64();
  while (clock64() - from < cycles) {}
  if (threadIdx.x == 0) { long c = clock64() - from; u64 t = now(); seen[blockIdx.x] = {start, t, c, 0}; }
  for (int i = 0; i < n; i++) atomicAdd(to + ((threadIdx.x + 32 * i) & 1023), 1);
}
// Only stores, as a fill has them.
template <int ID> __global__ void fill(int* to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] = value; }
template <int ID> __global__ void fill4(int4* to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] = make_int4(value, value, value, value); }
template <int ID> __global__ void increment(int* to) { to[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
extern __shared__ int room[];
__global__ void roomy(long cycles, Seen* seen) {
  u64 start = now(); long from = clock64();
  if (cycles < 0) room[threadIdx.x] = 1;
  while (clock64() - from < cycles) {}
  if (threadIdx.x == 0) { long c = clock64() - from; u64 t = now(); seen[blockIdx.x] = {start, t, c, 0}; }
}
__global__ void sweep(float4* a, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = a[i]; v.x += 1; a[i] = v; }
}
// First accesses of a kernel, in cycles: the sum of the first two numbers is the first load, that of the next two the first of another page.
__global__ void loads(const int* a, size_t page, long* out) {
  long t[8]; int x = 0;
  t[0] = clock64();
  x = *(volatile const int*)(a + x); asm volatile("" :: "r"(x) : "memory"); asm volatile("and.b32 %0, %0, 0;" : "+r"(x)); t[1] = clock64() + x;
  x = *(volatile const int*)(a + 64 + x); asm volatile("and.b32 %0, %0, 0;" : "+r"(x)); t[2] = clock64() + x;
  x = *(volatile const int*)(a + 128 + x); asm volatile("and.b32 %0, %0, 0;" : "+r"(x)); t[3] = clock64() + x;
  x = *(volatile const int*)(a + page / 4 + x); asm volatile("and.b32 %0, %0, 0;" : "+r"(x)); t[4] = clock64() + x;
  x = *(volatile const int*)(a + page / 4 + 64 + x); asm volatile("and.b32 %0, %0, 0;" : "+r"(x)); t[5] = clock64() + x;
  for (int i = 0; i < 6; i++) out[i] = t[i] - t[0];
}
// Straight code: 16 pieces of 64 dependent instructions (1 KB, 256 cycles) with a clock between.
#define R8(x) x x x x x x x x
template <int ID> __global__ void code(float f, long* out) {
  int t[17]; float v = f;
#pragma unroll
  for (int i = 0; i < 16; i++) {
    asm volatile("mov.u32 %0, %clock;" : "=r"(t[i]) :: "memory");
    R8(R8(asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(v) : "f"(f));))
  }
  asm volatile("mov.u32 %0, %clock;" : "=r"(t[16]) :: "memory");
  if (threadIdx.x == 0) { for (int i = 0; i < 17; i++) out[i] = t[i] - t[0]; out[17] = v == 1.5f; }
}

struct Record { u64 start, end; std::string name; };
static std::vector<Record> records;
static void CUPTIAPI wanted(uint8_t** buffer, size_t* size, size_t* count) { *size = 8 << 20; *buffer = (uint8_t*)aligned_alloc(8, *size); *count = 0; }
static void CUPTIAPI done(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* r = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &r) == CUPTI_SUCCESS)
    if (r->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) { auto k = (CUpti_ActivityKernel10*)r; records.push_back({k->start, k->end, k->name}); }
  free(buffer);
}
static cudaStream_t S, T;
static const double MHZ = 1980;
static long us(double t) { return (long)(t * MHZ); }
static void pause(int micros) { auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(micros); while (std::chrono::steady_clock::now() < until) {} }
static Seen* pool; static size_t used; static std::vector<Seen> mirror;
static Seen* take(size_t n) { Seen* p = pool + used; used += n; if (used > (1 << 20)) { fprintf(stderr, "pool\n"); exit(1); } return p; }
static double constant = 0; static bool known = false;
static double mean(std::vector<double> v) { if (v.empty()) return -1; std::sort(v.begin(), v.end()); size_t cut = v.size() / 10; double s = 0; for (size_t i = cut; i < v.size() - cut; i++) s += v[i]; return s / (v.size() - 2 * cut); }

// What was launched, in the order of starts on the GPU; warm-up launches are told by skip.
struct Launched { Seen* seen; int blocks; bool skip; int group; };
static std::vector<Launched> launched;
static void begin() { OK(cudaDeviceSynchronize()); cuptiActivityFlushAll(1); records.clear(); launched.clear(); used = 0; }
static void finish(const std::string& experiment, const std::string& context) {
  OK(cudaDeviceSynchronize()); cuptiActivityFlushAll(1);
  mirror.resize(used); if (used) OK(cudaMemcpy(mirror.data(), pool, used * sizeof(Seen), cudaMemcpyDeviceToHost));
  std::vector<Record> all = records; std::sort(all.begin(), all.end(), [&](const Record& a, const Record& b) { return a.start < b.start; });
  if (all.size() != launched.size()) { printf("%s\t%s\tfound %zu records of %zu\n", experiment.c_str(), context.c_str(), all.size(), launched.size()); return; }
  std::map<int, std::vector<double>> dur, in, diff, head, tail, gap, cyc;
  for (size_t i = 0; i < all.size(); i++) {
    if (launched[i].skip) continue;
    int g = launched[i].group;
    double d = all[i].end - all[i].start; dur[g].push_back(d);
    if (i) gap[g].push_back((double)all[i].start - (double)all[i - 1].end);
    if (launched[i].seen) {
      u64 s = ~0ull, e = 0; Seen* p = &mirror[launched[i].seen - pool];
      for (int b = 0; b < launched[i].blocks; b++) { s = std::min(s, p[b].start); e = std::max(e, p[b].end); }
      if (launched[i].blocks == 1) cyc[g].push_back((double)p[0].cycles / ((double)p[0].end - p[0].start) * 1000);
      in[g].push_back((double)(e - s)); diff[g].push_back(d - (double)(e - s));
      double h = (double)s - (double)all[i].start, t = (double)all[i].end - (double)e;
      if (!known) { known = true; constant = h; }
      head[g].push_back(h - constant); tail[g].push_back(t + constant);
    }
  }
  for (auto& one : dur) { int g = one.first;
    printf("%s\t%s%s\t%zu\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", experiment.c_str(), context.c_str(), g ? (" " + std::to_string(g)).c_str() : "", one.second.size(), mean(one.second), mean(in[g]), mean(diff[g]), mean(head[g]), mean(tail[g]), mean(gap[g]), mean(cyc[g])); }
  fflush(stdout);
}
typedef std::function<void(cudaStream_t, int)> Launch;  // launches and pushes into launched
static void isolated(const std::string& e, Launch f, int n = 25, int micros = 30, std::function<void()> before = nullptr) {
  begin(); for (int i = 0; i < n; i++) { if (before) before(); OK(cudaDeviceSynchronize()); pause(micros); f(S, i); launched.back().skip = i < 3; } finish(e, before ? "isolated after another" : "isolated");
}
static void queued(const std::string& e, Launch f, int n = 40) {
  begin(); spin<99><<<1, 1, 0, S>>>(us(400), nullptr); launched.push_back({nullptr, 0, true, 0});
  for (int i = 0; i < n; i++) { f(S, i); launched.back().skip = i < 3; } finish(e, "queued");
}
// The fifth launch of a graph that is a chain: its first node (1) and the others (2).
static void chained(const std::string& e, Launch f, int n = 20) {
  cudaGraph_t graph; cudaGraphExec_t exec; begin(); size_t from = launched.size();
  OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < n; i++) { f(S, i); launched.back().group = i == 0 ? 1 : 2; }
  OK(cudaStreamEndCapture(S, &graph)); OK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<Launched> once(launched.begin() + from, launched.end()); launched.clear();
  for (int r = 0; r < 5; r++) { OK(cudaDeviceSynchronize()); pause(50); OK(cudaGraphLaunch(exec, S)); for (auto l : once) { l.skip = r < 4; if (r < 4) l.seen = nullptr; launched.push_back(l); } }
  finish(e, "graph");
  OK(cudaGraphExecDestroy(exec)); OK(cudaGraphDestroy(graph));
}
static void all(const std::string& e, Launch f) { isolated(e, f); queued(e, f); chained(e, f); }
template <int ID> static Launch spinning(int grid, int threads, double t) { return [=](cudaStream_t s, int) { Seen* p = take(grid); spin<ID><<<grid, threads, 0, s>>>(us(t), p); launched.push_back({p, grid, false, 0}); }; }
template <int N> struct Firsts { static void go() { Firsts<N - 1>::go(); OK(cudaDeviceSynchronize()); pause(30); Seen* p = take(1); spin<1000 + N><<<1, 32, 0, S>>>(us(1), p); launched.push_back({p, 1, false, 1});
  for (int i = 0; i < 3; i++) { OK(cudaDeviceSynchronize()); pause(30); Seen* q = take(1); spin<1000 + N><<<1, 32, 0, S>>>(us(1), q); launched.push_back({q, 1, false, 2 + i}); } } };
template <> struct Firsts<0> { static void go() {} };

int main() {
  OK(cudaSetDevice(0)); OK(cudaFree(0)); OK(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking)); OK(cudaStreamCreateWithFlags(&T, cudaStreamNonBlocking));
  OK(cudaMalloc(&pool, sizeof(Seen) << 20)); int* data; const size_t BYTES = 512ull << 20; OK(cudaMalloc(&data, BYTES)); OK(cudaMemset(data, 0, BYTES));
  cuptiActivityRegisterCallbacks(wanted, done); cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  for (int i = 0; i < 20; i++) spin<0><<<132, 32, 0, S>>>(us(50), nullptr);
  OK(cudaDeviceSynchronize());
  printf("experiment\tcontext\tlaunches\tprofiler\tblocks\tdifference\tstart to block\tblock to end\tgap\tMHz\n");
  for (double t : {0.0, 0.5, 1.0, 5.0, 50.0}) all("spin 1x32 " + std::to_string((int)(t * 1000)) + " ns", spinning<0>(1, 32, t));
  for (int grid : {8, 66, 132, 264, 1056, 2112, 10000}) all("spin " + std::to_string(grid) + "x32 1000 ns", spinning<0>(grid, 32, 1));
  for (int threads : {128, 256, 1024}) for (int grid : {1, 128}) all("spin " + std::to_string(grid) + "x" + std::to_string(threads) + " 1000 ns", spinning<0>(grid, threads, 1));
  for (int grid : {1, 132, 1056, 10000}) all("empty " + std::to_string(grid) + "x32", [=](cudaStream_t s, int) { empty<0><<<grid, 32, 0, s>>>(); launched.push_back({nullptr, 0, false, 0}); });
  for (int micros : {0, 5, 100, 1000, 20000}) isolated("spin 1x32 1000 ns, idle " + std::to_string(micros) + " us", spinning<0>(1, 32, 1), micros > 10000 ? 10 : 25, micros);
  begin(); Firsts<24>::go(); finish("spin 1x32 1000 ns", "launch of its code");
  isolated("spin 1x32 1000 ns, L2 swept", spinning<0>(1, 32, 1), 15, 30, [=] { sweep<<<528, 256, 0, S>>>((float4*)data, BYTES / 32); launched.push_back({nullptr, 0, true, 0}); });
  isolated("increment 1x64, L2 swept", [=](cudaStream_t s, int) { increment<0><<<1, 64, 0, s>>>(data); launched.push_back({nullptr, 0, false, 0}); }, 15, 30, [=] { sweep<<<528, 256, 0, S>>>((float4*)data + BYTES / 32, BYTES / 32); launched.push_back({nullptr, 0, true, 0}); });
  isolated("increment 1x64, other code", [=](cudaStream_t s, int) { increment<0><<<1, 64, 0, s>>>(data); launched.push_back({nullptr, 0, false, 0}); }, 15, 30, [=] { code<5><<<132, 32, 0, S>>>(1.f, (long*)pool); launched.push_back({nullptr, 0, true, 0}); });
  isolated("spin 1x32 1000 ns, 200 KB before", spinning<0>(1, 32, 1), 15, 30, [=] { OK(cudaFuncSetAttribute(roomy, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10)); roomy<<<132, 32, 200 << 10, S>>>(us(1), take(132)); launched.push_back({nullptr, 0, true, 0}); });
  // Ends.
  for (int grid : {1, 132}) for (int n : {0, 1, 8, 64}) all("stores " + std::to_string(grid) + "x256 n " + std::to_string(n), [=](cudaStream_t s, int) { Seen* p = take(grid); stores<<<grid, 256, 0, s>>>(us(1), p, data, n); launched.push_back({p, grid, false, 0}); });
  for (int grid : {1, 132}) for (int n : {1, 8}) all("adds " + std::to_string(grid) + "x256 n " + std::to_string(n), [=](cudaStream_t s, int) { Seen* p = take(grid); adds<<<grid, 256, 0, s>>>(us(1), p, data, n); launched.push_back({p, grid, false, 0}); });
  for (int grid : {1, 16, 64, 128, 256, 1056, 4224}) all("fill " + std::to_string(grid) + "x128", [=](cudaStream_t s, int) { fill<0><<<grid, 128, 0, s>>>(data, 1); launched.push_back({nullptr, 0, false, 0}); });
  for (int grid : {1, 128, 1056}) all("fill4 " + std::to_string(grid) + "x128", [=](cudaStream_t s, int) { fill4<0><<<grid, 128, 0, s>>>((int4*)data, 1); launched.push_back({nullptr, 0, false, 0}); });
  for (int grid : {1, 128, 1056}) all("increment " + std::to_string(grid) + "x256", [=](cudaStream_t s, int) { increment<0><<<grid, 256, 0, s>>>(data); launched.push_back({nullptr, 0, false, 0}); });
  // Two kernels in turn.
  all("two in turn 1x32 1000 ns", [=](cudaStream_t s, int i) { Seen* p = take(1); if (i & 1) spin<1><<<1, 32, 0, s>>>(us(1), p); else spin<2><<<1, 32, 0, s>>>(us(1), p); launched.push_back({p, 1, false, 0}); });
  all("increment and fill in turn 128x256", [=](cudaStream_t s, int i) { if (i & 1) increment<1><<<128, 256, 0, s>>>(data); else fill<1><<<128, 256, 0, s>>>(data, 2); launched.push_back({nullptr, 0, false, i & 1}); });
  // Parameters.
  all("parameters 16", [=](cudaStream_t s, int) { Some<8> p = {us(1), take(1)}; parameters<8><<<1, 32, 0, s>>>(p); launched.push_back({p.seen, 1, false, 0}); });
  all("parameters 528", [=](cudaStream_t s, int) { Some<512> p = {us(1), take(1)}; parameters<512><<<1, 32, 0, s>>>(p); launched.push_back({p.seen, 1, false, 0}); });
  all("parameters 4016", [=](cudaStream_t s, int) { Some<4000> p = {us(1), take(1)}; parameters<4000><<<1, 32, 0, s>>>(p); launched.push_back({p.seen, 1, false, 0}); });
  // Clusters and cooperative launches.
  for (int size : {1, 2, 4, 8}) isolated("cluster of " + std::to_string(size) + ", 64x32 1000 ns", [=](cudaStream_t s, int) { Seen* p = take(64); cudaLaunchConfig_t c = {}; c.gridDim = 64; c.blockDim = 32; c.stream = s; cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x = size; a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1; c.attrs = a; c.numAttrs = 1; OK(cudaLaunchKernelEx(&c, spin<3>, us(1), p)); launched.push_back({p, 64, false, 0}); });
  isolated("cooperative 66x256 1000 ns", [=](cudaStream_t s, int) { Seen* p = take(66); long c = us(1); void* args[] = {&c, &p}; OK(cudaLaunchCooperativeKernel((void*)spin<4>, dim3(66), dim3(256), args, 0, s)); launched.push_back({p, 66, false, 0}); });
  // A fork in a graph: 128 blocks each. Node 0, then 1 to 3 beside 4 and 5, then 6.
  for (double t : {1.0, 5.0}) { cudaGraph_t graph; cudaGraphExec_t exec; cudaEvent_t a, b; OK(cudaEventCreateWithFlags(&a, cudaEventDisableTiming)); OK(cudaEventCreateWithFlags(&b, cudaEventDisableTiming)); begin();
    OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal)); Seen* p[8]; for (auto& x : p) x = take(128);
    spin<10><<<128, 256, 0, S>>>(us(t), p[0]); OK(cudaEventRecord(a, S)); OK(cudaStreamWaitEvent(T, a, 0));
    spin<11><<<128, 256, 0, S>>>(us(t), p[1]); spin<12><<<128, 256, 0, S>>>(us(t), p[2]); spin<13><<<128, 256, 0, S>>>(us(t), p[3]);
    spin<14><<<128, 256, 0, T>>>(us(t), p[4]); spin<15><<<128, 256, 0, T>>>(us(t), p[5]); OK(cudaEventRecord(b, T)); OK(cudaStreamWaitEvent(S, b, 0)); spin<16><<<128, 256, 0, S>>>(us(t), p[6]);
    OK(cudaStreamEndCapture(S, &graph)); OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int r = 0; r < 12; r++) { begin(); used = 8 * 128; OK(cudaGraphLaunch(exec, S)); OK(cudaDeviceSynchronize()); cuptiActivityFlushAll(1); mirror.resize(used); OK(cudaMemcpy(mirror.data(), pool, used * sizeof(Seen), cudaMemcpyDeviceToHost));
      if (r < 2) continue;
      u64 zero = ~0ull; for (auto& k : records) zero = std::min(zero, k.start);
      for (auto& k : records) { int id = atoi(k.name.c_str() + k.name.find("ILi") + 3) - 10; u64 s = ~0ull, e = 0; for (int i = 0; i < 128; i++) { s = std::min(s, mirror[id * 128 + i].start); e = std::max(e, mirror[id * 128 + i].end); }
        printf("fork %.0f us\tnode %d\t1\t%lld\t%lld\t%lld\t%.0f\t%.0f\tfrom %lld\n", t, id, (long long)(k.end - k.start), (long long)(e - s), (long long)(k.end - k.start - (e - s)), (double)s - k.start - constant, (double)k.end - e + constant, (long long)(k.start - zero)); } }
    OK(cudaGraphExecDestroy(exec)); OK(cudaGraphDestroy(graph)); }
  // First accesses and straight code, in cycles.
  long* out; OK(cudaMalloc(&out, 4096)); long h[64];
  auto tell = [&](const char* what, int n) { OK(cudaMemcpy(h, out, n * sizeof(long), cudaMemcpyDeviceToHost)); printf("%s", what); for (int i = 1; i < n; i++) printf("\t%ld", h[i] - h[i - 1]); printf("\n"); };
  for (int i = 0; i < 4; i++) { loads<<<1, 1, 0, S>>>(data, 32 << 20, out); OK(cudaDeviceSynchronize()); tell("loads isolated", 6); }
  for (int i = 0; i < 3; i++) { sweep<<<528, 256, 0, S>>>((float4*)data + BYTES / 32, BYTES / 32); loads<<<1, 1, 0, S>>>(data, 32 << 20, out); OK(cudaDeviceSynchronize()); tell("loads after sweep of another 256 MB", 6); }
  for (int i = 0; i < 3; i++) { increment<0><<<1056, 256, 0, S>>>(data); OK(cudaDeviceSynchronize()); loads<<<1, 1, 0, S>>>(data, 32 << 20, out); OK(cudaDeviceSynchronize()); tell("loads after a kernel that wrote them", 6); }
  for (int i = 0; i < 3; i++) { spin<0><<<1, 32, 0, S>>>(us(100), nullptr); for (int k = 0; k < 5; k++) loads<<<1, 1, 0, S>>>(data, 32 << 20, out); OK(cudaDeviceSynchronize()); tell("loads queued", 6); }
  for (int i = 0; i < 4; i++) { code<0><<<1, 32, 0, S>>>(1.f, out); OK(cudaDeviceSynchronize()); pause(30); tell("code isolated", 17); }
  for (int i = 0; i < 3; i++) { for (int k = 0; k < 3; k++) code<1><<<132, 32, 0, S>>>(1.f, (long*)pool); code<0><<<1, 32, 0, S>>>(1.f, out); OK(cudaDeviceSynchronize()); tell("code after other code", 17); }
  for (int i = 0; i < 3; i++) { spin<0><<<1, 32, 0, S>>>(us(100), nullptr); for (int k = 0; k < 5; k++) code<0><<<1, 32, 0, S>>>(1.f, out); OK(cudaDeviceSynchronize()); tell("code queued", 17); }
  for (int i = 0; i < 3; i++) { spin<0><<<1, 32, 0, S>>>(us(100), nullptr); for (int k = 0; k < 5; k++) code<0><<<132, 32, 0, S>>>(1.f, out); OK(cudaDeviceSynchronize()); tell("code queued, all SMs", 17); }
  for (int i = 0; i < 2; i++) { sweep<<<528, 256, 0, S>>>((float4*)data, BYTES / 32); code<0><<<1, 32, 0, S>>>(1.f, out); OK(cudaDeviceSynchronize()); tell("code after sweep", 17); }
  return 0;
}
