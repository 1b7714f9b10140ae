#include "graphs.h"

#include "driver.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static struct graph **graphs;
static size_t graph_count;

CUfunction function_of(CUfunction function_or_kernel, CUkernel kernel) {
  CUfunction function = NULL;
  if (!kernel) {
    kernel = (CUkernel)function_or_kernel;
  }
  if (CALL(cuKernelGetFunction)(&function, kernel) == CUDA_SUCCESS) {
    return function;
  }
  return function_or_kernel;
}

unsigned char *parameters_of(CUfunction function, void **each, void **extra, size_t *bytes) {
  *bytes = 0;
  if (!each && extra) {
    const void *buffer = NULL;
    size_t size = 0;
    for (void **at = extra; *at != CU_LAUNCH_PARAM_END; at += 2) {
      if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = at[1];
      } else if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE) {
        size = *(size_t *)at[1];
      }
    }
    if (!buffer || !size) {
      return NULL;
    }
    *bytes = size;
    return memcpy(need(NULL, size), buffer, size);
  }
  size_t offset, size;
  unsigned char *all = NULL;
  for (size_t i = 0; CALL(cuFuncGetParamInfo)(function, i, &offset, &size) == CUDA_SUCCESS; i++) {
    if (!each || !each[i]) {
      break;
    }
    if (offset + size > *bytes) {
      all = need(all, offset + size);
      memset(all + *bytes, 0, offset + size - *bytes);
      *bytes = offset + size;
    }
    memcpy(all + offset, each[i], size);
  }
  return all;
}

bool on_device(CUdeviceptr address) {
  CUmemorytype type = 0;
  unsigned managed = 0;
  if (CALL(cuPointerGetAttribute)(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) == CUDA_SUCCESS
      && managed) {
    return true;
  }
  return CALL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS
      && type != CU_MEMORYTYPE_HOST;
}

bool is_pinned(const void *address) {
  CUmemorytype type = 0;
  return CALL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)address)
      == CUDA_SUCCESS;
}

const char *copy_kind(bool to_device, bool from_device) {
  return to_device ? (from_device ? "DtoD" : "HtoD") : (from_device ? "DtoH" : "HtoH");
}

/* One end of a copy: its address, and whether it lies on the device; false: an array. */
static bool end_of(CUmemorytype type, const void *host, CUdeviceptr device, uint64_t offset,
    uint64_t *address, bool *is_device, bool *pinned) {
  if (type == CU_MEMORYTYPE_ARRAY) {
    *address = 0;
    *is_device = true;
    return false;
  }
  *address = (type == CU_MEMORYTYPE_HOST ? (uint64_t)host : device) + offset;
  *is_device = type == CU_MEMORYTYPE_DEVICE
      || (type == CU_MEMORYTYPE_UNIFIED && on_device(device));
  if (!*is_device) {
    *pinned = is_pinned((const void *)*address);
  }
  return true;
}

bool copy_of_3d(const CUDA_MEMCPY3D *from, struct copy *copy) {
  bool to_device, from_device;
  uint64_t depth = from->Depth ? from->Depth : 1, height = from->Height ? from->Height : 1;
  copy->rows = height * depth;
  copy->bytes = from->WidthInBytes * copy->rows;
  copy->to_pitch = from->dstPitch ? from->dstPitch : from->WidthInBytes;
  copy->from_pitch = from->srcPitch ? from->srcPitch : from->WidthInBytes;
  copy->pinned = true;
  bool plain = end_of(from->dstMemoryType, from->dstHost, from->dstDevice,
      from->dstXInBytes + (from->dstY + from->dstZ * from->dstHeight) * copy->to_pitch, &copy->to,
      &to_device, &copy->pinned);
  plain &= end_of(from->srcMemoryType, from->srcHost, from->srcDevice,
      from->srcXInBytes + (from->srcY + from->srcZ * from->srcHeight) * copy->from_pitch,
      &copy->from, &from_device, &copy->pinned);
  copy->kind = copy_kind(to_device, from_device);
  if (copy->to_pitch == from->WidthInBytes && copy->from_pitch == from->WidthInBytes) {
    copy->rows = 1;
  }
  return plain
      && (depth == 1
          || ((!from->dstHeight || from->dstHeight == height)
              && (!from->srcHeight || from->srcHeight == height)));
}

