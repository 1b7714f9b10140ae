// Textures, arrays and graphs are not there: each says so by its name.
#include "check.h"

int main() {
  hipTextureObject_t texture = nullptr;
  hipResourceDesc resource = {};
  hipTextureDesc description = {};
  EXPECT(hipCreateTextureObject(&texture, &resource, &description, nullptr) == hipErrorNotSupported);
  EXPECT(hipGetLastError() == hipErrorNotSupported);
  hipArray *array = nullptr;
  hipChannelFormatDesc format = {};
  EXPECT(hipMallocArray(&array, &format, 16, 16, 0) == hipErrorNotSupported);
  hipGraph_t graph;
  EXPECT(hipGraphCreate(&graph, 0) == hipErrorNotSupported);
  std::puts("textures: right");
}
