// A blur through a texture object: what a capture refuses today, while the program ends as always.
#include "common.h"
__global__ void blur(cudaTextureObject_t image, float *out, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
  out[y * width + x] = sum / 9;
}
__global__ void brighten(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 0.1f;
}
int main() {
  const int width = 128, height = 128;
  auto host = random_floats(19, width * height);
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModePoint;
  cudaTextureObject_t image;
  CHECK(cudaCreateTextureObject(&image, &resource, &texture, nullptr));
  float *out = zeros<float>(width * height);
  blur<<<dim3(8, 8), dim3(16, 16)>>>(image, out, width, height);
  brighten<<<64, 256>>>(out, width * height);
  CHECK(cudaDeviceSynchronize());
  print("out", out, width * height);
}
