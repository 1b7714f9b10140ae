// The little of HIP that the samples need, without ROCm's headers.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;

static __device__ inline uint thread_x() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ inline uint block_x() { return __builtin_amdgcn_workgroup_id_x(); }
static __device__ inline uint block_dim_x() { return __builtin_amdgcn_workgroup_size_x(); }
static __device__ inline uint global_x() { return block_x() * block_dim_x() + thread_x(); }

static __device__ inline void sync_threads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
