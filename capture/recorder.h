/* Writes a capture: what a program did on a GPU, with the contents of memory that its kernels found.
   Knows nothing of CUDA; a device tells it what lies in memory. One caller at a time, except for
   recorder_loaded. Errors end the recording, never the program. */
#ifndef WARPLINE_RECORDER_H
#define WARPLINE_RECORDER_H
#include "sums.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The GPU. Functions return 0, or say what went wrong. */
struct device {
  const char *name;
  int sm, sms, driver;
  const char *(*sums)(const struct page *pages, size_t count, uint64_t *sums);
  /* From now on these pages are watched, at places from the first on; with 0 bytes: none is. */
  const char *(*watch)(size_t first, const struct page *pages, size_t count);
  /* Which of the pages at some places, or of those at the first ones (NULL), have changed since this
     was asked last; all that were not asked for since they are watched. */
  const char *(*changes)(
      const uint32_t *places, size_t count, struct change *changes, size_t *found);
  const char *(*read)(void *to, uint64_t from, size_t bytes);
  /* The address of a variable in the module that is being recorded; bytes: its size there. */
  const char *(*variable)(void *module, const char *name, uint64_t *address, uint64_t *bytes);
};

struct options {
  const char *folder;
  const char *kernel; /* regular expression, NULL: all */
  long skip, count; /* of the launches that match; a negative count: no limit */
  uint64_t max_bytes; /* of stored pages, packed */
  bool time; /* count operations only: the pass that measures time */
};

struct launch {
  const char *kernel;
  int module; /* 0: unknown */
  unsigned grid[3], block[3], cluster[3];
  unsigned shared, local;
  int stream;
  bool cooperative, programmatic;
  const void *parameters;
  size_t parameter_bytes;
  const char *skipped; /* why its memory was not recorded, else NULL */
};

struct copy {
  const char *kind; /* HtoD, DtoH, DtoD, HtoH */
  uint64_t bytes, to, from;
  int stream;
  bool async, pinned;
  uint64_t rows, to_pitch, from_pitch; /* rows > 1: of bytes/rows bytes each */
};

struct set {
  uint64_t to, bytes;
  uint32_t value;
  int width; /* bytes of the value */
  int stream;
  uint64_t rows, pitch;
};

/* Where an operation stands within the launch of a graph that was told last. */
struct place {
  int node;
  const int *after;
  int afters;
};

struct text;
struct recorder;

/* The line of a module, as long whatever its bytes and sum are: they change when it is cut. */
void module_line(struct text *line, int module, size_t bytes, uint64_t sum);

/* NULL after an error, which was said on standard error. */
struct recorder *recorder_open(const struct options *options, const struct device *device,
    const char *const *command, int words);

/* A cubin that was loaded; may be called from any thread, at any time, even before the opening. */
void recorder_loaded(const void *cubin, size_t bytes);

int recorder_stream(struct recorder *r, uint64_t handle);
int recorder_new_stream(struct recorder *r, uint64_t handle, int priority, bool blocking);
void recorder_allocate(struct recorder *r, uint64_t address, uint64_t bytes, const char *kind);
void recorder_free(struct recorder *r, uint64_t address);
/* Frees all allocations that lie within. */
void recorder_free_range(struct recorder *r, uint64_t address, uint64_t bytes);

/* A module's variables are gone, or those of all modules and all allocations (handle NULL). */
void recorder_unload(struct recorder *r, void *handle);

/* Whether the next launch of a kernel is to be recorded with its memory; NULL: yes, else why not.
   Counts it, if it matches. */
const char *recorder_refuses(struct recorder *r, const char *kernel);
/* The number of the module that has a kernel, with its variables; 0 if none has. handle: for
   device.variable; cannot: why its memory cannot be recorded, else NULL. */
int recorder_module(struct recorder *r, const char *kernel, int registers, void *handle,
    const char **cannot);
/* Something may have written to memory that is not told otherwise. */
void recorder_unknown_write(struct recorder *r);
/* Stores what a launch will find that a replay would not; NULL, or why it cannot be recorded. */
const char *recorder_before(struct recorder *r);
/* The operations; each returns its number. */
long recorder_launch(struct recorder *r, const struct launch *launch, const struct place *place);
long recorder_graph(struct recorder *r, int stream, int nodes);
/* What a launch or a graph changed. */
void recorder_after(struct recorder *r, long n);
long recorder_copy(struct recorder *r, const struct copy *copy, const struct place *place);
long recorder_set(struct recorder *r, const struct set *set, const struct place *place);
/* record, wait, or synchronize with what: device, stream, event. */
long recorder_record(struct recorder *r, uint64_t event, int stream);
long recorder_wait(struct recorder *r, uint64_t event, int stream);
long recorder_synchronize(struct recorder *r, const char *what, uint64_t event, int stream);
/* The arguments of a tensor map, as JSON without braces, beside its 128 bytes. */
void recorder_tensor_map(struct recorder *r, const void *map, const char *about);
/* Something that could not be recorded; said once for each kernel and reason. */
void recorder_refused(struct recorder *r, long n, const char *kernel, const char *reason);
long recorder_operations(const struct recorder *r);
/* Writes the end. */
void recorder_close(struct recorder *r);
#endif
