#include "sums.h"

#include <string.h>

#define STEP 0x9E3779B97F4A7C15u

static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

uint64_t sum_bytes(const void *bytes, uint64_t count, uint64_t word) {
  const unsigned char *from = bytes;
  uint64_t sum = 0;
  for (uint64_t at = 0; at < count; at += 4) {
    uint32_t value = 0;
    memcpy(&value, from + at, count - at < 4 ? count - at : 4);
    sum += mix(value + (word + at / 4 + 1) * STEP);
  }
  return sum;
}

/* Adds a word to the thread's total; s: its number times the step, which goes on to the next. */
#define ADD_WORD(word, s) \
    "cvt.u64.u32 %z, " word ";\n" \
    "add.u64 %z, %z, " s ";\n" \
    "shr.u64 %t, %z, 30;\n" \
    "xor.b64 %z, %z, %t;\n" \
    "mul.lo.u64 %z, %z, 0xBF58476D1CE4E5B9;\n" \
    "shr.u64 %t, %z, 27;\n" \
    "xor.b64 %z, %z, %t;\n" \
    "mul.lo.u64 %z, %z, 0x94D049BB133111EB;\n" \
    "shr.u64 %t, %z, 31;\n" \
    "xor.b64 %z, %z, %t;\n" \
    "add.u64 %total, %total, %z;\n" \
    "add.u64 " s ", " s ", 0x9E3779B97F4A7C15;\n"

/* Whole pages that are well aligned are read four words at a time, and those of every 1024 words
   belong to the same thread. Else threads take every 256th word, and words that are cut off or badly
   aligned are read byte by byte. */
const char sums_kernel[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry warpline_sums(.param .u64 pages, .param .u64 sums)\n"
    "{\n"
    ".reg .pred %four, %real, %past, %whole, %aligned, %here, %low;\n"
    ".reg .b32 %thread, %block, %bytes, %words, %full, %i, %value, %part, %at, %half, %slot, %other;\n"
    ".reg .b32 %a, %b, %c, %d, %e, %f, %g, %h;\n"
    ".reg .b64 %pages, %sums, %page, %address, %word, %from, %z, %t, %total, %more, %s;\n"
    ".shared .align 8 .b64 totals[256];\n"
    "mov.u32 %thread, %tid.x;\n"
    "mov.u32 %block, %ctaid.x;\n"
    "ld.param.u64 %pages, [pages];\n"
    "ld.param.u64 %sums, [sums];\n"
    "mad.wide.u32 %page, %block, 24, %pages;\n"
    "ld.global.u64 %address, [%page];\n"
    "ld.global.u64 %word, [%page+8];\n"
    "ld.global.u32 %bytes, [%page+16];\n"
    "add.u32 %words, %bytes, 3;\n"
    "shr.u32 %words, %words, 2;\n"
    "shr.u32 %full, %bytes, 2;\n"
    "setp.ne.u64 %real, %address, 0;\n"
    "and.b64 %t, %address, 3;\n"
    "setp.eq.u64 %aligned, %t, 0;\n"
    "selp.u32 %full, %full, 0, %aligned;\n"
    "mov.u64 %total, 0;\n"
    "and.b64 %t, %address, 15;\n"
    "setp.eq.u64 %four, %t, 0;\n"
    "setp.eq.and.u32 %four, %bytes, 65536, %four;\n"
    "and.pred %four, %four, %real;\n"
    "@!%four bra single;\n"
    "shl.b32 %i, %thread, 2;\n"
    "cvt.u64.u32 %s, %i;\n"
    "add.u64 %s, %s, %word;\n"
    "add.u64 %s, %s, 1;\n"
    "mul.lo.u64 %s, %s, 0x9E3779B97F4A7C15;\n"
    "mad.wide.u32 %from, %thread, 16, %address;\n"
    "mov.u32 %i, 0;\n"
    "quad:\n"
    "ld.global.v4.u32 {%a, %b, %c, %d}, [%from];\n"
    "ld.global.v4.u32 {%e, %f, %g, %h}, [%from+4096];\n"
    ADD_WORD("%a", "%s") ADD_WORD("%b", "%s") ADD_WORD("%c", "%s") ADD_WORD("%d", "%s")
    "add.u64 %s, %s, 0x6508FF172CC663AC;\n" /* 1020 words on */
    ADD_WORD("%e", "%s") ADD_WORD("%f", "%s") ADD_WORD("%g", "%s") ADD_WORD("%h", "%s")
    "add.u64 %s, %s, 0x6508FF172CC663AC;\n"
    "add.u64 %from, %from, 8192;\n"
    "add.u32 %i, %i, 1;\n"
    "setp.lt.u32 %low, %i, 8;\n"
    "@%low bra quad;\n"
    "bra done;\n"
    "single:\n"
    "mov.u32 %i, %thread;\n"
    "next:\n"
    "setp.ge.u32 %past, %i, %words;\n"
    "@%past bra done;\n"
    "mad.wide.u32 %from, %i, 4, %address;\n"
    "setp.lt.u32 %whole, %i, %full;\n"
    "@%whole bra load;\n"
    "mov.u32 %value, 0;\n"
    "shl.b32 %at, %i, 2;\n"
    "mov.u32 %slot, 0;\n"
    "byte:\n"
    "setp.lt.u32 %here, %at, %bytes;\n"
    "mov.u32 %part, 0;\n"
    "@%here ld.global.u8 %part, [%from];\n"
    "shl.b32 %part, %part, %slot;\n"
    "or.b32 %value, %value, %part;\n"
    "add.u64 %from, %from, 1;\n"
    "add.u32 %at, %at, 1;\n"
    "add.u32 %slot, %slot, 8;\n"
    "setp.lt.u32 %low, %slot, 32;\n"
    "@%low bra byte;\n"
    "bra add;\n"
    "load:\n"
    "mov.u32 %value, 0;\n"
    "@%real ld.global.u32 %value, [%from];\n"
    "add:\n"
    "cvt.u64.u32 %s, %i;\n"
    "add.u64 %s, %s, %word;\n"
    "add.u64 %s, %s, 1;\n"
    "mul.lo.u64 %s, %s, 0x9E3779B97F4A7C15;\n"
    ADD_WORD("%value", "%s")
    "add.u32 %i, %i, 256;\n"
    "bra next;\n"
    "done:\n"
    "mov.u32 %slot, totals;\n"
    "shl.b32 %at, %thread, 3;\n"
    "add.u32 %slot, %slot, %at;\n"
    "st.shared.u64 [%slot], %total;\n"
    "mov.u32 %half, 128;\n"
    "fold:\n"
    "bar.sync 0;\n"
    "setp.lt.u32 %low, %thread, %half;\n"
    "@!%low bra folded;\n"
    "shl.b32 %at, %half, 3;\n"
    "add.u32 %other, %slot, %at;\n"
    "ld.shared.u64 %more, [%other];\n"
    "ld.shared.u64 %total, [%slot];\n"
    "add.u64 %total, %total, %more;\n"
    "st.shared.u64 [%slot], %total;\n"
    "folded:\n"
    "shr.u32 %half, %half, 1;\n"
    "setp.ne.u32 %here, %half, 0;\n"
    "@%here bra fold;\n"
    "setp.eq.u32 %here, %thread, 0;\n"
    "@!%here bra end;\n"
    "mad.wide.u32 %from, %block, 8, %sums;\n"
    "st.global.u64 [%from], %total;\n"
    "end:\n"
    "ret;\n"
    "}\n";
