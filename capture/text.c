#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *need(void *old, size_t bytes) {
  void *block = realloc(old, bytes ? bytes : 1);
  if (!block) {
    fputs("warpline-capture: out of memory\n", stderr);
    abort();
  }
  return block;
}

static void make_room(struct text *text, size_t more) {
  size_t wanted = text->length + more + 1;
  if (wanted > text->room) {
    text->room = wanted + wanted / 2;
    text->bytes = need(text->bytes, text->room);
  }
}

void text_add(struct text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    make_room(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void text_bytes(struct text *text, const void *bytes, size_t count) {
  make_room(text, count);
  memcpy(text->bytes + text->length, bytes, count);
  text->length += count;
}

/* How many bytes the UTF-8 character at the start of the words has; 0 if it is none. */
static int character(const unsigned char *words) {
  unsigned char first = words[0];
  int more = first < 0x80 ? 0 : first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2
      : first >= 0xF0 && first < 0xF5 ? 3 : -1;
  for (int i = 1; i <= more; i++) {
    if ((words[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return more + 1;
}

void text_quoted(struct text *text, const char *words) {
  text_bytes(text, "\"", 1);
  for (const unsigned char *at = (const unsigned char *)words; *at;) {
    int bytes = character(at);
    if (bytes == 0) {
      text_bytes(text, "?", 1);
      at++;
    } else if (*at == '"' || *at == '\\') {
      text_add(text, "\\%c", *at++);
    } else if (*at < 0x20) {
      text_add(text, "\\u%04x", *at++);
    } else {
      text_bytes(text, at, (size_t)bytes);
      at += bytes;
    }
  }
  text_bytes(text, "\"", 1);
}

void text_hex(struct text *text, const void *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  const unsigned char *from = bytes;
  make_room(text, 2 * count);
  for (size_t i = 0; i < count; i++) {
    text->bytes[text->length++] = digits[from[i] >> 4];
    text->bytes[text->length++] = digits[from[i] & 15];
  }
}

void text_clear(struct text *text) { text->length = 0; }

void text_free(struct text *text) {
  free(text->bytes);
  memset(text, 0, sizeof *text);
}
