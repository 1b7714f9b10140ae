/* Cuts kernels that were not launched out of the cubins of a capture: warpline_cut FOLDER. */
#include "cubin.h"
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct launched {
  int module;
  char *kernel;
};

static struct launched *launches;
static size_t launch_count;

struct module {
  int number;
  off_t at; /* where its line begins */
};

static struct module *modules;
static size_t module_count;

static int complain(const char *what) {
  fprintf(stderr, "warpline-capture: %s: %s\n", what, strerror(errno));
  return 1;
}

static bool keep(const char *kernel, void *module) {
  for (size_t i = 0; i < launch_count; i++) {
    if (launches[i].module == *(int *)module && strcmp(launches[i].kernel, kernel) == 0) {
      return true;
    }
  }
  return false;
}

/* Reads which kernels of which modules were launched, and where the modules' lines are. */
static bool read_lines(const char *name) {
  FILE *file = fopen(name, "r");
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  if (!file) {
    return false;
  }
  for (off_t at = 0; (length = getline(&line, &room, file)) >= 0; at += length) {
    int module;
    char *kernel = strstr(line, "\"kernel\":\"");
    if (sscanf(line, "{\"event\":\"module\",\"module\":%d,", &module) == 1) {
      modules = need(modules, (module_count + 1) * sizeof *modules);
      modules[module_count++] = (struct module){module, at};
    } else if (strncmp(line, "{\"event\":\"launch\",", 18) == 0 && kernel) {
      kernel += strlen("\"kernel\":\"");
      char *end = strstr(kernel, "\",\"module\":");
      if (end && sscanf(end, "\",\"module\":%d,", &module) == 1) {
        *end = 0;
        if (!keep(kernel, &module)) {
          launches = need(launches, (launch_count + 1) * sizeof *launches);
          launches[launch_count++] = (struct launched){module, strdup(kernel)};
        }
      }
    }
  }
  free(line);
  fclose(file);
  return true;
}

static bool read_file(const char *name, struct text *to) {
  FILE *file = fopen(name, "rb");
  char part[65536];
  size_t got;
  text_clear(to);
  while (file && (got = fread(part, 1, sizeof part, file)) > 0) {
    text_bytes(to, part, got);
  }
  return file && fclose(file) == 0;
}

static bool write_file(const char *name, const struct text *from) {
  FILE *file = fopen(name, "wb");
  bool written = file && fwrite(from->bytes, 1, from->length, file) == from->length;
  return file && fclose(file) == 0 && written;
}

int main(int count, char **arguments) {
  if (count != 2 || chdir(arguments[1]) != 0) {
    fputs("usage: warpline_cut FOLDER\n", stderr);
    return 2;
  }
  int lines = open("capture.jsonl", O_WRONLY);
  if (lines < 0 || !read_lines("capture.jsonl")) {
    return complain("capture.jsonl");
  }
  struct text whole = {0}, cut = {0}, line = {0};
  for (size_t i = 0; i < module_count; i++) {
    char name[64];
    int module = modules[i].number;
    snprintf(name, sizeof name, "modules/%d.cubin", module);
    if (!read_file(name, &whole)) {
      return complain(name);
    }
    if (!cubin_cut(whole.bytes, whole.length, keep, &module, &cut) || cut.length >= whole.length) {
      continue;
    }
    text_clear(&line);
    module_line(&line, module, cut.length, sum_bytes(cut.bytes, cut.length, 0));
    if (!write_file("modules/new", &cut) || rename("modules/new", name) != 0
        || pwrite(lines, line.bytes, line.length, modules[i].at) != (ssize_t)line.length) {
      return complain(name);
    }
  }
  return close(lines) == 0 ? 0 : complain("capture.jsonl");
}
