#include "recorder.h"

#include "cubin.h"
#include "text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many pages are read, packed and stored at once at most. */
#define RUN_PAGES 256
/* Up to so many stored bytes a capture is small. */
#define SMALL (16u << 20)

struct cubin {
  void *bytes;
  size_t length;
  int module; /* its number in the capture, 0 as long as nothing of it was launched */
  void *handle; /* the driver's, once it has a number */
};

/* Cubins come from within the driver's locks: they have a lock of their own. */
static pthread_mutex_t cubins_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cubin *cubins;
static size_t cubin_count;

/* What is known of a page: written in a way that a replay does not see, or with a copy or set that
   it executes; or the GPU found it changed. A page with none of these has the replay's sum. */
enum mark { HOST = 1, REPLAYED = 2, CHANGED = 4 };

struct allocation {
  int id;
  uint64_t address, bytes;
  void *owner; /* the driver's handle of the module whose variable it is */
  size_t pages;
  uint64_t *replay; /* the sums that a replay has now */
  uint64_t *now;
  uint64_t sum; /* of now */
  size_t place; /* of its first page among those that the GPU watches */
  bool watched;
  bool constant; /* kernels read it through constant banks only: the host computes its sum */
  bool stale; /* constant, and perhaps written */
  bool host; /* the host can write it at any time */
  bool settled; /* what lay in it when it was allocated has been stored */
  unsigned char *marks; /* of its pages */
  size_t marked, marked_end; /* pages from and to which there may be marks */
  bool fresh; /* the replay's sums are still to be computed: those of zeros */
};

struct handle {
  uint64_t handle;
  int id;
};

struct recorder {
  struct options options;
  struct device device;
  regex_t kernel;
  pid_t process;
  int lines, pages; /* the files */
  struct text unwritten; /* lines; no FILE, which a forked child would write again */
  uint64_t stored;
  bool failed;
  long operations, matched;
  int modules, ids;
  long graphs;
  struct allocation *allocations;
  size_t allocation_count;
  size_t *indexes; /* of allocations, by id */
  /* Modules have thousands of variables, so all allocations are gone through when some are new only.
     These are ids, some perhaps of allocations that were freed. */
  struct ids {
    int *ids;
    size_t count, room;
  } marked, open; /* those with marks; those that may have changed though no kernel ran */
  struct handle *streams, *events;
  size_t stream_count, event_count;
  uint64_t *zeros; /* sums of the first full pages of an allocation that is zero */
  size_t zero_count;
  struct page *page_list; /* by place, 0 bytes where no page is */
  size_t *page_owners; /* ids of their allocations */
  size_t page_count, page_room;
  size_t gaps; /* places where no page is */
  struct gap {
    size_t first, count;
  } *freed; /* gaps that the GPU was not told of */
  size_t freed_count;
  struct change *changes;
  uint32_t *places;
  bool fresh; /* there are allocations whose sums were never asked for */
  bool unknown; /* since the sums were computed something wrote who knows where */
  bool touched; /* or copies and sets wrote */
  size_t host_count; /* allocations that the host can write at any time */
  char **refusals;
  size_t refusal_count;
  struct text line;
  int (*compress)(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int);
  unsigned char *raw, *packed;
  size_t packed_room;
};

/* Ends the recording; the program goes on. */
static void fail(struct recorder *r, const char *what, const char *why) {
  if (!r->failed) {
    r->failed = true;
    fprintf(stderr, "warpline-capture: %s: %s; the recording ends here\n", what, why);
  }
}

static bool write_all(int file, const void *bytes, size_t count) {
  const char *from = bytes;
  while (count) {
    ssize_t written = write(file, from, count);
    if (written < 0 && errno != EINTR) {
      return false;
    }
    if (written > 0) {
      from += written;
      count -= (size_t)written;
    }
  }
  return true;
}

static void flush(struct recorder *r) {
  if (!r->failed && !write_all(r->lines, r->unwritten.bytes, r->unwritten.length)) {
    fail(r, "capture.jsonl cannot be written", strerror(errno));
  }
  text_clear(&r->unwritten);
}

static void add_lines(struct recorder *r, const struct text *lines) {
  text_bytes(&r->unwritten, lines->bytes, lines->length);
  if (r->unwritten.length > 1u << 16) {
    flush(r);
  }
}

static void write_line(struct recorder *r) {
  if (!r->options.time && !r->failed) {
    text_bytes(&r->line, "\n", 1);
    add_lines(r, &r->line);
  }
  text_clear(&r->line);
}

static char *path(const struct recorder *r, const char *name) {
  size_t room = strlen(r->options.folder) + strlen(name) + 2;
  char *whole = need(NULL, room);
  snprintf(whole, room, "%s/%s", r->options.folder, name);
  return whole;
}

static bool make_folder(const char *folder) {
  return mkdir(folder, 0777) == 0 || errno == EEXIST;
}

