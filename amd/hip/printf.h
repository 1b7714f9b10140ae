// printf of kernels.
#ifndef WARPLINE_PRINTF_H
#define WARPLINE_PRINTF_H

#include <stddef.h>
#include <stdio.h>

// Prints a message of a kernel: the format, then its arguments, 8 bytes each, texts as long as they are and rounded up.
// Returns the characters printed.
size_t print_of_kernel(FILE *file, const char *message, size_t bytes);

#endif