void graph_set_kernel(struct node *node, const CUDA_KERNEL_NODE_PARAMS *arguments) {
  const char *name = NULL;
  node->function = function_of(arguments->func, arguments->kern);
  free(node->name);
  CALL(cuFuncGetName)(&name, node->function);
  node->name = strdup(name ? name : "");
  free(node->parameters);
  size_t bytes;
  node->parameters = parameters_of(node->function, arguments->kernelParams, arguments->extra, &bytes);
  struct launch *l = &node->launch;
  l->kernel = node->name;
  l->grid[0] = arguments->gridDimX;
  l->grid[1] = arguments->gridDimY;
  l->grid[2] = arguments->gridDimZ;
  l->block[0] = arguments->blockDimX;
  l->block[1] = arguments->blockDimY;
  l->block[2] = arguments->blockDimZ;
  l->shared = arguments->sharedMemBytes;
  l->parameters = node->parameters;
  l->parameter_bytes = bytes;
}

void graph_set_copy(struct graph *graph, struct node *node, const CUDA_MEMCPY3D *arguments) {
  node->copy.async = true;
  if (!copy_of_3d(arguments, &node->copy)) {
    graph->unsupported = "the graph has a copy of arrays";
  } else if (node->copy.kind[0] == 'H' && node->copy.kind[3] == 'D') {
    /* The data are the host's of the moment when the node runs. */
    graph->unsupported = "the graph has a copy from host memory";
  }
}

void graph_set_memory(struct node *node, const CUDA_MEMSET_NODE_PARAMS *arguments) {
  uint64_t height = arguments->height ? arguments->height : 1;
  node->set.to = arguments->dst;
  node->set.width = (int)arguments->elementSize;
  node->set.value = arguments->value;
  node->set.rows = height;
  node->set.pitch = arguments->pitch;
  node->set.bytes = arguments->width * arguments->elementSize * height;
}

static void read_kernel(struct node *node) {
  CUDA_KERNEL_NODE_PARAMS arguments;
  CUkernelNodeAttrValue value;
  memset(&arguments, 0, sizeof arguments);
  if (CALL(cuGraphKernelNodeGetParams)(node->handle, &arguments) == CUDA_SUCCESS) {
    graph_set_kernel(node, &arguments);
  }
  struct launch *l = &node->launch;
  l->cluster[0] = l->cluster[1] = l->cluster[2] = 1;
  if (CALL(cuGraphKernelNodeGetAttribute)(node->handle, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value)
          == CUDA_SUCCESS
      && value.clusterDim.x) {
    l->cluster[0] = value.clusterDim.x;
    l->cluster[1] = value.clusterDim.y;
    l->cluster[2] = value.clusterDim.z;
  }
  if (CALL(cuGraphKernelNodeGetAttribute)(node->handle, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value)
      == CUDA_SUCCESS) {
    l->cooperative = value.cooperative != 0;
  }
}

/* Numbers of nodes, each once. */
struct numbers {
  int *all;
  int count;
};

static void add_number(struct numbers *numbers, int number) {
  for (int i = 0; i < numbers->count; i++) {
    if (numbers->all[i] == number) {
      return;
    }
  }
  numbers->all = need(numbers->all, (size_t)(numbers->count + 1) * sizeof(int));
  numbers->all[numbers->count++] = number;
}

static void add_numbers(struct numbers *to, const struct numbers *from) {
  for (int i = 0; i < from->count; i++) {
    add_number(to, from->all[i]);
  }
}

static const char *unsupported(CUgraphNodeType type) {
  switch (type) {
    case CU_GRAPH_NODE_TYPE_HOST: return "the graph has a node that runs on the host";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return "the graph allocates memory";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return "the graph has a conditional node";
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return "the graph has memory operations of streams";
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: return "the graph waits for other programs";
    default: return NULL;
  }
}

