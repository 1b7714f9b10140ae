// Code: fat binaries that the compiler registers, modules, kernels, variables, launches.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

struct named {
  const void *host;  // the program's handle
  struct module *module;
  char *name;
  hipFunction_t function;
  void *managed;  // where a managed variable lies
  void *address;
  size_t bytes;
  struct named *next;
};

struct module {
  const char *bundle;
  size_t bytes;
  int loaded;
  hipError_t error;
  uint64_t id;
  struct named *variables;  // managed ones
  struct named *functions;  // asked for by name
};

#define BUCKETS 1024
static struct named *kernels[BUCKETS];
static struct named *variables[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned bucket(const void *host) {
  return ((uint64_t)host * 0x9e3779b97f4a7c15ull) >> 54;
}

static struct named *find(struct named **table, const void *host) {
  struct named *entry = table[bucket(host)];
  while (entry != NULL && entry->host != host) {
    entry = entry->next;
  }
  return entry;
}

static struct named *add(struct named **table, const void *host, struct module *module, const char *name) {
  struct named *entry = calloc(1, sizeof *entry);
  entry->host = host;
  entry->module = module;
  entry->name = strdup(name);
  entry->next = table[bucket(host)];
  table[bucket(host)] = entry;
  return entry;
}

static uint64_t word_at(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

// How long a bundle of code objects is, or a code object of its own; 0 if it is neither.
static size_t bundle_bytes(const char *bundle) {
  static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
  if (memcmp(bundle, magic, 24) == 0) {
    size_t end = 32;
    const char *entry = bundle + 32;
    for (uint64_t left = word_at(bundle + 24); left > 0; left--) {
      uint64_t last = word_at(entry) + word_at(entry + 8);
      end = last > end ? last : end;
      entry += 24 + word_at(entry + 16);
      end = (size_t)(entry - bundle) > end ? (size_t)(entry - bundle) : end;
    }
    return end;
  }
  if (memcmp(bundle, "\x7f"
                     "ELF",
             4) == 0) {
    uint16_t size, count;
    memcpy(&size, bundle + 58, 2);
    memcpy(&count, bundle + 60, 2);
    return word_at(bundle + 40) + (size_t)size * count;
  }
  if (memcmp(bundle, "CCOB", 4) == 0) {
    uint16_t version;
    uint32_t total;
    memcpy(&version, bundle + 4, 2);
    memcpy(&total, bundle + 8, 4);
    return version == 1 ? 0 : version == 2 ? total : word_at(bundle + 8);
  }
  return 0;
}

// Hands a module's code to the GPU, once, and tells its managed variables where they lie.
static hipError_t load(struct module *module) {
  if (!module->loaded) {
    module->loaded = 1;
    struct answer answer;
    module->bytes = module->bytes == 0 ? bundle_bytes(module->bundle) : module->bytes;
    module->error = ask(REQUEST_LOAD, NULL, 0, module->bundle, module->bytes, &answer);
    module->id = answer.word[0];
    for (struct named *variable = module->variables; variable != NULL && module->error == 0; variable = variable->next) {
      uint64_t words[] = {module->id};
      if (ask(REQUEST_GLOBAL, words, 1, variable->name, strlen(variable->name), &answer) == 0) {
        memcpy((void *)answer.word[0], &variable->managed, sizeof(void *));
      }
    }
  }
  return module->error;
}

static hipError_t describe(struct module *module, const char *name, hipFunction_t *function) {
  struct answer answer;
  hipError_t error = load(module);
  if (error != 0) {
    return error;
  }
  uint64_t words[] = {module->id};
  error = ask(REQUEST_FUNCTION, words, 1, name, strlen(name), &answer);
  if (error != 0) {
    return error;
  }
  hipFunction_t made = calloc(1, sizeof *made);
  made->id = answer.word[0];
  made->bytes = answer.word[1];
  made->lds = answer.word[2];
  made->scratch = answer.word[3];
  made->registers = answer.word[4];
  made->most_threads = answer.word[5];
  made->count = answer.bytes / sizeof *made->arguments;
  made->arguments = (void *)answer.data;
  *function = made;
  return 0;
}

hipFunction_t function_of(const void *kernel, hipError_t *error) {
  pthread_mutex_lock(&lock);
  struct named *entry = find(kernels, kernel);
  *error = hipErrorInvalidDeviceFunction;
  if (entry != NULL) {
    *error = entry->function != NULL ? 0 : describe(entry->module, entry->name, &entry->function);
  }
  pthread_mutex_unlock(&lock);
  return *error == 0 ? entry->function : NULL;
}

struct wrapper {
  uint32_t magic, version;
  const char *binary;
  void *unused;
};

API void **__hipRegisterFatBinary(const void *data) {
  const struct wrapper *wrapper = data;
  struct module *module = calloc(1, sizeof *module);
  module->bundle = wrapper->binary;
  return (void **)module;
}

API void __hipUnregisterFatBinary(void **modules) {
  struct module *module = (struct module *)modules;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < BUCKETS; i++) {
    for (struct named *entry = kernels[i]; entry != NULL; entry = entry->next) {
      entry->host = entry->module == module ? NULL : entry->host;
    }
    for (struct named *entry = variables[i]; entry != NULL; entry = entry->next) {
      entry->host = entry->module == module ? NULL : entry->host;
    }
  }
  pthread_mutex_unlock(&lock);
}

API void __hipRegisterFunction(void **modules, const void *host, char *device, const char *name, unsigned threads,
                               void *tid, void *bid, dim3 *block, dim3 *grid, int *size) {
  (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
  pthread_mutex_lock(&lock);
  add(kernels, host, (struct module *)modules, name);
  pthread_mutex_unlock(&lock);
}

API void __hipRegisterVar(void **modules, void *host, char *device, char *name, int external, size_t size, int constant,
                          int global) {
  (void)device, (void)external, (void)constant, (void)global;
  pthread_mutex_lock(&lock);
  add(variables, host, (struct module *)modules, name)->bytes = size;
  pthread_mutex_unlock(&lock);
}

API void __hipRegisterManagedVar(void *modules, void **pointer, void *initial, const char *name, size_t size,
                                 unsigned align) {
  (void)align;
  struct module *module = modules;
  void *place = NULL;
  if (allocate(&place, size, MANAGED_MEMORY, 0) != 0) {
    fprintf(stderr, "warpline: no memory for managed variable %s\n", name);
    return;
  }
  memcpy(place, initial, size);
  *pointer = place;
  pthread_mutex_lock(&lock);
  struct named *symbol = add(variables, pointer, module, name);
  symbol->bytes = size;
  symbol->address = place;
  struct named *variable = calloc(1, sizeof *variable);
  variable->name = strdup(name);
  variable->managed = place;
  variable->next = module->variables;
  module->variables = variable;
  pthread_mutex_unlock(&lock);
}

API void __hipRegisterTexture(void **modules, void *host, char *device, char *name, int type, int normalized,
                              int external) {
  (void)modules, (void)host, (void)device, (void)type, (void)normalized, (void)external;
  fprintf(stderr, "warpline: texture reference %s: textures are not supported\n", name);
}

API void __hipRegisterSurface(void **modules, void *host, char *device, char *name, int type, int external) {
  (void)modules, (void)host, (void)device, (void)type, (void)external;
  fprintf(stderr, "warpline: surface reference %s: surfaces are not supported\n", name);
}

static hipError_t symbol(const void *host, void **address, size_t *bytes) {
  pthread_mutex_lock(&lock);
  struct named *entry = find(variables, host);
  hipError_t error = entry == NULL ? hipErrorInvalidSymbol : 0;
  if (error == 0 && entry->address == NULL && (error = load(entry->module)) == 0) {
    struct answer answer;
    uint64_t words[] = {entry->module->id};
    error = ask(REQUEST_GLOBAL, words, 1, entry->name, strlen(entry->name), &answer);
    if (error == 0) {
      entry->address = (void *)answer.word[0];
      entry->bytes = answer.word[1];
    }
  }
  if (error == 0) {
    *address = entry->address;
    *bytes = entry->bytes;
  }
  pthread_mutex_unlock(&lock);
  return error == hipErrorNotFound ? hipErrorInvalidSymbol : error;
}

API hipError_t hipGetSymbolAddress(void **address, const void *host) {
  size_t bytes;
  return keep(symbol(host, address, &bytes));
}

API hipError_t hipGetSymbolSize(size_t *bytes, const void *host) {
  void *address;
  return keep(symbol(host, &address, bytes));
}

static hipError_t copy_symbol(const void *host, void *other, size_t bytes, size_t offset, int to_symbol, int kind,
                              hipStream_t stream, int wait) {
  void *address;
  size_t size;
  hipError_t error = symbol(host, &address, &size);
  if (error == 0 && (offset > size || bytes > size - offset)) {
    error = hipErrorInvalidValue;
  }
  if (error != 0) {
    return keep(error);
  }
  char *at = (char *)address + offset;
  return to_symbol ? copy_rows(at, bytes, other, bytes, bytes, 1, kind, stream, wait)
                   : copy_rows(other, bytes, at, bytes, bytes, 1, kind, stream, wait);
}

API hipError_t hipMemcpyToSymbol(const void *host, const void *from, size_t bytes, size_t offset, int kind) {
  return copy_symbol(host, (void *)from, bytes, offset, 1, kind, NULL, 1);
}

API hipError_t hipMemcpyToSymbolAsync(const void *host, const void *from, size_t bytes, size_t offset, int kind,
                                      hipStream_t stream) {
  return copy_symbol(host, (void *)from, bytes, offset, 1, kind, stream, 0);
}

API hipError_t hipMemcpyFromSymbol(void *to, const void *host, size_t bytes, size_t offset, int kind) {
  return copy_symbol(host, to, bytes, offset, 0, kind, NULL, 1);
}

API hipError_t hipMemcpyFromSymbolAsync(void *to, const void *host, size_t bytes, size_t offset, int kind,
                                        hipStream_t stream) {
  return copy_symbol(host, to, bytes, offset, 0, kind, stream, 0);
}

// Modules that the program loads by itself.

API hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  if (module == NULL || image == NULL) {
    return keep(hipErrorInvalidValue);
  }
  struct module *made = calloc(1, sizeof *made);
  made->bundle = image;
  hipError_t error = load(made);
  made->bundle = NULL;
  if (error != 0) {
    free(made);
    return keep(error);
  }
  *module = made;
  return 0;
}

API hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned count, void *options, void **values) {
  (void)count, (void)options, (void)values;
  return hipModuleLoadData(module, image);
}

API hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return keep(hipErrorFileNotFound);
  }
  struct module *made = calloc(1, sizeof *made);
  char *data = NULL;
  size_t bytes = 0, got;
  do {
    data = realloc(data, bytes + 65536);
    got = fread(data + bytes, 1, 65536, file);
    bytes += got;
  } while (got > 0);
  fclose(file);
  made->bundle = data;
  made->bytes = bytes;
  hipError_t error = load(made);
  free(data);
  if (error != 0) {
    free(made);
    return keep(error);
  }
  *module = made;
  return 0;
}

API hipError_t hipModuleUnload(hipModule_t module) {
  struct answer answer;
  return module == NULL ? keep(hipErrorInvalidHandle) : ASK(REQUEST_UNLOAD, &answer, module->id);
}

API hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  if (function == NULL || module == NULL || name == NULL) {
    return keep(hipErrorInvalidValue);
  }
  pthread_mutex_lock(&lock);
  struct named *entry = module->functions;
  while (entry != NULL && strcmp(entry->name, name) != 0) {
    entry = entry->next;
  }
  hipError_t error = 0;
  if (entry == NULL) {
    hipFunction_t made;
    error = describe(module, name, &made);
    if (error == 0) {
      entry = calloc(1, sizeof *entry);
      entry->name = strdup(name);
      entry->function = made;
      entry->next = module->functions;
      module->functions = entry;
    }
  }
  pthread_mutex_unlock(&lock);
  if (error == 0) {
    *function = entry->function;
  }
  return keep(error);
}

