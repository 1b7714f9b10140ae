package dev.warpline.amd.exec;

import java.util.HashMap;
import java.util.Map;

/** The scalar ALU and program control: one line per opcode. */
final class ScalarTable {
  private static final long U32 = 0xffffffffL;

  /**
   * What a scalar opcode does. Operands of 32 bits arrive sign-extended; only as many bits of the
   * result are stored as the destination has. SOPK: {@code a} is the register, {@code b} the
   * immediate; SOPP: {@code b} is the immediate; SOP1 opcodes that keep part of their destination
   * find its old value in {@code b}.
   */
  interface Function {
    long apply(WaveState w, long a, long b);
  }

  private final Map<String, Function> functions = new HashMap<>();

  private ScalarTable() {}

  static Map<String, Function> create() {
    ScalarTable table = new ScalarTable();
    table.arithmetic();
    table.logic();
    table.shifts();
    table.bits();
    table.compares();
    table.masks();
    table.moves();
    table.control();
    return Map.copyOf(table.functions);
  }

  private void define(String name, Function f) {
    functions.put(name, f);
  }

  /** A result that also sets SCC when it is not zero. */
  private void nonzero(String name, Function f, boolean wide) {
    define(
        name,
        (w, a, b) -> {
          long r = f.apply(w, a, b);
          w.scc = wide ? r != 0 : (int) r != 0;
          return r;
        });
  }

  /** The 32-bit and 64-bit form of an opcode that sets SCC when the result is not zero. */
  private void nonzero(String name, Function f) {
    nonzero(name + "_b32", f, false);
    nonzero(name + "_b64", f, true);
  }

  private static long scc(WaveState w, boolean value, long result) {
    w.scc = value;
    return result;
  }

  private static long add(WaveState w, long a, long b, long carry) {
    long sum = (a & U32) + (b & U32) + carry;
    return scc(w, sum >>> 32 != 0, sum);
  }

  private static long subtract(WaveState w, long a, long b, long borrow) {
    long difference = (a & U32) - (b & U32) - borrow;
    return scc(w, difference < 0, difference);
  }

  /** SCC is signed overflow of a 32-bit result. */
  private static long signed(WaveState w, long exact) {
    return scc(w, exact != (int) exact, exact);
  }

  private void arithmetic() {
    define("s_add_u32", (w, a, b) -> add(w, a, b, 0));
    define("s_addc_u32", (w, a, b) -> add(w, a, b, w.scc ? 1 : 0));
    define("s_sub_u32", (w, a, b) -> subtract(w, a, b, 0));
    define("s_subb_u32", (w, a, b) -> subtract(w, a, b, w.scc ? 1 : 0));
    define("s_add_i32", (w, a, b) -> signed(w, a + b));
    define("s_sub_i32", (w, a, b) -> signed(w, a - b));
    define("s_addk_i32", (w, a, b) -> signed(w, a + b));
    define("s_mulk_i32", (w, a, b) -> a * b);
    define("s_mul_i32", (w, a, b) -> a * b);
    define("s_mul_hi_u32", (w, a, b) -> (a & U32) * (b & U32) >>> 32);
    define("s_mul_hi_i32", (w, a, b) -> a * b >> 32);
    define("s_min_i32", (w, a, b) -> scc(w, a < b, Math.min(a, b)));
    define("s_max_i32", (w, a, b) -> scc(w, a > b, Math.max(a, b)));
    define("s_min_u32", (w, a, b) -> scc(w, (a & U32) < (b & U32), Math.min(a & U32, b & U32)));
    define("s_max_u32", (w, a, b) -> scc(w, (a & U32) > (b & U32), Math.max(a & U32, b & U32)));
    nonzero("s_abs_i32", (w, a, b) -> Math.abs(a), false);
    nonzero("s_absdiff_i32", (w, a, b) -> Math.abs((int) (a - b)), false);
    for (int n = 1; n <= 4; n++) {
      int shift = n;
      define(
          "s_lshl" + n + "_add_u32",
          (w, a, b) -> {
            long sum = ((a & U32) << shift) + (b & U32);
            return scc(w, sum >>> 32 != 0, sum);
          });
    }
  }

