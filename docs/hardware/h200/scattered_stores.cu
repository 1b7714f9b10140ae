// Scattered stores from cold caches: how many sectors written in part L2 keeps, and what the rest costs.
// Run under the profiler, which flushes the caches before every kernel; see README.md.
#include <cstdio>
#include <cstdlib>
typedef unsigned u32;
// Distinct sectors in a scattered order: an odd multiplier permutes the powers of two.
__global__ void part(u32* p, int n, u32 mask) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int i = 0; i < n; i++) { u32 s = (t + i * all) * 2654435761u & mask; p[(size_t)s * 8] = t; }
}
__global__ void whole(u32* p, int n, u32 mask) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x / 8;
  for (int i = 0; i < n; i++) { u32 s = (t / 8 + i * all) * 2654435761u & mask; p[(size_t)s * 8 + t % 8] = t; }
}
__device__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
__global__ void random_part(u32* p, int n, u32 mask) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int i = 0; i < n; i++) { u32 s = mix(t + i * all) & mask; p[(size_t)s * 8] = t; }
}
int main() {
  u32* p; u32 bits = 22; // 128 MB of sectors
  if (cudaMalloc(&p, (size_t)32 << bits) != cudaSuccess) return 2;
  for (int n : {1, 2, 3, 4, 6, 8, 12, 16}) part<<<132, 512>>>(p, n, (1u << bits) - 1);
  for (int n : {8, 16, 32, 48, 96}) whole<<<132, 512>>>(p, n, (1u << bits) - 1);
  for (int b : {19, 22}) for (int n : {2, 4, 6, 12}) random_part<<<132, 512>>>(p, n, (1u << b) - 1);
  for (int b : {19}) for (int n : {2, 4, 6, 12}) part<<<132, 512>>>(p, n, (1u << b) - 1);
  return cudaDeviceSynchronize() != cudaSuccess;
}
