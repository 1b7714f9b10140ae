// What the files of this library share with each other.
#ifndef WARPLINE_STATE_H
#define WARPLINE_STATE_H

#include "hip.h"
#include "wire.h"

// Keeps an error for hipGetLastError and returns it.
hipError_t keep(hipError_t error);

// Asks with words only and keeps the error.
hipError_t ask_words(enum request what, unsigned count, const uint64_t *words, struct answer *answer);
#define ASK(what, answer, ...)                                                                      \
  ask_words(what, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__}, answer)

// Says that something is not there and returns hipErrorNotSupported.
hipError_t missing(const char *what);

// The number of a stream; 0 is the default stream.
uint64_t stream_id(hipStream_t stream);

// The address at which the GPU sees memory of the host, null if it does not.
void *device_address(const void *host);

// Copies rows between any two places.
hipError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind,
                     hipStream_t stream, int wait);

// The function behind a kernel's handle in the program, null (and an error kept) if there is none.
hipFunction_t function_of(const void *kernel, hipError_t *error);

hipError_t launch(hipFunction_t function, const uint32_t items[3], const uint32_t group[3], size_t lds, hipStream_t stream,
                  void **arguments, const void *packed, size_t packed_bytes, unsigned flags, hipEvent_t start,
                  hipEvent_t stop);

enum launch_flags { COOPERATIVE = 1 };

// Memory kinds of REQUEST_ALLOCATE.
enum memory_kind { DEVICE_MEMORY, HOST_MEMORY, MANAGED_MEMORY };

hipError_t allocate(void **address, size_t bytes, enum memory_kind kind, unsigned flags);

// Kinds of copies.
enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, ANY_TO_ANY };

#endif
