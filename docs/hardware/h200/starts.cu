// Short kernels, each for one mechanism, launched again and again: captured with times, they say how far the model is off for it.
// nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o starts starts.cu; warpline capture --time -o starts.capture -- ./starts
// ncu --cache-control none --clock-control none --metrics gpc__cycles_elapsed.max,sm__cycles_active.max ./starts 2
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
namespace cg = cooperative_groups;
#define OK(call) do { cudaError_t failed = (call); if (failed != cudaSuccess) { fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(failed)); exit(1); } } while (0)
__global__ void empty() {}
__global__ void fill(int *a, int v) { a[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void fill4(int4 *a, int v) { a[blockIdx.x * blockDim.x + threadIdx.x] = make_int4(v, v, v, v); }
__global__ void increment(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
template <int K> __global__ void chain(const int *zeros, int *out) {
  int at = threadIdx.x;
#pragma unroll
  for (int k = 0; k < K; k++) at = zeros[at + 4096 * k];
  out[threadIdx.x] = at;
}
template <int N> __global__ void straight(float *out, float f) {
  float v = threadIdx.x, w = f;
#pragma unroll
  for (int i = 0; i < N / 2; i++) { v = fmaf(v, f, w); w = fmaf(w, f, 0.5f + i); }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v + w;
}
__global__ void looped(float *out, float f, int n) {
  float v = threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < n; i++) v = fmaf(v, f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void barriers(int *out, int n) {
  __shared__ int s[1024];
  int v = threadIdx.x;
  for (int i = 0; i < n; i++) { s[threadIdx.x] = v; __syncthreads(); v = s[threadIdx.x ^ 1]; __syncthreads(); }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
struct Wide { int *out; int word[900]; };
__global__ void parameters(Wide p) { p.out[threadIdx.x] = p.word[0] + p.word[100] + p.word[200] + p.word[300] + p.word[400] + p.word[500] + p.word[600] + p.word[899]; }
__global__ void indexed(Wide p, int n) { int at = 0; for (int i = 0; i < n; i++) at = p.word[at + 16 * i] & 15; p.out[threadIdx.x] = at; }
__constant__ int table[4096];
__global__ void constants(int *out, int n) { int s = 0; for (int i = 0; i < n; i++) s += table[i * 32 + (s & 1)]; out[threadIdx.x] = s; }
__global__ void redint(int *bins, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(bins + (i & mask), i & 7); }
__global__ void redfloat(float *bins, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(bins + (i & mask), 1.0f); }
__global__ void redlong(unsigned long long *bins, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(bins + (i & mask), 1ull << (i & 7)); }
__global__ void redmin(int *bins, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicMin(bins + (i & mask), i * 7 & 1023); }
__global__ void redinc(unsigned *bins, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicInc(bins + (i & mask), 1000); }
__global__ void swaps(int *place, int *out, int mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = i;
  for (int k = 0; k < n; k++) v = atomicCAS(place + (i & mask), v, k + 1);
  if (v == -5) out[0] = v;
}
__global__ void gathers(int *place, int *out, int mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
  for (int k = 0; k < n; k++) v = atomicAdd(place + ((i + v) & mask), mask + 1);
  if (v == -5) out[0] = v;
}
__global__ void grid(int *out, int n) { cg::grid_group g = cg::this_grid(); for (int i = 0; i < n; i++) g.sync(); out[blockIdx.x * blockDim.x + threadIdx.x] = n; }
__global__ void __cluster_dims__(4, 1, 1) clustered(int *out, int n) { cg::cluster_group g = cg::this_cluster(); for (int i = 0; i < n; i++) g.sync(); out[blockIdx.x * blockDim.x + threadIdx.x] = n; }
__global__ void __cluster_dims__(4, 1, 1) remote(int *out, int n) {
  __shared__ int s[128]; cg::cluster_group g = cg::this_cluster(); s[threadIdx.x] = 0; g.sync();
  int at = threadIdx.x; int *p = g.map_shared_rank(s, g.block_rank() ^ 1); for (int i = 0; i < n; i++) at = p[(at + threadIdx.x) & 127]; g.sync(); out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void texture(cudaTextureObject_t image, float *out, int n) {
  float s = 0; int x = blockIdx.x % 8 * 16 + threadIdx.x % 16, y = blockIdx.x / 8 % 8 * 16 + threadIdx.x / 16;
  for (int i = 0; i < n; i++) s += tex2D<float>(image, x + i + 0.5f, y + 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void texchain(cudaTextureObject_t image, float *out, int n) {
  float s = 0; for (int i = 0; i < n; i++) s = tex2D<float>(image, threadIdx.x + s * 0.0f + i + 0.5f, 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void texchain1(cudaTextureObject_t image, float *out, int n) {
  int s = threadIdx.x; for (int i = 0; i < n; i++) s = (int)tex1Dfetch<float>(image, s & 1023);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void first(float *a, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float x = i * 0.5f;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 0.5f, 1.0f);
  asm volatile("griddepcontrol.launch_dependents;");
  if (i < n) a[i] = x;
}
__global__ void second(const float *a, float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float x = i;
  for (int r = 0; r < rounds; r++) x = fmaf(x, 0.25f, 2.0f);
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n) b[i] = x + a[i];
}
static cudaStream_t S; static int reps = 12;
template <class F> static void times(F f) { for (int i = 0; i < reps; i++) { f(); OK(cudaStreamSynchronize(S)); } }
int main(int argc, char **argv) {
  if (argc > 1) reps = atoi(argv[1]);
  OK(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking));
  int *a; OK(cudaMalloc(&a, 4 << 20)); OK(cudaMemset(a, 0, 4 << 20)); float *f = (float *)a + (1 << 19);
  for (int g : {1, 132, 1056, 4224}) times([&] { empty<<<g, 32, 0, S>>>(); });
  for (int g : {1, 64, 128, 256, 1056}) times([&] { fill<<<g, 128, 0, S>>>(a, 0); });
  for (int g : {1, 128, 1056}) times([&] { fill4<<<g, 128, 0, S>>>((int4 *)a, 0); });
  for (int g : {1, 128, 1056}) times([&] { increment<<<g, 256, 0, S>>>(a); });
  OK(cudaMemset(a, 0, 4 << 20));
  times([&] { chain<1><<<1, 32, 0, S>>>(a, a + (1 << 19)); }); times([&] { chain<2><<<1, 32, 0, S>>>(a, a + (1 << 19)); }); times([&] { chain<4><<<1, 32, 0, S>>>(a, a + (1 << 19)); });
  times([&] { chain<16><<<1, 32, 0, S>>>(a, a + (1 << 19)); }); times([&] { chain<16><<<132, 32, 0, S>>>(a, a + (1 << 19)); });
  for (int g : {1, 132}) for (int t : {32, 256}) { times([&] { straight<64><<<g, t, 0, S>>>(f, 0.5f); }); times([&] { straight<256><<<g, t, 0, S>>>(f, 0.5f); }); times([&] { straight<1024><<<g, t, 0, S>>>(f, 0.5f); }); times([&] { straight<4096><<<g, t, 0, S>>>(f, 0.5f); }); }
  for (int i = 0; i < reps; i++) { straight<1024><<<1, 32, 0, S>>>(f, 0.5f); straight<1026><<<132, 32, 0, S>>>(f, 0.5f); OK(cudaStreamSynchronize(S)); }
  for (int n : {64, 1024, 8192}) times([&] { looped<<<1, 32, 0, S>>>(f, 0.5f, n); });
  for (int t : {32, 256, 1024}) for (int n : {1, 16}) times([&] { barriers<<<1, t, 0, S>>>(a, n); });
  times([&] { barriers<<<132, 1024, 0, S>>>(a, 1); });
  Wide w = {}; w.out = a; times([&] { parameters<<<1, 32, 0, S>>>(w); }); for (int n : {1, 8, 32}) times([&] { indexed<<<1, 32, 0, S>>>(w, n); });
  for (int n : {1, 8, 64}) times([&] { constants<<<1, 32, 0, S>>>(a, n); });
  for (int m : {0, 31, 1023}) { times([&] { redint<<<256, 256, 0, S>>>(a, m); }); times([&] { redfloat<<<256, 256, 0, S>>>(f, m); }); times([&] { redlong<<<256, 256, 0, S>>>((unsigned long long *)a, m); }); times([&] { redmin<<<256, 256, 0, S>>>(a, m); }); times([&] { redinc<<<256, 256, 0, S>>>((unsigned *)a, m); }); }
  times([&] { redfloat<<<1, 256, 0, S>>>(f, 0); }); times([&] { redfloat<<<16, 256, 0, S>>>(f, 0); }); times([&] { redint<<<16, 256, 0, S>>>(a, 0); });
  for (int m : {0, 31}) { times([&] { swaps<<<1, 1, 0, S>>>(a, a + 4096, m, 16); }); times([&] { swaps<<<1, 32, 0, S>>>(a, a + 4096, m, 16); }); times([&] { swaps<<<1, 256, 0, S>>>(a, a + 4096, m, 4); }); times([&] { swaps<<<64, 256, 0, S>>>(a, a + 4096, m, 4); }); }
  for (int m : {0, 31}) { times([&] { gathers<<<1, 1, 0, S>>>(a, a + 4096, m, 16); }); times([&] { gathers<<<1, 32, 0, S>>>(a, a + 4096, m, 16); }); times([&] { gathers<<<1, 256, 0, S>>>(a, a + 4096, m, 4); }); times([&] { gathers<<<64, 256, 0, S>>>(a, a + 4096, m, 4); }); }
  for (int g : {1, 66, 132}) for (int n : {1, 4, 16}) times([&] { int *o = a; int k = n; void *args[] = {&o, &k}; OK(cudaLaunchCooperativeKernel((void *)grid, dim3(g), dim3(256), args, 0, S)); });
  for (int n : {1, 16}) { times([&] { clustered<<<64, 128, 0, S>>>(a, n); }); times([&] { remote<<<64, 128, 0, S>>>(a, n); }); }
  cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(); OK(cudaMallocArray(&array, &format, 256, 256)); std::vector<float> h(65536, 0.0f); OK(cudaMemcpy2DToArray(array, 0, 0, h.data(), 1024, 1024, 256, cudaMemcpyHostToDevice));
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = array; cudaTextureDesc d = {}; d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp; cudaTextureObject_t image, flat; OK(cudaCreateTextureObject(&image, &r, &d, nullptr));
  cudaResourceDesc l = {}; l.resType = cudaResourceTypeLinear; l.res.linear.devPtr = a; l.res.linear.desc = format; l.res.linear.sizeInBytes = 1 << 20; OK(cudaCreateTextureObject(&flat, &l, &d, nullptr)); OK(cudaMemset(a, 0, 4 << 20));
  for (int n : {1, 4, 16}) { times([&] { texture<<<64, 256, 0, S>>>(image, f, n); }); times([&] { texture<<<1, 256, 0, S>>>(image, f, n); }); times([&] { texchain<<<1, 32, 0, S>>>(image, f, n); }); times([&] { texchain1<<<1, 32, 0, S>>>(flat, f, n); }); }
  for (int i = 0; i < reps; i++) {
    first<<<128, 256, 0, S>>>(f, 1 << 15, 300); cudaLaunchAttribute attribute; attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization; attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {}; c.gridDim = 128; c.blockDim = 256; c.stream = S; c.attrs = &attribute; c.numAttrs = 1; OK(cudaLaunchKernelEx(&c, second, (const float *)f, f + (1 << 15), 1 << 15, 300)); OK(cudaStreamSynchronize(S));
  }
  cudaGraph_t graph; cudaGraphExec_t exec; cudaStream_t T; cudaEvent_t e, g; OK(cudaStreamCreateWithFlags(&T, cudaStreamNonBlocking)); OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); OK(cudaEventCreateWithFlags(&g, cudaEventDisableTiming));
  OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal)); for (int i = 0; i < 8; i++) { fill<<<1, 128, 0, S>>>(a, 0); increment<<<128, 256, 0, S>>>(a); looped<<<1, 32, 0, S>>>(f, 0.5f, 1024); }
  OK(cudaStreamEndCapture(S, &graph)); OK(cudaGraphInstantiate(&exec, graph, 0)); for (int i = 0; i < 3; i++) { OK(cudaGraphLaunch(exec, S)); OK(cudaStreamSynchronize(S)); }
  OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal)); increment<<<128, 256, 0, S>>>(a); OK(cudaEventRecord(e, S)); OK(cudaStreamWaitEvent(T, e)); for (int i = 0; i < 6; i++) increment<<<128, 256, 0, S>>>(a); for (int i = 0; i < 6; i++) increment<<<128, 256, 0, T>>>(a + (1 << 17)); OK(cudaEventRecord(g, T)); OK(cudaStreamWaitEvent(S, g)); increment<<<128, 256, 0, S>>>(a);
  OK(cudaStreamEndCapture(S, &graph)); OK(cudaGraphInstantiate(&exec, graph, 0)); for (int i = 0; i < 3; i++) { OK(cudaGraphLaunch(exec, S)); OK(cudaStreamSynchronize(S)); }
  OK(cudaDeviceSynchronize());
  return 0;
}
