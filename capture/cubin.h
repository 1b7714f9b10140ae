/* What a cubin, an ELF file, says of its kernels and variables. */
#ifndef WARPLINE_CUBIN_H
#define WARPLINE_CUBIN_H
#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct variable {
  const char *name; /* lies within the cubin */
  uint64_t bytes;
  bool constant; /* in a constant bank, else in global memory */
  bool local; /* visible in its file only */
};

/* Whether the whole file lies within the bytes that are there. */
bool cubin_sound(const void *cubin, size_t bytes);
/* Whether it has the code of a kernel of this name. */
bool cubin_has_kernel(const void *cubin, size_t bytes, const char *kernel);
/* Registers per thread that a kernel was compiled for, -1 if the cubin does not say. */
int cubin_registers(const void *cubin, size_t bytes, const char *kernel);
/* Whether a kernel's own code reads textures or reads or writes surfaces (Volta and later). */
bool cubin_has_textures(const void *cubin, size_t bytes, const char *kernel);
/* The variables in global and constant memory; how many there are, however few there is room for. */
size_t cubin_variables(const void *cubin, size_t bytes, struct variable *variables, size_t room);
/* The cubin without the code of kernels that are not kept, and without their names: sections and
   symbols keep their numbers, those of left-out kernels are null, program headers are gone. False:
   it cannot be cut. */
bool cubin_cut(const void *cubin, size_t bytes, bool (*keep)(const char *kernel, void *self), void *self,
    struct text *to);
#endif
