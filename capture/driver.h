/* The driver's functions that the recorder calls, looked up in the driver that the program loaded. */
#ifndef WARPLINE_DRIVER_H
#define WARPLINE_DRIVER_H
#include <cuda.h>
#include <stdbool.h>

#define DRIVER_FUNCTIONS(X) \
  X(cuCtxSynchronize) \
  X(cuCtxGetDevice) \
  X(cuDeviceGetName) \
  X(cuDeviceGetAttribute) \
  X(cuDriverGetVersion) \
  X(cuGetErrorString) \
  X(cuStreamCreate) \
  X(cuStreamSynchronize) \
  X(cuStreamIsCapturing) \
  X(cuStreamGetPriority) \
  X(cuStreamGetFlags) \
  X(cuThreadExchangeStreamCaptureMode) \
  X(cuMemAlloc) \
  X(cuMemFree) \
  X(cuMemHostAlloc) \
  X(cuMemHostGetDevicePointer) \
  X(cuMemcpyHtoDAsync) \
  X(cuMemcpyDtoHAsync) \
  X(cuMemcpyDtoDAsync) \
  X(cuMemsetD32Async) \
  X(cuPointerGetAttribute) \
  X(cuModuleLoadData) \
  X(cuModuleGetFunction) \
  X(cuModuleGetGlobal) \
  X(cuLaunchKernel) \
  X(cuFuncGetAttribute) \
  X(cuFuncGetModule) \
  X(cuFuncGetName) \
  X(cuFuncLoad) \
  X(cuFuncGetParamInfo) \
  X(cuKernelGetFunction) \
  X(cuLibraryGetModule) \
  X(cuGraphGetNodes) \
  X(cuGraphGetEdges) \
  X(cuGraphNodeGetType) \
  X(cuGraphKernelNodeGetParams) \
  X(cuGraphKernelNodeGetAttribute) \
  X(cuGraphMemcpyNodeGetParams) \
  X(cuGraphMemsetNodeGetParams) \
  X(cuGraphChildGraphNodeGetGraph)

struct driver {
#define MEMBER(name) __typeof__(name) *p_##name;
  DRIVER_FUNCTIONS(MEMBER)
#undef MEMBER
};

extern struct driver driver;
#define CALL(name) driver.p_##name

/* NULL, or the function that the driver does not have. */
const char *driver_open(void);
/* What an error of the driver means. */
const char *driver_words(CUresult error);
#endif