/* Adds a graph's nodes; ahead: what its first nodes wait for; last: what a follower waits for. */
static void flatten(struct graph *to, CUgraph from, const struct numbers *ahead, struct numbers *last) {
  size_t count = 0, edges = 0;
  if (CALL(cuGraphGetNodes)(from, NULL, &count) != CUDA_SUCCESS
      || CALL(cuGraphGetEdges)(from, NULL, NULL, NULL, &edges) != CUDA_SUCCESS) {
    to->unsupported = "the graph's nodes cannot be read";
    return;
  }
  CUgraphNode *nodes = need(NULL, count * sizeof *nodes);
  CUgraphNode *starts = need(NULL, edges * sizeof *starts), *ends = need(NULL, edges * sizeof *ends);
  CUgraphEdgeData *data = need(NULL, edges * sizeof *data);
  struct numbers *exits = need(NULL, count * sizeof *exits); /* what stands for a node */
  bool *done = need(NULL, count * sizeof *done), *followed = need(NULL, count * sizeof *followed);
  memset(exits, 0, count * sizeof *exits);
  memset(done, 0, count * sizeof *done);
  memset(followed, 0, count * sizeof *followed);
  if (count) {
    CALL(cuGraphGetNodes)(from, nodes, &count);
  }
  if (edges && CALL(cuGraphGetEdges)(from, starts, ends, data, &edges) != CUDA_SUCCESS) {
    to->unsupported = "the graph's edges cannot be read";
    edges = 0;
  }
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < count; i++) {
      bool ready = !done[i], first = true, programmatic = false;
      struct numbers waits = {0};
      for (size_t e = 0; e < edges && ready; e++) {
        if (ends[e] == nodes[i]) {
          size_t k = 0;
          while (k < count && nodes[k] != starts[e]) {
            k++;
          }
          if (k < count) {
            ready = done[k];
            first = false;
            followed[k] = true;
            programmatic |= data[e].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
            add_numbers(&waits, exits + k);
          }
        }
      }
      if (!ready) {
        free(waits.all);
        continue;
      }
      done[i] = again = true;
      if (first) {
        add_numbers(&waits, ahead);
      }
      CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
      CALL(cuGraphNodeGetType)(nodes[i], &type);
      if (type == CU_GRAPH_NODE_TYPE_GRAPH) {
        CUgraph child;
        if (CALL(cuGraphChildGraphNodeGetGraph)(nodes[i], &child) == CUDA_SUCCESS) {
          flatten(to, child, &waits, exits + i);
        } else {
          to->unsupported = "a graph within the graph cannot be read";
        }
        free(waits.all);
      } else if (type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY
          || type == CU_GRAPH_NODE_TYPE_MEMSET) {
        to->nodes = need(to->nodes, (size_t)(to->count + 1) * sizeof *to->nodes);
        struct node *node = to->nodes + to->count;
        memset(node, 0, sizeof *node);
        node->handle = nodes[i];
        node->after = waits.all;
        node->afters = waits.count;
        add_number(exits + i, to->count++);
        if (type == CU_GRAPH_NODE_TYPE_KERNEL) {
          node->kind = NODE_KERNEL;
          read_kernel(node);
          node->launch.programmatic = programmatic;
        } else if (type == CU_GRAPH_NODE_TYPE_MEMCPY) {
          CUDA_MEMCPY3D arguments;
          memset(&arguments, 0, sizeof arguments);
          node->kind = NODE_COPY;
          CALL(cuGraphMemcpyNodeGetParams)(nodes[i], &arguments);
          graph_set_copy(to, node, &arguments);
        } else {
          CUDA_MEMSET_NODE_PARAMS arguments;
          memset(&arguments, 0, sizeof arguments);
          node->kind = NODE_SET;
          CALL(cuGraphMemsetNodeGetParams)(nodes[i], &arguments);
          graph_set_memory(node, &arguments);
        }
      } else {
        const char *why = unsupported(type);
        to->unsupported = why ? why : to->unsupported;
        exits[i] = waits;
      }
    }
  }
  size_t all = last->count;
  for (size_t i = 0; i < count; i++) {
    if (!followed[i]) {
      add_numbers(last, exits + i);
    }
    free(exits[i].all);
  }
  if (count == 0 && all == 0) {
    add_numbers(last, ahead);
  }
  free(nodes);
  free(starts);
  free(ends);
  free(data);
  free(exits);
  free(done);
  free(followed);
}

static void forget(struct graph *graph) {
  for (int i = 0; i < graph->count; i++) {
    free(graph->nodes[i].name);
    free(graph->nodes[i].parameters);
    free(graph->nodes[i].after);
  }
  free(graph->nodes);
  graph->nodes = NULL;
  graph->count = 0;
  graph->unsupported = NULL;
}

struct graph *graph_find(CUgraphExec exec) {
  for (size_t i = 0; i < graph_count; i++) {
    if (graphs[i]->exec == exec) {
      return graphs[i];
    }
  }
  return NULL;
}

struct graph *graph_read(CUgraphExec exec, CUgraph from) {
  struct graph *graph = graph_find(exec);
  if (!graph) {
    graph = need(NULL, sizeof *graph);
    memset(graph, 0, sizeof *graph);
    graph->exec = exec;
    graphs = need(graphs, (graph_count + 1) * sizeof *graphs);
    graphs[graph_count++] = graph;
  }
  forget(graph);
  struct numbers ahead = {0}, last = {0};
  flatten(graph, from, &ahead, &last);
  free(last.all);
  return graph;
}

struct node *graph_node(struct graph *graph, CUgraphNode handle) {
  for (int i = 0; graph && i < graph->count; i++) {
    if (graph->nodes[i].handle == handle) {
      return graph->nodes + i;
    }
  }
  return NULL;
}
