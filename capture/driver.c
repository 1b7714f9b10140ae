#include "driver.h"

#include <dlfcn.h>
#include <stddef.h>

struct driver driver;

#define WORDS(name) #name
#define NAME(name) WORDS(name)

const char *driver_open(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return "libcuda.so.1";
  }
#define LOOK_UP(name) \
  *(void **)&driver.p_##name = dlsym(library, NAME(name)); \
  if (!driver.p_##name) { \
    return NAME(name); \
  }
  DRIVER_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  return NULL;
}

const char *driver_words(CUresult error) {
  const char *words = NULL;
  if (error == CUDA_SUCCESS) {
    return NULL;
  }
  return CALL(cuGetErrorString)(error, &words) == CUDA_SUCCESS && words ? words : "unknown error";
}
