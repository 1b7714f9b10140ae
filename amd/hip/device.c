// The device: its properties, errors, and what there is only one of.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static __thread hipError_t last;

hipError_t keep(hipError_t error) {
  if (error != 0 && error != hipErrorNotReady) {
    last = error;
  }
  return error;
}

hipError_t ask_words(enum request what, unsigned count, const uint64_t *words, struct answer *answer) {
  return keep(ask(what, words, count, NULL, 0, answer));
}

hipError_t missing(const char *what) {
  struct answer answer;
  fprintf(stderr, "warpline: %s is not supported\n", what);
  ask(REQUEST_MISSING, NULL, 0, what, strlen(what), &answer);
  return keep(hipErrorNotSupported);
}

API hipError_t hipGetLastError(void) {
  hipError_t error = last;
  last = 0;
  return error;
}

API hipError_t hipPeekAtLastError(void) {
  return last;
}

API hipError_t hipExtGetLastError(void) {
  return hipGetLastError();
}

API const char *hipGetErrorName(hipError_t error) {
  switch (error) {
#define X(number, name, text) \
  case number:                \
    return #name;
    ERRORS(X)
#undef X
    default:
      return "hipErrorUnknown";
  }
}

API const char *hipGetErrorString(hipError_t error) {
  switch (error) {
#define X(number, name, text) \
  case number:                \
    return text;
    ERRORS(X)
#undef X
    default:
      return "unknown error";
  }
}

API hipError_t hipDrvGetErrorName(hipError_t error, const char **name) {
  *name = hipGetErrorName(error);
  return 0;
}

API hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
  *text = hipGetErrorString(error);
  return 0;
}

static hipError_t check(int device) {
  return the_gpu() == NULL ? hipErrorNoDevice : device != 0 ? hipErrorInvalidDevice : 0;
}

API hipError_t hipInit(unsigned flags) {
  return keep(flags != 0 ? hipErrorInvalidValue : check(0));
}

API hipError_t hipDriverGetVersion(int *version) {
  *version = 50221153;
  return 0;
}

API hipError_t hipRuntimeGetVersion(int *version) {
  *version = 50221153;
  return 0;
}

API hipError_t hipGetDeviceCount(int *count) {
  *count = the_gpu() != NULL;
  return keep(check(0));
}

API hipError_t hipGetDevice(int *device) {
  *device = 0;
  return keep(check(0));
}

API hipError_t hipSetDevice(int device) {
  return keep(check(device));
}

API hipError_t hipDeviceGet(int *handle, int device) {
  *handle = device;
  return keep(check(device));
}

API hipError_t hipSetDeviceFlags(unsigned flags) {
  (void)flags;  // how the host waits
  return keep(check(0));
}

API hipError_t hipGetDeviceFlags(unsigned *flags) {
  *flags = 0;
  return keep(check(0));
}

API hipError_t hipDeviceSynchronize(void) {
  struct answer answer;
  return ask_words(REQUEST_SYNCHRONIZE, 0, NULL, &answer);
}

API hipError_t hipDeviceReset(void) {
  return hipDeviceSynchronize();
}

API hipError_t hipProfilerStart(void) {
  return 0;
}

API hipError_t hipProfilerStop(void) {
  return 0;
}

// gfx90a is 9.0, gfx942 is 9.4.
static void capability(int *major, int *minor) {
  *major = the_gpu()->architecture[3] - '0';
  *minor = the_gpu()->architecture[4] - '0';
}