  private void logic() {
    nonzero("s_and", (w, a, b) -> a & b);
    nonzero("s_or", (w, a, b) -> a | b);
    nonzero("s_xor", (w, a, b) -> a ^ b);
    nonzero("s_andn2", (w, a, b) -> a & ~b);
    nonzero("s_orn2", (w, a, b) -> a | ~b);
    nonzero("s_nand", (w, a, b) -> ~(a & b));
    nonzero("s_nor", (w, a, b) -> ~(a | b));
    nonzero("s_xnor", (w, a, b) -> ~(a ^ b));
    nonzero("s_not", (w, a, b) -> ~a);
  }

  private void shifts() {
    nonzero("s_lshl_b32", (w, a, b) -> (int) a << b, false);
    nonzero("s_lshr_b32", (w, a, b) -> (int) a >>> b, false);
    nonzero("s_ashr_i32", (w, a, b) -> (int) a >> b, false);
    nonzero("s_lshl_b64", (w, a, b) -> a << b, true);
    nonzero("s_lshr_b64", (w, a, b) -> a >>> b, true);
    nonzero("s_ashr_i64", (w, a, b) -> a >> b, true);
    nonzero(
        "s_bfe_u32",
        (w, a, b) -> extract(a & U32, (int) b & 31, (int) b >> 16 & 127, 32, false),
        false);
    nonzero(
        "s_bfe_i32", (w, a, b) -> extract(a, (int) b & 31, (int) b >> 16 & 127, 32, true), false);
    nonzero(
        "s_bfe_u64", (w, a, b) -> extract(a, (int) b & 63, (int) b >> 16 & 127, 64, false), true);
    nonzero(
        "s_bfe_i64", (w, a, b) -> extract(a, (int) b & 63, (int) b >> 16 & 127, 64, true), true);
    define("s_bfm_b32", (w, a, b) -> (1 << a) - 1 << b);
    define("s_bfm_b64", (w, a, b) -> (1L << a) - 1 << b);
    define("s_pack_ll_b32_b16", (w, a, b) -> a & 0xffff | b << 16);
    define("s_pack_lh_b32_b16", (w, a, b) -> a & 0xffff | b & 0xffff0000L);
    define("s_pack_hh_b32_b16", (w, a, b) -> a >>> 16 & 0xffff | b & 0xffff0000L);
  }

  /** Bits [offset, offset + width) of a value of {@code size} bits. */
  private static long extract(long value, int offset, int width, int size, boolean signed) {
    int bits = Math.min(width, size - offset);
    if (bits == 0) {
      return 0;
    }
    long shifted = value << 64 - offset - bits;
    return signed ? shifted >> 64 - bits : shifted >>> 64 - bits;
  }

  private void bits() {
    define("s_brev_b32", (w, a, b) -> Integer.reverse((int) a));
    define("s_brev_b64", (w, a, b) -> Long.reverse(a));
    nonzero("s_bcnt0_i32_b32", (w, a, b) -> 32 - Integer.bitCount((int) a), false);
    nonzero("s_bcnt0_i32_b64", (w, a, b) -> 64 - Long.bitCount(a), false);
    nonzero("s_bcnt1_i32_b32", (w, a, b) -> Integer.bitCount((int) a), false);
    nonzero("s_bcnt1_i32_b64", (w, a, b) -> Long.bitCount(a), false);
    define(
        "s_ff0_i32_b32", (w, a, b) -> (int) a == -1 ? -1 : Integer.numberOfTrailingZeros((int) ~a));
    define("s_ff0_i32_b64", (w, a, b) -> a == -1 ? -1 : Long.numberOfTrailingZeros(~a));
    define(
        "s_ff1_i32_b32", (w, a, b) -> (int) a == 0 ? -1 : Integer.numberOfTrailingZeros((int) a));
    define("s_ff1_i32_b64", (w, a, b) -> a == 0 ? -1 : Long.numberOfTrailingZeros(a));
    define(
        "s_flbit_i32_b32", (w, a, b) -> (int) a == 0 ? -1 : Integer.numberOfLeadingZeros((int) a));
    define("s_flbit_i32_b64", (w, a, b) -> a == 0 ? -1 : Long.numberOfLeadingZeros(a));
    define(
        "s_flbit_i32",
        (w, a, b) -> a == 0 || a == -1 ? -1 : Integer.numberOfLeadingZeros((int) (a < 0 ? ~a : a)));
    define(
        "s_flbit_i32_i64",
        (w, a, b) -> a == 0 || a == -1 ? -1 : Long.numberOfLeadingZeros(a < 0 ? ~a : a));
    define("s_sext_i32_i8", (w, a, b) -> (byte) a);
    define("s_sext_i32_i16", (w, a, b) -> (short) a);
    define("s_bitreplicate_b64_b32", (w, a, b) -> replicate((int) a));
    nonzero("s_quadmask_b32", (w, a, b) -> quadMask(a & U32), false);
    nonzero("s_quadmask_b64", (w, a, b) -> quadMask(a), true);
    nonzero("s_wqm_b32", (w, a, b) -> wholeQuads(a & U32), false);
    nonzero("s_wqm_b64", (w, a, b) -> wholeQuads(a), true);
  }

