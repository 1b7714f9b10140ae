/* The library that the driver loads into a program (CUDA_INJECTION64_PATH): follows its calls with
   CUPTI and tells the recorder. What it calls itself is not followed. While a kernel is recorded
   other threads wait at their next call. */
#include "driver.h"
#include "graphs.h"
#include "recorder.h"
#include "text.h"
#include "times.h"

#include <cupti.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 KernelActivity;
typedef CUpti_ActivityMemcpy6 CopyActivity;
#else
typedef CUpti_ActivityKernel9 KernelActivity;
typedef CUpti_ActivityMemcpy5 CopyActivity;
#endif
typedef CUpti_ActivityMemset4 SetActivity;

static struct options options;
static char **command;
static int words;
static pid_t process;
static uint64_t origin;
static struct recorder *recorder;
static CUcontext recorded; /* the context that is recorded */
static bool over; /* nothing is recorded any more */
static volatile bool lost; /* the recorded context was destroyed; noticed at the next call */
static int captures; /* stream captures under way */
static pthread_mutex_t lock;

/* Calls of this library are not followed. */
static _Thread_local int own;
/* Calls that a followed call makes are not followed. */
static _Thread_local int level;

/* What was found out at a call's entry, for its exit. */
static _Thread_local struct {
  bool locked;
  bool counts; /* it is an operation */
  bool memory; /* its memory is recorded */
  uint64_t enter;
  struct launch launch;
  unsigned char *parameters;
  char *name;
} pending;

/* ---- the GPU, as the recorder sees it ---- */

/* So many changes come back with their number; more take a second copy. */
#define AT_ONCE 1023

static struct {
  CUstream stream;
  CUfunction sums, changes;
  CUdeviceptr pages, prints, places, changed; /* by place */
  size_t room; /* places */
  struct change *found; /* the first ones as they come back, after a record with their number */
} gpu;

static const char *open_gpu(void) {
  CUmodule module;
  void *found = NULL;
  if (gpu.found) {
    return NULL;
  }
  CUresult wrong = CALL(cuStreamCreate)(&gpu.stream, CU_STREAM_NON_BLOCKING);
  if (!wrong) {
    wrong = CALL(cuModuleLoadData)(&module, sums_kernels);
  }
  if (!wrong) {
    wrong = CALL(cuModuleGetFunction)(&gpu.sums, module, "warpline_sums");
  }
  if (!wrong) {
    wrong = CALL(cuModuleGetFunction)(&gpu.changes, module, "warpline_changes");
  }
  if (!wrong) {
    wrong = CALL(cuMemHostAlloc)(&found, (AT_ONCE + 1) * sizeof *gpu.found, 0);
  }
  gpu.found = found;
  return driver_words(wrong);
}

static const char *gpu_read(void *to, uint64_t from, size_t bytes) {
  CUresult wrong = CALL(cuMemcpyDtoHAsync)(to, from, bytes, gpu.stream);
  if (!wrong) {
    wrong = CALL(cuStreamSynchronize)(gpu.stream);
  }
  return driver_words(wrong);
}

static CUresult run(CUfunction kernel, size_t blocks, void **arguments) {
  return CALL(cuLaunchKernel)(
      kernel, (unsigned)blocks, 1, 1, 256, 1, 1, 0, gpu.stream, arguments, NULL);
}

static const char *gpu_sums(const struct page *pages, size_t count, uint64_t *sums) {
  const char *words = open_gpu();
  CUdeviceptr list = 0, to = 0;
  if (words) {
    return words;
  }
  CUresult wrong = CALL(cuMemAlloc)(&list, count * sizeof *pages);
  if (!wrong) {
    wrong = CALL(cuMemAlloc)(&to, count * sizeof *sums);
  }
  if (!wrong) {
    wrong = CALL(cuMemcpyHtoDAsync)(list, pages, count * sizeof *pages, gpu.stream);
  }
  void *arguments[] = {&list, &to};
  if (!wrong) {
    wrong = run(gpu.sums, count, arguments);
  }
  if (!wrong) {
    wrong = CALL(cuMemcpyDtoHAsync)(sums, to, count * sizeof *sums, gpu.stream);
  }
  if (!wrong) {
    wrong = CALL(cuStreamSynchronize)(gpu.stream);
  }
  CALL(cuMemFree)(list);
  CALL(cuMemFree)(to);
  return driver_words(wrong);
}

/* Memory for a table by place; its old contents if they are needed. */
static CUresult grow(CUdeviceptr *table, size_t room, size_t bytes, bool keeps) {
  CUdeviceptr larger = 0;
  CUresult wrong = CALL(cuMemAlloc)(&larger, (room + 1) * bytes);
  if (!wrong && gpu.room && keeps) {
    wrong = CALL(cuMemcpyDtoDAsync)(larger, *table, gpu.room * bytes, gpu.stream);
  }
  if (!wrong) {
    wrong = CALL(cuStreamSynchronize)(gpu.stream);
  }
  if (!wrong && gpu.room) {
    wrong = CALL(cuMemFree)(*table);
  }
  *table = wrong ? *table : larger;
  return wrong;
}

static const char *gpu_watch(size_t first, const struct page *pages, size_t count) {
  const char *words = open_gpu();
  CUresult wrong = CUDA_SUCCESS;
  if (words) {
    return words;
  }
  if (first + count > gpu.room) {
    size_t room = first + count + gpu.room / 2;
    wrong = grow(&gpu.pages, room, sizeof *pages, true);
    if (!wrong) {
      wrong = grow(&gpu.prints, room, sizeof(uint64_t), true);
    }
    if (!wrong) {
      wrong = grow(&gpu.places, room, sizeof(uint32_t), false);
    }
    if (!wrong) {
      wrong = grow(&gpu.changed, room, sizeof(struct change), false);
    }
    if (wrong) {
      return driver_words(wrong);
    }
    gpu.room = room;
  }
  wrong = CALL(cuMemcpyHtoDAsync)(
      gpu.pages + first * sizeof *pages, pages, count * sizeof *pages, gpu.stream);
  if (!wrong) {
    wrong = CALL(cuMemsetD32Async)(gpu.prints + first * sizeof(uint64_t), 0, 2 * count, gpu.stream);
  }
  return driver_words(wrong);
}

static const char *gpu_changes(
    const uint32_t *places, size_t count, struct change *changes, size_t *found) {
  CUdeviceptr none = 0;
  void *arguments[] = {&gpu.pages, &gpu.prints, places ? &gpu.places : &none, &gpu.changed};
  size_t most = count < AT_ONCE ? count : AT_ONCE;
  CUresult wrong = CALL(cuMemsetD32Async)(gpu.changed, 0, 1, gpu.stream);
  if (!wrong && places) {
    wrong = CALL(cuMemcpyHtoDAsync)(gpu.places, places, count * sizeof *places, gpu.stream);
  }
  if (!wrong) {
    wrong = run(gpu.changes, count, arguments);
  }
  if (!wrong) {
    wrong = CALL(cuMemcpyDtoHAsync)(
        gpu.found, gpu.changed, (most + 1) * sizeof *changes, gpu.stream);
  }
  if (!wrong) {
    wrong = CALL(cuStreamSynchronize)(gpu.stream);
  }
  if (wrong) {
    return driver_words(wrong);
  }
  *found = (uint32_t)gpu.found->sum;
  memcpy(changes, gpu.found + 1, (*found < most ? *found : most) * sizeof *changes);
  if (*found <= most) {
    return NULL;
  }
  return gpu_read(changes + most, gpu.changed + (most + 1) * sizeof *changes,
      (*found - most) * sizeof *changes);
}

