// Functions of HIP that are not implemented: each says its name and fails.
#include "state.h"

#define X(name)          \
  API hipError_t name(void) { \
    return missing(#name);  \
  }
#include "missing.h"
#undef X

API const char *hiprtcGetErrorString(int result) {
  (void)result;
  return "hiprtc is not supported";
}

API const char *hipApiName(uint32_t id) {
  (void)id;
  return "unknown";
}
