// What the library and Warpline say to each other, over a local socket and a shared window of memory.
#ifndef WARPLINE_WIRE_H
#define WARPLINE_WIRE_H

#include <stddef.h>
#include <stdint.h>

// Requests; HipRequest.java has the same list in the same order.
enum request {
  REQUEST_HELLO,
  REQUEST_BYE,
  REQUEST_LOAD,
  REQUEST_UNLOAD,
  REQUEST_FUNCTION,
  REQUEST_GLOBAL,
  REQUEST_LAUNCH,
  REQUEST_ALLOCATE,
  REQUEST_FREE,
  REQUEST_COPY,
  REQUEST_FILL,
  REQUEST_SYNCHRONIZE,
  REQUEST_STREAM_CREATE,
  REQUEST_STREAM_DESTROY,
  REQUEST_STREAM_SYNCHRONIZE,
  REQUEST_STREAM_QUERY,
  REQUEST_STREAM_WAIT,
  REQUEST_STREAM_FUNCTION,
  REQUEST_STREAM_VALUE,
  REQUEST_EVENT_CREATE,
  REQUEST_EVENT_DESTROY,
  REQUEST_EVENT_RECORD,
  REQUEST_EVENT_SYNCHRONIZE,
  REQUEST_EVENT_QUERY,
  REQUEST_EVENT_ELAPSED,
  REQUEST_OCCUPANCY,
  REQUEST_POINTER,
  REQUEST_MEMORY,
  REQUEST_MISSING
};

#define MAX_WORDS 24

// What comes back: a hipError_t, some words, some bytes (to be freed by the caller).
struct answer {
  int error;
  unsigned words;
  uint64_t word[MAX_WORDS];
  size_t bytes;
  char *data;
};

// Asks Warpline and waits for its answer; functions of the host that are due in between are called. Connects first where
// that has not happened.
int ask(enum request what, const uint64_t *words, unsigned count, const void *data, size_t bytes, struct answer *answer);

// Whether an address lies in the window that GPU and host share.
int in_window(const void *address);

// The file behind the window and where it begins.
int window_file(void);
uint64_t window_base(void);

// A function of the host at its turn in a stream, by the number that was given with it.
void call_host_function(uint64_t number);

// What the GPU looks like, as it said at the beginning; null if there is no connection.
struct gpu {
  uint64_t memory, units, clock_khz, memory_khz, bus_bits, l2_bytes, lds_bytes, waves, registers, integrated;
  char name[256], architecture[256];
};
const struct gpu *the_gpu(void);

#endif
