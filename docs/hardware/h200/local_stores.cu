// Words that each lane writes to a line of its own, in local memory and laid out the same way in global memory: cycles of a turn (a load and a store of 32 lines) of all warps of an SM.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o local_stores local_stores.cu && ./local_stores
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)
__global__ void local(float* o, unsigned* out, int n) {
  float a[64];
  for (int i = 0; i < 64; i++) a[i] = threadIdx.x + i;
  __syncthreads(); unsigned begin = clock();
  for (int i = 0; i < n; i++) { int k = (threadIdx.x * 3 + i * 7) & 63; a[k] = a[(k + 1) & 63] * 1.01f + i; }
  __syncthreads(); unsigned end = clock();
  float s = 0; for (int i = 0; i < 64; i++) s += a[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (!threadIdx.x) out[blockIdx.x] = end - begin;
}
__global__ void global(float* o, float* room, unsigned* out, int n, size_t perWarp, int spread) {
  float* a = room + ((size_t)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5)) * perWarp + (threadIdx.x & 31);
  for (int i = 0; i < 64; i++) a[i * 32] = threadIdx.x + i;
  __syncthreads(); unsigned begin = clock();
  for (int i = 0; i < n; i++) { int k = (threadIdx.x * spread + i * 7) & 63; volatile float* v = a; v[k * 32] = a[((k + 1) & 63) * 32] * 1.01f + i; }
  __syncthreads(); unsigned end = clock();
  float s = 0; for (int i = 0; i < 64; i++) s += a[i * 32];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (!threadIdx.x) out[blockIdx.x] = end - begin;
}
int main() {
  float *o, *room; unsigned* out;
  CHECK(cudaMalloc(&o, 64 << 20)); CHECK(cudaMalloc(&room, 1 << 30)); CHECK(cudaMemset(room, 0, 1 << 30)); CHECK(cudaMallocManaged(&out, 1 << 16));
  printf("where,blocks,warps,words per warp,cycles per turn and warp,sectors per cycle of all\n");
  auto say = [&](const char* name, int blocks, int warps, size_t per, double lines) { double m = 0; for (int i = 0; i < blocks; i++) m += out[i]; m /= blocks; printf("%s,%d,%d,%zu,%.1f,%.1f\n", name, blocks, warps, per, m / 64 / warps, blocks * warps * lines * 64 / m); };
  for (int blocks : {1, 33, 132}) for (int warps : {1, 2, 4, 8, 16, 32}) {
    for (int r = 0; r < 2; r++) { local<<<blocks, warps * 32>>>(o, out, 64); CHECK(cudaDeviceSynchronize()); }
    say("local", blocks, warps, 2048, 32);
    for (size_t per : {2048ul, 2048ul + 32, 8192ul}) {
      for (int r = 0; r < 2; r++) { global<<<blocks, warps * 32>>>(o, room, out, 64, per, 3); CHECK(cudaDeviceSynchronize()); }
      say("global", blocks, warps, per, 32);
    }
    for (int r = 0; r < 2; r++) { global<<<blocks, warps * 32>>>(o, room, out, 64, 2048, 0); CHECK(cudaDeviceSynchronize()); }
    say("one line", blocks, warps, 2048, 4);
  }
}
