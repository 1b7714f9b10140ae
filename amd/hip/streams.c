// Streams, events and functions of the host in streams.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "state.h"

#define PER_THREAD ((hipStream_t)2)
#define LEGACY ((hipStream_t)1)

static hipError_t create_stream(hipStream_t *stream, unsigned flags, int priority) {
  struct answer answer;
  if (stream == NULL || flags > 1) {
    return keep(hipErrorInvalidValue);
  }
  hipError_t error = ASK(REQUEST_STREAM_CREATE, &answer, flags, (uint64_t)(int64_t)priority);
  if (error == 0) {
    *stream = calloc(1, sizeof **stream);
    **stream = (struct stream){answer.word[0], flags, priority};
  }
  return error;
}

uint64_t stream_id(hipStream_t stream) {
  static __thread hipStream_t own;
  if (stream == NULL || stream == LEGACY) {
    return 0;
  }
  if (stream == PER_THREAD) {
    if (own == NULL && create_stream(&own, 0, 0) != 0) {
      return 0;
    }
    return own->id;
  }
  return stream->id;
}

API hipError_t hipStreamCreate(hipStream_t *stream) {
  return create_stream(stream, 0, 0);
}

API hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  return create_stream(stream, flags, 0);
}

API hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority) {
  // All queues are alike to the packet processor.
  return create_stream(stream, flags, priority < -1 ? -1 : priority > 1 ? 1 : priority);
}

API hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = 1;
  *greatest = -1;
  return 0;
}

API hipError_t hipStreamDestroy(hipStream_t stream) {
  struct answer answer;
  if (stream == NULL || stream == PER_THREAD || stream == LEGACY) {
    return keep(hipErrorInvalidHandle);
  }
  hipError_t error = ASK(REQUEST_STREAM_DESTROY, &answer, stream->id);
  free(stream);
  return error;
}

API hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags) {
  *flags = stream == NULL || stream == PER_THREAD || stream == LEGACY ? 0 : stream->flags;
  return 0;
}

API hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  *priority = stream == NULL || stream == PER_THREAD || stream == LEGACY ? 0 : stream->priority;
  return 0;
}

API hipError_t hipStreamSynchronize(hipStream_t stream) {
  struct answer answer;
  return ASK(REQUEST_STREAM_SYNCHRONIZE, &answer, stream_id(stream));
}

API hipError_t hipStreamQuery(hipStream_t stream) {
  struct answer answer;
  return ASK(REQUEST_STREAM_QUERY, &answer, stream_id(stream));
}

API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  struct answer answer;
  if (event == NULL || flags != 0) {
    return keep(event == NULL ? hipErrorInvalidHandle : hipErrorInvalidValue);
  }
  return ASK(REQUEST_STREAM_WAIT, &answer, stream_id(stream), event->id);
}

// A value in memory that a stream waits for or writes: kind 0 writes, 1 waits.
static hipError_t value(hipStream_t stream, void *pointer, uint64_t value, uint64_t mask, unsigned bytes, unsigned how,
                        int wait) {
  struct answer answer;
  void *address = device_address(pointer);
  if (address == NULL || how > 3) {
    return keep(hipErrorInvalidValue);
  }
  return ASK(REQUEST_STREAM_VALUE, &answer, stream_id(stream), (uint64_t)address, value, mask, bytes, how, wait);
}

API hipError_t hipStreamWriteValue32(hipStream_t stream, void *pointer, uint32_t number, unsigned flags) {
  (void)flags;
  return value(stream, pointer, number, ~0ull, 4, 0, 0);
}

API hipError_t hipStreamWriteValue64(hipStream_t stream, void *pointer, uint64_t number, unsigned flags) {
  (void)flags;
  return value(stream, pointer, number, ~0ull, 8, 0, 0);
}

// Functions of the host.

struct host_function {
  hipHostFn_t function;
  hipStreamCallback_t callback;
  hipStream_t stream;
  void *data;
};

void call_host_function(uint64_t number) {
  struct host_function *due = (struct host_function *)number;
  if (due->function != NULL) {
    due->function(due->data);
  } else {
    due->callback(due->stream, 0, due->data);
  }
  free(due);
}

static hipError_t enqueue(hipStream_t stream, struct host_function what) {
  struct answer answer;
  if (what.function == NULL && what.callback == NULL) {
    return keep(hipErrorInvalidValue);
  }
  struct host_function *kept = malloc(sizeof *kept);
  *kept = what;
  return ASK(REQUEST_STREAM_FUNCTION, &answer, stream_id(stream), (uint64_t)kept);
}

API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  return enqueue(stream, (struct host_function){.function = function, .stream = stream, .data = data});
}

API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data, unsigned flags) {
  return flags != 0 ? keep(hipErrorInvalidValue)
                    : enqueue(stream, (struct host_function){.callback = callback, .stream = stream, .data = data});
}

// Events.

API hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
  struct answer answer;
  if (event == NULL) {
    return keep(hipErrorInvalidValue);
  }
  hipError_t error = ASK(REQUEST_EVENT_CREATE, &answer, flags);
  if (error == 0) {
    *event = calloc(1, sizeof **event);
    **event = (struct event){answer.word[0], flags};
  }
  return error;
}

API hipError_t hipEventCreate(hipEvent_t *event) {
  return hipEventCreateWithFlags(event, 0);
}

API hipError_t hipEventDestroy(hipEvent_t event) {
  struct answer answer;
  if (event == NULL) {
    return keep(hipErrorInvalidHandle);
  }
  hipError_t error = ASK(REQUEST_EVENT_DESTROY, &answer, event->id);
  free(event);
  return error;
}

API hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  struct answer answer;
  return event == NULL ? keep(hipErrorInvalidHandle)
                       : ASK(REQUEST_EVENT_RECORD, &answer, event->id, stream_id(stream));
}

API hipError_t hipEventSynchronize(hipEvent_t event) {
  struct answer answer;
  return event == NULL ? keep(hipErrorInvalidHandle) : ASK(REQUEST_EVENT_SYNCHRONIZE, &answer, event->id);
}

API hipError_t hipEventQuery(hipEvent_t event) {
  struct answer answer;
  return event == NULL ? keep(hipErrorInvalidHandle) : ASK(REQUEST_EVENT_QUERY, &answer, event->id);
}

#define DISABLE_TIMING 2

API hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop) {
  struct answer answer;
  if (milliseconds == NULL) {
    return keep(hipErrorInvalidValue);
  }
  if (start == NULL || stop == NULL || ((start->flags | stop->flags) & DISABLE_TIMING) != 0) {
    return keep(hipErrorInvalidHandle);
  }
  hipError_t error = ASK(REQUEST_EVENT_ELAPSED, &answer, start->id, stop->id);
  if (error == 0) {
    *milliseconds = (float)((double)(int64_t)answer.word[0] / 1e6);
  }
  return error;
}
