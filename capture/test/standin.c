/* A program and its GPU in one, for tests of the recorder: memory of this process stands for the
   GPU's, and functions of this file for kernels.
   standin SCENARIO FOLDER CUBIN [KERNEL SKIP COUNT MAX_BYTES] */
#include "../cubin.h"
#include "../recorder.h"
#include "../times.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 40000
#define PLACES 100
#define REDUCE "_Z6reducePKfPfi"
#define SCALED "_Z6scaledPKfPfi"

static struct recorder *r;
static float *in, *out;
static float scale[4] = {1, 2, 3, 4}, bias[3] = {1, 2, 3};
static int counter;
static int summed; /* how often the GPU looked at all of memory */
static int asked; /* at how many pages, in all */

static uint64_t sum(const struct page *page) {
  static const unsigned char zeros[PAGE_BYTES];
  return sum_bytes(page->address ? (const void *)page->address : zeros, page->bytes, page->word);
}

static const char *sums(const struct page *pages, size_t count, uint64_t *to) {
  for (size_t i = 0; i < count; i++) {
    to[i] = sum(pages + i);
  }
  return NULL;
}

/* What the GPU keeps of the pages that it watches. */
static struct page watched[PLACES];
static uint64_t prints[PLACES];

static const char *watch(size_t first, const struct page *pages, size_t count) {
  if (first + count > PLACES) {
    return "out of memory";
  }
  memcpy(watched + first, pages, count * sizeof *pages);
  memset(prints + first, 0, count * sizeof *prints);
  return NULL;
}

static const char *changes(
    const uint32_t *places, size_t count, struct change *to, size_t *found) {
  *found = 0;
  summed += !places;
  for (size_t i = count; i-- > 0;) {
    uint32_t place = places ? places[i] : (uint32_t)i;
    const struct page *page = watched + place;
    uint64_t print = page->bytes ? sum(page) | 1 : 0;
    asked += page->bytes != 0;
    if (print != prints[place]) {
      prints[place] = print;
      to[(*found)++] = (struct change){sum(page), place, 0};
    }
  }
  return NULL;
}

static const char *read_memory(void *to, uint64_t from, size_t bytes) {
  memcpy(to, (const void *)from, bytes);
  return NULL;
}

static const char *variable(void *module, const char *name, uint64_t *address, uint64_t *bytes) {
  (void)module;
  if (strcmp(name, "scale") == 0) {
    *address = (uint64_t)scale;
    *bytes = sizeof scale;
  } else if (strcmp(name, "counter") == 0) {
    *address = (uint64_t)&counter;
    *bytes = sizeof counter;
  } else {
    return "named symbol not found";
  }
  return NULL;
}

static void *allocate(size_t bytes) {
  void *memory = aligned_alloc(65536, (bytes + 65535) / 65536 * 65536);
  memset(memory, 0, bytes);
  recorder_allocate(r, (uint64_t)memory, bytes, "device");
  return memory;
}

static void copy_in(void *to, const void *from, size_t bytes, int stream) {
  memcpy(to, from, bytes);
  struct copy copy = {.kind = "HtoD", .bytes = bytes, .to = (uint64_t)to, .from = (uint64_t)from,
      .stream = stream, .async = stream != 0, .rows = 1};
  recorder_copy(r, &copy, NULL);
}

/* What the kernel reduce of examples/tracing does: sums of small whole numbers, in any order. */
static void reduce(int blocks) {
  for (int b = 0; b < blocks; b++) {
    out[b] = 0;
  }
  for (int i = 0; i < COUNT; i++) {
    out[i / 256 % blocks] += in[i];
  }
}

static struct {
  float *in, *out;
  int count;
} arguments;

static struct launch reduce_launch(int blocks, int stream) {
  arguments.in = in;
  arguments.out = out;
  arguments.count = COUNT;
  return (struct launch){.kernel = REDUCE, .grid = {(unsigned)blocks, 1, 1}, .block = {256, 1, 1},
      .cluster = {1, 1, 1}, .stream = stream, .parameters = &arguments, .parameter_bytes = 20};
}

/* A launch as the recorder is told of it. */
static void run_reduce(int blocks, int stream) {
  struct launch launch = reduce_launch(blocks, stream);
  const char *cannot = NULL;
  launch.skipped = recorder_refuses(r, REDUCE);
  if (!launch.skipped) {
    launch.module = recorder_module(r, REDUCE, 16, NULL, &cannot);
    launch.skipped = cannot ? cannot : recorder_before(r);
  }
  reduce(blocks);
  long n = recorder_launch(r, &launch, NULL);
  if (!launch.skipped) {
    recorder_after(r, n);
  }
}

