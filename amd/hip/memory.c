// Memory: allocations, memory of the host that the GPU sees, copies and fills.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

hipError_t allocate(void **address, size_t bytes, enum memory_kind kind, unsigned flags) {
  struct answer answer;
  if (address == NULL) {
    return keep(hipErrorInvalidValue);
  }
  *address = NULL;
  if (bytes == 0) {
    return 0;
  }
  hipError_t error = ASK(REQUEST_ALLOCATE, &answer, bytes, kind, flags);
  if (error == 0) {
    *address = (void *)answer.word[0];
  }
  return error;
}

static hipError_t release(void *address) {
  struct answer answer;
  return address == NULL ? 0 : ASK(REQUEST_FREE, &answer, (uint64_t)address);
}

API hipError_t hipMalloc(void **address, size_t bytes) {
  return allocate(address, bytes, DEVICE_MEMORY, 0);
}

API hipError_t hipExtMallocWithFlags(void **address, size_t bytes, unsigned flags) {
  return allocate(address, bytes, DEVICE_MEMORY, flags);
}

API hipError_t hipMallocManaged(void **address, size_t bytes, unsigned flags) {
  return bytes == 0 ? keep(hipErrorInvalidValue) : allocate(address, bytes, MANAGED_MEMORY, flags);
}

API hipError_t hipHostMalloc(void **address, size_t bytes, unsigned flags) {
  return allocate(address, bytes, HOST_MEMORY, flags);
}

API hipError_t hipHostAlloc(void **address, size_t bytes, unsigned flags) {
  return allocate(address, bytes, HOST_MEMORY, flags);
}

API hipError_t hipMallocHost(void **address, size_t bytes) {
  return allocate(address, bytes, HOST_MEMORY, 0);
}

API hipError_t hipMemAllocHost(void **address, size_t bytes) {
  return allocate(address, bytes, HOST_MEMORY, 0);
}

// Memory in a stream: the allocation can be had at once, giving it back waits for the stream.
API hipError_t hipMallocAsync(void **address, size_t bytes, hipStream_t stream) {
  (void)stream;
  return allocate(address, bytes, DEVICE_MEMORY, 0);
}

API hipError_t hipFreeAsync(void *address, hipStream_t stream) {
  struct answer answer;
  hipError_t error = ASK(REQUEST_STREAM_SYNCHRONIZE, &answer, stream_id(stream));
  return error != 0 ? error : release(address);
}

API hipError_t hipFree(void *address) {
  return release(address);
}

API hipError_t hipHostFree(void *address) {
  return release(address);
}

API hipError_t hipFreeHost(void *address) {
  return release(address);
}

#define PITCH 256

API hipError_t hipMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  if (pitch == NULL || width == 0 || height == 0) {
    return keep(hipErrorInvalidValue);
  }
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return allocate(address, *pitch * height, DEVICE_MEMORY, 0);
}

API hipError_t hipMemAllocPitch(void **address, size_t *pitch, size_t width, size_t height, unsigned element) {
  (void)element;
  return hipMallocPitch(address, pitch, width, height);
}

