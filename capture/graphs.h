/* Graphs as lists of their nodes, every one after those that it waits for. */
#ifndef WARPLINE_GRAPHS_H
#define WARPLINE_GRAPHS_H
#include "recorder.h"

#include <cuda.h>

enum node_kind { NODE_KERNEL, NODE_COPY, NODE_SET };

struct node {
  CUgraphNode handle;
  uint64_t activity; /* the number that CUPTI gives its activities */
  enum node_kind kind;
  CUfunction function;
  char *name;
  struct launch launch;
  unsigned char *parameters;
  struct copy copy;
  struct set set;
  int *after;
  int afters;
};

struct graph {
  CUgraphExec exec;
  struct node *nodes;
  int count;
  const char *unsupported; /* why its kernels cannot be recorded, else NULL */
};

/* Remembers what is launched as exec; an older graph of the same handle is forgotten. */
struct graph *graph_read(CUgraphExec exec, CUgraph from);
/* NULL if its instantiation was not seen. */
struct graph *graph_find(CUgraphExec exec);
struct node *graph_node(struct graph *graph, CUgraphNode handle);
/* Puts the arguments of a kernel node in the place of those it had. */
void graph_set_kernel(struct node *node, const CUDA_KERNEL_NODE_PARAMS *arguments);
void graph_set_copy(struct graph *graph, struct node *node, const CUDA_MEMCPY3D *arguments);
void graph_set_memory(struct node *node, const CUDA_MEMSET_NODE_PARAMS *arguments);

/* The parts that graphs and single calls share. */
CUfunction function_of(CUfunction function_or_kernel, CUkernel kernel);
/* A copy of a kernel's parameters, as they lie in its constant bank; NULL and 0 if unknown. */
unsigned char *parameters_of(CUfunction function, void **each, void **extra, size_t *bytes);
/* False if it is no copy between plain memory. */
bool copy_of_3d(const CUDA_MEMCPY3D *from, struct copy *copy);
const char *copy_kind(bool to_device, bool from_device);
bool on_device(CUdeviceptr address);
bool is_pinned(const void *address);
#endif