static void setup(void) {
  float *numbers = malloc(COUNT * sizeof(float));
  in = allocate(COUNT * sizeof(float));
  out = allocate(4096);
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = (float)(i % 7);
  }
  copy_in(in, numbers, COUNT * sizeof(float), 0);
}

/* Two streams, a change of a part of the input, a second launch on what the first left. */
static void plain(void) {
  int stream = recorder_new_stream(r, 0x1234, -1, false);
  setup();
  run_reduce(5, stream);
  recorder_record(r, 0x77, stream);
  recorder_wait(r, 0x77, 0);
  run_reduce(3, 0);
  float one[2] = {100, 200};
  copy_in(in + 20000, one, sizeof one, stream);
  run_reduce(7, stream);
  recorder_synchronize(r, "event", 0x77, 0);
  recorder_synchronize(r, "stream", 0, stream);
  recorder_synchronize(r, "device", 0, 0);
  recorder_free(r, (uint64_t)in);
}

/* A graph of a set, a kernel and a copy. */
static void graph(void) {
  setup();
  float *kept = allocate(4096);
  for (int again = 0; again < 2; again++) {
    const char *cannot = NULL;
    struct launch launch = reduce_launch(4, 0);
    launch.module = recorder_module(r, REDUCE, 16, NULL, &cannot);
    launch.skipped = recorder_before(r);
    memset(out, 0, 4096);
    reduce(4);
    memcpy(kept, out, 4096);
    long n = recorder_graph(r, 0, 3);
    int first = 0, second = 1;
    struct set set = {.to = (uint64_t)out, .bytes = 4096, .width = 4, .rows = 1};
    struct copy copy = {.kind = "DtoD", .bytes = 4096, .to = (uint64_t)kept, .from = (uint64_t)out,
        .async = true, .pinned = true, .rows = 1};
    recorder_set(r, &set, &(struct place){0, NULL, 0});
    recorder_launch(r, &launch, &(struct place){1, &first, 1});
    recorder_copy(r, &copy, &(struct place){2, &second, 1});
    recorder_after(r, n);
  }
}

static void copy_within(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  struct copy copy = {.kind = "DtoD", .bytes = bytes, .to = (uint64_t)to, .from = (uint64_t)from,
      .async = true, .pinned = true, .rows = 1};
  recorder_copy(r, &copy, NULL);
}

/* Copies and sets within the GPU: a replay does the same, if it has what is copied. */
static void within(void) {
  setup();
  float *other = allocate(COUNT * sizeof(float));
  run_reduce(5, 0);
  copy_within(other, in, COUNT * sizeof(float));
  struct set set = {.to = (uint64_t)(in + 3), .bytes = 70000, .width = 1, .rows = 1};
  memset(in + 3, 0, 70000);
  recorder_set(r, &set, NULL);
  run_reduce(6, 0);
  copy_within(in, other, COUNT * sizeof(float));
  run_reduce(7, 0);
  float one[2] = {100, 200};
  copy_in(in + 20000, one, sizeof one, 0);
  copy_within(other, in, COUNT * sizeof(float));
  run_reduce(8, 0);
  copy_within(in, other, COUNT * sizeof(float));
  /* The host's change comes after what undoes it. */
  memset(in + 3, 0, 70000);
  recorder_set(r, &set, NULL);
  float *again = malloc(140000);
  copy_in(in, memcpy(again, other, 140000), 140000, 0);
  run_reduce(9, 0);
  copy_in(in, again, 140000, 0);
  run_reduce(10, 0);
}

/* Memory comes and goes between launches, and the host writes to some of it when it likes. */
static void again(void) {
  setup();
  float *pinned = aligned_alloc(65536, 65536);
  memset(pinned, 0, 65536);
  recorder_allocate(r, (uint64_t)pinned, 65536, "host");
  void *old = NULL;
  for (int blocks = 1; blocks <= 6; blocks++) {
    float *more = allocate((size_t)blocks * 150000);
    more[blocks * 37000] = (float)blocks;
    pinned[7] = (float)(blocks / 3);
    run_reduce(blocks, 0);
    if (old) {
      recorder_free(r, (uint64_t)old);
      free(old);
    }
    old = more;
  }
}

