// The part of HIP's interface that this library implements, as far as its shape in memory matters.
#ifndef WARPLINE_HIP_H
#define WARPLINE_HIP_H

#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

typedef int hipError_t;

// Number, name, meaning. The names and numbers are HIP's.
#define ERRORS(X)                                                                   \
  X(0, hipSuccess, "no error")                                                      \
  X(1, hipErrorInvalidValue, "invalid argument")                                    \
  X(2, hipErrorOutOfMemory, "out of memory")                                        \
  X(3, hipErrorNotInitialized, "initialization error")                              \
  X(4, hipErrorDeinitialized, "driver shutting down")                               \
  X(9, hipErrorInvalidConfiguration, "invalid configuration argument")              \
  X(12, hipErrorInvalidPitchValue, "invalid pitch argument")                        \
  X(13, hipErrorInvalidSymbol, "invalid device symbol")                             \
  X(17, hipErrorInvalidDevicePointer, "invalid device pointer")                     \
  X(21, hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")        \
  X(35, hipErrorInsufficientDriver, "driver version is insufficient for runtime version") \
  X(52, hipErrorMissingConfiguration, "__global__ function call is not configured") \
  X(53, hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch")   \
  X(98, hipErrorInvalidDeviceFunction, "invalid device function")                   \
  X(100, hipErrorNoDevice, "no ROCm-capable device is detected")                    \
  X(101, hipErrorInvalidDevice, "invalid device ordinal")                           \
  X(200, hipErrorInvalidImage, "device kernel image is invalid")                    \
  X(201, hipErrorInvalidContext, "invalid device context")                          \
  X(209, hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device") \
  X(215, hipErrorUnsupportedLimit, "limit is not supported on this architecture")   \
  X(217, hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices") \
  X(218, hipErrorInvalidKernelFile, "invalid kernel file")                          \
  X(300, hipErrorInvalidSource, "device kernel image is invalid")                   \
  X(301, hipErrorFileNotFound, "file not found")                                    \
  X(302, hipErrorSharedObjectSymbolNotFound, "shared object symbol not found")      \
  X(400, hipErrorInvalidHandle, "invalid resource handle")                          \
  X(401, hipErrorIllegalState, "the operation cannot be performed in the present state") \
  X(500, hipErrorNotFound, "named symbol not found")                                \
  X(600, hipErrorNotReady, "device not ready")                                      \
  X(700, hipErrorIllegalAddress, "an illegal memory access was encountered")        \
  X(701, hipErrorLaunchOutOfResources, "too many resources requested for launch")   \
  X(702, hipErrorLaunchTimeOut, "the launch timed out and was terminated")          \
  X(704, hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled")        \
  X(705, hipErrorPeerAccessNotEnabled, "peer access has not been enabled")          \
  X(708, hipErrorSetOnActiveProcess, "cannot set while device is active in this process") \
  X(709, hipErrorContextIsDestroyed, "context is destroyed")                        \
  X(710, hipErrorAssert, "device-side assert triggered")                            \
  X(712, hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped") \
  X(713, hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region") \
  X(719, hipErrorLaunchFailure, "unspecified launch failure")                       \
  X(720, hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch") \
  X(800, hipErrorNotPermitted, "operation not permitted")                           \
  X(801, hipErrorNotSupported, "operation not supported")                           \
  X(999, hipErrorUnknown, "unknown error")

enum {
#define X(number, name, text) name = number,
  ERRORS(X)
#undef X
};

typedef struct {
  uint32_t x, y, z;
} dim3;

typedef struct stream {
  uint64_t id;
  unsigned flags;
  int priority;
} *hipStream_t;

typedef struct event {
  uint64_t id;
  unsigned flags;
} *hipEvent_t;

// A kernel of a loaded module, as Warpline described it.
typedef struct function {
  uint64_t id;
  uint64_t bytes;  // of its arguments
  uint64_t lds, scratch, registers, most_threads;
  unsigned count;
  struct {
    uint32_t offset, size;
  } *arguments;
} *hipFunction_t;

typedef struct module *hipModule_t;

typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *data);
typedef void (*hipHostFn_t)(void *data);

typedef struct {
  void *ptr;
  size_t pitch, xsize, ysize;
} hipPitchedPtr;

typedef struct {
  size_t width, height, depth;
} hipExtent;

typedef struct {
  size_t x, y, z;
} hipPos;

typedef struct {
  void *srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  void *dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  hipExtent extent;
  int kind;
} hipMemcpy3DParms;

typedef struct {
  size_t srcXInBytes, srcY;
  int srcMemoryType;
  const void *srcHost;
  void *srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  int dstMemoryType;
  void *dstHost;
  void *dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} hip_Memcpy2D;

typedef struct {
  int memoryType, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
} hipPointerAttribute_t;

typedef struct {
  int binaryVersion, cacheModeCA;
  size_t constSizeBytes, localSizeBytes;
  int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
  size_t sharedSizeBytes;
} hipFuncAttributes;

// HIP 5's.
typedef struct {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth;
  size_t totalConstMem;
  int major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode;
  int clockInstructionRate;
  unsigned arch;
  int concurrentKernels, pciDomainID, pciBusID, pciDeviceID;
  size_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard, canMapHostMemory, gcnArch;
  char gcnArchName[256];
  int integrated, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  int maxTexture1DLinear, maxTexture1D, maxTexture2D[2], maxTexture3D[3];
  unsigned *hdpMemFlushCntl, *hdpRegFlushCntl;
  size_t memPitch, textureAlignment, texturePitchAlignment;
  int kernelExecTimeoutEnabled, ECCEnabled, tccDriver;
  int cooperativeMultiDeviceUnmatched[4];
  int isLargeBar, asicRevision, managedMemory, directManagedMemAccessFromHost, concurrentManagedAccess;
  int pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
} hipDeviceProp_t;

_Static_assert(sizeof(hipDeviceProp_t) == 792, "HIP 5 has 792 bytes of device properties");

#endif