static hipError_t properties(hipDeviceProp_t *p, int device) {
  hipError_t error = p == NULL ? hipErrorInvalidValue : check(device);
  if (error != 0) {
    return keep(error);
  }
  const struct gpu *gpu = the_gpu();
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", gpu->name);
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", gpu->architecture);
  p->totalGlobalMem = gpu->memory;
  p->sharedMemPerBlock = gpu->lds_bytes;
  p->maxSharedMemoryPerMultiProcessor = gpu->lds_bytes;
  p->regsPerBlock = gpu->registers;
  p->warpSize = 64;
  p->maxThreadsPerBlock = 1024;
  for (int i = 0; i < 3; i++) {
    p->maxThreadsDim[i] = 1024;
    p->maxGridSize[i] = i == 0 ? 2147483647 : 65536;
  }
  p->clockRate = gpu->clock_khz;
  p->memoryClockRate = gpu->memory_khz;
  p->memoryBusWidth = gpu->bus_bits;
  p->totalConstMem = 2147483647;
  capability(&p->major, &p->minor);
  p->multiProcessorCount = gpu->units;
  p->l2CacheSize = gpu->l2_bytes;
  p->maxThreadsPerMultiProcessor = gpu->waves * 64;
  p->clockInstructionRate = 100000;
  p->arch = 0x1ffff & ~(1u << 14);  // all but dynamic parallelism
  p->concurrentKernels = 1;
  p->canMapHostMemory = 1;
  p->gcnArch = atoi(gpu->architecture + 3);
  p->integrated = gpu->integrated;
  p->cooperativeLaunch = 1;
  p->memPitch = 2147483647;
  p->textureAlignment = 256;
  p->texturePitchAlignment = 256;
  p->isLargeBar = 1;
  p->managedMemory = 1;
  p->directManagedMemAccessFromHost = 1;
  p->concurrentManagedAccess = 1;
  return 0;
}

API hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int device) {
  return properties(p, device);
}

API hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *wanted) {
  (void)wanted;
  *device = 0;
  return keep(check(0));
}

API hipError_t hipDeviceGetName(char *name, int length, int device) {
  hipError_t error = name == NULL || length <= 0 ? hipErrorInvalidValue : check(device);
  if (error == 0) {
    snprintf(name, length, "%s", the_gpu()->name);
  }
  return keep(error);
}

API hipError_t hipDeviceTotalMem(size_t *bytes, int device) {
  hipError_t error = check(device);
  if (error == 0) {
    *bytes = the_gpu()->memory;
  }
  return keep(error);
}

API hipError_t hipDeviceComputeCapability(int *major, int *minor, int device) {
  hipError_t error = check(device);
  if (error == 0) {
    capability(major, minor);
  }
  return keep(error);
}

API hipError_t hipDeviceGetPCIBusId(char *id, int length, int device) {
  hipError_t error = check(device);
  if (error == 0) {
    snprintf(id, length, "0000:00:00.0");
  }
  return keep(error);
}

API hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
  *can = 0;
  return keep(device != 0 || peer != 0 ? hipErrorInvalidDevice : 0);
}

API hipError_t hipDeviceGetCacheConfig(int *configuration) {
  *configuration = 0;
  return 0;
}

API hipError_t hipDeviceSetCacheConfig(int configuration) {
  (void)configuration;
  return 0;
}

API hipError_t hipDeviceGetSharedMemConfig(int *configuration) {
  *configuration = 1;
  return 0;
}

API hipError_t hipDeviceSetSharedMemConfig(int configuration) {
  (void)configuration;
  return 0;
}

API hipError_t hipDeviceGetLimit(size_t *value, int limit) {
  if (limit != 2) {
    return keep(hipErrorUnsupportedLimit);
  }
  *value = the_gpu() == NULL ? 0 : the_gpu()->memory;
  return keep(check(0));
}

// HIP's numbers of the attributes.
enum {
  ATTRIBUTE_CAN_MAP_HOST_MEMORY = 3,
  ATTRIBUTE_CLOCK_RATE = 5,
  ATTRIBUTE_COMPUTE_MODE = 6,
  ATTRIBUTE_CONCURRENT_KERNELS = 8,
  ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 9,
  ATTRIBUTE_COOPERATIVE_LAUNCH = 10,
  ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 11,
  ATTRIBUTE_DIRECT_MANAGED_ACCESS = 13,
  ATTRIBUTE_INTEGRATED = 16,
  ATTRIBUTE_L2_CACHE_SIZE = 19,
  ATTRIBUTE_MAJOR = 23,
  ATTRIBUTE_MANAGED_MEMORY = 24,
  ATTRIBUTE_MAX_BLOCK_X = 26,
  ATTRIBUTE_MAX_BLOCK_Y = 27,
  ATTRIBUTE_MAX_BLOCK_Z = 28,
  ATTRIBUTE_MAX_GRID_X = 29,
  ATTRIBUTE_MAX_GRID_Y = 30,
  ATTRIBUTE_MAX_GRID_Z = 31,
  ATTRIBUTE_MAX_THREADS_PER_BLOCK = 56,
  ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 57,
  ATTRIBUTE_MAX_PITCH = 58,
  ATTRIBUTE_MEMORY_BUS_WIDTH = 59,
  ATTRIBUTE_MEMORY_CLOCK_RATE = 60,
  ATTRIBUTE_MINOR = 61,
  ATTRIBUTE_MULTIPROCESSORS = 63,
  ATTRIBUTE_PAGEABLE_ACCESS = 65,
  ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 71,
  ATTRIBUTE_MAX_SHARED_PER_BLOCK = 74,
  ATTRIBUTE_TOTAL_CONSTANT = 83,
  ATTRIBUTE_WARP_SIZE = 87,
  ATTRIBUTE_CLOCK_INSTRUCTION_RATE = 10000,
  ATTRIBUTE_MAX_SHARED_PER_MULTIPROCESSOR = 10002,
  ATTRIBUTE_CAN_WAIT_FOR_VALUES = 10013,
  ATTRIBUTE_IMAGES = 10014,
  ATTRIBUTE_PHYSICAL_MULTIPROCESSORS = 10015,
  ATTRIBUTE_FINE_GRAIN = 10016
};