/* Kernels that are left out change memory, too. */
static void filter(void) {
  setup();
  for (int blocks = 1; blocks <= 4; blocks++) {
    run_reduce(blocks, 0);
    in[blocks] = out[0];
    struct launch other = {.kernel = "other", .grid = {1, 1, 1}, .block = {1, 1, 1},
        .cluster = {1, 1, 1}};
    other.skipped = recorder_refuses(r, "other");
    recorder_launch(r, &other, NULL);
  }
}

/* Variables in global and constant memory, one without address, and a kernel with textures. */
static void variables(void) {
  setup();
  const char *cannot = NULL;
  int module = recorder_module(r, SCALED, 14, &counter, &cannot);
  for (int again = 0; again < 3; again++) {
    struct launch launch = {.kernel = SCALED, .module = module, .grid = {1, 1, 1},
        .block = {32, 1, 1}, .cluster = {1, 1, 1}};
    launch.skipped = recorder_before(r);
    counter++;
    out[again] = scale[0] * in[again] + bias[0];
    recorder_after(r, recorder_launch(r, &launch, NULL));
    if (again == 1) {
      float five = 5;
      copy_in(scale, &five, sizeof five, 0);
    }
  }
  recorder_module(r, "_Z8texturedyPf", 10, &counter, &cannot);
  recorder_refused(r, 0, "_Z8texturedyPf", cannot);
  recorder_refused(r, 0, "_Z8texturedyPf", cannot);
  recorder_module(r, "nowhere", 10, &counter, &cannot);
  recorder_refused(r, 0, "nowhere \"quoted\"\n", cannot);
  recorder_unload(r, &counter);
}

/* A child that was forked and ends must write nothing. */
static void forked(void) {
  setup();
  run_reduce(2, 0);
  if (fork() == 0) {
    recorder_close(r);
    exit(0);
  }
  wait(NULL);
}

static void timed(const char *folder, const char *const *command) {
  times_call(1, 10, 0, 1000, 1100);
  times_call(2, 20, 0, 1200, 1300);
  times_call(3, 20, 7, 1200, 1300);
  times_call(4, 20, 9, 1200, 1300);
  times_activity(20, 9, 5000, 5500);
  times_activity(20, 7, 4000, 4500);
  times_activity(10, 0, 2000, 2100);
  times_activity(10, 0, 1900, 2050);
  times_activity(99, 0, 1, 2);
  times_write(folder, 1000, command, 2);
}

static void load(const char *name) {
  FILE *file = fopen(name, "rb");
  static char bytes[1 << 20];
  size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  /* Twice: the later one is taken. And what is no cubin is passed over. */
  recorder_loaded(bytes, length);
  recorder_loaded(bytes, length);
  recorder_loaded(bytes, length / 2);
}

int main(int count, char **words) {
  const char *scenario = words[1];
  const char *command[] = {"./a \"b\"", "\xc3\xa9\xff"};
  struct device device = {"Stand-in", 90, 132, 13000, sums, watch, changes, read_memory,
      variable};
  struct options options = {.folder = words[2], .count = -1, .max_bytes = UINT64_MAX};
  if (count > 7) {
    options.kernel = *words[4] ? words[4] : NULL;
    options.skip = atol(words[5]);
    options.count = atol(words[6]);
    options.max_bytes = strtoull(words[7], NULL, 10);
  }
  load(words[3]);
  options.time = strcmp(scenario, "times") == 0;
  r = recorder_open(&options, &device, command, 2);
  if (!r) {
    return 3;
  }
  if (strcmp(scenario, "plain") == 0 || strcmp(scenario, "killed") == 0) {
    plain();
  } else if (strcmp(scenario, "graph") == 0) {
    graph();
  } else if (strcmp(scenario, "within") == 0) {
    within();
  } else if (strcmp(scenario, "again") == 0) {
    again();
  } else if (strcmp(scenario, "filter") == 0) {
    filter();
  } else if (strcmp(scenario, "variables") == 0) {
    variables();
  } else if (strcmp(scenario, "forked") == 0) {
    forked();
  } else if (strcmp(scenario, "times") == 0) {
    timed(words[2], command);
  }
  if (strcmp(scenario, "killed") == 0) {
    _exit(9);
  }
  recorder_close(r);
  printf("operations %ld, looks %d at %d pages\n", recorder_operations(r), summed, asked);
  return 0;
}
