// How an H200 runs a program: launches, gaps, events, graphs, copies, sets, shared SMs, priorities.
// nvcc -O2 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o streams streams.cu -lcupti
// ./streams plain > plain.tsv; ./streams cupti activities.tsv > cupti.tsv
// Lines of the output: experiment, parameter, what, value. Times in nanoseconds. Blocks of kernels: lines that begin with "block".
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace cg = cooperative_groups;
typedef unsigned long long u64;
#define OK(call) do { cudaError_t failed = (call); if (failed != cudaSuccess) { fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(failed)); exit(1); } } while (0)

struct Seen { u64 start, end; unsigned sm, block; };

// Counted from the program's start: a double has no room for nanoseconds since 1970.
__device__ u64 beginning;
__device__ __forceinline__ u64 now() { u64 t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t - beginning; }
__global__ void begin() { beginning = now() - 1000000; }
__device__ __forceinline__ unsigned smid() { unsigned s; asm volatile("mov.u32 %0, %smid;" : "=r"(s)); return s; }

__global__ void empty() {}
__global__ void work(long cycles, Seen* seen) {
  u64 start = now();
  long from = clock64();
  while (clock64() - from < cycles) {}
  if (seen && threadIdx.x == 0) seen[blockIdx.x] = {start, now(), smid(), blockIdx.x};
}
extern __shared__ int room[];
__global__ void roomy(long cycles, Seen* seen) {
  u64 start = now();
  if (cycles < 0) room[threadIdx.x] = 1;
  long from = clock64();
  while (clock64() - from < cycles) {}
  if (seen && threadIdx.x == 0) seen[blockIdx.x] = {start, now(), smid(), blockIdx.x};
}
__global__ void dependent(long cycles, long trigger, Seen* seen) {
  u64 begun = now();
  cudaGridDependencySynchronize();
  u64 start = now();
  long from = clock64();
  while (clock64() - from < trigger) {}
  cudaTriggerProgrammaticLaunchCompletion();
  while (clock64() - from < cycles) {}
  if (seen && threadIdx.x == 0) { seen[2 * blockIdx.x] = {start, now(), smid(), blockIdx.x}; seen[2 * blockIdx.x + 1] = {begun, start, smid(), blockIdx.x}; }
}
__global__ void barriers(int n, Seen* seen) {
  u64 start = now();
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < n; i++) grid.sync();
  if (seen && threadIdx.x == 0) seen[blockIdx.x] = {start, now(), smid(), blockIdx.x};
}
__global__ void stream_add(const float4* a, float4* b, size_t n, Seen* seen) {
  u64 start = now();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = a[i]; v.x += 1; b[i] = v; }
  __syncthreads();
  if (seen && threadIdx.x == 0) seen[blockIdx.x] = {start, now(), smid(), blockIdx.x};
}
__global__ void pong(volatile int* flag, volatile int* ack, volatile u64* at, int n) {
  for (int i = 1; i <= n; i++) { while (*flag < i) {} at[i - 1] = now(); __threadfence_system(); *ack = i; }
}

static const auto hostBeginning = std::chrono::steady_clock::now();
static double hostNow() { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - hostBeginning).count(); }
static const char* experiment = "";
static void say(const std::string& parameter, const char* what, double value) { printf("%s\t%s\t%s\t%.1f\n", experiment, parameter.c_str(), what, value); }
static void spread(const std::string& parameter, const char* what, std::vector<double> v) {
  if (v.empty()) return;
  std::sort(v.begin(), v.end());
  std::string w = what;
  say(parameter, (w + ".min").c_str(), v.front());
  say(parameter, (w + ".median").c_str(), v[v.size() / 2]);
  say(parameter, (w + ".p90").c_str(), v[v.size() * 9 / 10]);
  say(parameter, (w + ".max").c_str(), v.back());
}
static double MHZ = 1980;
static long us(double t) { return (long)(t * MHZ); }