API hipError_t hipMalloc3D(hipPitchedPtr *pointer, hipExtent extent) {
  if (pointer == NULL || extent.width == 0 || extent.height == 0 || extent.depth == 0) {
    return keep(hipErrorInvalidValue);
  }
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return hipMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

API hipError_t hipMemGetInfo(size_t *available, size_t *total) {
  struct answer answer;
  hipError_t error = ask_words(REQUEST_MEMORY, 0, NULL, &answer);
  if (error == 0) {
    *available = answer.word[0];
    *total = answer.word[1];
  }
  return error;
}

// Memory of the host that is registered: its pages are exchanged for pages of the window.

struct registered {
  char *host;
  size_t bytes;
  char *pages;
  size_t length;
  char *device;
  struct registered *next;
};

static struct registered *registered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct registered *registration(const void *address) {
  struct registered *entry = registered;
  while (entry != NULL && !((const char *)address >= entry->host && (const char *)address < entry->host + entry->bytes)) {
    entry = entry->next;
  }
  return entry;
}

void *device_address(const void *host) {
  if (in_window(host)) {
    return (void *)host;
  }
  pthread_mutex_lock(&lock);
  struct registered *entry = registration(host);
  void *address = entry == NULL ? NULL : entry->device + ((const char *)host - entry->pages);
  pthread_mutex_unlock(&lock);
  return address;
}

API hipError_t hipHostRegister(void *host, size_t bytes, unsigned flags) {
  if (host == NULL || bytes == 0) {
    return keep(hipErrorInvalidValue);
  }
  size_t page = sysconf(_SC_PAGESIZE);
  struct registered *entry = calloc(1, sizeof *entry);
  entry->host = host;
  entry->bytes = bytes;
  entry->pages = (char *)((uintptr_t)host / page * page);
  entry->length = ((uintptr_t)host + bytes + page - 1) / page * page - (uintptr_t)entry->pages;
  void *place;
  hipError_t error = device_address(host) != NULL ? hipErrorHostMemoryAlreadyRegistered
                                                  : allocate(&place, entry->length, HOST_MEMORY, flags);
  if (error == 0) {
    entry->device = place;
    memcpy(place, entry->pages, entry->length);
    if (mmap(entry->pages, entry->length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, window_file(),
             (uint64_t)place - window_base()) == MAP_FAILED) {
      release(place);
      error = hipErrorInvalidValue;
    }
  }
  if (error != 0) {
    free(entry);
    return keep(error);
  }
  pthread_mutex_lock(&lock);
  entry->next = registered;
  registered = entry;
  pthread_mutex_unlock(&lock);
  return 0;
}

API hipError_t hipHostUnregister(void *host) {
  pthread_mutex_lock(&lock);
  struct registered **link = &registered;
  while (*link != NULL && (*link)->host != host) {
    link = &(*link)->next;
  }
  struct registered *entry = *link;
  if (entry != NULL) {
    *link = entry->next;
  }
  pthread_mutex_unlock(&lock);
  if (entry == NULL) {
    return keep(hipErrorHostMemoryNotRegistered);
  }
  void *kept =
      mmap(NULL, entry->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (kept == MAP_FAILED) {
    return keep(hipErrorOutOfMemory);
  }
  memcpy(kept, entry->pages, entry->length);
  mremap(kept, entry->length, entry->length, MREMAP_MAYMOVE | MREMAP_FIXED, entry->pages);
  hipError_t error = release(entry->device);
  free(entry);
  return error;
}

API hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags) {
  (void)flags;
  void *address = device_address(host);
  if (device == NULL || address == NULL) {
    return keep(hipErrorInvalidValue);
  }
  *device = address;
  return 0;
}

// What is known of an address: kind, flags, start and bytes of its allocation.
static hipError_t look_up(const void *address, struct answer *answer) {
  void *device = device_address(address);
  if (device == NULL) {
    return hipErrorInvalidValue;
  }
  uint64_t words[] = {(uint64_t)device};
  return ask(REQUEST_POINTER, words, 1, NULL, 0, answer);
}

API hipError_t hipHostGetFlags(unsigned *flags, void *host) {
  struct answer answer;
  hipError_t error = look_up(host, &answer);
  if (error == 0 && answer.word[0] != HOST_MEMORY) {
    error = hipErrorInvalidValue;
  }
  if (error == 0) {
    *flags = answer.word[1];
  }
  return keep(error);
}

API hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  struct answer answer;
  hipError_t error = look_up(pointer, &answer);
  if (error != 0) {
    return keep(hipErrorInvalidValue);
  }
  memset(attributes, 0, sizeof *attributes);
  attributes->memoryType = answer.word[0] == HOST_MEMORY ? 0 : 1;
  attributes->devicePointer = device_address(pointer);
  attributes->hostPointer = answer.word[0] == DEVICE_MEMORY ? NULL : (void *)pointer;
  attributes->isManaged = answer.word[0] == MANAGED_MEMORY;
  attributes->allocationFlags = answer.word[1];
  return 0;
}

API hipError_t hipMemGetAddressRange(void **start, size_t *bytes, void *pointer) {
  struct answer answer;
  hipError_t error = look_up(pointer, &answer);
  if (error == 0) {
    *start = (void *)answer.word[2];
    *bytes = answer.word[3];
  }
  return keep(error == 0 ? 0 : hipErrorNotFound);
}

API hipError_t hipMemPtrGetInfo(void *pointer, size_t *bytes) {
  struct answer answer;
  hipError_t error = look_up(pointer, &answer);
  if (error == 0) {
    *bytes = answer.word[3];
  }
  return keep(error);
}