API hipError_t hipModuleGetGlobal(void **address, size_t *bytes, hipModule_t module, const char *name) {
  if (module == NULL || name == NULL) {
    return keep(hipErrorInvalidValue);
  }
  struct answer answer;
  uint64_t words[] = {module->id};
  hipError_t error = ask(REQUEST_GLOBAL, words, 1, name, strlen(name), &answer);
  if (error == 0 && address != NULL) {
    *address = (void *)answer.word[0];
  }
  if (error == 0 && bytes != NULL) {
    *bytes = answer.word[1];
  }
  return keep(error);
}

// Launches.

hipError_t launch(hipFunction_t function, const uint32_t items[3], const uint32_t group[3], size_t lds, hipStream_t stream,
                  void **arguments, const void *packed, size_t packed_bytes, unsigned flags, hipEvent_t start,
                  hipEvent_t stop) {
  char segment[function->bytes + 8];
  memset(segment, 0, sizeof segment);
  if (packed != NULL) {
    memcpy(segment, packed, packed_bytes < function->bytes ? packed_bytes : function->bytes);
  } else {
    if (arguments == NULL && function->count > 0) {
      return keep(hipErrorInvalidValue);
    }
    for (unsigned i = 0; i < function->count; i++) {
      memcpy(segment + function->arguments[i].offset, arguments[i], function->arguments[i].size);
    }
  }
  uint64_t words[] = {function->id, items[0], items[1], items[2], group[0], group[1], group[2], lds, stream_id(stream),
                      flags, start == NULL ? 0 : start->id, stop == NULL ? 0 : stop->id};
  struct answer answer;
  return keep(ask(REQUEST_LAUNCH, words, 12, segment, function->bytes, &answer));
}

