#include "times.h"

#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operation {
  long n;
  uint32_t correlation;
  uint64_t node;
  uint64_t enter, exit, start, end; /* end 0: the GPU did nothing that was seen */
};

struct activity {
  uint32_t correlation;
  uint64_t node;
  uint64_t start, end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct operation *operations;
static size_t operation_count, operation_room;
static struct activity *activities;
static size_t activity_count, activity_room;

void times_call(long n, uint32_t correlation, uint64_t node, uint64_t enter, uint64_t exit) {
  pthread_mutex_lock(&lock);
  if (operation_count == operation_room) {
    operation_room = 2 * operation_room + 1024;
    operations = need(operations, operation_room * sizeof *operations);
  }
  operations[operation_count++] = (struct operation){n, correlation, node, enter, exit, 0, 0};
  pthread_mutex_unlock(&lock);
}

void times_activity(uint32_t correlation, uint64_t node, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&lock);
  if (activity_count == activity_room) {
    activity_room = 2 * activity_room + 1024;
    activities = need(activities, activity_room * sizeof *activities);
  }
  activities[activity_count++] = (struct activity){correlation, node, start, end};
  pthread_mutex_unlock(&lock);
}

static int by_place(const void *a, const void *b) {
  const struct operation *x = a, *y = b;
  if (x->correlation != y->correlation) {
    return x->correlation < y->correlation ? -1 : 1;
  }
  return x->node < y->node ? -1 : x->node > y->node;
}

static int by_number(const void *a, const void *b) {
  const struct operation *x = a, *y = b;
  return x->n < y->n ? -1 : x->n > y->n;
}

/* An operation may come as several pieces: large copies do. */
static void bring_together(void) {
  qsort(operations, operation_count, sizeof *operations, by_place);
  for (size_t i = 0; i < activity_count; i++) {
    struct operation key = {.correlation = activities[i].correlation, .node = activities[i].node};
    struct operation *o = bsearch(&key, operations, operation_count, sizeof key, by_place);
    if (o) {
      o->start = o->end && o->start < activities[i].start ? o->start : activities[i].start;
      o->end = o->end > activities[i].end ? o->end : activities[i].end;
    }
  }
  qsort(operations, operation_count, sizeof *operations, by_number);
}

bool times_write(const char *folder, uint64_t origin, const char *const *command, int words) {
  pthread_mutex_lock(&lock);
  bring_together();
  struct text text = {0};
  text_add(&text, "{\"version\":1,\"origin\":\"%" PRIu64 "\",\"command\":[", origin);
  for (int i = 0; i < words; i++) {
    text_add(&text, i ? "," : "");
    text_quoted(&text, command[i]);
  }
  text_add(&text, "]}\n");
  for (size_t i = 0; i < operation_count; i++) {
    const struct operation *o = operations + i;
    text_add(&text, "{\"n\":%ld,\"call\":[%" PRId64 ",%" PRId64 "]", o->n,
        (int64_t)(o->enter - origin), (int64_t)(o->exit - origin));
    if (o->end) {
      text_add(&text, ",\"start\":%" PRId64 ",\"end\":%" PRId64, (int64_t)(o->start - origin),
          (int64_t)(o->end - origin));
    }
    text_add(&text, "}\n");
  }
  struct text file = {0};
  text_add(&file, "%s/times.jsonl", folder);
  FILE *out = fopen(file.bytes, "wx");
  bool written = out && fwrite(text.bytes, 1, text.length, out) == text.length;
  if (out && fclose(out) != 0) {
    written = false;
  }
  if (!written) {
    fprintf(stderr, "warpline-capture: %s cannot be written: %s\n", file.bytes, strerror(errno));
  }
  text_free(&text);
  text_free(&file);
  pthread_mutex_unlock(&lock);
  return written;
}