static const char *gpu_variable(void *module, const char *name, uint64_t *address, uint64_t *bytes) {
  CUdeviceptr at = 0;
  size_t size = 0;
  CUresult wrong = CALL(cuModuleGetGlobal)(&at, &size, module, name);
  *address = at;
  *bytes = size;
  return driver_words(wrong);
}

static void open_recorder(CUcontext context) {
  CUdevice number;
  static char name[200];
  int major = 0, minor = 0;
  struct device device = {.name = name, .sums = gpu_sums, .watch = gpu_watch,
      .changes = gpu_changes, .read = gpu_read, .variable = gpu_variable};
  const char *missing = driver_open();
  if (missing) {
    fprintf(stderr,
        "warpline-capture: the driver has no %s (it is older than CUDA 12.4); nothing is recorded\n",
        missing);
    over = true;
    return;
  }
  own++;
  if (CALL(cuCtxGetDevice)(&number) == CUDA_SUCCESS) {
    CALL(cuDeviceGetName)(name, sizeof name, number);
    CALL(cuDeviceGetAttribute)(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, number);
    CALL(cuDeviceGetAttribute)(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, number);
    CALL(cuDeviceGetAttribute)(&device.sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, number);
    CALL(cuDriverGetVersion)(&device.driver);
    device.sm = 10 * major + minor;
    recorder = recorder_open(&options, &device, (const char *const *)command, words);
    recorded = context;
  }
  own--;
  over = !recorder;
}

/* ---- kernels ---- */

/* What is known of a function that was launched. */
struct kernel {
  CUfunction handle; /* as the program has it */
  char *name;
  CUfunction function;
  int module;
  const char *cannot; /* be recorded, and why, else NULL */
  unsigned local;
  unsigned cluster[3]; /* that it was compiled for, 0: none */
};

static struct kernel *kernels;
static size_t kernel_count;

static void forget_kernels(void) {
  for (size_t i = 0; i < kernel_count; i++) {
    free(kernels[i].name);
  }
  kernel_count = 0;
}

static int attribute(CUfunction function, CUfunction_attribute what) {
  int value = 0;
  CALL(cuFuncGetAttribute)(&value, what, function);
  return value;
}