  private static long replicate(int a) {
    long result = 0;
    for (int i = 0; i < 32; i++) {
      result |= (a >>> i & 1L) * 3 << 2 * i;
    }
    return result;
  }

  private static long quadMask(long a) {
    long result = 0;
    for (int i = 0; i < 16; i++) {
      result |= ((a >>> 4 * i & 15) != 0 ? 1L : 0L) << i;
    }
    return result;
  }

  private static long wholeQuads(long a) {
    long result = 0;
    for (int i = 0; i < 16; i++) {
      result |= ((a >>> 4 * i & 15) != 0 ? 15L : 0L) << 4 * i;
    }
    return result;
  }

  private interface Condition {
    boolean test(long a, long b);
  }

  private void compares() {
    Map<String, Condition> conditions =
        Map.of(
            "eq", (a, b) -> a == b,
            "lg", (a, b) -> a != b,
            "gt", (a, b) -> a > b,
            "ge", (a, b) -> a >= b,
            "lt", (a, b) -> a < b,
            "le", (a, b) -> a <= b);
    conditions.forEach(
        (name, c) -> {
          define("s_cmp_" + name + "_i32", (w, a, b) -> scc(w, c.test(a, b), 0));
          define("s_cmp_" + name + "_u32", (w, a, b) -> scc(w, c.test(a & U32, b & U32), 0));
          define("s_cmpk_" + name + "_i32", (w, a, b) -> scc(w, c.test(a, b), 0));
          define("s_cmpk_" + name + "_u32", (w, a, b) -> scc(w, c.test(a & U32, b & 0xffff), 0));
        });
    define("s_cmp_eq_u64", (w, a, b) -> scc(w, a == b, 0));
    define("s_cmp_lg_u64", (w, a, b) -> scc(w, a != b, 0));
    define("s_bitcmp0_b32", (w, a, b) -> scc(w, (a >>> (b & 31) & 1) == 0, 0));
    define("s_bitcmp1_b32", (w, a, b) -> scc(w, (a >>> (b & 31) & 1) != 0, 0));
    define("s_bitcmp0_b64", (w, a, b) -> scc(w, (a >>> (b & 63) & 1) == 0, 0));
    define("s_bitcmp1_b64", (w, a, b) -> scc(w, (a >>> (b & 63) & 1) != 0, 0));
  }

  private void masks() {
    saveExec("and", (w, s, e) -> s & e);
    saveExec("or", (w, s, e) -> s | e);
    saveExec("xor", (w, s, e) -> s ^ e);
    saveExec("andn2", (w, s, e) -> s & ~e);
    saveExec("orn2", (w, s, e) -> s | ~e);
    saveExec("nand", (w, s, e) -> ~(s & e));
    saveExec("nor", (w, s, e) -> ~(s | e));
    saveExec("xnor", (w, s, e) -> ~(s ^ e));
    saveExec("andn1", (w, s, e) -> ~s & e);
    saveExec("orn1", (w, s, e) -> ~s | e);
    writeExec("s_andn1_wrexec_b64", (w, s, e) -> ~s & e);
    writeExec("s_andn2_wrexec_b64", (w, s, e) -> s & ~e);
  }

  /** The destination gets the old EXEC, EXEC the combination of source and EXEC. */
  private void saveExec(String name, Function f) {
    define(
        "s_" + name + "_saveexec_b64",
        (w, a, b) -> {
          long old = w.exec();
          long mask = f.apply(w, a, old);
          w.setExec(mask);
          return scc(w, mask != 0, old);
        });
  }

