// How long the slowest of several reads from device memory takes: by their number and distance, alone
// and step by step along rows, as matrix products read their tiles. From a cold L2.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o tails tails.cu && ./tails
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)

// One warp, one gather, many times at other places.
__global__ void gather(const char* p, size_t stride, int lanes, int steps, size_t jump, size_t mask, unsigned* out, unsigned* sink) {
  unsigned lane = threadIdx.x, x = 0;
  size_t at = 0;
  for (int i = 0; i < steps; i++) {
    at = (at + jump) & mask;
    const char* a = p + ((at + lane * stride) & mask);
    unsigned v = 0, begin = clock();
    if (lane < lanes) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(a) : "memory");
    x += __reduce_or_sync(~0u, v);
    unsigned took = clock() - begin + x;
    if (lane == 0) out[i] = took;
  }
  if (x == 0x12345u) sink[0] = x;
}
// Steps along the rows of a tile, blocks with tiles of their own, or blocks that share rows.
__global__ void tile(const char* p, size_t pitch, int steps, size_t perBlock, int depth, unsigned* out, unsigned* sink) {
  const char* a = p + blockIdx.x * perBlock + (threadIdx.x / 8) * pitch + (threadIdx.x % 8) * 16;
  uint4 v; unsigned s = 0;
  for (int i = 0; i < steps; i++) {
    __syncthreads();
    unsigned begin = clock();
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(a + (size_t)i * 128) : "memory");
    s += v.x + v.y + v.z + v.w;
    asm volatile("" : "+r"(s) : : "memory");
    __syncthreads();
    unsigned took = clock() - begin + (s == 0x12345u);
    if (threadIdx.x == 0) out[blockIdx.x * 64 + i] = took;
  }
  if (s == 0x12345u) sink[threadIdx.x] = s;
}
__global__ void flush(unsigned* p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = i; }
int main() {
  char* data; unsigned *junk, *out, *sink;
  size_t bytes = 1ull << 30;
  CHECK(cudaMalloc(&data, bytes)); CHECK(cudaMemset(data, 0, bytes)); CHECK(cudaMalloc(&junk, 256 << 20));
  CHECK(cudaMallocManaged(&out, 1 << 20)); CHECK(cudaMalloc(&sink, 1 << 20));
  auto clean = [&] { flush<<<528, 512>>>(junk, 64ull << 20); CHECK(cudaDeviceSynchronize()); };
  printf("gather,stride,lanes,mean,p10,p50,p90\n");
  for (size_t stride : {64ul, 128ul, 256ul, 512ul, 1024ul, 2048ul, 4096ul, 8192ul, 16384ul, 65536ul, 1048576ul + 4224}) for (int lanes : {1, 2, 4, 8, 16, 32}) {
    std::vector<unsigned> all;
    for (int r = 0; r < 3; r++) {
      clean();
      gather<<<1, 32>>>(data, stride, lanes, 120, 7340032 + 128 * 37 + r * 1310720, bytes - 1, out, sink); CHECK(cudaDeviceSynchronize());
      all.insert(all.end(), out + 8, out + 120);
    }
    std::sort(all.begin(), all.end());
    double m = 0; for (unsigned v : all) m += v; m /= all.size();
    printf("gather,%zu,%d,%.0f,%u,%u,%u\n", stride, lanes, m, all[all.size() / 10], all[all.size() / 2], all[all.size() * 9 / 10]);
  }
  // The same at a slow walk inside one 2 MB page: rows that were opened lately.
  for (size_t jump : {128ul, 4096ul, 65536ul + 128}) for (int lanes : {1, 8, 32}) {
    std::vector<unsigned> all;
    for (int r = 0; r < 3; r++) { clean(); gather<<<1, 32>>>(data + (64 << 20), 2048, lanes, 120, jump, (2 << 20) - 1, out, sink); CHECK(cudaDeviceSynchronize()); all.insert(all.end(), out + 8, out + 120); }
    std::sort(all.begin(), all.end());
    double m = 0; for (unsigned v : all) m += v; m /= all.size();
    printf("page,%zu,%d,%.0f,%u,%u,%u\n", jump, lanes, m, all[all.size() / 10], all[all.size() / 2], all[all.size() * 9 / 10]);
  }
  printf("tile,pitch,threads,blocks,shared,cycles of steps 0..15\n");
  for (size_t pitch : {1024ul, 2048ul, 4096ul, 8192ul}) for (int threads : {64, 256, 512}) for (int blocks : {1, 16, 132}) for (int shared = 0; shared < 2; shared++) {
    if (blocks == 1 && shared) continue;
    int steps = std::min<size_t>(16, pitch / 128);
    std::vector<double> m(16, 0);
    for (int r = 0; r < 5; r++) {
      clean();
      // shared: twelve blocks at a time read the same rows
      tile<<<blocks, threads, 100 << 10>>>(data + (size_t)r * (128 << 20), pitch, steps, shared ? 0 : (threads / 8) * pitch, 1, out, sink);
      if (cudaGetLastError()) { cudaFuncSetAttribute(tile, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10); tile<<<blocks, threads, 100 << 10>>>(data + (size_t)r * (128 << 20), pitch, steps, shared ? 0 : (threads / 8) * pitch, 1, out, sink); }
      CHECK(cudaDeviceSynchronize());
      for (int i = 0; i < steps; i++) for (int b = 0; b < blocks; b++) m[i] += out[b * 64 + i] / (5.0 * blocks);
    }
    printf("tile,%zu,%d,%d,%d", pitch, threads, blocks, shared);
    for (int i = 0; i < steps; i++) printf(",%.0f", m[i]);
    printf("\n");
  }
}
