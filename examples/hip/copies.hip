// Copies and fills with pitch, in two and three dimensions, and between places of the GPU.
#include "check.h"

int main() {
  const int width = 37, height = 11, depth = 4;
  std::vector<unsigned char> host(width * height), back(width * height, 0);
  for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<unsigned char>(i * 3);
  unsigned char *device;
  size_t pitch;
  HIP(hipMallocPitch(reinterpret_cast<void **>(&device), &pitch, width, height));
  EXPECT(pitch >= width);
  HIP(hipMemset2D(device, pitch, 0xee, width, height));
  HIP(hipMemcpy2D(device, pitch, host.data(), width, width, height, hipMemcpyHostToDevice));
  unsigned char *other;
  HIP(hipMalloc(&other, width * height));
  HIP(hipMemset(other, 0x11, width * height));
  HIP(hipMemcpy2DAsync(other, width, device, pitch, width - 5, height, hipMemcpyDeviceToDevice, nullptr));
  HIP(hipMemcpy(back.data(), other, back.size(), hipMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) EXPECT(back[y * width + x] == (x < width - 5 ? host[y * width + x] : 0x11));

  hipPitchedPtr volume;
  hipExtent extent = make_hipExtent(width, height, depth);
  HIP(hipMalloc3D(&volume, extent));
  HIP(hipMemset3D(volume, 9, extent));
  std::vector<unsigned char> cube(width * height * depth);
  for (size_t i = 0; i < cube.size(); i++) cube[i] = static_cast<unsigned char>(i);
  hipMemcpy3DParms to = {};
  to.srcPtr = make_hipPitchedPtr(cube.data(), width, width, height);
  to.dstPtr = volume;
  to.dstPos = make_hipPos(3, 2, 1);
  to.extent = make_hipExtent(width - 3, height - 2, depth - 1);
  to.kind = hipMemcpyHostToDevice;
  HIP(hipMemcpy3D(&to));
  std::vector<unsigned char> whole(width * height * depth);
  hipMemcpy3DParms from = {};
  from.srcPtr = volume;
  from.dstPtr = make_hipPitchedPtr(whole.data(), width, width, height);
  from.extent = extent;
  from.kind = hipMemcpyDeviceToHost;
  HIP(hipMemcpy3D(&from));
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int wanted = z < 1 || y < 2 || x < 3 ? 9 : cube[((z - 1) * height + y - 2) * width + x - 3];
        EXPECT(whole[(z * height + y) * width + x] == wanted);
      }

  unsigned *words;
  HIP(hipMalloc(&words, 100 * sizeof(unsigned)));
  HIP(hipMemsetD32(reinterpret_cast<hipDeviceptr_t>(words), 0x12345678, 100));
  HIP(hipMemsetD16(reinterpret_cast<hipDeviceptr_t>(words + 10), 0xabcd, 4));
  HIP(hipMemsetD8(reinterpret_cast<hipDeviceptr_t>(words + 20), 0x7f, 4));
  HIP(hipMemcpyDtoD(reinterpret_cast<hipDeviceptr_t>(words + 50), reinterpret_cast<hipDeviceptr_t>(words + 10), 8));
  std::vector<unsigned> w(100);
  HIP(hipMemcpyDtoH(w.data(), reinterpret_cast<hipDeviceptr_t>(words), 400));
  EXPECT(w[0] == 0x12345678 && w[10] == 0xabcdabcd && w[11] == 0xabcdabcd && w[12] == 0x12345678);
  EXPECT(w[20] == 0x7f7f7f7f && w[21] == 0x12345678 && w[50] == 0xabcdabcd && w[99] == 0x12345678);
  HIP(hipFree(device));
  HIP(hipFree(other));
  HIP(hipFree(words));
  HIP(hipFree(volume.ptr));
  std::puts("copies: right");
}
