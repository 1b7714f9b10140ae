/** The sum of every element that this thread has to add. */
__device__ float part(const float* a, int n) {
  float x = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x += a[i];
  return x;
}

/** Sums n numbers: one sum for each block. */
__global__ void reduce(const float* a, float* o, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = part(a, n);
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (!threadIdx.x)
    o[blockIdx.x] = s[0];
}
