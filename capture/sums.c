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

/* The number of the first word of a thread times the step, which goes on with each word. */
#define FIRST_WORD(i) \
    "cvt.u64.u32 %s, " i ";\n" \
    "add.u64 %s, %s, %word;\n" \
    "add.u64 %s, %s, 1;\n" \
    "mul.lo.u64 %s, %s, 0x9E3779B97F4A7C15;\n"

/* The thread's part of a page's sum, in %total. Whole pages that are well aligned (%four) are read
   four words at a time, and those of every 1024 words belong to the same thread. Else threads take
   every 256th word, and words that are cut off or badly aligned are read byte by byte. */
#define ADD_PAGE \
    "mov.u64 %total, 0;\n" \
    "@!%four bra single;\n" \
    "shl.b32 %i, %thread, 2;\n" \
    FIRST_WORD("%i") \
    "mad.wide.u32 %from, %thread, 16, %address;\n" \
    "mov.u32 %i, 0;\n" \
    "quad:\n" \
    "ld.global.v4.u32 {%a, %b, %c, %d}, [%from];\n" \
    "ld.global.v4.u32 {%e, %f, %g, %h}, [%from+4096];\n" \
    ADD_WORD("%a", "%s") ADD_WORD("%b", "%s") ADD_WORD("%c", "%s") ADD_WORD("%d", "%s") \
    "add.u64 %s, %s, 0x6508FF172CC663AC;\n" /* 1020 words on */ \
    ADD_WORD("%e", "%s") ADD_WORD("%f", "%s") ADD_WORD("%g", "%s") ADD_WORD("%h", "%s") \
    "add.u64 %s, %s, 0x6508FF172CC663AC;\n" \
    "add.u64 %from, %from, 8192;\n" \
    "add.u32 %i, %i, 1;\n" \
    "setp.lt.u32 %low, %i, 8;\n" \
    "@%low bra quad;\n" \
    "bra added;\n" \
    "single:\n" \
    "mov.u32 %i, %thread;\n" \
    "next:\n" \
    "setp.ge.u32 %past, %i, %words;\n" \
    "@%past bra added;\n" \
    "mad.wide.u32 %from, %i, 4, %address;\n" \
    "setp.lt.u32 %whole, %i, %full;\n" \
    "@%whole bra load;\n" \
    "mov.u32 %value, 0;\n" \
    "shl.b32 %at, %i, 2;\n" \
    "mov.u32 %slot, 0;\n" \
    "byte:\n" \
    "setp.lt.u32 %here, %at, %bytes;\n" \
    "mov.u32 %part, 0;\n" \
    "@%here ld.global.u8 %part, [%from];\n" \
    "shl.b32 %part, %part, %slot;\n" \
    "or.b32 %value, %value, %part;\n" \
    "add.u64 %from, %from, 1;\n" \
    "add.u32 %at, %at, 1;\n" \
    "add.u32 %slot, %slot, 8;\n" \
    "setp.lt.u32 %low, %slot, 32;\n" \
    "@%low bra byte;\n" \
    "bra add;\n" \
    "load:\n" \
    "mov.u32 %value, 0;\n" \
    "@%real ld.global.u32 %value, [%from];\n" \
    "add:\n" \
    FIRST_WORD("%i") \
    ADD_WORD("%value", "%s") \
    "add.u32 %i, %i, 256;\n" \
    "bra next;\n" \
    "added:\n"

/* Adds up the %total of all threads; thread 0 has it then. name: of this place. */
#define FOLD(name) \
    "mov.u32 %slot, totals;\n" \
    "shl.b32 %at, %thread, 3;\n" \
    "add.u32 %slot, %slot, %at;\n" \
    "bar.sync 0;\n" \
    "st.shared.u64 [%slot], %total;\n" \
    "mov.u32 %half, 128;\n" \
    name "fold:\n" \
    "bar.sync 0;\n" \
    "setp.lt.u32 %low, %thread, %half;\n" \
    "@!%low bra " name "folded;\n" \
    "shl.b32 %at, %half, 3;\n" \
    "add.u32 %other, %slot, %at;\n" \
    "ld.shared.u64 %more, [%other];\n" \
    "ld.shared.u64 %total, [%slot];\n" \
    "add.u64 %total, %total, %more;\n" \
    "st.shared.u64 [%slot], %total;\n" \
    name "folded:\n" \
    "shr.u32 %half, %half, 1;\n" \
    "setp.ne.u32 %here, %half, 0;\n" \
    "@%here bra " name "fold;\n"

