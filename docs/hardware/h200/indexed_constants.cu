// What a constant load with a register index costs: lanes that read one word, or several words of one
// line or of several.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o indexed_constants indexed_constants.cu
//   ./indexed_constants            one SM: cycles per load, as CSV
//   ./indexed_constants first      one warp: cycles of each of the first loads, line after line, twice
//   ./indexed_constants kernels    small kernels with such loads, to be measured with a profiler
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define WORDS 4096
#define TRIPS 64
#define UNROLL 8
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)

__constant__ int table[WORDS];  // zeros: what is read does not change the next index

// A lane's word: `distinct` words in turn, `spacing` words apart; grouped: neighbours read the same one.
__device__ int word(int distinct, int spacing, int grouped) {
  int lane = threadIdx.x & 31;
  return (grouped ? lane / (32 / distinct) : lane % distinct) * spacing;
}

// Each load's index needs the load before it.
__global__ void chain(int distinct, int spacing, int grouped, const int* zeros, long long* cycles, int* sink) {
  int at = word(distinct, spacing, grouped) + zeros[0];
  for (int i = 0; i < 2; i++) {  // the second time counts
    __syncthreads();
    long long begin = clock64();
    for (int t = 0; t < TRIPS; t++) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) at += table[at];
    }
    long long end = clock64();
    if ((threadIdx.x & 31) == 0) cycles[threadIdx.x / 32] = end - begin;
  }
  sink[threadIdx.x] = at;
}

// The loads of one trip do not need each other; all read the same words, which the compiler does not know.
__global__ void stream(int distinct, int spacing, int grouped, const int* zeros, long long* cycles, int* sink) {
  int at[UNROLL];
  for (int u = 0; u < UNROLL; u++) at[u] = word(distinct, spacing, grouped) + zeros[u];
  for (int i = 0; i < 2; i++) {
    __syncthreads();
    long long begin = clock64();
    for (int t = 0; t < TRIPS; t++) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) at[u] += table[at[u]];
    }
    long long end = clock64();
    if ((threadIdx.x & 31) == 0) cycles[threadIdx.x / 32] = end - begin;
  }
  int sum = 0;
  for (int u = 0; u < UNROLL; u++) sum += at[u];
  sink[threadIdx.x] = sum;
}

// One warp reads a word of each line in turn, for the first time and again; every load is timed.
__global__ void first(int stride, int loads, const int* zeros, int* took, int* sink) {
  int zero = zeros[0];
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < loads; i++) {
      int begin = clock();
      zero += table[(i * stride + zero) & (WORDS - 1)];
      zero += clock() - clock() < -1000000;
      int end = clock() + (zero & 0);
      if (threadIdx.x == 0) took[pass * loads + i] = end - begin;
    }
  }
  sink[threadIdx.x] = zero;
}

// Kernels in the manner of programs. The table is read with an index that ...
__constant__ float weights[1024];

// ... is threadIdx.y: one value in every warp of a 128 x 3 block.
extern "C" __global__ void by_row(const float* in, float* out, int n) {
  int x = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += in[x + i] * weights[threadIdx.y * 64 + (i & 63)];
  out[(blockIdx.x * 3 + threadIdx.y) * 128 + threadIdx.x] = sum;
}
// ... is a field of two bits of the data.
extern "C" __global__ void by_field(const unsigned* in, float* out, int n) {
  int x = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned codes = in[x + 256 * i];
#pragma unroll
    for (int k = 0; k < 16; k++) sum = sum * 0.5f + weights[(codes >> (2 * k)) & 3];
  }
  out[x] = sum;
}
// ... is the lane.
extern "C" __global__ void by_lane(const float* in, float* out, int n) {
  int x = blockIdx.x * 256 + threadIdx.x;
  float sum = in[x];
  for (int i = 0; i < n; i++) sum = sum * 0.5f + weights[(threadIdx.x & 31) + 8 * i];
  out[x] = sum;
}
// ... is the lane's group of eight.
extern "C" __global__ void by_group(const float* in, float* out, int n) {
  int x = blockIdx.x * 256 + threadIdx.x;
  float sum = in[x];
  for (int i = 0; i < n; i++) sum = sum * 0.5f + weights[16 * (threadIdx.x / 8) + i];
  out[x] = sum;
}
// ... is any byte of the data.
extern "C" __global__ void by_byte(const unsigned* in, float* out, int n) {
  int x = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned codes = in[x + 256 * i];
#pragma unroll
    for (int k = 0; k < 4; k++) sum = sum * 0.5f + weights[(codes >> (8 * k)) & 255];
  }
  out[x] = sum;
}

