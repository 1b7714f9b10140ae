// Runs what patch_queue.py wrote: cycles between the clock reads, for 1, 2, 4 ... 32 warps of one block.
//   nvcc -o queue_run queue_run.cpp -lcuda && ./queue_run patched/*.cubin
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#define CHECK(x) do { CUresult e = (x); if (e) { fprintf(stderr, "error %d at %d\n", e, __LINE__); exit(2); } } while (0)
int main(int argc, char** argv) {
  CUdevice dev; CUcontext ctx; CHECK(cuInit(0)); CHECK(cuDeviceGet(&dev, 0)); CHECK(cuDevicePrimaryCtxRetain(&ctx, dev)); CHECK(cuCtxSetCurrent(ctx));
  CUdeviceptr out, sink; CHECK(cuMemAlloc(&out, 4096)); CHECK(cuMemAlloc(&sink, 65536));
  for (int a = 1; a < argc; a++) {
    CUmodule m; CUfunction f;
    if (cuModuleLoad(&m, argv[a])) { printf("%s does not load\n", argv[a]); continue; }
    CHECK(cuModuleGetFunction(&f, m, "base"));
    printf("%s", argv[a]);
    for (int w = 1; w <= 32; w *= 2) {
      unsigned best = ~0u, v; float x = 1.5f;
      for (int r = 0; r < 5; r++) {
        void* args[] = {&out, &sink, &x};
        CHECK(cuLaunchKernel(f, 1, 1, 1, 32 * w, 1, 1, 0, 0, args, 0));
        if (cuCtxSynchronize()) { printf(" failed\n"); return 1; }
        CHECK(cuMemcpyDtoH(&v, out, 4)); if (v < best) best = v;
      }
      printf(",%u", best);
    }
    printf("\n"); CHECK(cuModuleUnload(m));
  }
}