/* Eight bytes go into a fingerprint: the product of their halves, each with its own key, and they
   themselves. lower, upper: the keys' parts that do not depend on the thread. */
#define MARK(a, b, to, lower, upper) \
    "xor.b32 %e, " a ", %lower;\n" \
    "xor.b32 %e, %e, " lower ";\n" \
    "xor.b32 %f, " b ", %upper;\n" \
    "xor.b32 %f, %f, " upper ";\n" \
    "mad.wide.u32 " to ", %e, %f, " to ";\n" \
    "mov.b64 %t, {" a ", " b "};\n" \
    "add.u64 " to ", " to ", %t;\n"

/* Sixteen bytes at a distance from the thread's first. */
#define MARKS(at, k, l, m, n) \
    "ld.global.v4.u32 {%a, %b, %c, %d}, [%from+" at "];\n" \
    MARK("%a", "%b", "%total", k, l) \
    MARK("%c", "%d", "%more", m, n)

/* The bits of a fingerprint's parts all depend on each other in the end. */
#define MIX(z) \
    "shr.u64 %t, " z ", 30;\n" \
    "xor.b64 " z ", " z ", %t;\n" \
    "mul.lo.u64 " z ", " z ", 0xBF58476D1CE4E5B9;\n" \
    "shr.u64 %t, " z ", 27;\n" \
    "xor.b64 " z ", " z ", %t;\n" \
    "mul.lo.u64 " z ", " z ", 0x94D049BB133111EB;\n" \
    "shr.u64 %t, " z ", 31;\n" \
    "xor.b64 " z ", " z ", %t;\n"

/* A page's record, and what is known of its words. */
#define PAGE \
    "mad.wide.u32 %page, %index, 24, %pages;\n" \
    "ld.global.u64 %address, [%page];\n" \
    "ld.global.u64 %word, [%page+8];\n" \
    "ld.global.u32 %bytes, [%page+16];\n" \
    "add.u32 %words, %bytes, 3;\n" \
    "shr.u32 %words, %words, 2;\n" \
    "shr.u32 %full, %bytes, 2;\n" \
    "setp.ne.u64 %real, %address, 0;\n" \
    "and.b64 %t, %address, 3;\n" \
    "setp.eq.u64 %aligned, %t, 0;\n" \
    "selp.u32 %full, %full, 0, %aligned;\n" \
    "and.b64 %t, %address, 15;\n" \
    "setp.eq.u64 %four, %t, 0;\n" \
    "setp.eq.and.u32 %four, %bytes, 65536, %four;\n" \
    "and.pred %four, %four, %real;\n"

#define REGISTERS \
    ".reg .pred %four, %real, %past, %whole, %aligned, %here, %low;\n" \
    ".reg .b32 %thread, %index, %bytes, %words, %full, %i, %value, %part, %at, %half, %slot, %other;\n" \
    ".reg .b32 %a, %b, %c, %d, %e, %f, %g, %h, %lower, %upper;\n" \
    ".reg .b64 %pages, %sums, %page, %address, %word, %from, %z, %t, %total, %more, %s;\n" \
    ".reg .b64 %prints, %list, %changes;\n" \
    ".shared .align 8 .b64 totals[256];\n"

