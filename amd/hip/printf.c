// printf of kernels: the format is taken apart, and each piece is left to the C library.
#include "printf.h"

#include <stdint.h>
#include <string.h>

struct rest {
  const char *at;
  const char *end;
};

static uint64_t number(struct rest *rest) {
  uint64_t value = 0;
  if (rest->end - rest->at >= 8) {
    memcpy(&value, rest->at, 8);
    rest->at += 8;
  }
  return value;
}

static const char *text(struct rest *rest) {
  const char *from = rest->at;
  size_t length = strnlen(from, rest->end - from);
  if (from + length == rest->end) {
    return "";
  }
  rest->at = from + (length + 8) / 8 * 8;
  return from;
}

// One conversion, e.g. %-5.2f, with its stars; the length is taken from the letters before the last.
static int convert(FILE *file, const char *piece, size_t length, struct rest *rest) {
  char format[64];
  char last = piece[length - 1];
  int stars = 0;
  int star[2] = {0, 0};
  size_t used = 0;
  int halves = 0, longs = 0;
  for (size_t i = 0; i + 1 < length && used < sizeof format - 4; i++) {
    if (piece[i] == '*' && stars < 2) {
      star[stars++] = (int)number(rest);
    }
    halves += piece[i] == 'h';
    longs += piece[i] == 'l' || piece[i] == 'j' || piece[i] == 'z' || piece[i] == 't';
    if (strchr("hljztL", piece[i]) == NULL) {
      format[used++] = piece[i];
    }
  }
#define PRINT(value)                                                                     \
  (stars == 0   ? fprintf(file, format, value)                                           \
   : stars == 1 ? fprintf(file, format, star[0], value)                                  \
                : fprintf(file, format, star[0], star[1], value))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  switch (last) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      int is_signed = last == 'd' || last == 'i';
      uint64_t value = number(rest);
      if (longs == 0) {
        int bits = halves == 0 ? 32 : halves == 1 ? 16 : 8;
        value <<= 64 - bits;
        value = is_signed ? (uint64_t)((int64_t)value >> (64 - bits)) : value >> (64 - bits);
      }
      format[used++] = 'l';
      format[used++] = 'l';
      format[used++] = last;
      format[used] = 0;
      return PRINT((long long)value);
    }
    case 'c':
      format[used++] = last;
      format[used] = 0;
      return PRINT((int)number(rest));
    case 'p':
      format[used++] = last;
      format[used] = 0;
      return PRINT((void *)number(rest));
    case 's':
      format[used++] = last;
      format[used] = 0;
      return PRINT(text(rest));
    case 'n':
      number(rest);
      return 0;
    default: {
      uint64_t bits = number(rest);
      double value;
      memcpy(&value, &bits, 8);
      format[used++] = last;
      format[used] = 0;
      return PRINT(value);
    }
  }
#pragma GCC diagnostic pop
}

size_t print_of_kernel(FILE *file, const char *message, size_t bytes) {
  struct rest rest = {message, message + bytes};
  const char *format = text(&rest);
  size_t printed = 0;
  while (*format != 0) {
    size_t plain = strcspn(format, "%");
    fwrite(format, 1, plain, file);
    printed += plain;
    format += plain;
    if (*format == 0) {
      break;
    }
    size_t length = 1 + strspn(format + 1, "-+ #0123456789.*hljztL");
    if (format[length] == 0) {
      break;
    }
    length++;
    if (format[length - 1] == '%') {
      fputc('%', file);
      printed++;
    } else {
      int got = convert(file, format, length, &rest);
      printed += got > 0 ? got : 0;
    }
    format += length;
  }
  return printed;
}
