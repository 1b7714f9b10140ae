/* When operations were called by the host and when the GPU did them: times.jsonl of the pass that
   measures time. Activities come later than calls, in any order; numbers bring them together. */
#ifndef WARPLINE_TIMES_H
#define WARPLINE_TIMES_H
#include <stdbool.h>
#include <stdint.h>

/* An operation: the number that its activities carry and, within a graph's launch, the node's. */
void times_call(long n, uint32_t correlation, uint64_t node, uint64_t enter, uint64_t exit);
/* A kernel, copy or set on the GPU; from any thread. */
void times_activity(uint32_t correlation, uint64_t node, uint64_t start, uint64_t end);
/* Writes the file into a folder; false after an error, which was said. */
bool times_write(const char *folder, uint64_t origin, const char *const *command, int words);
#endif