static hipError_t launch_kernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments, size_t lds,
                                hipStream_t stream, unsigned flags, hipEvent_t start, hipEvent_t stop) {
  hipError_t error;
  hipFunction_t function = function_of(kernel, &error);
  if (function == NULL) {
    return keep(error);
  }
  uint64_t wide[] = {(uint64_t)blocks.x * threads.x, (uint64_t)blocks.y * threads.y, (uint64_t)blocks.z * threads.z};
  uint32_t group[] = {threads.x, threads.y, threads.z};
  uint32_t items[3];
  for (int i = 0; i < 3; i++) {
    if (wide[i] == 0 || wide[i] > UINT32_MAX) {
      return keep(hipErrorInvalidConfiguration);
    }
    items[i] = wide[i];
  }
  return launch(function, items, group, lds, stream, arguments, NULL, 0, flags, start, stop);
}

struct configuration {
  dim3 blocks, threads;
  size_t lds;
  hipStream_t stream;
};

#define NESTED 16
static __thread struct configuration configurations[NESTED];
static __thread unsigned depth;

API hipError_t __hipPushCallConfiguration(dim3 blocks, dim3 threads, size_t lds, hipStream_t stream) {
  if (depth == NESTED) {
    return keep(hipErrorInvalidConfiguration);
  }
  configurations[depth++] = (struct configuration){blocks, threads, lds, stream};
  return 0;
}

API hipError_t __hipPopCallConfiguration(dim3 *blocks, dim3 *threads, size_t *lds, hipStream_t *stream) {
  if (depth == 0) {
    return keep(hipErrorMissingConfiguration);
  }
  struct configuration *top = &configurations[--depth];
  *blocks = top->blocks;
  *threads = top->threads;
  *lds = top->lds;
  *stream = top->stream;
  return 0;
}

API hipError_t hipLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments, size_t lds,
                               hipStream_t stream) {
  return launch_kernel(kernel, blocks, threads, arguments, lds, stream, 0, NULL, NULL);
}

API hipError_t hipExtLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments, size_t lds,
                                  hipStream_t stream, hipEvent_t start, hipEvent_t stop, int flags) {
  (void)flags;  // hipExtAnyOrderLaunch allows another order and does not demand it
  return launch_kernel(kernel, blocks, threads, arguments, lds, stream, 0, start, stop);
}

API hipError_t hipLaunchCooperativeKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments, unsigned lds,
                                          hipStream_t stream) {
  return launch_kernel(kernel, blocks, threads, arguments, lds, stream, COOPERATIVE, NULL, NULL);
}

