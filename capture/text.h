/* Text that grows: the lines of a capture are put together here. */
#ifndef WARPLINE_TEXT_H
#define WARPLINE_TEXT_H
#include <stddef.h>
#include <stdint.h>

struct text {
  char *bytes;
  size_t length;
  size_t room;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_bytes(struct text *text, const void *bytes, size_t count);
/* A JSON string, quotes included. Bytes that are no UTF-8 become question marks. */
void text_quoted(struct text *text, const char *words);
/* Hexadecimal digits, two per byte. */
void text_hex(struct text *text, const void *bytes, size_t count);
void text_clear(struct text *text);
void text_free(struct text *text);

/* Memory that is there: the process cannot go on without. */
void *need(void *old, size_t bytes);
#endif