API hipError_t hipDeviceGetAttribute(int *value, int attribute, int device) {
  hipDeviceProp_t p;
  if (value == NULL) {
    return keep(hipErrorInvalidValue);
  }
  hipError_t error = properties(&p, device);
  if (error != 0) {
    return error;
  }
  switch (attribute) {
    case ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case ATTRIBUTE_CONCURRENT_KERNELS:
    case ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
    case ATTRIBUTE_COOPERATIVE_LAUNCH:
    case ATTRIBUTE_DIRECT_MANAGED_ACCESS:
    case ATTRIBUTE_MANAGED_MEMORY:
    case ATTRIBUTE_FINE_GRAIN:
      *value = 1;
      break;
    case ATTRIBUTE_COMPUTE_MODE:
    case ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH:
    case ATTRIBUTE_PAGEABLE_ACCESS:
    case ATTRIBUTE_CAN_WAIT_FOR_VALUES:
    case ATTRIBUTE_IMAGES:
      *value = 0;
      break;
    case ATTRIBUTE_CLOCK_RATE:
      *value = p.clockRate;
      break;
    case ATTRIBUTE_INTEGRATED:
      *value = p.integrated;
      break;
    case ATTRIBUTE_L2_CACHE_SIZE:
      *value = p.l2CacheSize;
      break;
    case ATTRIBUTE_MAJOR:
      *value = p.major;
      break;
    case ATTRIBUTE_MINOR:
      *value = p.minor;
      break;
    case ATTRIBUTE_MAX_BLOCK_X:
    case ATTRIBUTE_MAX_BLOCK_Y:
    case ATTRIBUTE_MAX_BLOCK_Z:
      *value = p.maxThreadsDim[attribute - ATTRIBUTE_MAX_BLOCK_X];
      break;
    case ATTRIBUTE_MAX_GRID_X:
    case ATTRIBUTE_MAX_GRID_Y:
    case ATTRIBUTE_MAX_GRID_Z:
      *value = p.maxGridSize[attribute - ATTRIBUTE_MAX_GRID_X];
      break;
    case ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = p.maxThreadsPerBlock;
      break;
    case ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      *value = p.maxThreadsPerMultiProcessor;
      break;
    case ATTRIBUTE_MAX_PITCH:
      *value = p.memPitch;
      break;
    case ATTRIBUTE_MEMORY_BUS_WIDTH:
      *value = p.memoryBusWidth;
      break;
    case ATTRIBUTE_MEMORY_CLOCK_RATE:
      *value = p.memoryClockRate;
      break;
    case ATTRIBUTE_MULTIPROCESSORS:
    case ATTRIBUTE_PHYSICAL_MULTIPROCESSORS:
      *value = p.multiProcessorCount;
      break;
    case ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
      *value = p.regsPerBlock;
      break;
    case ATTRIBUTE_MAX_SHARED_PER_BLOCK:
    case ATTRIBUTE_MAX_SHARED_PER_MULTIPROCESSOR:
      *value = p.sharedMemPerBlock;
      break;
    case ATTRIBUTE_TOTAL_CONSTANT:
      *value = p.totalConstMem;
      break;
    case ATTRIBUTE_WARP_SIZE:
      *value = p.warpSize;
      break;
    case ATTRIBUTE_CLOCK_INSTRUCTION_RATE:
      *value = p.clockInstructionRate;
      break;
    default: {
      char what[64];
      snprintf(what, sizeof what, "device attribute %d", attribute);
      return missing(what);
    }
  }
  return 0;
}