// ... moves slowly through a table that the cache cannot hold.
extern "C" __global__ void by_stride(float* out, int n) {
  float x = 0;
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) x += ((const float*)table)[(t * 7 + i * 13) & 4095];
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// ... is the same for all threads.
extern "C" __global__ void by_count(float* out, int n) {
  float x = 0;
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) x += ((const float*)table)[(i * 16 + k) & 4095] * x + 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static void firsts() {
  const int loads = 64;
  int *zeros, *took, *sink;
  int host[2 * loads];
  CHECK(cudaMalloc(&zeros, 64));
  CHECK(cudaMemset(zeros, 0, 64));
  CHECK(cudaMalloc(&took, sizeof host));
  CHECK(cudaMalloc(&sink, 4096));
  const int strides[] = {16, 32, 64};
  for (int stride : strides) {
    first<<<1, 32>>>(stride, loads, zeros, took, sink);
    CHECK(cudaMemcpy(host, took, sizeof host, cudaMemcpyDeviceToHost));
    for (int pass = 0; pass < 2; pass++) {
      printf("first,%d,%d", stride, pass);
      for (int i = 0; i < loads; i++) printf(",%d", host[pass * loads + i]);
      printf("\n");
    }
  }
}

static unsigned long long mixed(unsigned long long seed, unsigned long long i) {
  unsigned long long z = seed + (i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static void kernels() {
  const int bytes = 1 << 20;
  unsigned* host = (unsigned*)malloc(bytes);
  float w[1024];
  for (int i = 0; i < 1024; i++) w[i] = (mixed(9, i) >> 40) * 0x1p-24f;
  for (int i = 0; i < bytes / 4; i++) host[i] = (unsigned)(mixed(7, i) >> 32);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  void *in, *out;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  for (int r = 0; r < 5; r++) {
    CHECK(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice));
    by_row<<<264, dim3(128, 3)>>>((const float*)in, (float*)out, 64);
    by_field<<<264, 256>>>((const unsigned*)in, (float*)out, 8);
    by_lane<<<264, 256>>>((const float*)in, (float*)out, 64);
    by_group<<<264, 256>>>((const float*)in, (float*)out, 16);
    by_byte<<<264, 256>>>((const unsigned*)in, (float*)out, 8);
    by_stride<<<132, 128>>>((float*)out, 48);
    by_stride<<<132, 32>>>((float*)out, 48);
    by_stride<<<132, 64>>>((float*)out, 48);
    by_count<<<132, 256>>>((float*)out, 32);
    by_count<<<1, 32>>>((float*)out, 32);
    CHECK(cudaDeviceSynchronize());
  }
  printf("in %p out %p\n", in, out);
}

static double most(const long long* cycles, int warps) {
  long long longest = 0;
  for (int w = 0; w < warps; w++) longest = cycles[w] > longest ? cycles[w] : longest;
  return (double)longest / (TRIPS * UNROLL);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    argv[1][0] == 'f' ? firsts() : kernels();
    return 0;
  }
  long long* cycles;
  long long host[32];
  int *sink, *zeros;
  CHECK(cudaMalloc(&cycles, sizeof host));
  CHECK(cudaMalloc(&sink, 1024 * sizeof(int)));
  CHECK(cudaMalloc(&zeros, 64));
  CHECK(cudaMemset(zeros, 0, 64));
  const int distincts[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32};
  const int spacings[] = {1, 2, 4, 16, 64};
  const int warpCounts[] = {1, 2, 4, 8, 16};
  printf("kind,distinct,spacing_words,grouped,warps,cycles_per_load_and_warp,cycles_per_load_of_sm\n");
  for (int kind = 0; kind < 2; kind++)
    for (int distinct : distincts)
      for (int spacing : spacings)
        for (int grouped = 0; grouped < 2; grouped++)
          for (int warps : warpCounts) {
            if (grouped && (32 % distinct || distinct == 1 || distinct == 32)) continue;
            if (distinct == 1 && spacing > 1) continue;
            if (kind == 0)
              chain<<<1, 32 * warps>>>(distinct, spacing, grouped, zeros, cycles, sink);
            else
              stream<<<1, 32 * warps>>>(distinct, spacing, grouped, zeros, cycles, sink);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost));
            double each = most(host, warps);
            printf("%s,%d,%d,%d,%d,%.2f,%.2f\n", kind ? "stream" : "chain", distinct, spacing, grouped, warps, each,
                   each / warps);
          }
  return 0;
}