// What blocks saw lies on the device, so that no kernel waits for the host's memory; it is fetched after each synchronisation.
static Seen* seenPool; static Seen* mirror; static size_t seenUsed; static const size_t SEEN = 1 << 20; static bool stale;
static void settle() { OK(cudaDeviceSynchronize()); stale = true; }
static Seen* at(Seen* p) { if (stale) { OK(cudaMemcpy(mirror, seenPool, seenUsed * sizeof(Seen), cudaMemcpyDeviceToHost)); stale = false; } return mirror + (p - seenPool); }
static Seen* take(size_t n) { Seen* p = seenPool + seenUsed; seenUsed += n; if (seenUsed > SEEN) { fprintf(stderr, "seen\n"); exit(1); } return p; }
struct Kernel { u64 start = ~0ull, end = 0; };
static std::vector<Seen> got(Seen* p, size_t n) { p = at(p); return std::vector<Seen>(p, p + n); }
static Kernel whole(Seen* p, size_t n, int step = 1) { p = at(p); Kernel k; for (size_t i = 0; i < n; i += step) { k.start = std::min(k.start, p[i].start); k.end = std::max(k.end, p[i].end); } return k; }
static void fresh() { settle(); seenUsed = 0; }
static void blocks(const std::string& what, Seen* p, size_t n, u64 origin) { for (auto& s : got(p, n)) printf("block\t%s\t%s\t%u\t%u\t%lld\t%lld\n", experiment, what.c_str(), s.block, s.sm, (long long)(s.start - origin), (long long)(s.end - origin)); }

static FILE* activities; static bool cupti;
static void CUPTIAPI wanted(uint8_t** buffer, size_t* size, size_t* records) { *size = 8 << 20; *buffer = (uint8_t*)aligned_alloc(8, *size); *records = 0; }
static void CUPTIAPI done(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* r = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &r) == CUPTI_SUCCESS) {
    if (r->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) { auto k = (CUpti_ActivityKernel10*)r;
      std::string name = k->name; fprintf(activities, "%s\tkernel\t%.24s\t%u\t%llu\t%llu\t%d\t%u\n", experiment, name.c_str(), k->streamId, (u64)k->start, (u64)k->end, k->gridX, k->correlationId);
    } else if (r->kind == CUPTI_ACTIVITY_KIND_MEMCPY) { auto k = (CUpti_ActivityMemcpy6*)r;
      fprintf(activities, "%s\tcopy\t%d/%d>%d\t%u\t%llu\t%llu\t%llu\t%u\n", experiment, k->copyKind, k->srcKind, k->dstKind, k->streamId, (u64)k->start, (u64)k->end, (u64)k->bytes, k->correlationId);
    } else if (r->kind == CUPTI_ACTIVITY_KIND_MEMSET) { auto k = (CUpti_ActivityMemset4*)r;
      fprintf(activities, "%s\tset\t%d\t%u\t%llu\t%llu\t%llu\t%u\n", experiment, k->memoryKind, k->streamId, (u64)k->start, (u64)k->end, (u64)k->bytes, k->correlationId);
    } else if (r->kind == CUPTI_ACTIVITY_KIND_RUNTIME) { auto k = (CUpti_ActivityAPI*)r;
      const char* name = ""; cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, k->cbid, &name);
      fprintf(activities, "%s\tcall\t%.32s\t%u\t%llu\t%llu\t0\t%u\n", experiment, name, 0, (u64)k->start, (u64)k->end, k->correlationId);
    }
  }
  free(buffer);
}
static void flush() { settle(); if (cupti) cuptiActivityFlushAll(1); fflush(stdout); }
static void run(const char* name, std::function<void()> body) { experiment = name; fresh(); double t = hostNow(); body(); flush(); fprintf(stderr, "%s %.2f s\n", name, (hostNow() - t) * 1e-9); }

static cudaStream_t S[160];
static void hold(cudaStream_t s, double microseconds) { work<<<1, 1, 0, s>>>(us(microseconds), nullptr); }

static double offset;  // globaltimer minus host clock
static void calibrate() {
  volatile int* flags; u64* at; const int n = 2000;
  OK(cudaHostAlloc((void**)&flags, 1024, cudaHostAllocMapped)); OK(cudaHostAlloc((void**)&at, n * 8, cudaHostAllocMapped));
  flags[0] = 0; flags[128] = 0;
  pong<<<1, 1, 0, S[0]>>>(flags, flags + 128, at, n);
  double best = 1e18; std::vector<double> trips;
  for (int i = 1; i <= n; i++) { double t0 = hostNow(); flags[0] = i; while (flags[128] < i) {} double t1 = hostNow(); trips.push_back(t1 - t0);
    if (t1 - t0 < best) { best = t1 - t0; offset = (double)at[i - 1] - (t0 + t1) / 2; } }
  settle();
  spread("host to SM and back", "trip", trips);
}

