// What the GPU says of itself, and how many blocks of a kernel it holds.
#include <cstring>
#include "check.h"

__global__ void light(float *p) { p[threadIdx.x] = 1; }
__global__ void heavy(float *p) {
  __shared__ float lds[10000];
  lds[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = lds[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int devices;
  HIP(hipGetDeviceCount(&devices));
  EXPECT(devices == 1);
  hipDeviceProp_t p;
  HIP(hipGetDeviceProperties(&p, 0));
  EXPECT(std::strncmp(p.gcnArchName, "gfx9", 4) == 0);
  EXPECT(p.warpSize == 64 && p.maxThreadsPerBlock == 1024 && p.sharedMemPerBlock == 65536);
  EXPECT(p.multiProcessorCount > 0 && p.clockRate > 100000 && p.memoryBusWidth > 0);
  EXPECT(p.maxThreadsPerMultiProcessor == 2048);
  int value;
  HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  EXPECT(value == p.multiProcessorCount);
  HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
  EXPECT(value == 65536);
  HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
  EXPECT(value == 64);
  int count, grid, block;
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&count, light, 256, 0));
  EXPECT(count >= 1 && count <= 8);
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&count, heavy, 256, 0));
  EXPECT(count == 1);
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&count, light, 256, 30000));
  EXPECT(count >= 1 && count <= 2);
  HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 0));
  EXPECT(block >= 256 && grid >= p.multiProcessorCount);
  hipFuncAttributes about;
  HIP(hipFuncGetAttributes(&about, reinterpret_cast<const void *>(heavy)));
  EXPECT(about.sharedSizeBytes == 40000 && about.maxThreadsPerBlock == 1024 && about.numRegs > 0);
  size_t available, total, after;
  HIP(hipMemGetInfo(&available, &total));
  EXPECT(total == p.totalGlobalMem && available <= total);
  Device<char> taken(1 << 20);
  HIP(hipMemGetInfo(&after, &total));
  EXPECT(available - after == 1 << 20);
  std::puts("properties: right");
}