/* Looks a function up, which loads its code if that was put off. */
static const struct kernel *kernel_of(CUfunction handle, const char *name) {
  for (size_t i = 0; i < kernel_count; i++) {
    if (kernels[i].handle == handle && strcmp(kernels[i].name, name) == 0) {
      return kernels + i;
    }
  }
  struct kernel k = {.handle = handle, .name = strdup(name), .function = function_of(handle, NULL)};
  CUmodule module = NULL;
  CALL(cuFuncLoad)(k.function);
  CALL(cuFuncGetModule)(&module, k.function);
  k.local = (unsigned)attribute(k.function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  k.cluster[0] = (unsigned)attribute(k.function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
  k.cluster[1] = (unsigned)attribute(k.function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
  k.cluster[2] = (unsigned)attribute(k.function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
  k.module = recorder_module(
      recorder, name, attribute(k.function, CU_FUNC_ATTRIBUTE_NUM_REGS), module, &k.cannot);
  kernels = need(kernels, (kernel_count + 1) * sizeof *kernels);
  kernels[kernel_count] = k;
  return kernels + kernel_count++;
}

static void complete(struct launch *launch, const struct kernel *kernel) {
  launch->module = kernel->module;
  launch->local = kernel->local;
  if (kernel->cluster[0]) {
    for (int i = 0; i < 3; i++) {
      launch->cluster[i] = kernel->cluster[i] ? kernel->cluster[i] : 1;
    }
  }
}

/* ---- streams ---- */

static bool capturing(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (captures == 0) {
    return false;
  }
  /* The legacy stream cannot be asked while another is being captured, so it is not. */
  return CALL(cuStreamIsCapturing)(stream, &status) == CUDA_SUCCESS
      && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static int stream_number(CUstream stream) {
  if (!stream || stream == CU_STREAM_LEGACY) {
    return 0;
  }
  uint64_t key = (uint64_t)stream;
  if (stream == CU_STREAM_PER_THREAD) {
    key |= (uint64_t)gettid() << 16;
  }
  int number = recorder_stream(recorder, key);
  if (number < 0) {
    int priority = 0;
    unsigned flags = 0;
    CALL(cuStreamGetPriority)(stream, &priority);
    CALL(cuStreamGetFlags)(stream, &flags);
    number = recorder_new_stream(recorder, key, priority, !(flags & CU_STREAM_NON_BLOCKING));
  }
  return number;
}

/* ---- launches ---- */

/* Makes ready for recording memory: everything that was begun is finished. */
static const char *quiet_gpu(void) {
  if (captures) {
    return "another stream was being captured";
  }
  return driver_words(CALL(cuCtxSynchronize)());
}

static void enter_launch(const char *name, CUfunction handle, CUstream stream, void **each,
    void **extra, const CUlaunchConfig *config) {
  struct launch *l = &pending.launch;
  pending.counts = !capturing(stream);
  if (!pending.counts || options.time) {
    return;
  }
  l->kernel = pending.name = strdup(name ? name : "");
  l->stream = stream_number(stream);
  l->cluster[0] = l->cluster[1] = l->cluster[2] = 1;
  for (unsigned i = 0; config && i < config->numAttrs; i++) {
    const CUlaunchAttribute *a = config->attrs + i;
    if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      l->cluster[0] = a->value.clusterDim.x;
      l->cluster[1] = a->value.clusterDim.y;
      l->cluster[2] = a->value.clusterDim.z;
    } else if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
      l->cooperative = a->value.cooperative != 0;
    } else if (a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) {
      l->programmatic = a->value.programmaticStreamSerializationAllowed != 0;
    }
  }
  l->skipped = recorder_refuses(recorder, l->kernel);
  if (!l->skipped) {
    l->skipped = quiet_gpu();
  }
  if (l->skipped) {
    return;
  }
  const struct kernel *kernel = kernel_of(handle, l->kernel);
  complete(l, kernel);
  pending.parameters = parameters_of(kernel->function, each, extra, &l->parameter_bytes);
  l->parameters = pending.parameters;
  l->skipped = kernel->cannot ? kernel->cannot : recorder_before(recorder);
  pending.memory = !l->skipped;
}

static void exit_launch(const CUpti_CallbackData *call, uint64_t now) {
  long n = recorder_launch(recorder, &pending.launch, NULL);
  if (options.time) {
    times_call(n, call->correlationId, 0, pending.enter, now);
    return;
  }
  if (pending.memory) {
    const char *wrong = driver_words(CALL(cuCtxSynchronize)());
    if (wrong) {
      recorder_refused(recorder, n, pending.launch.kernel, wrong);
    } else {
      recorder_after(recorder, n);
    }
  } else if (pending.launch.skipped && strcmp(pending.launch.skipped, "filter") != 0) {
    recorder_refused(recorder, n, pending.launch.kernel, pending.launch.skipped);
  }
}

static void enter_graph(CUgraphExec exec, CUstream stream) {
  struct graph *graph = graph_find(exec);
  pending.counts = !capturing(stream);
  if (!pending.counts || options.time) {
    return;
  }
  const char *skipped = "filter";
  bool any = false;
  for (int i = 0; graph && i < graph->count; i++) {
    if (graph->nodes[i].kind == NODE_KERNEL) {
      const char *why = recorder_refuses(recorder, graph->nodes[i].name);
      skipped = any ? skipped : why;
      any = any || !why;
    }
  }
  if (!graph) {
    skipped = "the graph's instantiation was not seen";
  } else if (any && graph->unsupported) {
    skipped = graph->unsupported;
  } else if (any) {
    skipped = quiet_gpu();
  }
  for (int i = 0; graph && i < graph->count; i++) {
    struct node *node = graph->nodes + i;
    node->launch.stream = node->copy.stream = node->set.stream = stream_number(stream);
    if (node->kind == NODE_KERNEL && !skipped) {
      const struct kernel *kernel = kernel_of(node->function, node->name);
      complete(&node->launch, kernel);
      skipped = kernel->cannot;
    }
  }
  if (!skipped) {
    skipped = recorder_before(recorder);
  }
  for (int i = 0; graph && i < graph->count; i++) {
    graph->nodes[i].launch.skipped = skipped;
  }
  pending.memory = !skipped;
  pending.launch.skipped = skipped;
}

static void exit_graph(const CUpti_CallbackData *call, CUgraphExec exec, CUstream stream, uint64_t now) {
  struct graph *graph = graph_find(exec);
  int count = graph ? graph->count : 0;
  long n = recorder_graph(recorder, options.time ? 0 : stream_number(stream), count);
  if (options.time) {
    times_call(n, call->correlationId, 0, pending.enter, now);
  }
  for (int i = 0; i < count; i++) {
    struct node *node = graph->nodes + i;
    struct place place = {i, node->after, node->afters};
    long m = node->kind == NODE_KERNEL ? recorder_launch(recorder, &node->launch, &place)
        : node->kind == NODE_COPY      ? recorder_copy(recorder, &node->copy, &place)
                                       : recorder_set(recorder, &node->set, &place);
    if (options.time && node->activity) {
      times_call(m, call->correlationId, node->activity, pending.enter, now);
    }
  }
  if (pending.memory) {
    const char *wrong = driver_words(CALL(cuCtxSynchronize)());
    if (wrong) {
      recorder_refused(recorder, n, "", wrong);
    } else {
      recorder_after(recorder, n);
    }
  } else if (!options.time && pending.launch.skipped && strcmp(pending.launch.skipped, "filter") != 0) {
    recorder_refused(recorder, n, "", pending.launch.skipped);
  }
}

/* ---- graph nodes as CUPTI numbers them ---- */

static _Thread_local struct clone {
  CUgraphNode original;
  uint64_t activity;
} *clones;
static _Thread_local size_t clone_count;
static _Thread_local bool instantiating;

static void number_nodes(struct graph *graph) {
  for (int i = 0; i < graph->count; i++) {
    for (size_t k = 0; k < clone_count; k++) {
      if (clones[k].original == graph->nodes[i].handle) {
        graph->nodes[i].activity = clones[k].activity;
      }
    }
  }
}

static void update_graph(CUgraphExec exec, CUgraph from) {
  struct graph *old = graph_find(exec);
  int count = old ? old->count : 0;
  uint64_t *activities = need(NULL, (size_t)count * sizeof *activities);
  for (int i = 0; i < count; i++) {
    activities[i] = old->nodes[i].activity;
  }
  struct graph *graph = graph_read(exec, from);
  for (int i = 0; i < graph->count && i < count; i++) {
    graph->nodes[i].activity = activities[i];
  }
  free(activities);
}

/* ---- memory that is mapped piece by piece ---- */

struct mapping {
  CUdeviceptr address;
  size_t bytes;
};

static struct mapping *mappings; /* that cannot be accessed yet */
static size_t mapping_count;

static void map(CUdeviceptr address, size_t bytes) {
  mappings = need(mappings, (mapping_count + 1) * sizeof *mappings);
  mappings[mapping_count++] = (struct mapping){address, bytes};
}

static void allow(CUdeviceptr address, size_t bytes) {
  for (size_t i = mapping_count; i-- > 0;) {
    if (mappings[i].address >= address && mappings[i].address - address < bytes) {
      recorder_allocate(recorder, mappings[i].address, mappings[i].bytes, "mapped");
      mappings[i] = mappings[--mapping_count];
    }
  }
}

/* ---- copies and sets ---- */

/* A call that is a copy: what it copies, from its arguments. */
static void copy_between(struct copy *copy, bool to_device, uint64_t to, bool from_device,
    uint64_t from, uint64_t bytes) {
  *copy = (struct copy){.kind = copy_kind(to_device, from_device), .bytes = bytes, .to = to,
      .from = from, .rows = 1, .pinned = true};
  if (options.time) {
    return;
  }
  if (!to_device) {
    copy->pinned = is_pinned((const void *)to);
  }
  if (!from_device) {
    copy->pinned = copy->pinned && is_pinned((const void *)from);
  }
}

static bool copy_of_2d(const CUDA_MEMCPY2D *from, struct copy *copy) {
  CUDA_MEMCPY3D whole;
  memset(&whole, 0, sizeof whole);
  whole.srcXInBytes = from->srcXInBytes;
  whole.srcY = from->srcY;
  whole.srcMemoryType = from->srcMemoryType;
  whole.srcHost = from->srcHost;
  whole.srcDevice = from->srcDevice;
  whole.srcPitch = from->srcPitch;
  whole.dstXInBytes = from->dstXInBytes;
  whole.dstY = from->dstY;
  whole.dstMemoryType = from->dstMemoryType;
  whole.dstHost = from->dstHost;
  whole.dstDevice = from->dstDevice;
  whole.dstPitch = from->dstPitch;
  whole.WidthInBytes = from->WidthInBytes;
  whole.Height = from->Height;
  whole.Depth = 1;
  return copy_of_3d(&whole, copy);
}

#define ID(name) CUPTI_DRIVER_TRACE_CBID_##name
/* A call, and the one whose null stream is the thread's own. (Names are pasted, not passed on: CUDA's
   header has macros of the same names.) */
#define BOTH(name) \
  case CUPTI_DRIVER_TRACE_CBID_##name: \
  case CUPTI_DRIVER_TRACE_CBID_##name##_ptsz
#define BOTH_S(name) \
  case CUPTI_DRIVER_TRACE_CBID_##name: \
  case CUPTI_DRIVER_TRACE_CBID_##name##_ptds
#define ARGUMENTS(name) const name##_params *a = call->functionParams

static bool own_stream(CUpti_CallbackId id) {
  switch (id) {
    case ID(cuLaunchKernel_ptsz):
    case ID(cuLaunchKernelEx_ptsz):
    case ID(cuLaunchCooperativeKernel_ptsz):
    case ID(cuGraphLaunch_ptsz):
    case ID(cuMemcpyAsync_ptsz):
    case ID(cuMemcpyHtoDAsync_v2_ptsz):
    case ID(cuMemcpyDtoHAsync_v2_ptsz):
    case ID(cuMemcpyDtoDAsync_v2_ptsz):
    case ID(cuMemcpyHtoAAsync_v2_ptsz):
    case ID(cuMemcpyAtoHAsync_v2_ptsz):
    case ID(cuMemcpy2DAsync_v2_ptsz):
    case ID(cuMemcpy3DAsync_v2_ptsz):
    case ID(cuMemcpy_ptds):
    case ID(cuMemcpyHtoD_v2_ptds):
    case ID(cuMemcpyDtoH_v2_ptds):
    case ID(cuMemcpyDtoD_v2_ptds):
    case ID(cuMemcpy2D_v2_ptds):
    case ID(cuMemcpy2DUnaligned_v2_ptds):
    case ID(cuMemcpy3D_v2_ptds):
    case ID(cuMemsetD8_v2_ptds):
    case ID(cuMemsetD16_v2_ptds):
    case ID(cuMemsetD32_v2_ptds):
    case ID(cuMemsetD2D8_v2_ptds):
    case ID(cuMemsetD2D16_v2_ptds):
    case ID(cuMemsetD2D32_v2_ptds):
    case ID(cuMemsetD8Async_ptsz):
    case ID(cuMemsetD16Async_ptsz):
    case ID(cuMemsetD32Async_ptsz):
    case ID(cuMemsetD2D8Async_ptsz):
    case ID(cuMemsetD2D16Async_ptsz):
    case ID(cuMemsetD2D32Async_ptsz):
    case ID(cuStreamWaitEvent_ptsz):
    case ID(cuStreamSynchronize_ptsz):
    case ID(cuEventRecord_ptsz):
    case ID(cuEventRecordWithFlags_ptsz): return true;
    default: return false;
  }
}

static CUstream stream_of(CUpti_CallbackId id, CUstream stream) {
  return !stream && own_stream(id) ? CU_STREAM_PER_THREAD : stream;
}

/* Whether the call is a copy; fills in all but the stream's number. */
static bool is_copy(CUpti_CallbackId id, const CUpti_CallbackData *call, struct copy *copy,
    CUstream *stream) {
  *stream = NULL;
  memset(copy, 0, sizeof *copy);
  switch (id) {
    BOTH_S(cuMemcpyHtoD_v2) : {
      ARGUMENTS(cuMemcpyHtoD_v2);
      copy_between(copy, true, a->dstDevice, false, (uint64_t)a->srcHost, a->ByteCount);
      return true;
    }
    BOTH_S(cuMemcpyDtoH_v2) : {
      ARGUMENTS(cuMemcpyDtoH_v2);
      copy_between(copy, false, (uint64_t)a->dstHost, true, a->srcDevice, a->ByteCount);
      return true;
    }
    BOTH_S(cuMemcpyDtoD_v2) : {
      ARGUMENTS(cuMemcpyDtoD_v2);
      copy_between(copy, true, a->dstDevice, true, a->srcDevice, a->ByteCount);
      return true;
    }
    BOTH_S(cuMemcpy) : {
      ARGUMENTS(cuMemcpy);
      copy_between(copy, on_device(a->dst), a->dst, on_device(a->src), a->src, a->ByteCount);
      return true;
    }
    BOTH(cuMemcpyHtoDAsync_v2) : {
      ARGUMENTS(cuMemcpyHtoDAsync_v2);
      copy_between(copy, true, a->dstDevice, false, (uint64_t)a->srcHost, a->ByteCount);
      *stream = a->hStream;
      break;
    }
    BOTH(cuMemcpyDtoHAsync_v2) : {
      ARGUMENTS(cuMemcpyDtoHAsync_v2);
      copy_between(copy, false, (uint64_t)a->dstHost, true, a->srcDevice, a->ByteCount);
      *stream = a->hStream;
      break;
    }
    BOTH(cuMemcpyDtoDAsync_v2) : {
      ARGUMENTS(cuMemcpyDtoDAsync_v2);
      copy_between(copy, true, a->dstDevice, true, a->srcDevice, a->ByteCount);
      *stream = a->hStream;
      break;
    }
    BOTH(cuMemcpyAsync) : {
      ARGUMENTS(cuMemcpyAsync);
      copy_between(copy, on_device(a->dst), a->dst, on_device(a->src), a->src, a->ByteCount);
      *stream = a->hStream;
      break;
    }
    BOTH_S(cuMemcpy2D_v2) : {
      ARGUMENTS(cuMemcpy2D_v2);
      copy_of_2d(a->pCopy, copy);
      return true;
    }
    BOTH_S(cuMemcpy2DUnaligned_v2) : {
      ARGUMENTS(cuMemcpy2DUnaligned_v2);
      copy_of_2d(a->pCopy, copy);
      return true;
    }
    BOTH(cuMemcpy2DAsync_v2) : {
      ARGUMENTS(cuMemcpy2DAsync_v2);
      copy_of_2d(a->pCopy, copy);
      *stream = a->hStream;
      break;
    }
    BOTH_S(cuMemcpy3D_v2) : {
      ARGUMENTS(cuMemcpy3D_v2);
      copy_of_3d(a->pCopy, copy);
      return true;
    }
    BOTH(cuMemcpy3DAsync_v2) : {
      ARGUMENTS(cuMemcpy3DAsync_v2);
      copy_of_3d(a->pCopy, copy);
      *stream = a->hStream;
      break;
    }
    default: return false;
  }
  copy->async = true;
  return true;
}

static void set_of(struct set *set, uint64_t to, uint32_t value, int width, uint64_t elements,
    uint64_t rows, uint64_t pitch) {
  *set = (struct set){.to = to, .bytes = elements * (uint64_t)width * rows, .value = value,
      .width = width, .rows = rows, .pitch = pitch};
}

/* Whether the call sets memory. */
static bool is_set(CUpti_CallbackId id, const CUpti_CallbackData *call, struct set *set,
    CUstream *stream) {
  *stream = NULL;
  switch (id) {
#define SET(name, member, width) \
  BOTH_S(cuMemset##name##_v2) : { \
    ARGUMENTS(cuMemset##name##_v2); \
    set_of(set, a->dstDevice, a->member, width, a->N, 1, 0); \
    return true; \
  } \
  BOTH(cuMemset##name##Async) : { \
    ARGUMENTS(cuMemset##name##Async); \
    set_of(set, a->dstDevice, a->member, width, a->N, 1, 0); \
    *stream = a->hStream; \
    return true; \
  }
#define SET_2D(name, member, size) \
  BOTH_S(cuMemset##name##_v2) : { \
    ARGUMENTS(cuMemset##name##_v2); \
    set_of(set, a->dstDevice, a->member, size, a->Width, a->Height, a->dstPitch); \
    return true; \
  } \
  BOTH(cuMemset##name##Async) : { \
    ARGUMENTS(cuMemset##name##Async); \
    set_of(set, a->dstDevice, a->member, size, a->Width, a->Height, a->dstPitch); \
    *stream = a->hStream; \
    return true; \
  }
    SET(D8, uc, 1)
    SET(D16, us, 2)
    SET(D32, ui, 4)
    SET_2D(D2D8, uc, 1)
    SET_2D(D2D16, us, 2)
    SET_2D(D2D32, ui, 4)
    default: return false;
  }
}

/* ---- tensor maps ---- */

static void list_64(struct text *text, const char *name, const cuuint64_t *numbers, unsigned count) {
  text_add(text, ",\"%s\":[", name);
  for (unsigned i = 0; i < count; i++) {
    text_add(text, i ? ",%" PRIu64 : "%" PRIu64, (uint64_t)numbers[i]);
  }
  text_add(text, "]");
}

static void list_32(struct text *text, const char *name, const cuuint32_t *numbers, unsigned count) {
  text_add(text, ",\"%s\":[", name);
  for (unsigned i = 0; i < count; i++) {
    text_add(text, i ? ",%u" : "%u", numbers[i]);
  }
  text_add(text, "]");
}

static void tensor_map(const cuTensorMapEncodeTiled_params *a) {
  struct text about = {0};
  text_add(&about, "\"type\":%d,\"rank\":%u,\"address\":\"0x%" PRIx64 "\"", (int)a->tensorDataType,
      a->tensorRank, (uint64_t)a->globalAddress);
  list_64(&about, "sizes", a->globalDim, a->tensorRank);
  list_64(&about, "strides", a->globalStrides, a->tensorRank - 1);
  list_32(&about, "box", a->boxDim, a->tensorRank);
  list_32(&about, "steps", a->elementStrides, a->tensorRank);
  text_add(&about, ",\"interleave\":%d,\"swizzle\":%d,\"promotion\":%d,\"fill\":%d",
      (int)a->interleave, (int)a->swizzle, (int)a->l2Promotion, (int)a->oobFill);
  recorder_tensor_map(recorder, a->tensorMap, about.bytes);
  text_free(&about);
}

/* ---- calls ---- */

/* Before the driver does anything: what is freed now, and what a launch finds. */
static void enter(CUpti_CallbackId id, const CUpti_CallbackData *call) {
  switch (id) {
    BOTH(cuLaunchKernel) : {
      ARGUMENTS(cuLaunchKernel);
      pending.launch = (struct launch){.grid = {a->gridDimX, a->gridDimY, a->gridDimZ},
          .block = {a->blockDimX, a->blockDimY, a->blockDimZ}, .shared = a->sharedMemBytes};
      enter_launch(call->symbolName, a->f, stream_of(id, a->hStream), a->kernelParams, a->extra, NULL);
      break;
    }
    BOTH(cuLaunchKernelEx) : {
      ARGUMENTS(cuLaunchKernelEx);
      const CUlaunchConfig *c = a->config;
      pending.launch = (struct launch){.grid = {c->gridDimX, c->gridDimY, c->gridDimZ},
          .block = {c->blockDimX, c->blockDimY, c->blockDimZ}, .shared = c->sharedMemBytes};
      enter_launch(call->symbolName, a->f, stream_of(id, c->hStream), a->kernelParams, a->extra, c);
      break;
    }
    BOTH(cuLaunchCooperativeKernel) : {
      ARGUMENTS(cuLaunchCooperativeKernel);
      pending.launch = (struct launch){.grid = {a->gridDimX, a->gridDimY, a->gridDimZ},
          .block = {a->blockDimX, a->blockDimY, a->blockDimZ}, .shared = a->sharedMemBytes,
          .cooperative = true};
      enter_launch(call->symbolName, a->f, stream_of(id, a->hStream), a->kernelParams, NULL, NULL);
      break;
    }
    BOTH(cuGraphLaunch) : {
      ARGUMENTS(cuGraphLaunch);
      pending.launch = (struct launch){0};
      enter_graph(a->hGraph, stream_of(id, a->hStream));
      break;
    }
    case ID(cuMemFree_v2): {
      ARGUMENTS(cuMemFree_v2);
      recorder_free(recorder, a->dptr);
      break;
    }
    BOTH(cuMemFreeAsync) : {
      ARGUMENTS(cuMemFreeAsync);
      recorder_free(recorder, a->dptr);
      break;
    }
    case ID(cuMemFreeHost): {
      ARGUMENTS(cuMemFreeHost);
      recorder_free(recorder, (uint64_t)a->p);
      break;
    }
    case ID(cuMemHostUnregister): {
      ARGUMENTS(cuMemHostUnregister);
      recorder_free(recorder, (uint64_t)a->p);
      break;
    }
    case ID(cuMemUnmap): {
      ARGUMENTS(cuMemUnmap);
      recorder_free_range(recorder, a->ptr, a->size);
      break;
    }
    case ID(cuModuleUnload): {
      ARGUMENTS(cuModuleUnload);
      recorder_unload(recorder, a->hmod);
      forget_kernels();
      break;
    }
    case ID(cuLibraryUnload): {
      ARGUMENTS(cuLibraryUnload);
      CUmodule module = NULL;
      if (!options.time && CALL(cuLibraryGetModule)(&module, a->library) == CUDA_SUCCESS && module) {
        recorder_unload(recorder, module);
      }
      forget_kernels();
      break;
    }
    case ID(cuGraphInstantiate):
    case ID(cuGraphInstantiate_v2):
    case ID(cuGraphInstantiateWithFlags):
    BOTH(cuGraphInstantiateWithParams) :
      clone_count = 0;
      instantiating = true;
      break;
    default: break;
  }
}

static void host_memory(void *address, size_t bytes) {
  CUdeviceptr device = 0;
  if (CALL(cuMemHostGetDevicePointer)(&device, address, 0) == CUDA_SUCCESS
      && device == (CUdeviceptr)address) {
    recorder_allocate(recorder, device, bytes, "host");
  }
}

/* After the driver did it. */
static void leave(CUpti_CallbackId id, const CUpti_CallbackData *call, uint64_t now) {
  CUstream stream = NULL;
  struct copy copy;
  struct set set;
  long n = 0;
  switch (id) {
    BOTH(cuLaunchKernel) : BOTH(cuLaunchKernelEx) : BOTH(cuLaunchCooperativeKernel) :
      if (pending.counts) {
        exit_launch(call, now);
      }
      return;
    BOTH(cuGraphLaunch) : {
      ARGUMENTS(cuGraphLaunch);
      if (pending.counts) {
        exit_graph(call, a->hGraph, stream_of(id, a->hStream), now);
      }
      return;
    }
    case ID(cuMemAlloc_v2): {
      ARGUMENTS(cuMemAlloc_v2);
      recorder_allocate(recorder, *a->dptr, a->bytesize, "device");
      return;
    }
    case ID(cuMemAllocPitch_v2): {
      ARGUMENTS(cuMemAllocPitch_v2);
      recorder_allocate(recorder, *a->dptr, *a->pPitch * a->Height, "device");
      return;
    }
    case ID(cuMemAllocManaged): {
      ARGUMENTS(cuMemAllocManaged);
      recorder_allocate(recorder, *a->dptr, a->bytesize, "managed");
      return;
    }
    BOTH(cuMemAllocAsync) : {
      ARGUMENTS(cuMemAllocAsync);
      if (!capturing(a->hStream)) {
        recorder_allocate(recorder, *a->dptr, a->bytesize, "async");
      }
      return;
    }
    BOTH(cuMemAllocFromPoolAsync) : {
      ARGUMENTS(cuMemAllocFromPoolAsync);
      if (!capturing(a->hStream)) {
        recorder_allocate(recorder, *a->dptr, a->bytesize, "async");
      }
      return;
    }
    case ID(cuMemAllocHost_v2): {
      ARGUMENTS(cuMemAllocHost_v2);
      host_memory(*a->pp, a->bytesize);
      return;
    }
    case ID(cuMemHostAlloc): {
      ARGUMENTS(cuMemHostAlloc);
      host_memory(*a->pp, a->bytesize);
      return;
    }
    case ID(cuMemHostRegister_v2): {
      ARGUMENTS(cuMemHostRegister_v2);
      host_memory(a->p, a->bytesize);
      return;
    }
    case ID(cuMemMap): {
      ARGUMENTS(cuMemMap);
      map(a->ptr, a->size);
      return;
    }
    case ID(cuMemSetAccess): {
      ARGUMENTS(cuMemSetAccess);
      allow(a->ptr, a->size);
      return;
    }
    case ID(cuStreamCreate): {
      ARGUMENTS(cuStreamCreate);
      recorder_new_stream(recorder, (uint64_t)*a->phStream, 0, !(a->Flags & CU_STREAM_NON_BLOCKING));
      return;
    }
    case ID(cuStreamCreateWithPriority): {
      ARGUMENTS(cuStreamCreateWithPriority);
      recorder_new_stream(
          recorder, (uint64_t)*a->phStream, a->priority, !(a->flags & CU_STREAM_NON_BLOCKING));
      return;
    }
    BOTH(cuStreamBeginCapture) : BOTH(cuStreamBeginCapture_v2) : BOTH(cuStreamBeginCaptureToGraph) :
      captures++;
      return;
    BOTH(cuStreamEndCapture) :
      captures -= captures > 0;
      return;
    case ID(cuGraphInstantiate):
    case ID(cuGraphInstantiate_v2):
    case ID(cuGraphInstantiateWithFlags):
    BOTH(cuGraphInstantiateWithParams) : {
      /* All begin with the same two arguments. */
      ARGUMENTS(cuGraphInstantiateWithFlags);
      instantiating = false;
      number_nodes(graph_read(*a->phGraphExec, a->hGraph));
      return;
    }
    case ID(cuGraphExecUpdate):
    case ID(cuGraphExecUpdate_v2): {
      ARGUMENTS(cuGraphExecUpdate_v2);
      update_graph(a->hGraphExec, a->hGraph);
      return;
    }
    case ID(cuGraphExecKernelNodeSetParams_v2): {
      ARGUMENTS(cuGraphExecKernelNodeSetParams_v2);
      struct node *node = graph_node(graph_find(a->hGraphExec), a->hNode);
      if (node && node->kind == NODE_KERNEL) {
        graph_set_kernel(node, a->nodeParams);
      }
      return;
    }
    case ID(cuGraphExecMemcpyNodeSetParams): {
      ARGUMENTS(cuGraphExecMemcpyNodeSetParams);
      struct node *node = graph_node(graph_find(a->hGraphExec), a->hNode);
      if (node && node->kind == NODE_COPY) {
        graph_set_copy(graph_find(a->hGraphExec), node, a->copyParams);
      }
      return;
    }
    case ID(cuGraphExecMemsetNodeSetParams): {
      ARGUMENTS(cuGraphExecMemsetNodeSetParams);
      struct node *node = graph_node(graph_find(a->hGraphExec), a->hNode);
      if (node && node->kind == NODE_SET) {
        graph_set_memory(node, a->memsetParams);
      }
      return;
    }
    case ID(cuGraphExecNodeSetParams):
    case ID(cuGraphExecChildGraphNodeSetParams):
    case ID(cuGraphExecKernelNodeSetParams): {
      ARGUMENTS(cuGraphExecNodeSetParams);
      struct graph *graph = graph_find(a->hGraphExec);
      if (graph) {
        graph->unsupported = "a node of the graph was changed in a way that is not followed";
      }
      return;
    }
    case ID(cuTensorMapEncodeTiled):
      tensor_map(call->functionParams);
      return;
    BOTH(cuEventRecord) : {
      ARGUMENTS(cuEventRecord);
      stream = stream_of(id, a->hStream);
      if (capturing(stream)) {
        return;
      }
      n = recorder_record(recorder, (uint64_t)a->hEvent, stream_number(stream));
      break;
    }
    BOTH(cuEventRecordWithFlags) : {
      ARGUMENTS(cuEventRecordWithFlags);
      stream = stream_of(id, a->hStream);
      if (capturing(stream)) {
        return;
      }
      n = recorder_record(recorder, (uint64_t)a->hEvent, stream_number(stream));
      break;
    }
    BOTH(cuStreamWaitEvent) : {
      ARGUMENTS(cuStreamWaitEvent);
      stream = stream_of(id, a->hStream);
      if (capturing(stream)) {
        return;
      }
      n = recorder_wait(recorder, (uint64_t)a->hEvent, stream_number(stream));
      break;
    }
    case ID(cuCtxSynchronize):
#if CUDA_VERSION >= 13000
    case ID(cuCtxSynchronize_v2):
#endif
      n = recorder_synchronize(recorder, "device", 0, 0);
      break;
    BOTH(cuStreamSynchronize) : {
      ARGUMENTS(cuStreamSynchronize);
      stream = stream_of(id, a->hStream);
      n = recorder_synchronize(recorder, "stream", 0, stream_number(stream));
      break;
    }
    case ID(cuEventSynchronize): {
      ARGUMENTS(cuEventSynchronize);
      n = recorder_synchronize(recorder, "event", (uint64_t)a->hEvent, 0);
      break;
    }
    BOTH_S(cuMemcpyPeer) : BOTH(cuMemcpyPeerAsync) : BOTH_S(cuMemcpy3DPeer) :
    BOTH(cuMemcpy3DPeerAsync) : BOTH_S(cuMemcpyAtoD_v2) : BOTH(cuMemcpyBatchAsync) :
    BOTH(cuMemcpy3DBatchAsync) :
#if CUDA_VERSION >= 13000
    BOTH(cuMemcpyBatchAsync_v2) : BOTH(cuMemcpy3DBatchAsync_v2) :
#endif
      recorder_refused(recorder, 0, "", "copies between GPUs, from arrays and in batches are not followed");
      recorder_unknown_write(recorder);
      return;
    BOTH(cuStreamWriteValue32_v2) : BOTH(cuStreamWriteValue64_v2) : BOTH(cuStreamBatchMemOp_v2) :
      recorder_unknown_write(recorder);
      return;
    default:
      if (is_copy(id, call, &copy, &stream)) {
        stream = stream_of(id, stream);
        if (!capturing(stream)) {
          copy.stream = stream_number(stream);
          n = recorder_copy(recorder, &copy, NULL);
        }
      } else if (is_set(id, call, &set, &stream)) {
        stream = stream_of(id, stream);
        if (!capturing(stream)) {
          set.stream = stream_number(stream);
          n = recorder_set(recorder, &set, NULL);
        }
      }
      break;
  }
  if (n && options.time) {
    times_call(n, call->correlationId, 0, pending.enter, now);
  }
}

static const CUpti_CallbackId followed[] = {
    ID(cuLaunchKernel), ID(cuLaunchKernel_ptsz), ID(cuLaunchKernelEx), ID(cuLaunchKernelEx_ptsz),
    ID(cuLaunchCooperativeKernel), ID(cuLaunchCooperativeKernel_ptsz), ID(cuGraphLaunch),
    ID(cuGraphLaunch_ptsz), ID(cuMemFree_v2), ID(cuMemFreeAsync), ID(cuMemFreeAsync_ptsz),
    ID(cuMemFreeHost), ID(cuMemHostUnregister), ID(cuMemUnmap), ID(cuModuleUnload),
    ID(cuLibraryUnload), ID(cuMemAlloc_v2),
    ID(cuMemAllocPitch_v2), ID(cuMemAllocManaged), ID(cuMemAllocAsync), ID(cuMemAllocAsync_ptsz),
    ID(cuMemAllocFromPoolAsync), ID(cuMemAllocFromPoolAsync_ptsz), ID(cuMemAllocHost_v2),
    ID(cuMemHostAlloc), ID(cuMemHostRegister_v2), ID(cuMemMap), ID(cuMemSetAccess),
    ID(cuStreamCreate), ID(cuStreamCreateWithPriority), ID(cuStreamBeginCapture),
    ID(cuStreamBeginCapture_ptsz), ID(cuStreamBeginCapture_v2), ID(cuStreamBeginCapture_v2_ptsz),
    ID(cuStreamBeginCaptureToGraph), ID(cuStreamBeginCaptureToGraph_ptsz), ID(cuStreamEndCapture),
    ID(cuStreamEndCapture_ptsz), ID(cuGraphInstantiate), ID(cuGraphInstantiate_v2),
    ID(cuGraphInstantiateWithFlags), ID(cuGraphInstantiateWithParams),
    ID(cuGraphInstantiateWithParams_ptsz), ID(cuGraphExecUpdate), ID(cuGraphExecUpdate_v2),
    ID(cuGraphExecKernelNodeSetParams), ID(cuGraphExecKernelNodeSetParams_v2),
    ID(cuGraphExecMemcpyNodeSetParams), ID(cuGraphExecMemsetNodeSetParams),
    ID(cuGraphExecNodeSetParams), ID(cuGraphExecChildGraphNodeSetParams),
    ID(cuTensorMapEncodeTiled), ID(cuEventRecord), ID(cuEventRecord_ptsz),
    ID(cuEventRecordWithFlags), ID(cuEventRecordWithFlags_ptsz), ID(cuStreamWaitEvent),
    ID(cuStreamWaitEvent_ptsz), ID(cuCtxSynchronize), ID(cuStreamSynchronize),
    ID(cuStreamSynchronize_ptsz), ID(cuEventSynchronize), ID(cuMemcpyHtoD_v2),
    ID(cuMemcpyHtoD_v2_ptds), ID(cuMemcpyDtoH_v2), ID(cuMemcpyDtoH_v2_ptds), ID(cuMemcpyDtoD_v2),
    ID(cuMemcpyDtoD_v2_ptds), ID(cuMemcpy), ID(cuMemcpy_ptds), ID(cuMemcpyHtoDAsync_v2),
    ID(cuMemcpyHtoDAsync_v2_ptsz), ID(cuMemcpyDtoHAsync_v2), ID(cuMemcpyDtoHAsync_v2_ptsz),
    ID(cuMemcpyDtoDAsync_v2), ID(cuMemcpyDtoDAsync_v2_ptsz), ID(cuMemcpyAsync),
    ID(cuMemcpyAsync_ptsz), ID(cuMemcpy2D_v2), ID(cuMemcpy2D_v2_ptds), ID(cuMemcpy2DUnaligned_v2),
    ID(cuMemcpy2DUnaligned_v2_ptds), ID(cuMemcpy2DAsync_v2), ID(cuMemcpy2DAsync_v2_ptsz),
    ID(cuMemcpy3D_v2), ID(cuMemcpy3D_v2_ptds), ID(cuMemcpy3DAsync_v2), ID(cuMemcpy3DAsync_v2_ptsz),
    ID(cuMemsetD8_v2), ID(cuMemsetD8_v2_ptds), ID(cuMemsetD16_v2), ID(cuMemsetD16_v2_ptds),
    ID(cuMemsetD32_v2), ID(cuMemsetD32_v2_ptds), ID(cuMemsetD2D8_v2), ID(cuMemsetD2D8_v2_ptds),
    ID(cuMemsetD2D16_v2), ID(cuMemsetD2D16_v2_ptds), ID(cuMemsetD2D32_v2),
    ID(cuMemsetD2D32_v2_ptds), ID(cuMemsetD8Async), ID(cuMemsetD8Async_ptsz), ID(cuMemsetD16Async),
    ID(cuMemsetD16Async_ptsz), ID(cuMemsetD32Async), ID(cuMemsetD32Async_ptsz),
    ID(cuMemsetD2D8Async), ID(cuMemsetD2D8Async_ptsz), ID(cuMemsetD2D16Async),
    ID(cuMemsetD2D16Async_ptsz), ID(cuMemsetD2D32Async), ID(cuMemsetD2D32Async_ptsz),
    ID(cuMemcpyPeer), ID(cuMemcpyPeer_ptds), ID(cuMemcpyPeerAsync), ID(cuMemcpyPeerAsync_ptsz),
    ID(cuMemcpy3DPeer), ID(cuMemcpy3DPeer_ptds), ID(cuMemcpy3DPeerAsync),
    ID(cuMemcpy3DPeerAsync_ptsz), ID(cuMemcpyAtoD_v2), ID(cuMemcpyAtoD_v2_ptds),
    ID(cuMemcpyBatchAsync), ID(cuMemcpyBatchAsync_ptsz), ID(cuMemcpy3DBatchAsync),
    ID(cuMemcpy3DBatchAsync_ptsz), ID(cuStreamWriteValue32_v2), ID(cuStreamWriteValue32_v2_ptsz),
    ID(cuStreamWriteValue64_v2), ID(cuStreamWriteValue64_v2_ptsz), ID(cuStreamBatchMemOp_v2),
    ID(cuStreamBatchMemOp_v2_ptsz),
#if CUDA_VERSION >= 13000
    ID(cuCtxSynchronize_v2), ID(cuMemcpyBatchAsync_v2), ID(cuMemcpyBatchAsync_v2_ptsz),
    ID(cuMemcpy3DBatchAsync_v2), ID(cuMemcpy3DBatchAsync_v2_ptsz),
#endif
};

/* Launches keep the lock until the driver is done with them, other calls only while they are noted. */
static bool holds_lock(CUpti_CallbackId id) {
  switch (id) {
    BOTH(cuLaunchKernel) : BOTH(cuLaunchKernelEx) : BOTH(cuLaunchCooperativeKernel) :
    BOTH(cuGraphLaunch) :
      return !options.time;
    default: return false;
  }
}

/* Everything that was on the GPU is gone; the next context is recorded. */
static void forget_context(void) {
  if (recorder) {
    recorder_unload(recorder, NULL);
  }
  forget_kernels();
  memset(&gpu, 0, sizeof gpu);
  recorded = NULL;
}

static void on_call(CUpti_CallbackId id, const CUpti_CallbackData *call) {
  bool entering = call->callbackSite == CUPTI_API_ENTER;
  if (entering ? level++ > 0 : --level > 0) {
    return;
  }
  if (entering) {
    memset(&pending, 0, sizeof pending);
    if (options.time) {
      cuptiGetTimestamp(&pending.enter);
    }
    pthread_mutex_lock(&lock);
    pending.locked = true;
    if (!recorder && !over && call->context) {
      open_recorder(call->context);
    }
    if (lost) {
      lost = false;
      forget_context();
    }
    if (!recorded) {
      recorded = call->context;
    }
    if (recorder && !over && recorded && call->context == recorded) {
      own++;
      enter(id, call);
      own--;
    }
    if (!holds_lock(id)) {
      pending.locked = false;
      pthread_mutex_unlock(&lock);
    }
    return;
  }
  uint64_t now = 0;
  if (options.time) {
    cuptiGetTimestamp(&now);
  }
  if (!pending.locked) {
    pthread_mutex_lock(&lock);
  }
  if (recorder && !over && *(CUresult *)call->functionReturnValue == CUDA_SUCCESS) {
    own++;
    if ((recorded && call->context == recorded) || id == ID(cuTensorMapEncodeTiled)) {
      leave(id, call, now);
    } else if (holds_lock(id)) {
      recorder_refused(recorder, 0, call->symbolName ? call->symbolName : "",
          "it was launched in another context or on another GPU than the first");
    }
    own--;
  }
  free(pending.parameters);
  free(pending.name);
  memset(&pending, 0, sizeof pending);
  pthread_mutex_unlock(&lock);
}

static void on_resource(CUpti_CallbackId id, const CUpti_ResourceData *data) {
  if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED && !options.time) {
    const CUpti_ModuleResourceData *module = data->resourceDescriptor;
    if (module && module->pCubin) {
      recorder_loaded(module->pCubin, module->cubinSize);
    }
  } else if (id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    lost = lost || data->context == recorded;
  } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED && instantiating) {
    const CUpti_GraphData *graph = data->resourceDescriptor;
    uint64_t activity = 0;
    if (graph && cuptiGetGraphNodeId(graph->node, &activity) == CUPTI_SUCCESS) {
      clones = need(clones, (clone_count + 1) * sizeof *clones);
      clones[clone_count++] = (struct clone){graph->originalNode, activity};
    }
  }
}

static void CUPTIAPI on_event(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const void *data) {
  (void)unused;
  if (over || getpid() != process) {
    return;
  }
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    on_resource(id, data);
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && !own) {
    on_call(id, data);
  }
}

/* ---- activities ---- */

static void CUPTIAPI on_buffer(uint8_t **buffer, size_t *bytes, size_t *most) {
  *bytes = 4u << 20;
  *most = 0;
  *buffer = aligned_alloc(8, *bytes);
}

static void CUPTIAPI on_activities(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
    size_t valid) {
  (void)context;
  (void)stream;
  (void)bytes;
  CUpti_Activity *record = NULL;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const KernelActivity *a = (const KernelActivity *)record;
      times_activity(a->correlationId, a->graphNodeId, a->start, a->end);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const CopyActivity *a = (const CopyActivity *)record;
      times_activity(a->correlationId, a->graphNodeId, a->start, a->end);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
      const SetActivity *a = (const SetActivity *)record;
      times_activity(a->correlationId, a->graphNodeId, a->start, a->end);
    }
  }
  free(buffer);
}

/* ---- beginning and end ---- */

static void at_end(void) {
  if (getpid() != process) {
    return;
  }
  own++;
  if (options.time) {
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  }
  pthread_mutex_lock(&lock);
  if (recorder && !over) {
    recorder_close(recorder);
    if (options.time) {
      times_write(options.folder, origin, (const char *const *)command, words);
    }
  }
  over = true;
  pthread_mutex_unlock(&lock);
  own--;
}

static void read_command(void) {
  struct text text = {0};
  char part[4096];
  ssize_t got;
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  while (file >= 0 && (got = read(file, part, sizeof part)) > 0) {
    text_bytes(&text, part, (size_t)got);
  }
  if (file >= 0) {
    close(file);
  }
  text_bytes(&text, "", 1);
  for (size_t at = 0; at + 1 < text.length; at += strlen(text.bytes + at) + 1) {
    command = need(command, (size_t)(words + 1) * sizeof *command);
    command[words++] = text.bytes + at;
  }
}

static long number_of(const char *name, long otherwise) {
  const char *value = getenv(name);
  return value && *value ? atol(value) : otherwise;
}

static bool read_options(void) {
  const char *kernel = getenv("WARPLINE_CAPTURE_KERNEL");
  const char *most = getenv("WARPLINE_CAPTURE_MAX_BYTES");
  options.folder = getenv("WARPLINE_CAPTURE_DIR");
  options.kernel = kernel && *kernel ? kernel : NULL;
  options.skip = number_of("WARPLINE_CAPTURE_SKIP", 0);
  options.count = number_of("WARPLINE_CAPTURE_COUNT", -1);
  options.max_bytes = most && *most ? strtoull(most, NULL, 10) : UINT64_MAX;
  options.time = number_of("WARPLINE_CAPTURE_TIME", 0) != 0;
  return options.folder && *options.folder;
}

static bool follow(void) {
  CUpti_SubscriberHandle subscriber;
  CUptiResult wrong = cuptiSubscribe(&subscriber, on_event, NULL);
  for (size_t i = 0; i < sizeof followed / sizeof *followed && !wrong; i++) {
    wrong = cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, followed[i]);
  }
  if (!wrong) {
    wrong = cuptiEnableCallback(
        1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
  }
  if (!wrong) {
    wrong = cuptiEnableCallback(
        1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  }
  if (!wrong && options.time) {
    wrong = cuptiEnableCallback(
        1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
  }
  if (!wrong && options.time) {
    wrong = cuptiActivityRegisterCallbacks(on_buffer, on_activities);
  }
  const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
      CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !wrong && options.time; i++) {
    wrong = cuptiActivityEnable(kinds[i]);
  }
  if (wrong) {
    const char *why = "unknown error";
    cuptiGetResultString(wrong, &why);
    fprintf(stderr, "warpline-capture: CUPTI cannot follow the program: %s; nothing is recorded\n", why);
  }
  return !wrong;
}

/* The driver calls this once, when the program first calls the driver. */
__attribute__((visibility("default"))) int InitializeInjection(void) {
  if (!read_options()) {
    fputs("warpline-capture: WARPLINE_CAPTURE_DIR is not set; nothing is recorded\n", stderr);
    return 1;
  }
  process = getpid();
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  read_command();
  if (follow()) {
    cuptiGetTimestamp(&origin);
    atexit(at_end);
  } else {
    over = true;
  }
  return 1;
}