static void rates() {
  for (int grid : {1, 132, 1056}) for (int n : {200, 2000}) {
    std::vector<double> calls; fresh();
    double t0 = hostNow(); double last = t0;
    for (int i = 0; i < n; i++) { empty<<<grid, 32, 0, S[0]>>>(); double t = hostNow(); calls.push_back(t - last); last = t; }
    OK(cudaStreamSynchronize(S[0])); double t1 = hostNow();
    std::string p = "grid " + std::to_string(grid) + " n " + std::to_string(n);
    spread(p, "call", calls); say(p, "each", (t1 - t0) / n); say(p, "sync", t1 - last);
  }
  for (int streams : {1, 2, 4, 8}) { fresh(); int n = 2000; double t0 = hostNow();
    for (int i = 0; i < n; i++) empty<<<1, 32, 0, S[i % streams]>>>();
    settle(); say("streams " + std::to_string(streams), "each", (hostNow() - t0) / n); }
}
static void latency() {
  std::vector<double> start, call, back, backEvent, backDevice;
  cudaEvent_t e; OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  for (int how = 0; how < 3; how++) for (int i = 0; i < 200; i++) { fresh(); Seen* s = take(1); std::this_thread::sleep_for(std::chrono::microseconds(100));
    double t0 = hostNow(); work<<<1, 32, 0, S[0]>>>(us(20), s); double c = hostNow();
    if (how == 1) OK(cudaEventRecord(e, S[0]));
    if (how == 0) OK(cudaStreamSynchronize(S[0])); else if (how == 1) OK(cudaEventSynchronize(e)); else settle();
    double t1 = hostNow(); stale = true;
    if (how == 0) { start.push_back(at(s)->start - offset - t0); call.push_back(c - t0); back.push_back(t1 + offset - at(s)->end); }
    if (how == 1) backEvent.push_back(t1 + offset - at(s)->end); if (how == 2) backDevice.push_back(t1 + offset - at(s)->end); }
  spread("launch", "call", call); spread("launch", "call to block", start); spread("stream synchronize", "block to return", back); spread("event synchronize", "block to return", backEvent); spread("device synchronize", "block to return", backDevice);
}
// Gaps between kernels of one stream, the host far ahead.
static void gaps() {
  for (int threads : {32, 1024}) for (int grid : {1, 132, 264, 1056}) for (double t : {2.0, 10.0}) {
    if ((long)grid * threads > 132 * 2048) continue;
    fresh(); const int n = 100; std::vector<Seen*> s; hold(S[0], 2000);
    for (int i = 0; i < n; i++) { s.push_back(take(grid)); work<<<grid, threads, 0, S[0]>>>(us(t), s.back()); }
    settle(); std::vector<double> gap, first; 
    for (int i = 0; i < n; i++) { Kernel k = whole(s[i], grid); if (i) gap.push_back((double)k.start - whole(s[i - 1], grid).end); u64 latest = 0; for (auto& b : got(s[i], grid)) latest = std::max(latest, b.start); first.push_back(latest - k.start); }
    std::string p = "threads " + std::to_string(threads) + " grid " + std::to_string(grid) + " us " + std::to_string((int)t);
    spread(p, "gap", gap); spread(p, "first to last block", first);
  }
  fresh(); const int n = 60; std::vector<Seen*> s; hold(S[0], 2000);
  OK(cudaFuncSetAttribute(roomy, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  for (int i = 0; i < n; i++) { s.push_back(take(132)); roomy<<<132, 128, (i & 1) ? 200 << 10 : 1024, S[0]>>>(us(5), s.back()); }
  settle(); std::vector<double> gap; for (int i = 1; i < n; i++) gap.push_back((double)whole(s[i], 132).start - whole(s[i - 1], 132).end);
  spread("shared memory 1 and 200 KB in turn", "gap", gap);
}
static void events() {
  cudaEvent_t e[201]; for (auto& x : e) OK(cudaEventCreateWithFlags(&x, cudaEventDisableTiming));
  for (int timing = 0; timing < 2; timing++) for (int grid : {1, 132}) { fresh(); const int n = 100; std::vector<Seen*> s;
    cudaEvent_t t[201]; for (auto& x : t) OK(cudaEventCreateWithFlags(&x, timing ? 0 : cudaEventDisableTiming));
    hold(S[0], 3000); double rec = 0, wait = 0;
    for (int i = 0; i < n; i++) { cudaStream_t to = S[i & 1]; s.push_back(take(grid)); work<<<grid, 128, 0, to>>>(us(5), s.back()); double a = hostNow(); OK(cudaEventRecord(t[i], to)); double b = hostNow(); OK(cudaStreamWaitEvent(S[(i + 1) & 1], t[i], 0)); double c = hostNow(); rec += b - a; wait += c - b; }
    settle(); std::vector<double> gap; for (int i = 1; i < n; i++) gap.push_back((double)whole(s[i], grid).start - whole(s[i - 1], grid).end);
    std::string p = std::string(timing ? "timing " : "no timing ") + "grid " + std::to_string(grid);
    spread(p, "gap", gap); say(p, "record call", rec / n); say(p, "wait call", wait / n);
    for (auto& x : t) OK(cudaEventDestroy(x)); }
  // a record between two kernels of one stream
  for (int timing = 0; timing < 2; timing++) { fresh(); const int n = 100; std::vector<Seen*> s; cudaEvent_t x; OK(cudaEventCreateWithFlags(&x, timing ? 0 : cudaEventDisableTiming)); hold(S[0], 2000);
    for (int i = 0; i < n; i++) { s.push_back(take(132)); work<<<132, 128, 0, S[0]>>>(us(5), s.back()); OK(cudaEventRecord(x, S[0])); }
    settle(); std::vector<double> gap; for (int i = 1; i < n; i++) gap.push_back((double)whole(s[i], 132).start - whole(s[i - 1], 132).end);
    spread(timing ? "record with timing between" : "record between", "gap", gap); }
  // one kernel, eight streams wait for it, one waits for all
  fresh(); Seen* root = take(132); std::vector<Seen*> leaf; hold(S[0], 1000); work<<<132, 128, 0, S[0]>>>(us(10), root); OK(cudaEventRecord(e[0], S[0]));
  for (int i = 1; i <= 8; i++) { OK(cudaStreamWaitEvent(S[i], e[0], 0)); leaf.push_back(take(16)); work<<<16, 128, 0, S[i]>>>(us(10), leaf.back()); OK(cudaEventRecord(e[i], S[i])); OK(cudaStreamWaitEvent(S[0], e[i], 0)); }
  Seen* join = take(132); work<<<132, 128, 0, S[0]>>>(us(10), join); settle();
  u64 end = 0; std::vector<double> g; for (auto* l : leaf) { g.push_back((double)whole(l, 16).start - whole(root, 132).end); end = std::max(end, whole(l, 16).end); }
  spread("fan out to 8", "gap", g); say("join of 8", "gap", (double)whole(join, 132).start - end);
}
static void graphs() {
  for (int nodes : {1, 8, 64, 512}) { fresh(); cudaGraph_t g; cudaGraphExec_t x; std::vector<Seen*> s;
    OK(cudaStreamBeginCapture(S[0], cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < nodes; i++) { s.push_back(take(132)); work<<<132, 128, 0, S[0]>>>(us(4), s.back()); }
    OK(cudaStreamEndCapture(S[0], &g)); OK(cudaGraphInstantiate(&x, g, 0)); OK(cudaGraphUpload(x, S[0])); settle();
    std::vector<double> call, first, gap, total, again, perNodeHost;
    for (int r = 0; r < 20; r++) { settle(); std::this_thread::sleep_for(std::chrono::microseconds(50));
      double t0 = hostNow(); OK(cudaGraphLaunch(x, S[0])); double t1 = hostNow(); OK(cudaStreamSynchronize(S[0])); double t2 = hostNow(); stale = true;
      call.push_back(t1 - t0); first.push_back(whole(s[0], 132).start - offset - t0); total.push_back(t2 - t0);
      for (int i = 1; i < nodes; i++) gap.push_back((double)whole(s[i], 132).start - whole(s[i - 1], 132).end); }
    std::string p = "chain of " + std::to_string(nodes);
    spread(p, "call", call); spread(p, "call to first block", first); spread(p, "gap", gap); spread(p, "total", total);
    // back to back: a marker kernel after each launch tells when the last node ended
    std::vector<double> between; std::vector<Seen*> marks; hold(S[0], 3000); std::vector<double> back;
    for (int r = 0; r < 10; r++) { double t0 = hostNow(); OK(cudaGraphLaunch(x, S[0])); back.push_back(hostNow() - t0); marks.push_back(take(1)); work<<<1, 32, 0, S[0]>>>(us(1), marks.back()); }
    settle(); spread(p, "call when busy", back); say(p, "last node to kernel", (double)at(marks.back())->start - whole(s[nodes - 1], 132).end);
    say(p, "kernel to first node", (double)whole(s[0], 132).start - at(marks[8])->end);
    OK(cudaGraphExecDestroy(x)); OK(cudaGraphDestroy(g)); }
  for (int wide : {2, 4, 8, 16, 32}) { fresh(); cudaGraph_t g; cudaGraphExec_t x; std::vector<Seen*> leaf; cudaEvent_t e, f; OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); OK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    OK(cudaStreamBeginCapture(S[0], cudaStreamCaptureModeThreadLocal)); Seen* root = take(132); work<<<132, 128, 0, S[0]>>>(us(5), root); OK(cudaEventRecord(e, S[0]));
    for (int i = 1; i <= wide; i++) { OK(cudaStreamWaitEvent(S[i], e, 0)); leaf.push_back(take(4)); work<<<4, 128, 0, S[i]>>>(us(20), leaf.back()); OK(cudaEventRecord(f, S[i])); OK(cudaStreamWaitEvent(S[0], f, 0)); }
    Seen* join = take(132); work<<<132, 128, 0, S[0]>>>(us(5), join); OK(cudaStreamEndCapture(S[0], &g)); OK(cudaGraphInstantiate(&x, g, 0)); OK(cudaGraphUpload(x, S[0])); settle();
    std::vector<double> out, in, spreadOf;
    for (int r = 0; r < 20; r++) { OK(cudaGraphLaunch(x, S[0])); settle(); u64 end = 0, lo = ~0ull, hi = 0; for (auto* l : leaf) { Kernel k = whole(l, 4); out.push_back((double)k.start - whole(root, 132).end); end = std::max(end, k.end); lo = std::min(lo, k.start); hi = std::max(hi, k.start); } in.push_back((double)whole(join, 132).start - end); spreadOf.push_back(hi - lo); }
    std::string p = "fan out to " + std::to_string(wide); spread(p, "gap", out); spread(p, "join gap", in); spread(p, "first to last start", spreadOf);
    OK(cudaGraphExecDestroy(x)); OK(cudaGraphDestroy(g)); }
}
static char *dev, *dev2, *pinned, *pinned2, *pageable; static const size_t MOST = 256u << 20;
static void copies() {
  cudaEvent_t a, b; OK(cudaEventCreate(&a)); OK(cudaEventCreate(&b));
  struct Way { const char* name; char* to; char* from; cudaMemcpyKind kind; bool async; };
  std::vector<Way> ways = {{"HtoD pinned async", dev, pinned, cudaMemcpyHostToDevice, true}, {"DtoH pinned async", pinned, dev, cudaMemcpyDeviceToHost, true}, {"DtoD async", dev2, dev, cudaMemcpyDeviceToDevice, true},
    {"HtoD pageable async", dev, pageable, cudaMemcpyHostToDevice, true}, {"DtoH pageable async", pageable, dev, cudaMemcpyDeviceToHost, true}, {"HtoD pageable", dev, pageable, cudaMemcpyHostToDevice, false}, {"DtoH pageable", pageable, dev, cudaMemcpyDeviceToHost, false},
    {"HtoD pinned", dev, pinned, cudaMemcpyHostToDevice, false}, {"DtoH pinned", pinned, dev, cudaMemcpyDeviceToHost, false}, {"DtoD", dev2, dev, cudaMemcpyDeviceToDevice, false}};
  for (auto& w : ways) for (size_t bytes = 4; bytes <= MOST; bytes *= 4) {
    int n = bytes > (16u << 20) ? 4 : bytes > (1u << 20) ? 8 : 20; std::vector<double> call, whole, event;
    for (int i = 0; i < n; i++) { settle();
      double t0 = hostNow(); if (w.async) OK(cudaMemcpyAsync(w.to, w.from, bytes, w.kind, S[0])); else OK(cudaMemcpy(w.to, w.from, bytes, w.kind)); double t1 = hostNow(); settle(); double t2 = hostNow();
      if (i) { call.push_back(t1 - t0); whole.push_back(t2 - t0); }
      if (w.async) { hold(S[0], 30); OK(cudaEventRecord(a, S[0])); OK(cudaMemcpyAsync(w.to, w.from, bytes, w.kind, S[0])); OK(cudaEventRecord(b, S[0])); OK(cudaEventSynchronize(b)); float ms; OK(cudaEventElapsedTime(&ms, a, b)); if (i) event.push_back(ms * 1e6); } }
    std::string p = std::string(w.name) + " " + std::to_string(bytes); spread(p, "call", call); spread(p, "done", whole); spread(p, "event", event); }
  for (size_t bytes = 4; bytes <= MOST; bytes *= 4) { std::vector<double> call, whole, event; for (int i = 0; i < 6; i++) { settle(); double t0 = hostNow(); OK(cudaMemsetAsync(dev, 0, bytes, S[0])); double t1 = hostNow(); settle(); double t2 = hostNow(); hold(S[0], 30); OK(cudaEventRecord(a, S[0])); OK(cudaMemsetAsync(dev, 0, bytes, S[0])); OK(cudaEventRecord(b, S[0])); OK(cudaEventSynchronize(b)); float ms; OK(cudaEventElapsedTime(&ms, a, b)); if (i) { call.push_back(t1 - t0); whole.push_back(t2 - t0); event.push_back(ms * 1e6); } }
    std::string p = "set " + std::to_string(bytes); spread(p, "call", call); spread(p, "done", whole); spread(p, "event", event); }
}
// Many copies of one stream behind each other, kernel to copy to kernel, both directions, several streams.
static void engines() {
  cudaEvent_t a, b; OK(cudaEventCreate(&a)); OK(cudaEventCreate(&b));
  struct Way { const char* name; char* to; char* from; cudaMemcpyKind kind; };
  std::vector<Way> ways = {{"HtoD", dev, pinned, cudaMemcpyHostToDevice}, {"DtoH", pinned, dev, cudaMemcpyDeviceToHost}, {"DtoD", dev2, dev, cudaMemcpyDeviceToDevice}};
  for (auto& w : ways) for (size_t bytes : {(size_t)64, (size_t)65536, (size_t)1 << 20, (size_t)16 << 20}) for (int streams : {1, 2, 4}) { fresh(); int n = bytes > (1u << 20) ? 8 : 64;
    for (int s = 0; s < streams; s++) hold(S[s], 300 + 0.0); std::vector<Seen*> mark; 
    for (int s = 0; s < streams; s++) { mark.push_back(take(2)); work<<<1, 1, 0, S[s]>>>(us(1), mark[s]); }
    for (int i = 0; i < n; i++) OK(cudaMemcpyAsync(w.to + (i % 8) * bytes, w.from + (i % 8) * bytes, bytes, w.kind, S[i % streams]));
    for (int s = 0; s < streams; s++) work<<<1, 1, 0, S[s]>>>(us(1), mark[s] + 1);
    settle(); u64 from = ~0ull, to = 0; for (auto* m : mark) { from = std::min(from, at(m)[0].end); to = std::max(to, at(m)[1].start); }
    say(std::string(w.name) + " " + std::to_string(bytes) + " streams " + std::to_string(streams), "each", (double)(to - from) / n); }
  // kernel, copy, kernel: time from kernel to kernel
  for (auto& w : ways) for (size_t bytes : {(size_t)4, (size_t)4096, (size_t)1 << 20}) { fresh(); std::vector<Seen*> s; hold(S[0], 1000); for (int i = 0; i < 30; i++) { s.push_back(take(132)); work<<<132, 128, 0, S[0]>>>(us(5), s.back()); OK(cudaMemcpyAsync(w.to, w.from, bytes, w.kind, S[0])); }
    settle(); std::vector<double> gap; for (int i = 1; i < 30; i++) gap.push_back((double)whole(s[i], 132).start - whole(s[i - 1], 132).end); spread(std::string("kernel copy kernel ") + w.name + " " + std::to_string(bytes), "gap", gap); }
  { fresh(); std::vector<Seen*> s; hold(S[0], 1000); for (int i = 0; i < 30; i++) { s.push_back(take(132)); work<<<132, 128, 0, S[0]>>>(us(5), s.back()); OK(cudaMemsetAsync(dev, 0, 4096, S[0])); } settle(); std::vector<double> gap; for (int i = 1; i < 30; i++) gap.push_back((double)whole(s[i], 132).start - whole(s[i - 1], 132).end); spread("kernel set kernel 4096", "gap", gap); }
  // both directions, and with a copy on the device
  size_t big = 64u << 20; struct Mix { const char* name; std::vector<int> which; };
  for (auto& m : std::vector<Mix>{{"HtoD", {0}}, {"DtoH", {1}}, {"DtoD", {2}}, {"HtoD+DtoH", {0, 1}}, {"HtoD+HtoD", {0, 0}}, {"DtoH+DtoH", {1, 1}}, {"DtoD+DtoD", {2, 2}}, {"HtoD+DtoD", {0, 2}}, {"HtoD+DtoH+DtoD", {0, 1, 2}}}) for (int r = 0; r < 2; r++) { settle();
    double t0 = hostNow(); int s = 0; for (int i : m.which) { auto& w = ways[i]; OK(cudaMemcpyAsync(w.to + s * big, w.from + s * big, big, w.kind, S[s])); s++; } settle(); if (r) say(std::string("64 MB ") + m.name, "time", hostNow() - t0); }
  // copies beside kernels
  size_t n = big / 16; Seen* s = take(264);
  for (int beside = -1; beside < 3; beside++) for (int r = 0; r < 2; r++) { settle(); if (beside >= 0) { hold(S[1], 20); OK(cudaMemcpyAsync(ways[beside].to + 2 * big, ways[beside].from + big, beside == 2 ? 2 * big : big, ways[beside].kind, S[1])); } hold(S[0], 40); 
    for (int i = 0; i < 8; i++) stream_add<<<264, 1024, 0, S[0]>>>((float4*)dev, (float4*)dev2, n, s + 0); settle(); if (r) say(std::string("stream kernel beside ") + (beside < 0 ? "nothing" : ways[beside].name), "time", whole(s, 264).end - whole(s, 264).start); }
}
static void sharing() {
  auto pair = [](const std::string& what, int gridA, int threadsA, int sharedA, double usA, int gridB, int threadsB, int sharedB, double usB, int lowA, double delay) {
    fresh(); int least, most; OK(cudaDeviceGetStreamPriorityRange(&least, &most)); cudaStream_t a, b; OK(cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, lowA ? least : 0)); OK(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, lowA ? most : 0));
    cudaEvent_t go; OK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming)); Seen* sa = take(gridA); Seen* sb = take(gridB);
    hold(S[0], 200); OK(cudaEventRecord(go, S[0])); OK(cudaStreamWaitEvent(a, go, 0)); OK(cudaStreamWaitEvent(b, go, 0));
    roomy<<<gridA, threadsA, sharedA, a>>>(us(usA), sa); if (delay > 0) hold(b, delay); roomy<<<gridB, threadsB, sharedB, b>>>(us(usB), sb); settle();
    u64 origin = whole(sa, gridA).start; blocks(what + " A", sa, gridA, origin); blocks(what + " B", sb, gridB, origin);
    say(what, "A ends", whole(sa, gridA).end - origin); say(what, "B starts", (double)whole(sb, gridB).start - origin); say(what, "B ends", (double)whole(sb, gridB).end - origin);
    OK(cudaStreamDestroy(a)); OK(cudaStreamDestroy(b)); };
  pair("half and half", 66, 1024, 0, 20, 66, 1024, 0, 20, 0, 0);
  pair("one per SM each", 132, 256, 0, 20, 132, 256, 0, 20, 0, 0);
  pair("full then small", 264, 1024, 0, 20, 132, 256, 0, 10, 0, 0);
  pair("two and a half waves then another", 660, 1024, 0, 10, 400, 1024, 0, 10, 0, 0);
  pair("shared memory fills", 132, 128, 200 << 10, 20, 132, 128, 100 << 10, 10, 0, 0);
  pair("shared memory leaves room", 132, 128, 100 << 10, 20, 132, 128, 100 << 10, 10, 0, 0);
  pair("priority over many waves", 2640, 1024, 0, 5, 264, 1024, 0, 5, 1, 20);
  pair("no priority over many waves", 2640, 1024, 0, 5, 264, 1024, 0, 5, 0, 20);
  pair("uneven blocks", 200, 512, 0, 15, 300, 256, 0, 5, 0, 0);
  for (int streams : {2, 4, 8, 16}) { fresh(); std::vector<Seen*> s; cudaEvent_t go; OK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming)); hold(S[0], 300); OK(cudaEventRecord(go, S[0])); for (int i = 1; i <= streams; i++) { OK(cudaStreamWaitEvent(S[i], go, 0)); s.push_back(take(33)); work<<<33, 512, 0, S[i]>>>(us(30), s.back()); } settle(); u64 origin = whole(s[0], 33).start; for (int i = 0; i < streams; i++) { std::string p = "streams " + std::to_string(streams) + " kernel " + std::to_string(i); say(p, "start", (double)whole(s[i], 33).start - origin); say(p, "end", (double)whole(s[i], 33).end - origin); if (streams == 8) blocks(p, s[i], 33, origin); } }
  { fresh(); std::vector<Seen*> s; cudaEvent_t go; OK(cudaEventCreateWithFlags(&go, cudaEventDisableTiming)); hold(S[0], 2000); OK(cudaEventRecord(go, S[0])); for (int i = 1; i < 160; i++) { OK(cudaStreamWaitEvent(S[i], go, 0)); s.push_back(take(1)); work<<<1, 32, 0, S[i]>>>(us(500), s.back()); } settle(); u64 origin = whole(s[0], 1).start; int atOnce = 0; std::vector<double> starts; for (auto* k : s) { starts.push_back((double)at(k)->start - origin); if (at(k)->start < origin + 400000) atOnce++; } say("159 streams", "at once", atOnce); std::sort(starts.begin(), starts.end()); for (size_t i = 0; i < starts.size(); i += 8) say("159 streams", "start", starts[i]); }
}
static void programmatic() {
  for (int pdl = 0; pdl < 2; pdl++) for (double trigger : {0.0, 5.0, 10.0}) for (int grid : {66, 132}) { fresh(); const int n = 40; std::vector<Seen*> s; hold(S[0], 1000);
    for (int i = 0; i < n; i++) { s.push_back(take(2 * grid)); cudaLaunchConfig_t c = {}; c.gridDim = grid; c.blockDim = 128; c.stream = S[0]; cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization; a[0].val.programmaticStreamSerializationAllowed = 1; c.attrs = a; c.numAttrs = pdl; OK(cudaLaunchKernelEx(&c, dependent, (long)us(10), (long)us(trigger), s.back())); }
    settle(); std::vector<double> gap, early; for (int i = 1; i < n; i++) { Kernel before = whole(s[i - 1], 2 * grid, 2), k = whole(s[i], 2 * grid, 2), begun = whole(s[i] + 1, 2 * grid - 1, 2); gap.push_back((double)k.start - before.end); early.push_back((double)begun.start - before.end); }
    std::string p = std::string(pdl ? "dependent launch" : "plain") + " trigger " + std::to_string((int)trigger) + " grid " + std::to_string(grid); spread(p, "gap", gap); spread(p, "begun", early); }
}
static void cooperative() {
  for (int grid : {1, 132, 264, 1056}) for (int syncs : {0, 1, 10}) { fresh(); Seen* s = take(grid); std::vector<double> call, took; for (int i = 0; i < 10; i++) { void* args[] = {&syncs, &s}; settle(); double t0 = hostNow(); OK(cudaLaunchCooperativeKernel((void*)barriers, dim3(grid), dim3(128), args, 0, S[0])); call.push_back(hostNow() - t0); settle(); if (i) took.push_back(whole(s, grid).end - whole(s, grid).start); }
    std::string p = "grid " + std::to_string(grid) + " barriers " + std::to_string(syncs); spread(p, "call", call); spread(p, "took", took); }
  fresh(); std::vector<Seen*> s; int none = 0; hold(S[0], 1000); for (int i = 0; i < 40; i++) { s.push_back(take(132)); void* args[] = {&none, &s.back()}; OK(cudaLaunchCooperativeKernel((void*)barriers, dim3(132), dim3(128), args, 0, S[0])); } settle(); std::vector<double> gap; for (int i = 1; i < 40; i++) gap.push_back((double)whole(s[i], 132).start - whole(s[i - 1], 132).end); spread("one after another", "gap", gap);
}

