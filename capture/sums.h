/* Pages of memory and their sums (docs/capture.md says how they are computed). */
#ifndef WARPLINE_SUMS_H
#define WARPLINE_SUMS_H
#include <stddef.h>
#include <stdint.h>

#define PAGE_BYTES 65536u

/* A page as the kernel below reads it: 24 bytes. */
struct page {
  uint64_t address; /* 0: no memory but zeros, in full words */
  uint64_t word; /* number of its first word within the allocation */
  uint32_t bytes;
  uint32_t unused;
};

/* The sum of bytes that lie in this process, the first word having a number. */
uint64_t sum_bytes(const void *bytes, uint64_t count, uint64_t word);

/* PTX with the kernel warpline_sums(pages, sums): a block of 256 threads for each page. */
extern const char sums_kernel[];
#endif