  /** The destination gets the new EXEC. */
  private void writeExec(String name, Function f) {
    define(
        name,
        (w, a, b) -> {
          long mask = f.apply(w, a, w.exec());
          w.setExec(mask);
          return scc(w, mask != 0, mask);
        });
  }

  private void moves() {
    define("s_mov_b32", (w, a, b) -> a);
    define("s_mov_b64", (w, a, b) -> a);
    define("s_movk_i32", (w, a, b) -> b);
    define("s_cmovk_i32", (w, a, b) -> w.scc ? b : a);
    define("s_cmov_b32", (w, a, b) -> w.scc ? a : b);
    define("s_cmov_b64", (w, a, b) -> w.scc ? a : b);
    define("s_bitset0_b32", (w, a, b) -> b & ~(1L << (a & 31)));
    define("s_bitset1_b32", (w, a, b) -> b | 1L << (a & 31));
    define("s_bitset0_b64", (w, a, b) -> b & ~(1L << (a & 63)));
    define("s_bitset1_b64", (w, a, b) -> b | 1L << (a & 63));
    define("s_cselect_b32", (w, a, b) -> w.scc ? a : b);
    define("s_cselect_b64", (w, a, b) -> w.scc ? a : b);
  }

  private void control() {
    branch("s_branch", w -> true);
    branch("s_cbranch_scc0", w -> !w.scc);
    branch("s_cbranch_scc1", w -> w.scc);
    branch("s_cbranch_vccz", w -> w.vcc() == 0);
    branch("s_cbranch_vccnz", w -> w.vcc() != 0);
    branch("s_cbranch_execz", w -> w.exec() == 0);
    branch("s_cbranch_execnz", w -> w.exec() != 0);
    // no debugger is attached
    branch("s_cbranch_cdbgsys", w -> false);
    branch("s_cbranch_cdbguser", w -> false);
    branch("s_cbranch_cdbgsys_or_user", w -> false);
    branch("s_cbranch_cdbgsys_and_user", w -> false);
    define("s_getpc_b64", (w, a, b) -> w.pc);
    define("s_setpc_b64", (w, a, b) -> w.pc = a);
    define("s_swappc_b64", (w, a, b) -> jump(w, a));
    define("s_call_b64", (w, a, b) -> jump(w, w.pc + 4 * b));
    define("s_endpgm", (w, a, b) -> end(w));
    define("s_endpgm_saved", (w, a, b) -> end(w));
    define("s_endpgm_ordered_ps_done", (w, a, b) -> end(w));
    define(
        "s_barrier",
        (w, a, b) -> {
          w.atBarrier = true;
          return 0;
        });
    // about time, caches, priority and messages: nothing changes in the wave
    for (String name :
        new String[] {
          "s_nop",
          "s_waitcnt",
          "s_sleep",
          "s_wakeup",
          "s_setprio",
          "s_sethalt",
          "s_sendmsg",
          "s_sendmsghalt",
          "s_icache_inv",
          "s_incperflevel",
          "s_decperflevel",
          "s_ttracedata",
          "s_setkill"
        }) {
      define(name, (w, a, b) -> 0);
    }
    define("s_set_gpr_idx_on", (w, a, b) -> indexing(w, (int) a & 0xff, (int) b & 15));
    define("s_set_gpr_idx_off", (w, a, b) -> w.gprIndexMode = 0);
    define(
        "s_set_gpr_idx_idx", (w, a, b) -> w.sgpr[WaveState.M0] = w.m0() & ~0xff | (int) a & 0xff);
    define("s_set_gpr_idx_mode", (w, a, b) -> indexing(w, w.m0() & 0xff, (int) b & 15));
  }

  private static long indexing(WaveState w, int index, int mode) {
    w.gprIndexMode = mode;
    w.sgpr[WaveState.M0] = w.m0() & ~0xf0ff | index | mode << 12;
    return 0;
  }

  private static long end(WaveState w) {
    w.ended = true;
    return 0;
  }

  private static long jump(WaveState w, long target) {
    long next = w.pc;
    w.pc = target;
    return next;
  }

  private interface Taken {
    boolean test(WaveState w);
  }

  private void branch(String name, Taken taken) {
    define(
        name,
        (w, a, b) -> {
          if (taken.test(w)) {
            w.pc += 4 * b;
          }
          return 0;
        });
  }
}
