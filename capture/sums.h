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

/* A page that is watched has changed: its place among those that are watched, and its sum. */
struct change {
  uint64_t sum;
  uint32_t place, unused;
};

/* PTX with two kernels whose blocks of 256 threads take a page each:
   warpline_sums(pages, sums): the sums of pages;
   warpline_changes(pages, prints, list, changes): of the pages at the listed places (or all: 0) those
   whose fingerprints are others than in prints, which are mended. A fingerprint costs a tenth of a
   sum, so that memory is read as fast as it goes; 0 is none's. changes: how many, and from its 17th
   byte on the struct change of each, in any order. Pages of 0 bytes are passed over. */
extern const char sums_kernels[];
#endif