const char sums_kernels[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry warpline_sums(.param .u64 pages, .param .u64 sums)\n"
    "{\n"
    REGISTERS
    "mov.u32 %thread, %tid.x;\n"
    "mov.u32 %index, %ctaid.x;\n"
    "ld.param.u64 %pages, [pages];\n"
    "ld.param.u64 %sums, [sums];\n"
    PAGE
    ADD_PAGE
    FOLD("sum")
    "setp.ne.u32 %here, %thread, 0;\n"
    "@%here bra end;\n"
    "mad.wide.u32 %from, %index, 8, %sums;\n"
    "st.global.u64 [%from], %total;\n"
    "end:\n"
    "ret;\n"
    "}\n"

    ".visible .entry warpline_changes(.param .u64 pages, .param .u64 prints, .param .u64 list,\n"
    "  .param .u64 changes)\n"
    "{\n"
    REGISTERS
    "mov.u32 %thread, %tid.x;\n"
    "mov.u32 %index, %ctaid.x;\n"
    "ld.param.u64 %pages, [pages];\n"
    "ld.param.u64 %prints, [prints];\n"
    "ld.param.u64 %list, [list];\n"
    "ld.param.u64 %changes, [changes];\n"
    "setp.eq.u64 %here, %list, 0;\n"
    "@%here bra known;\n"
    "mad.wide.u32 %from, %index, 4, %list;\n"
    "ld.global.u32 %index, [%from];\n"
    "known:\n"
    PAGE
    "setp.eq.u32 %here, %bytes, 0;\n"
    "@%here bra end;\n"
    "mad.wide.u32 %prints, %index, 8, %prints;\n"
    "@!%four bra sum;\n"
    "mad.lo.u32 %lower, %thread, 0x9E3779B1, 0x2545F491;\n"
    "mad.lo.u32 %upper, %thread, 0x85EBCA77, 0x4F6CDD1D;\n"
    "mad.wide.u32 %from, %thread, 16, %address;\n"
    "mov.u64 %total, 0;\n"
    "mov.u64 %more, 0;\n"
    MARKS("0", "0x3C6EF372", "0x78DDE6E4", "0xB54CDA56", "0xF1BBCDC8")
    MARKS("4096", "0x2E2AC13A", "0x6A99B4AC", "0xA708A81E", "0xE3779B90")
    MARKS("8192", "0x1FE68F02", "0x5C558274", "0x98C475E6", "0xD5336958")
    MARKS("12288", "0x11A25CCA", "0x4E11503C", "0x8A8043AE", "0xC6EF3720")
    MARKS("16384", "0x035E2A92", "0x3FCD1E04", "0x7C3C1176", "0xB8AB04E8")
    MARKS("20480", "0xF519F85A", "0x3188EBCC", "0x6DF7DF3E", "0xAA66D2B0")
    MARKS("24576", "0xE6D5C622", "0x2344B994", "0x5FB3AD06", "0x9C22A078")
    MARKS("28672", "0xD89193EA", "0x1500875C", "0x516F7ACE", "0x8DDE6E40")
    MARKS("32768", "0xCA4D61B2", "0x06BC5524", "0x432B4896", "0x7F9A3C08")
    MARKS("36864", "0xBC092F7A", "0xF87822EC", "0x34E7165E", "0x715609D0")
    MARKS("40960", "0xADC4FD42", "0xEA33F0B4", "0x26A2E426", "0x6311D798")
    MARKS("45056", "0x9F80CB0A", "0xDBEFBE7C", "0x185EB1EE", "0x54CDA560")
    MARKS("49152", "0x913C98D2", "0xCDAB8C44", "0x0A1A7FB6", "0x46897328")
    MARKS("53248", "0x82F8669A", "0xBF675A0C", "0xFBD64D7E", "0x384540F0")
    MARKS("57344", "0x74B43462", "0xB12327D4", "0xED921B46", "0x2A010EB8")
    MARKS("61440", "0x6670022A", "0xA2DEF59C", "0xDF4DE90E", "0x1BBCDC80")
    "cvt.u64.u32 %z, %thread;\n"
    "mad.lo.u64 %total, %z, 0x9E3779B97F4A7C15, %total;\n"
    MIX("%total")
    "add.u64 %more, %more, %total;\n"
    MIX("%more")
    "mov.u64 %total, %more;\n"
    FOLD("print")
    /* All threads compare; none may change the fingerprint before. */
    "bar.sync 0;\n"
    "ld.shared.u64 %total, [totals];\n"
    "or.b64 %total, %total, 1;\n"
    "ld.global.u64 %more, [%prints];\n"
    "bar.sync 0;\n"
    "setp.eq.u64 %here, %total, %more;\n"
    "@%here bra end;\n"
    "setp.eq.u32 %here, %thread, 0;\n"
    "@%here st.global.u64 [%prints], %total;\n"
    "sum:\n"
    ADD_PAGE
    FOLD("sum")
    "setp.ne.u32 %here, %thread, 0;\n"
    "@%here bra end;\n"
    "@%four bra tell;\n"
    "or.b64 %z, %total, 1;\n"
    "ld.global.u64 %more, [%prints];\n"
    "setp.eq.u64 %here, %z, %more;\n"
    "@%here bra end;\n"
    "st.global.u64 [%prints], %z;\n"
    "tell:\n"
    "atom.global.add.u32 %i, [%changes], 1;\n"
    "mad.wide.u32 %from, %i, 16, %changes;\n"
    "st.global.u64 [%from+16], %total;\n"
    "st.global.u32 [%from+24], %index;\n"
    "end:\n"
    "ret;\n"
    "}\n";
