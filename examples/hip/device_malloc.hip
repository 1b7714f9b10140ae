// Memory that a kernel takes for itself, which a later kernel uses and gives back.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__global__ void build(Node **heads, int length) {
  Node *head = nullptr;
  for (int i = 0; i < length; i++) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    if (node == nullptr) break;
    node->value = threadIdx.x + i;
    node->next = head;
    head = node;
  }
  heads[threadIdx.x] = head;
}

__global__ void collect(Node **heads, int *sums) {
  int sum = 0;
  for (Node *node = heads[threadIdx.x]; node != nullptr;) {
    sum += node->value;
    Node *next = node->next;
    free(node);
    node = next;
  }
  sums[threadIdx.x] = sum;
}

__global__ void large(int **place, int n) {
  int *data = static_cast<int *>(malloc(n * sizeof(int)));
  for (int i = 0; data != nullptr && i < n; i += 100) data[i] = i;
  *place = data;
}

int main() {
  const int n = 64, length = 3;
  Device<Node *> heads(n);
  Device<int> sums(n);
  build<<<1, n>>>(heads.data, length);
  collect<<<1, n>>>(heads.data, sums.data);
  std::vector<int> found = sums.get();
  for (int i = 0; i < n; i++) EXPECT(found[i] == length * i + length * (length - 1) / 2);
  Device<int *> place(1);
  large<<<1, 1>>>(place.data, 5000);
  HIP(hipDeviceSynchronize());
  EXPECT(place.get()[0] != nullptr);
  std::puts("device_malloc: right");
}