// Arguments as one piece: pairs of a mark and a value, as HIP has them.
static hipError_t unpack(void **extra, const void **data, size_t *bytes) {
  *data = NULL;
  *bytes = 0;
  for (int i = 0; extra != NULL && extra[i] != (void *)3; i += 2) {
    if (extra[i] == (void *)1) {
      *data = extra[i + 1];
    } else if (extra[i] == (void *)2) {
      *bytes = *(size_t *)extra[i + 1];
    } else {
      return hipErrorInvalidValue;
    }
  }
  return 0;
}

static hipError_t launch_function(hipFunction_t function, const uint32_t items[3], const uint32_t group[3], size_t lds,
                                  hipStream_t stream, void **arguments, void **extra, unsigned flags, hipEvent_t start,
                                  hipEvent_t stop) {
  const void *packed;
  size_t bytes;
  if (function == NULL) {
    return keep(hipErrorInvalidHandle);
  }
  hipError_t error = unpack(extra, &packed, &bytes);
  return error != 0 ? keep(error)
                    : launch(function, items, group, lds, stream, arguments, packed, bytes, flags, start, stop);
}

static hipError_t launch_blocks(hipFunction_t function, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty,
                                unsigned tz, unsigned lds, hipStream_t stream, void **arguments, void **extra,
                                unsigned flags) {
  uint64_t wide[] = {(uint64_t)bx * tx, (uint64_t)by * ty, (uint64_t)bz * tz};
  uint32_t group[] = {tx, ty, tz}, items[3];
  for (int i = 0; i < 3; i++) {
    if (wide[i] == 0 || wide[i] > UINT32_MAX) {
      return keep(hipErrorInvalidConfiguration);
    }
    items[i] = wide[i];
  }
  return launch_function(function, items, group, lds, stream, arguments, extra, flags, NULL, NULL);
}

API hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned bx, unsigned by, unsigned bz, unsigned tx,
                                     unsigned ty, unsigned tz, unsigned lds, hipStream_t stream, void **arguments,
                                     void **extra) {
  return launch_blocks(function, bx, by, bz, tx, ty, tz, lds, stream, arguments, extra, 0);
}

API hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned bx, unsigned by, unsigned bz, unsigned tx,
                                                unsigned ty, unsigned tz, unsigned lds, hipStream_t stream,
                                                void **arguments) {
  return launch_blocks(function, bx, by, bz, tx, ty, tz, lds, stream, arguments, NULL, COOPERATIVE);
}

static hipError_t ext_module_launch(hipFunction_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                    uint32_t ty, uint32_t tz, size_t lds, hipStream_t stream, void **arguments,
                                    void **extra, hipEvent_t start, hipEvent_t stop) {
  uint32_t items[] = {gx, gy, gz}, group[] = {tx, ty, tz};
  return launch_function(function, items, group, lds, stream, arguments, extra, 0, start, stop);
}

// These two are C++ functions of HIP's headers.
API hipError_t extModuleLaunch(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
                               hipStream_t, void **, void **, hipEvent_t, hipEvent_t, uint32_t)
    __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j");
API hipError_t hccModuleLaunch(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
                               hipStream_t, void **, void **, hipEvent_t, hipEvent_t)
    __asm__("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_");

hipError_t extModuleLaunch(hipFunction_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                           uint32_t tz, size_t lds, hipStream_t stream, void **arguments, void **extra, hipEvent_t start,
                           hipEvent_t stop, uint32_t flags) {
  (void)flags;
  return ext_module_launch(function, gx, gy, gz, tx, ty, tz, lds, stream, arguments, extra, start, stop);
}

hipError_t hccModuleLaunch(hipFunction_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                           uint32_t tz, size_t lds, hipStream_t stream, void **arguments, void **extra, hipEvent_t start,
                           hipEvent_t stop) {
  return ext_module_launch(function, gx, gy, gz, tx, ty, tz, lds, stream, arguments, extra, start, stop);
}

// What a kernel needs, and how many blocks of it fit.

API hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *kernel) {
  hipError_t error;
  hipFunction_t function = function_of(kernel, &error);
  if (function == NULL) {
    return keep(error);
  }
  memset(attributes, 0, sizeof *attributes);
  attributes->localSizeBytes = function->scratch;
  attributes->sharedSizeBytes = function->lds;
  attributes->maxDynamicSharedSizeBytes = the_gpu()->lds_bytes - function->lds;
  attributes->maxThreadsPerBlock = function->most_threads;
  attributes->numRegs = function->registers;
  return 0;
}

API hipError_t hipFuncGetAttribute(int *value, int attribute, hipFunction_t function) {
  if (function == NULL || value == NULL) {
    return keep(hipErrorInvalidValue);
  }
  switch (attribute) {
    case 0:
      *value = function->most_threads;
      return 0;
    case 1:
      *value = function->lds;
      return 0;
    case 2:
    case 5:
    case 6:
    case 7:
      *value = 0;
      return 0;
    case 3:
      *value = function->scratch;
      return 0;
    case 4:
      *value = function->registers;
      return 0;
    case 8:
      *value = the_gpu()->lds_bytes - function->lds;
      return 0;
    default:
      return keep(hipErrorInvalidValue);
  }
}

API hipError_t hipFuncSetAttribute(const void *kernel, int attribute, int value) {
  (void)value;  // a hint, or a limit that is the hardware's anyway
  hipError_t error;
  if (attribute != 8 && attribute != 9) {
    return keep(hipErrorInvalidValue);
  }
  function_of(kernel, &error);
  return keep(error);
}

API hipError_t hipFuncSetCacheConfig(const void *kernel, int configuration) {
  (void)kernel, (void)configuration;  // these GPUs have nothing to divide
  return 0;
}

API hipError_t hipFuncSetSharedMemConfig(const void *kernel, int configuration) {
  (void)kernel, (void)configuration;
  return 0;
}

static hipError_t occupancy(hipFunction_t function, int threads, size_t lds, int *blocks) {
  struct answer answer;
  if (threads <= 0) {
    return keep(hipErrorInvalidValue);
  }
  hipError_t error = ASK(REQUEST_OCCUPANCY, &answer, function->id, threads, lds);
  if (error == 0) {
    *blocks = answer.word[0];
  }
  return error;
}

API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t lds) {
  hipError_t error;
  hipFunction_t function = function_of(kernel, &error);
  return function == NULL ? keep(error) : occupancy(function, threads, lds, blocks);
}

API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                                     size_t lds, unsigned flags) {
  (void)flags;
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, lds);
}

API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t function, int threads,
                                                                  size_t lds) {
  return function == NULL ? keep(hipErrorInvalidHandle) : occupancy(function, threads, lds, blocks);
}

API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, hipFunction_t function,
                                                                           int threads, size_t lds, unsigned flags) {
  (void)flags;
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, lds);
}

// The block with which most threads are resident; among equals the largest.
static hipError_t best_block(hipFunction_t function, size_t lds, int limit, int *grid, int *block) {
  int most = function->most_threads;
  most = limit > 0 && limit < most ? limit : most;
  int best = 0, best_blocks = 0;
  for (int threads = most; threads > 0; threads = (threads - 1) / 64 * 64) {
    int blocks;
    hipError_t error = occupancy(function, threads, lds, &blocks);
    if (error != 0) {
      return error;
    }
    if (blocks * threads > best * best_blocks) {
      best = threads;
      best_blocks = blocks;
    }
  }
  *block = best;
  *grid = best_blocks * (int)the_gpu()->units;
  return 0;
}

API hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *kernel, size_t lds, int limit) {
  hipError_t error;
  hipFunction_t function = function_of(kernel, &error);
  return function == NULL ? keep(error) : best_block(function, lds, limit, grid, block);
}

API hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t function, size_t lds,
                                                       int limit) {
  return function == NULL ? keep(hipErrorInvalidHandle) : best_block(function, lds, limit, grid, block);
}

API hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, hipFunction_t function, size_t lds,
                                                                int limit, unsigned flags) {
  (void)flags;
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, function, lds, limit);
}