// Hints about managed memory, which is in one place only.
API hipError_t hipMemPrefetchAsync(const void *pointer, size_t bytes, int device, hipStream_t stream) {
  (void)bytes, (void)device, (void)stream;
  return keep(device_address(pointer) == NULL ? hipErrorInvalidValue : 0);
}

API hipError_t hipMemAdvise(const void *pointer, size_t bytes, int advice, int device) {
  (void)bytes, (void)advice, (void)device;
  return keep(device_address(pointer) == NULL ? hipErrorInvalidValue : 0);
}

API hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *pointer, size_t bytes, unsigned flags) {
  (void)stream, (void)bytes, (void)flags;
  return keep(device_address(pointer) == NULL ? hipErrorInvalidValue : 0);
}

// Copies.

static void move_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height) {
  for (size_t row = 0; row < height; row++) {
    memmove(to + row * to_pitch, from + row * from_pitch, width);
  }
}

hipError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind,
                     hipStream_t stream, int wait) {
  if (width == 0 || height == 0) {
    return 0;
  }
  if (kind < 0 || kind > ANY_TO_ANY) {
    return keep(hipErrorInvalidMemcpyDirection);
  }
  if (to == NULL || from == NULL) {
    return keep(hipErrorInvalidValue);
  }
  if (height > 1 && (to_pitch < width || from_pitch < width)) {
    return keep(hipErrorInvalidPitchValue);
  }
  void *target = device_address(to);
  void *source = device_address(from);
  if ((target == NULL && (kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE)) ||
      (source == NULL && (kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE))) {
    return keep(hipErrorInvalidValue);
  }
  // Memory that the GPU does not see is copied here, when it is the copy's turn.
  int here = target == NULL || source == NULL;
  struct answer answer;
  hipError_t error = ASK(REQUEST_COPY, &answer, stream_id(stream), (uint64_t)target, to_pitch, (uint64_t)source, from_pitch,
                         width, height, here || wait);
  if (error == 0 && here) {
    move_rows(to, to_pitch, from, from_pitch, width, height);
  }
  return error;
}

static hipError_t copy(void *to, const void *from, size_t bytes, int kind, hipStream_t stream, int wait) {
  return copy_rows(to, bytes, from, bytes, bytes, 1, kind, stream, wait);
}

API hipError_t hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
  return copy(to, from, bytes, kind, NULL, 1);
}

API hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, int kind, hipStream_t stream) {
  return copy(to, from, bytes, kind, stream, 1);
}

API hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, hipStream_t stream) {
  return copy(to, from, bytes, kind, stream, 0);
}

API hipError_t hipMemcpyHtoD(void *to, void *from, size_t bytes) {
  return copy(to, from, bytes, HOST_TO_DEVICE, NULL, 1);
}

API hipError_t hipMemcpyDtoH(void *to, void *from, size_t bytes) {
  return copy(to, from, bytes, DEVICE_TO_HOST, NULL, 1);
}

API hipError_t hipMemcpyDtoD(void *to, void *from, size_t bytes) {
  return copy(to, from, bytes, DEVICE_TO_DEVICE, NULL, 1);
}

API hipError_t hipMemcpyHtoDAsync(void *to, void *from, size_t bytes, hipStream_t stream) {
  return copy(to, from, bytes, HOST_TO_DEVICE, stream, 0);
}

API hipError_t hipMemcpyDtoHAsync(void *to, void *from, size_t bytes, hipStream_t stream) {
  return copy(to, from, bytes, DEVICE_TO_HOST, stream, 0);
}

API hipError_t hipMemcpyDtoDAsync(void *to, void *from, size_t bytes, hipStream_t stream) {
  return copy(to, from, bytes, DEVICE_TO_DEVICE, stream, 0);
}

API hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  return to_device != 0 || from_device != 0 ? keep(hipErrorInvalidDevice) : copy(to, from, bytes, ANY_TO_ANY, NULL, 1);
}

API hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                  hipStream_t stream) {
  return to_device != 0 || from_device != 0 ? keep(hipErrorInvalidDevice) : copy(to, from, bytes, ANY_TO_ANY, stream, 0);
}

API hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                           int kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, NULL, 1);
}

API hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, int kind, hipStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, 0);
}

