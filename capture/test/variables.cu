// Code for the tests of the recorder: variables of all kinds, a texture, and a kernel that is not
// launched. nvcc -arch=sm_90 -cubin -o variables.cubin variables.cu
__constant__ float scale[4];
__device__ int counter;
static __device__ float bias[3] = {1, 2, 3};

__global__ void scaled(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scale[i & 3] * in[i] + bias[i % 3];
  if (i == 0) atomicAdd(&counter, 1);
}

__global__ void textured(cudaTextureObject_t image, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x);
}

__global__ void unused(float *out) { out[threadIdx.x] = 1; }