static bool open_files(struct recorder *r) {
  char *modules = path(r, "modules"), *lines = path(r, "capture.jsonl"), *pages = path(r, "pages.bin");
  const char *wrong = NULL;
  if (!make_folder(r->options.folder)) {
    wrong = r->options.folder;
  } else if (!make_folder(modules)) {
    wrong = modules;
  } else if ((r->lines = open(lines, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0) {
    wrong = lines;
  } else if ((r->pages = open(pages, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0) {
    wrong = pages;
  }
  if (wrong) {
    fprintf(stderr, "warpline-capture: %s cannot be made: %s; nothing is recorded%s\n", wrong,
        strerror(errno), errno == EEXIST ? " (a capture, or another process's, is there)" : "");
  }
  free(modules);
  free(lines);
  free(pages);
  return !wrong;
}

struct recorder *recorder_open(const struct options *options, const struct device *device,
    const char *const *command, int words) {
  struct recorder *r = need(NULL, sizeof *r);
  memset(r, 0, sizeof *r);
  r->options = *options;
  r->device = *device;
  r->process = getpid();
  r->lines = r->pages = -1;
  if (options->kernel) {
    int wrong = regcomp(&r->kernel, options->kernel, REG_EXTENDED | REG_NOSUB);
    if (wrong) {
      char why[200];
      regerror(wrong, &r->kernel, why, sizeof why);
      fprintf(stderr, "warpline-capture: the regular expression %s: %s; nothing is recorded\n",
          options->kernel, why);
      free(r);
      return NULL;
    }
  }
  if (options->time) {
    return r;
  }
  if (!open_files(r)) {
    free(r);
    return NULL;
  }
  void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (zlib) {
    *(void **)&r->compress = dlsym(zlib, "compress2");
  }
  r->raw = need(NULL, (size_t)RUN_PAGES * PAGE_BYTES);
  r->packed_room = (size_t)RUN_PAGES * PAGE_BYTES + (1u << 16);
  r->packed = need(NULL, r->packed_room);
  text_add(&r->line, "{\"event\":\"capture\",\"version\":1,\"device\":");
  text_quoted(&r->line, device->name);
  text_add(&r->line, ",\"sm\":%d,\"sms\":%d,\"driver\":%d,\"command\":[", device->sm, device->sms,
      device->driver);
  for (int i = 0; i < words; i++) {
    text_add(&r->line, i ? "," : "");
    text_quoted(&r->line, command[i]);
  }
  text_add(&r->line, "]}");
  write_line(r);
  return r;
}

void recorder_loaded(const void *cubin, size_t bytes) {
  if (!cubin_sound(cubin, bytes)) {
    static bool said;
    if (!said) {
      fprintf(stderr,
          "warpline-capture: a module of %zu bytes is no cubin that can be read; its kernels are left"
          " out\n",
          bytes);
    }
    said = true;
    return;
  }
  void *copy = need(NULL, bytes);
  memcpy(copy, cubin, bytes);
  pthread_mutex_lock(&cubins_lock);
  cubins = need(cubins, (cubin_count + 1) * sizeof *cubins);
  cubins[cubin_count++] = (struct cubin){copy, bytes, 0, NULL};
  pthread_mutex_unlock(&cubins_lock);
}

/* Numbers for handles; a handle that is made anew gets a new one. */
static int number(struct handle **all, size_t *count, uint64_t handle, bool anew, int *next) {
  for (size_t i = *count; i-- > 0;) {
    if ((*all)[i].handle == handle) {
      if (anew) {
        (*all)[i].id = ++*next;
      }
      return (*all)[i].id;
    }
  }
  *all = need(*all, (*count + 1) * sizeof **all);
  (*all)[*count] = (struct handle){handle, ++*next};
  return (*all)[(*count)++].id;
}

int recorder_stream(struct recorder *r, uint64_t handle) {
  if (handle == 0) {
    return 0;
  }
  for (size_t i = 0; i < r->stream_count; i++) {
    if (r->streams[i].handle == handle) {
      return r->streams[i].id;
    }
  }
  return -1;
}

int recorder_new_stream(struct recorder *r, uint64_t handle, int priority, bool blocking) {
  int next = 0;
  for (size_t i = 0; i < r->stream_count; i++) {
    next = r->streams[i].id > next ? r->streams[i].id : next;
  }
  int id = number(&r->streams, &r->stream_count, handle, true, &next);
  text_add(&r->line, "{\"event\":\"stream\",\"stream\":%d,\"priority\":%d,\"blocking\":%s}", id,
      priority, blocking ? "true" : "false");
  write_line(r);
  return id;
}

static struct allocation *new_allocation(struct recorder *r, uint64_t address, uint64_t bytes) {
  r->allocations = need(r->allocations, (r->allocation_count + 1) * sizeof *r->allocations);
  struct allocation *a = r->allocations + r->allocation_count++;
  memset(a, 0, sizeof *a);
  a->id = ++r->ids;
  if ((r->ids & (r->ids - 1)) == 0) {
    r->indexes = need(r->indexes, 2 * (size_t)r->ids * sizeof *r->indexes);
  }
  r->indexes[r->ids] = r->allocation_count - 1;
  a->address = address;
  a->bytes = bytes;
  if (!r->options.time) {
    a->pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    a->replay = need(NULL, a->pages * sizeof *a->replay);
    a->now = need(NULL, a->pages * sizeof *a->now);
    memset(a->now, 0, a->pages * sizeof *a->now);
    a->marks = need(NULL, a->pages);
    memset(a->marks, 0, a->pages);
    a->fresh = true;
  }
  r->fresh = true;
  return a;
}

void recorder_allocate(struct recorder *r, uint64_t address, uint64_t bytes, const char *kind) {
  if (bytes == 0 || address == 0 || r->options.time) {
    return;
  }
  struct allocation *a = new_allocation(r, address, bytes);
  a->host = strcmp(kind, "host") == 0 || strcmp(kind, "managed") == 0;
  r->host_count += a->host;
  text_add(&r->line,
      "{\"event\":\"allocate\",\"allocation\":%d,\"address\":\"0x%" PRIx64 "\",\"bytes\":%" PRIu64
      ",\"kind\":\"%s\"}",
      a->id, address, bytes, kind);
  write_line(r);
}

static void add_id(struct ids *list, int id) {
  if (list->count == list->room) {
    list->room = 2 * list->room + 16;
    list->ids = need(list->ids, list->room * sizeof *list->ids);
  }
  list->ids[list->count++] = id;
}

/* The allocation of an id, NULL if it was freed. */
static struct allocation *allocation(const struct recorder *r, int id) {
  size_t i = r->indexes[id];
  return i < r->allocation_count && r->allocations[i].id == id ? r->allocations + i : NULL;
}

/* The GPU is to watch an allocation's pages no longer. */
static void forget(struct recorder *r, const struct allocation *a) {
  memset(r->page_list + a->place, 0, a->pages * sizeof *r->page_list);
  r->gaps += a->pages;
  r->freed = need(r->freed, (r->freed_count + 1) * sizeof *r->freed);
  r->freed[r->freed_count++] = (struct gap){a->place, a->pages};
}

static void free_at(struct recorder *r, size_t i) {
  struct allocation *a = r->allocations + i;
  text_add(&r->line, "{\"event\":\"free\",\"allocation\":%d}", a->id);
  write_line(r);
  free(a->replay);
  free(a->now);
  free(a->marks);
  r->host_count -= a->host;
  if (a->watched) {
    forget(r, a);
  }
  r->allocations[i] = r->allocations[--r->allocation_count];
  r->indexes[r->allocations[i].id] = i;
}

void recorder_free(struct recorder *r, uint64_t address) {
  for (size_t i = 0; i < r->allocation_count; i++) {
    if (r->allocations[i].address == address) {
      free_at(r, i);
      return;
    }
  }
}

void recorder_free_range(struct recorder *r, uint64_t address, uint64_t bytes) {
  for (size_t i = r->allocation_count; i-- > 0;) {
    uint64_t at = r->allocations[i].address;
    if (at >= address && at - address < bytes) {
      free_at(r, i);
    }
  }
}

void recorder_unload(struct recorder *r, void *handle) {
  for (size_t i = r->allocation_count; i-- > 0;) {
    if (!handle || r->allocations[i].owner == handle) {
      free_at(r, i);
    }
  }
  /* Loaded again, it has another number, and variables at other addresses. */
  pthread_mutex_lock(&cubins_lock);
  for (size_t i = 0; i < cubin_count; i++) {
    if (cubins[i].module && (!handle || cubins[i].handle == handle)) {
      free(cubins[i].bytes);
      memmove(cubins + i, cubins + i + 1, (--cubin_count - i) * sizeof *cubins);
      i--;
    }
  }
  pthread_mutex_unlock(&cubins_lock);
}

const char *recorder_refuses(struct recorder *r, const char *kernel) {
  if (r->failed) {
    return "an error ended the recording";
  }
  if (r->options.kernel && regexec(&r->kernel, kernel, 0, NULL, 0) != 0) {
    return "filter";
  }
  long number = r->matched++;
  if (number < r->options.skip
      || (r->options.count >= 0 && number - r->options.skip >= r->options.count)) {
    return "filter";
  }
  return NULL;
}

/* A module's variables are allocations, too. */
static void variables(struct recorder *r, const struct cubin *cubin, void *handle) {
  size_t count = cubin_variables(cubin->bytes, cubin->length, NULL, 0);
  struct variable *all = need(NULL, count * sizeof *all);
  cubin_variables(cubin->bytes, cubin->length, all, count);
  for (size_t i = 0; i < count; i++) {
    uint64_t address = 0, bytes = 0;
    const char *wrong = r->device.variable(handle, all[i].name, &address, &bytes);
    if (wrong) {
      struct text reason = {0};
      text_add(&reason, "no address of the variable %s in module %d: %s", all[i].name,
          cubin->module, wrong);
      recorder_refused(r, 0, "", reason.bytes);
      text_free(&reason);
      continue;
    }
    struct allocation *a = new_allocation(r, address, bytes);
    a->constant = a->stale = all[i].constant;
    a->owner = handle;
    text_add(&r->line, "{\"event\":\"global\",\"module\":%d,\"name\":", cubin->module);
    text_quoted(&r->line, all[i].name);
    text_add(&r->line,
        ",\"allocation\":%d,\"address\":\"0x%" PRIx64 "\",\"bytes\":%" PRIu64 "}", a->id, address,
        bytes);
    write_line(r);
  }
  free(all);
}

void module_line(struct text *line, int module, size_t bytes, uint64_t sum) {
  char number[32];
  snprintf(number, sizeof number, "%zu", bytes);
  text_add(line,
      "{\"event\":\"module\",\"module\":%d,\"file\":\"modules/%d.cubin\",\"bytes\":%s,"
      "\"sum\":\"0x%016" PRIx64 "\"%*s}",
      module, module, number, sum, (int)(12 - strlen(number)), "");
}

static void write_module(struct recorder *r, struct cubin *cubin, void *handle) {
  char name[64];
  cubin->module = ++r->modules;
  snprintf(name, sizeof name, "modules/%d.cubin", cubin->module);
  char *file = path(r, name);
  FILE *out = fopen(file, "wbx");
  bool written = out && fwrite(cubin->bytes, 1, cubin->length, out) == cubin->length;
  if (out && fclose(out) != 0) {
    written = false;
  }
  if (!written) {
    fail(r, file, strerror(errno));
  }
  free(file);
  module_line(
      &r->line, cubin->module, cubin->length, sum_bytes(cubin->bytes, cubin->length, 0));
  write_line(r);
  variables(r, cubin, handle);
}

int recorder_module(struct recorder *r, const char *kernel, int registers, void *handle,
    const char **cannot) {
  struct cubin chosen;
  size_t at = SIZE_MAX;
  pthread_mutex_lock(&cubins_lock);
  for (size_t i = cubin_count; i-- > 0;) {
    if (cubin_has_kernel(cubins[i].bytes, cubins[i].length, kernel)) {
      if (at == SIZE_MAX) {
        at = i;
      }
      if (cubin_registers(cubins[i].bytes, cubins[i].length, kernel) == registers) {
        at = i;
        break;
      }
    }
  }
  if (at != SIZE_MAX) {
    chosen = cubins[at];
  }
  pthread_mutex_unlock(&cubins_lock);
  if (at == SIZE_MAX) {
    *cannot = "its code was not seen";
    return 0;
  }
  *cannot = cubin_has_textures(chosen.bytes, chosen.length, kernel)
      ? "it uses textures or surfaces, whose contents are not recorded" : NULL;
  /* Others only add cubins, at the end; nobody but this caller takes one away. */
  if (chosen.module == 0) {
    write_module(r, &chosen, handle);
    pthread_mutex_lock(&cubins_lock);
    cubins[at].module = chosen.module;
    cubins[at].handle = handle;
    pthread_mutex_unlock(&cubins_lock);
  }
  return chosen.module;
}

/* Sums of an allocation's full pages depend on their place alone, so they are computed once; on the
   GPU, for allocations can have millions of pages. */
static const char *sum_zeros(struct recorder *r, struct allocation *a) {
  size_t full = a->bytes / PAGE_BYTES;
  if (full > r->zero_count) {
    size_t count = full + full / 4;
    struct page *pages = need(NULL, count * sizeof *pages);
    for (size_t p = 0; p < count; p++) {
      pages[p] = (struct page){0, p * (PAGE_BYTES / 4), PAGE_BYTES, 0};
    }
    r->zeros = need(r->zeros, count * sizeof *r->zeros);
    r->zero_count = 0;
    const char *wrong = r->device.sums(pages, count, r->zeros);
    free(pages);
    if (wrong) {
      return wrong;
    }
    r->zero_count = count;
  }
  memcpy(a->replay, r->zeros, full * sizeof *a->replay);
  if (full < a->pages) {
    static const unsigned char zeros[PAGE_BYTES];
    a->replay[full] = sum_bytes(zeros, a->bytes % PAGE_BYTES, full * (PAGE_BYTES / 4));
  }
  a->fresh = false;
  return NULL;
}

/* Marks pages from one to before another. */
static void mark(
    struct recorder *r, struct allocation *a, size_t first, size_t end, enum mark mark) {
  for (size_t p = first; p < end; p++) {
    a->marks[p] |= (unsigned char)mark;
  }
  if (a->marked == a->marked_end) {
    add_id(&r->marked, a->id);
    a->marked = first;
    a->marked_end = end;
  } else {
    a->marked = first < a->marked ? first : a->marked;
    a->marked_end = end > a->marked_end ? end : a->marked_end;
  }
}

/* A replay has what lies in an allocation now. */
static void agree(struct allocation *a) {
  size_t count = a->marked_end - a->marked;
  memcpy(a->replay + a->marked, a->now + a->marked, count * sizeof *a->replay);
  memset(a->marks + a->marked, 0, count);
  a->marked = a->marked_end = 0;
}

/* Gives an allocation's pages places from the next one on. */
static const char *watch(struct recorder *r, struct allocation *a) {
  if (r->page_count + a->pages > r->page_room) {
    r->page_room = r->page_count + a->pages + r->page_room / 2;
    r->page_list = need(r->page_list, r->page_room * sizeof *r->page_list);
    r->page_owners = need(r->page_owners, r->page_room * sizeof *r->page_owners);
    r->changes = need(r->changes, r->page_room * sizeof *r->changes);
    r->places = need(r->places, r->page_room * sizeof *r->places);
  }
  a->place = r->page_count;
  for (size_t p = 0; p < a->pages; p++) {
    uint64_t left = a->bytes - p * PAGE_BYTES;
    r->page_owners[r->page_count] = (size_t)a->id;
    r->page_list[r->page_count++] = (struct page){a->address + p * PAGE_BYTES,
        p * (PAGE_BYTES / 4), (uint32_t)(left < PAGE_BYTES ? left : PAGE_BYTES), 0};
  }
  a->watched = true;
  return r->device.watch(a->place, r->page_list + a->place, a->pages);
}

/* Has the GPU watch all allocations. Where more places are empty than not, they are given anew. */
static const char *watch_all(struct recorder *r) {
  if (!r->fresh && !r->freed_count) {
    return NULL;
  }
  if (r->gaps > r->page_count / 2) {
    for (size_t i = 0; i < r->allocation_count; i++) {
      r->allocations[i].watched = false;
    }
    r->page_count = r->gaps = r->freed_count = 0;
  }
  while (r->freed_count) {
    const struct gap *gap = r->freed + r->freed_count - 1;
    const char *wrong = r->device.watch(gap->first, r->page_list + gap->first, gap->count);
    if (wrong) {
      return wrong;
    }
    r->freed_count--;
  }
  r->open.count = 0;
  for (size_t i = 0; i < r->allocation_count; i++) {
    struct allocation *a = r->allocations + i;
    const char *wrong = a->fresh ? sum_zeros(r, a) : NULL;
    if (!wrong && !a->constant && !a->watched) {
      wrong = watch(r, a);
    }
    if (wrong) {
      return wrong;
    }
    if (a->constant && a->stale) {
      mark(r, a, 0, a->pages, CHANGED);
    } else if (!a->constant && (a->host || !a->settled)) {
      add_id(&r->open, a->id);
    }
  }
  r->fresh = false;
  return NULL;
}

/* Reads a constant variable's pages, if it may have been written, and sums them up here. */
static const char *sum_constant(struct recorder *r, struct allocation *a) {
  for (size_t p = 0; p < a->pages; p++) {
    uint64_t left = a->bytes - p * PAGE_BYTES;
    size_t bytes = left < PAGE_BYTES ? left : PAGE_BYTES;
    const char *wrong = r->device.read(r->raw, a->address + p * PAGE_BYTES, bytes);
    if (wrong) {
      return wrong;
    }
    a->now[p] = sum_bytes(r->raw, bytes, p * (PAGE_BYTES / 4));
  }
  mark(r, a, 0, a->pages, CHANGED);
  a->stale = false;
  return NULL;
}

/* The places that can have changed though no kernel ran. */
static size_t list_places(struct recorder *r) {
  size_t count = 0;
  for (size_t i = 0; i < r->open.count; i++) {
    const struct allocation *a = allocation(r, r->open.ids[i]);
    for (size_t p = 0; a && p < a->pages; p++) {
      r->places[count++] = (uint32_t)(a->place + p);
    }
  }
  for (size_t i = 0; i < r->marked.count; i++) {
    const struct allocation *a = allocation(r, r->marked.ids[i]);
    if (a && !a->constant && !a->host && a->settled) {
      for (size_t p = a->marked; p < a->marked_end; p++) {
        if (a->marks[p]) {
          r->places[count++] = (uint32_t)(a->place + p);
        }
      }
    }
  }
  return count;
}

static int by_index(const void *a, const void *b, void *recorder) {
  const struct recorder *r = recorder;
  size_t i = r->indexes[*(const int *)a], j = r->indexes[*(const int *)b];
  return (i > j) - (i < j);
}

/* Puts what is marked in the order of allocations, each once. */
static void order_marked(struct recorder *r) {
  struct ids *list = &r->marked;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct allocation *a = allocation(r, list->ids[i]);
    if (a && a->marked != a->marked_end) {
      list->ids[kept++] = list->ids[i];
    }
  }
  list->count = kept;
  if (kept) {
    qsort_r(list->ids, kept, sizeof *list->ids, by_index, r);
  }
}

/* Learns what lies in memory now, and marks what changed. everywhere: whether anything can have
   been written. */
static const char *sum_changes(struct recorder *r, bool everywhere) {
  const char *wrong = watch_all(r);
  size_t places = 0, changes = 0;
  if (!wrong && !everywhere) {
    places = list_places(r);
  }
  if (!wrong && (everywhere ? r->page_count : places)) {
    wrong = r->device.changes(
        everywhere ? NULL : r->places, everywhere ? r->page_count : places, r->changes, &changes);
  }
  for (size_t i = 0; i < changes && !wrong; i++) {
    const struct change *change = r->changes + i;
    struct allocation *a = r->allocations + r->indexes[r->page_owners[change->place]];
    size_t page = change->place - a->place;
    a->sum += change->sum - a->now[page];
    a->now[page] = change->sum;
    mark(r, a, page, page + 1, CHANGED);
  }
  order_marked(r);
  for (size_t i = 0; i < r->marked.count && !wrong; i++) {
    struct allocation *a = allocation(r, r->marked.ids[i]);
    if (a->constant && a->stale) {
      wrong = sum_constant(r, a);
    }
  }
  return wrong;
}

/* Packs what was read, if that helps: in large captures a page in the middle tells whether it is
   worth the time. */
static bool pack(struct recorder *r, size_t bytes, unsigned long *packed) {
  size_t sample = bytes < PAGE_BYTES ? bytes : PAGE_BYTES;
  *packed = r->packed_room;
  if (!r->compress
      || (r->stored > SMALL
          && (r->compress(r->packed, packed, r->raw + (bytes - sample) / 2, sample, 1) != 0
              || *packed > sample - sample / 8))) {
    return false;
  }
  *packed = r->packed_room;
  return r->compress(r->packed, packed, r->raw, bytes, 1) == 0 && *packed < bytes;
}

/* Stores pages that lie together; adds their line to those of this launch. */
static const char *store(struct recorder *r, const struct allocation *a, size_t first, size_t count,
    uint64_t *at, struct text *lines) {
  uint64_t offset = first * (uint64_t)PAGE_BYTES;
  size_t bytes = count * (size_t)PAGE_BYTES;
  bytes = a->bytes - offset < bytes ? a->bytes - offset : bytes;
  const char *wrong = r->device.read(r->raw, a->address + offset, bytes);
  if (wrong) {
    return wrong;
  }
  unsigned long packed = 0;
  bool deflated = pack(r, bytes, &packed);
  packed = deflated ? packed : bytes;
  if (*at + packed > r->options.max_bytes) {
    return "--max-bytes is reached";
  }
  if (!write_all(r->pages, deflated ? r->packed : r->raw, packed)) {
    fail(r, "pages.bin cannot be written", strerror(errno));
    return "an error ended the recording";
  }
  text_add(lines,
      "{\"event\":\"pages\",\"allocation\":%d,\"first\":%zu,\"count\":%zu,\"at\":%" PRIu64
      ",\"packed\":%lu,\"method\":\"%s\"}\n",
      a->id, first, count, *at, packed, deflated ? "deflate" : "stored");
  *at += packed;
  return NULL;
}

/* Whether a replay does not have what lies in a page now. */
static bool lacks(const struct recorder *r, const struct allocation *a, size_t page) {
  if (a->marks[page] & REPLAYED) {
    return a->marks[page] & HOST || r->unknown || a->host || !a->settled;
  }
  return a->now[page] != a->replay[page];
}

void recorder_unknown_write(struct recorder *r) { r->unknown = true; }

const char *recorder_before(struct recorder *r) {
  if (r->options.time) {
    return NULL;
  }
  if (r->failed) {
    return "an error ended the recording";
  }
  if (!r->unknown && !r->touched && !r->fresh && r->host_count == 0) {
    /* Nothing happened since the sums after the last kernel, so a replay has them, too. */
    return NULL;
  }
  const char *wrong = sum_changes(r, r->unknown);
  struct text lines = {0};
  uint64_t at = r->stored;
  for (size_t i = 0; i < r->marked.count && !wrong; i++) {
    const struct allocation *a = allocation(r, r->marked.ids[i]);
    for (size_t first = a->marked; first < a->marked_end && !wrong;) {
      size_t end = first;
      while (end < a->marked_end && end - first < RUN_PAGES && lacks(r, a, end)) {
        end++;
      }
      if (end > first) {
        wrong = store(r, a, first, end - first, &at, &lines);
      }
      first = end > first ? end : first + 1;
    }
  }
  if (wrong) {
    /* As if nothing had been stored for this launch. */
    if (ftruncate(r->pages, (off_t)r->stored) != 0
        || lseek(r->pages, (off_t)r->stored, SEEK_SET) < 0) {
      fail(r, "pages.bin cannot be cut", strerror(errno));
    }
    text_free(&lines);
    return wrong;
  }
  r->stored = at;
  r->unknown = r->touched = false;
  for (size_t i = 0; i < r->marked.count; i++) {
    agree(allocation(r, r->marked.ids[i]));
  }
  r->marked.count = 0;
  size_t kept = 0;
  for (size_t i = 0; i < r->open.count; i++) {
    struct allocation *a = allocation(r, r->open.ids[i]);
    if (a) {
      a->settled = true;
      if (a->host) {
        r->open.ids[kept++] = a->id;
      }
    }
  }
  r->open.count = kept;
  if (lines.length) {
    add_lines(r, &lines);
  }
  text_free(&lines);
  return NULL;
}

static void three(struct text *line, const char *name, const unsigned *numbers) {
  text_add(line, ",\"%s\":[%u,%u,%u]", name, numbers[0], numbers[1], numbers[2]);
}

static const char *truth(bool value) { return value ? "true" : "false"; }

static void place_in_graph(struct recorder *r, const struct place *place) {
  struct text *line = &r->line;
  if (place) {
    text_add(line, ",\"graph\":%ld,\"node\":%d,\"after\":[", r->graphs, place->node);
    for (int i = 0; i < place->afters; i++) {
      text_add(line, i ? ",%d" : "%d", place->after[i]);
    }
    text_add(line, "]");
  }
}

long recorder_launch(struct recorder *r, const struct launch *launch, const struct place *place) {
  long n = ++r->operations;
  if (r->options.time) {
    return n;
  }
  r->unknown = r->unknown || launch->skipped;
  struct text *line = &r->line;
  text_add(line, "{\"event\":\"launch\",\"n\":%ld,\"kernel\":", n);
  text_quoted(line, launch->kernel);
  text_add(line, ",\"module\":%d", launch->module);
  three(line, "grid", launch->grid);
  three(line, "block", launch->block);
  three(line, "cluster", launch->cluster);
  text_add(line,
      ",\"shared\":%u,\"local\":%u,\"stream\":%d,\"cooperative\":%s,\"programmatic\":%s,\"parameters\":\"",
      launch->shared, launch->local, launch->stream, truth(launch->cooperative),
      truth(launch->programmatic));
  text_hex(line, launch->parameters, launch->parameter_bytes);
  text_add(line, "\"");
  place_in_graph(r, place);
  if (launch->skipped) {
    text_add(line, ",\"skipped\":");
    text_quoted(line, launch->skipped);
  }
  text_add(line, "}");
  write_line(r);
  return n;
}

long recorder_graph(struct recorder *r, int stream, int nodes) {
  long n = ++r->operations;
  text_add(&r->line, "{\"event\":\"graph\",\"n\":%ld,\"graph\":%ld,\"stream\":%d,\"nodes\":%d}", n,
      ++r->graphs, stream, nodes);
  write_line(r);
  return n;
}

/* An allocation that changed: its sum and its changed pages. */
static void changed(struct recorder *r, struct allocation *a, bool *any) {
  size_t count = a->marked_end - a->marked;
  if (memcmp(a->now + a->marked, a->replay + a->marked, count * sizeof *a->now) == 0) {
    return;
  }
  text_add(&r->line, "%s{\"allocation\":%d,\"sum\":\"0x%" PRIx64 "\",\"pages\":[", *any ? "," : "",
      a->id, a->sum);
  *any = true;
  bool run = false;
  for (size_t first = a->marked; first < a->marked_end;) {
    size_t end = first;
    while (end < a->marked_end && a->now[end] != a->replay[end]) {
      end++;
    }
    if (end > first) {
      text_add(&r->line, "%s[%zu,%zu]", run ? "," : "", first, end - first);
      run = true;
    }
    first = end > first ? end : first + 1;
  }
  text_add(&r->line, "]}");
}

void recorder_after(struct recorder *r, long n) {
  if (r->options.time || r->failed) {
    return;
  }
  const char *wrong = sum_changes(r, true);
  if (wrong) {
    recorder_refused(r, n, "", wrong);
    fail(r, "memory cannot be read after a kernel", wrong);
    return;
  }
  text_add(&r->line, "{\"event\":\"wrote\",\"n\":%ld,\"allocations\":[", n);
  bool any = false;
  size_t left = 0;
  for (size_t i = 0; i < r->marked.count; i++) {
    struct allocation *a = allocation(r, r->marked.ids[i]);
    if (a->constant) {
      r->marked.ids[left++] = a->id;
    } else {
      changed(r, a, &any);
      agree(a);
    }
  }
  r->marked.count = left;
  r->unknown = r->touched = false;
  text_add(&r->line, "]}");
  write_line(r);
  /* A program that is killed leaves what was done before. */
  flush(r);
}

/* The allocation that holds all of these bytes, NULL if none does. */
static const struct allocation *holder(const struct recorder *r, uint64_t address, uint64_t bytes) {
  for (size_t i = 0; i < r->allocation_count; i++) {
    const struct allocation *a = r->allocations + i;
    if (address >= a->address && address - a->address < a->bytes
        && bytes <= a->bytes - (address - a->address)) {
      return a;
    }
  }
  return NULL;
}

/* Memory that a copy or set writes. Constant variables have to be read again. */
static void written(struct recorder *r, uint64_t address, uint64_t bytes, enum mark writer) {
  for (size_t i = 0; i < r->allocation_count && bytes; i++) {
    struct allocation *a = r->allocations + i;
    if (address < a->address + a->bytes && a->address < address + bytes) {
      uint64_t from = address > a->address ? address - a->address : 0;
      uint64_t to = address + bytes - a->address < a->bytes ? address + bytes - a->address : a->bytes;
      mark(r, a, from / PAGE_BYTES, (to + PAGE_BYTES - 1) / PAGE_BYTES, writer);
      a->stale = a->constant;
      r->touched = true;
    }
  }
}

/* Whether a replay has these bytes at this moment. */
static bool is_known(const struct recorder *r, uint64_t address, uint64_t bytes) {
  const struct allocation *a = holder(r, address, bytes);
  if (!a || a->constant || a->host || !a->settled || r->unknown) {
    return false;
  }
  for (uint64_t at = address - a->address; at < address - a->address + bytes; at += PAGE_BYTES) {
    if (a->marks[at / PAGE_BYTES] & HOST) {
      return false;
    }
  }
  return !(a->marks[(address - a->address + bytes - 1) / PAGE_BYTES] & HOST);
}

/* Whether a replay can write there. */
static bool is_writable(const struct recorder *r, uint64_t address, uint64_t bytes) {
  const struct allocation *a = holder(r, address, bytes);
  return a && !a->constant;
}

static uint64_t reach(uint64_t bytes, uint64_t rows, uint64_t pitch) {
  return rows > 1 ? (rows - 1) * pitch + bytes / rows : bytes;
}

long recorder_copy(struct recorder *r, const struct copy *copy, const struct place *place) {
  long n = ++r->operations;
  uint64_t to = reach(copy->bytes, copy->rows, copy->to_pitch);
  uint64_t from = reach(copy->bytes, copy->rows, copy->from_pitch);
  bool replay = !place && copy->bytes && is_writable(r, copy->to, to) && is_known(r, copy->from, from);
  written(r, copy->to, to, replay || place ? REPLAYED : HOST);
  text_add(&r->line,
      "{\"event\":\"copy\",\"n\":%ld,\"kind\":\"%s\",\"bytes\":%" PRIu64 ",\"to\":\"0x%" PRIx64
      "\",\"from\":\"0x%" PRIx64 "\",\"stream\":%d,\"async\":%s,\"pinned\":%s",
      n, copy->kind, copy->bytes, copy->to, copy->from, copy->stream, truth(copy->async),
      truth(copy->pinned));
  if (copy->rows > 1) {
    text_add(&r->line, ",\"rows\":%" PRIu64 ",\"toPitch\":%" PRIu64 ",\"fromPitch\":%" PRIu64,
        copy->rows, copy->to_pitch, copy->from_pitch);
  }
  place_in_graph(r, place);
  text_add(&r->line, replay ? ",\"replay\":true}" : "}");
  write_line(r);
  return n;
}

long recorder_set(struct recorder *r, const struct set *set, const struct place *place) {
  long n = ++r->operations;
  uint64_t to = reach(set->bytes, set->rows, set->pitch);
  bool replay = !place && set->bytes && is_writable(r, set->to, to);
  written(r, set->to, to, replay || place ? REPLAYED : HOST);
  text_add(&r->line,
      "{\"event\":\"set\",\"n\":%ld,\"to\":\"0x%" PRIx64 "\",\"bytes\":%" PRIu64
      ",\"stream\":%d,\"value\":%u,\"width\":%d",
      n, set->to, set->bytes, set->stream, set->value, set->width);
  if (set->rows > 1) {
    text_add(&r->line, ",\"rows\":%" PRIu64 ",\"toPitch\":%" PRIu64, set->rows, set->pitch);
  }
  place_in_graph(r, place);
  text_add(&r->line, replay ? ",\"replay\":true}" : "}");
  write_line(r);
  return n;
}

static int event_id(struct recorder *r, uint64_t event) {
  int next = (int)r->event_count;
  return number(&r->events, &r->event_count, event, false, &next);
}

long recorder_record(struct recorder *r, uint64_t event, int stream) {
  long n = ++r->operations;
  text_add(&r->line, "{\"event\":\"record\",\"n\":%ld,\"id\":%d,\"stream\":%d}", n,
      event_id(r, event), stream);
  write_line(r);
  return n;
}

long recorder_wait(struct recorder *r, uint64_t event, int stream) {
  long n = ++r->operations;
  text_add(&r->line, "{\"event\":\"wait\",\"n\":%ld,\"id\":%d,\"stream\":%d}", n,
      event_id(r, event), stream);
  write_line(r);
  return n;
}

long recorder_synchronize(struct recorder *r, const char *what, uint64_t event, int stream) {
  long n = ++r->operations;
  text_add(&r->line, "{\"event\":\"synchronize\",\"n\":%ld,\"what\":\"%s\"", n, what);
  if (strcmp(what, "stream") == 0) {
    text_add(&r->line, ",\"stream\":%d", stream);
  } else if (strcmp(what, "event") == 0) {
    text_add(&r->line, ",\"id\":%d", event_id(r, event));
  }
  text_add(&r->line, "}");
  write_line(r);
  return n;
}

void recorder_tensor_map(struct recorder *r, const void *map, const char *about) {
  text_add(&r->line, "{\"event\":\"tensormap\",\"map\":\"");
  text_hex(&r->line, map, 128);
  text_add(&r->line, "\",%s}", about);
  write_line(r);
}

void recorder_refused(struct recorder *r, long n, const char *kernel, const char *reason) {
  struct text key = {0};
  text_add(&key, "%s\n%s", kernel, reason);
  for (size_t i = 0; i < r->refusal_count; i++) {
    if (strcmp(r->refusals[i], key.bytes) == 0) {
      text_free(&key);
      return;
    }
  }
  r->refusals = need(r->refusals, (r->refusal_count + 1) * sizeof *r->refusals);
  r->refusals[r->refusal_count++] = key.bytes;
  text_add(&r->line, "{\"event\":\"refused\"");
  if (n) {
    text_add(&r->line, ",\"n\":%ld", n);
  }
  text_add(&r->line, ",\"kernel\":");
  text_quoted(&r->line, kernel);
  text_add(&r->line, ",\"reason\":");
  text_quoted(&r->line, reason);
  text_add(&r->line, "}");
  write_line(r);
}

long recorder_operations(const struct recorder *r) { return r->operations; }

void recorder_close(struct recorder *r) {
  if (r->options.time || getpid() != r->process) {
    return;
  }
  text_add(&r->line, "{\"event\":\"end\",\"operations\":%ld}", r->operations);
  write_line(r);
  flush(r);
  bool closed = close(r->lines) == 0;
  if ((close(r->pages) != 0 || !closed) && !r->failed) {
    fail(r, "the capture cannot be written", strerror(errno));
  }
  r->failed = true;
}