static hipError_t copy_parameters(const hip_Memcpy2D *p, hipStream_t stream, int wait) {
  if (p == NULL) {
    return keep(hipErrorInvalidValue);
  }
  if (p->srcMemoryType == 2 || p->dstMemoryType == 2) {
    return missing("hipMemcpyParam2D with an array");
  }
  const char *from = p->srcMemoryType == 0 ? p->srcHost : p->srcDevice;
  char *to = p->dstMemoryType == 0 ? p->dstHost : p->dstDevice;
  return copy_rows(to + p->dstY * p->dstPitch + p->dstXInBytes, p->dstPitch,
                   from + p->srcY * p->srcPitch + p->srcXInBytes, p->srcPitch, p->WidthInBytes, p->Height, ANY_TO_ANY,
                   stream, wait);
}

API hipError_t hipMemcpyParam2D(const hip_Memcpy2D *parameters) {
  return copy_parameters(parameters, NULL, 1);
}

API hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *parameters, hipStream_t stream) {
  return copy_parameters(parameters, stream, 0);
}

static hipError_t copy_volume(const hipMemcpy3DParms *p, hipStream_t stream, int wait) {
  if (p == NULL) {
    return keep(hipErrorInvalidValue);
  }
  if (p->srcArray != NULL || p->dstArray != NULL) {
    return missing("hipMemcpy3D with an array");
  }
  for (size_t z = 0; z < p->extent.depth; z++) {
    const char *from = (const char *)p->srcPtr.ptr + ((p->srcPos.z + z) * p->srcPtr.ysize + p->srcPos.y) * p->srcPtr.pitch;
    char *to = (char *)p->dstPtr.ptr + ((p->dstPos.z + z) * p->dstPtr.ysize + p->dstPos.y) * p->dstPtr.pitch;
    hipError_t error = copy_rows(to + p->dstPos.x, p->dstPtr.pitch, from + p->srcPos.x, p->srcPtr.pitch, p->extent.width,
                                 p->extent.height, p->kind, stream, wait);
    if (error != 0) {
      return error;
    }
  }
  return 0;
}

API hipError_t hipMemcpy3D(const hipMemcpy3DParms *parameters) {
  return copy_volume(parameters, NULL, 1);
}

API hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *parameters, hipStream_t stream) {
  return copy_volume(parameters, stream, 0);
}

// Fills.

static hipError_t fill(void *to, size_t pitch, unsigned value, size_t element, size_t count, size_t rows,
                       hipStream_t stream) {
  void *target = device_address(to);
  struct answer answer;
  if (count == 0 || rows == 0) {
    return 0;
  }
  if (target == NULL || (rows > 1 && pitch < count * element)) {
    return keep(hipErrorInvalidValue);
  }
  return ASK(REQUEST_FILL, &answer, stream_id(stream), (uint64_t)target, pitch, value, element, count, rows);
}

API hipError_t hipMemset(void *to, int value, size_t bytes) {
  return fill(to, bytes, value, 1, bytes, 1, NULL);
}

API hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t stream) {
  return fill(to, bytes, value, 1, bytes, 1, stream);
}

API hipError_t hipMemsetD8(void *to, unsigned char value, size_t count) {
  return fill(to, count, value, 1, count, 1, NULL);
}

API hipError_t hipMemsetD8Async(void *to, unsigned char value, size_t count, hipStream_t stream) {
  return fill(to, count, value, 1, count, 1, stream);
}

API hipError_t hipMemsetD16(void *to, unsigned short value, size_t count) {
  return fill(to, 2 * count, value, 2, count, 1, NULL);
}

API hipError_t hipMemsetD16Async(void *to, unsigned short value, size_t count, hipStream_t stream) {
  return fill(to, 2 * count, value, 2, count, 1, stream);
}

API hipError_t hipMemsetD32(void *to, int value, size_t count) {
  return fill(to, 4 * count, value, 4, count, 1, NULL);
}

API hipError_t hipMemsetD32Async(void *to, int value, size_t count, hipStream_t stream) {
  return fill(to, 4 * count, value, 4, count, 1, stream);
}

API hipError_t hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return fill(to, pitch, value, 1, width, height, NULL);
}

API hipError_t hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fill(to, pitch, value, 1, width, height, stream);
}

API hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  for (size_t z = 0; z < extent.depth; z++) {
    hipError_t error =
        fill((char *)to.ptr + z * to.ysize * to.pitch, to.pitch, value, 1, extent.width, extent.height, stream);
    if (error != 0) {
      return error;
    }
  }
  return 0;
}

API hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return hipMemset3DAsync(to, value, extent, NULL);
}
