// What the front end of a sub-core gives: loops of few instructions with many warps, and whether the
// cache for constant loads belongs to a sub-core or to the SM.
//
//   nvcc -O3 -gencode arch=compute_90a,code=sm_90a -o front_end front_end.cu
//   ./front_end            CSV: cycles of an iteration of a sub-core by length of the loop's body and
//                          warps; cycles of a constant load by table, warps and where the warps are
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s at %d\n", cudaGetErrorString(e), __LINE__); exit(2); } } while (0)

// BODY independent multiply-adds, then back.
template <int BODY>
__global__ void loop(int trips, float b, float c, long long* begins, long long* ends, float* sink) {
  float a[16];
  for (int i = 0; i < 16; i++) a[i] = threadIdx.x + i;
  __syncthreads();
  long long begin = clock64();
#pragma unroll 1
  for (int t = 0; t < trips; t++) {
#pragma unroll
    for (int i = 0; i < BODY; i++) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a[i % 16]) : "f"(b), "f"(c));
  }
  long long end = clock64();
  float sum = 0;
  for (int i = 0; i < 16; i++) sum += a[i];
  sink[threadIdx.x] = sum;
  if (threadIdx.x % 32 == 0) {
    begins[threadIdx.x / 32] = begin;
    ends[threadIdx.x / 32] = end;
  }
}

__constant__ int table[4096];  // each word holds the index of the next one

// Each warp goes round in a table of its own; only warps of a mask take part.
__global__ void chase(int words, int stride, unsigned takes, long long* took, int* sink) {
  int warp = threadIdx.x / 32;
  int at = warp * words;
  if ((takes >> warp & 1) == 0) return;
  long long begin = 0;
  for (int pass = 0; pass < 2; pass++) {
    begin = clock64();
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
      at = table[at];
      at = table[at];
      at = table[at];
      at = table[at];
    }
  }
  if (threadIdx.x % 32 == 0) took[warp] = clock64() - begin;
  sink[threadIdx.x] = at;
}

template <int BODY>
void loops(long long* begins, long long* ends, float* sink) {
  for (int warps = 4; warps <= 32; warps *= 2) {
    double took[2];
    for (int k = 0; k < 2; k++) {
      int trips = k == 0 ? 256 : 1280;
      for (int r = 0; r < 2; r++) loop<BODY><<<1, 32 * warps>>>(trips, 1.0f, 0.5f, begins, ends, sink);
      CHECK(cudaDeviceSynchronize());
      long long first = begins[0], last = ends[0];
      for (int w = 0; w < warps; w++) {
        if (begins[w] < first) first = begins[w];
        if (ends[w] > last) last = ends[w];
      }
      took[k] = last - first;
    }
    printf("loop,%d,%d,%.2f\n", BODY, warps, (took[1] - took[0]) / 1024);
  }
}

int main() {
  long long *begins, *ends;
  float* sink;
  CHECK(cudaMallocManaged(&begins, 64 * 8));
  CHECK(cudaMallocManaged(&ends, 64 * 8));
  CHECK(cudaMalloc(&sink, 1024 * 4));
  printf("kind,body_or_bytes,warps_or_mask,cycles\n");
  loops<1>(begins, ends, sink);
  loops<2>(begins, ends, sink);
  loops<4>(begins, ends, sink);
  loops<8>(begins, ends, sink);
  loops<16>(begins, ends, sink);
  loops<32>(begins, ends, sink);
  int host[4096];
  int sizes[] = {128, 256, 384};
  unsigned masks[] = {1, 0x3, 0xf, 0x11, 0x111, 0x1111, 0xff};
  for (int words : sizes) {
    for (int i = 0; i < 4096; i++) {
      int base = i / words * words;
      host[i] = base + (i - base + 16) % words;  // the next line of 64 bytes
    }
    CHECK(cudaMemcpyToSymbol(table, host, sizeof(host)));
    for (unsigned mask : masks) {
      if (words * 32 > 4096 * 4 && mask > 0xf && mask != 0x11) continue;
      if (words * (32 - __builtin_clz(mask)) > 4096) continue;
      for (int r = 0; r < 2; r++) chase<<<1, 512>>>(words, 16, mask, begins, (int*)sink);
      CHECK(cudaDeviceSynchronize());
      long long most = 0;
      for (int w = 0; w < 16; w++) if (mask >> w & 1) most = begins[w] > most ? begins[w] : most;
      printf("chase,%d,0x%x,%.2f\n", words * 4, mask, most / 256.0);
    }
  }
  return 0;
}
