// Managed memory and managed variables: host and GPU use the same addresses.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__managed__ int total = 5;
__managed__ float weights[4] = {1, 2, 3, 4};

__global__ void walk(Node *first) {
  for (Node *n = first; n != nullptr; n = n->next) {
    total += n->value;
    n->value = -n->value;
  }
  weights[2] = 30;
}

int main() {
  EXPECT(total == 5);
  weights[1] = 20;
  Node *nodes;
  HIP(hipMallocManaged(&nodes, 10 * sizeof(Node)));
  for (int i = 0; i < 10; i++) nodes[i] = {i, i < 9 ? &nodes[i + 1] : nullptr};
  walk<<<1, 1>>>(nodes);
  HIP(hipDeviceSynchronize());
  EXPECT(total == 5 + 45);
  for (int i = 0; i < 10; i++) EXPECT(nodes[i].value == -i);
  EXPECT(weights[0] == 1 && weights[1] == 20 && weights[2] == 30 && weights[3] == 4);
  total = 1;
  walk<<<1, 1>>>(nodes);
  HIP(hipDeviceSynchronize());
  EXPECT(total == 1 - 45);
  HIP(hipFree(nodes));
  std::puts("managed: right");
}