int main(int argc, char** argv) {
  cupti = argc > 1 && !strcmp(argv[1], "cupti");
  if (cupti) { activities = fopen(argc > 2 ? argv[2] : "activities.tsv", "w"); cuptiActivityRegisterCallbacks(wanted, done);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL); cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY); cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET); }
  OK(cudaSetDevice(0)); for (auto& s : S) OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  OK(cudaMalloc(&seenPool, SEEN * sizeof(Seen))); OK(cudaMallocHost(&mirror, SEEN * sizeof(Seen)));
  OK(cudaMalloc(&dev, MOST * 2)); OK(cudaMalloc(&dev2, MOST * 2)); OK(cudaMallocHost(&pinned, MOST * 2)); pageable = (char*)malloc(MOST); memset(pageable, 1, MOST); memset(pinned, 1, MOST * 2);
  begin<<<1, 1>>>(); OK(cudaDeviceSynchronize());
  run("warm", [] { for (int i = 0; i < 20; i++) hold(S[0], 10000); });
  { fresh(); Seen* s = take(1); work<<<1, 1, 0, S[0]>>>(20000000, s); settle(); MHZ = 20000000e3 / (at(s)->end - at(s)->start); experiment = "clock"; say("SM", "MHz", MHZ); }
  run("calibrate", calibrate); run("rates", rates); run("latency", latency); run("gaps", gaps); run("events", events); run("graphs", graphs); run("sharing", sharing); run("programmatic", programmatic); run("cooperative", cooperative); run("engines", engines); run("copies", copies);
  return 0;
}
