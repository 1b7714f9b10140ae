package dev.warpline.amd.exec;

import static dev.warpline.amd.exec.OperandType.B32;
import static dev.warpline.amd.exec.OperandType.B64;
import static dev.warpline.amd.exec.OperandType.F16;
import static dev.warpline.amd.exec.OperandType.F32;
import static dev.warpline.amd.exec.OperandType.F64;
import static dev.warpline.amd.exec.OperandType.I16;
import static dev.warpline.amd.exec.OperandType.I64;
import static dev.warpline.amd.exec.OperandType.NONE;
import static dev.warpline.amd.exec.OperandType.U16;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;

/** The arithmetic of the vector ALU: one line per opcode, by mnemonic without encoding suffix. */
final class VectorTable {
  private static final long U32 = 0xffffffffL;

  /**
   * 16-bit instructions new in gfx9 write one half of the register; the older ones clear the upper
   * half.
   */
  private static final Set<String> KEEP_HIGH_HALF =
      Set.of(
          "v_mad_f16",
          "v_mad_u16",
          "v_mad_i16",
          "v_fma_f16",
          "v_div_fixup_f16",
          "v_min3_f16",
          "v_min3_i16",
          "v_min3_u16",
          "v_max3_f16",
          "v_max3_i16",
          "v_max3_u16",
          "v_med3_f16",
          "v_med3_i16",
          "v_med3_u16",
          "v_add_i16",
          "v_sub_i16");

  private final Map<String, VectorFunction> functions = new HashMap<>();

  private VectorTable() {}

  static Map<String, VectorFunction> create() {
    VectorTable table = new VectorTable();
    table.moves();
    table.integers();
    table.shorts();
    table.wideIntegers();
    table.carries();
    table.bytes();
    table.singles();
    table.doubles();
    table.halves();
    table.conversions();
    table.division();
    table.dots();
    table.integerCompares();
    table.floatCompares();
    return Map.copyOf(table.functions);
  }

  // Registration

  private void define(
      String name, LaneMask mask, OperandType result, LaneLoop loop, OperandType... sources) {
    functions.put(
        name,
        new VectorFunction(result, sources, loop, null, null, mask, KEEP_HIGH_HALF.contains(name)));
  }

  private void define(String name, OperandType result, LaneLoop loop, OperandType... sources) {
    define(name, LaneMask.NONE, result, loop, sources);
  }

  private void i1(String name, OperandType result, OperandType a, IntUnaryOperator f) {
    define(name, result, LaneLoop.of(LaneLoop.I1.class, f), a);
  }

  private void i1(String name, IntUnaryOperator f) {
    i1(name, B32, B32, f);
  }

  private void i2(
      String name, OperandType result, OperandType a, OperandType b, IntBinaryOperator f) {
    define(name, result, LaneLoop.of(LaneLoop.I2.class, f), a, b);
  }

  private void i2(String name, IntBinaryOperator f) {
    i2(name, B32, B32, B32, f);
  }

  private void i3(
      String name,
      OperandType result,
      OperandType a,
      OperandType b,
      OperandType c,
      LaneLoop.Int3 f) {
    define(name, result, LaneLoop.of(LaneLoop.I3.class, f), a, b, c);
  }

  private void i3(String name, LaneLoop.Int3 f) {
    i3(name, B32, B32, B32, B32, f);
  }

  private void f1(String name, LaneLoop.Float1 f) {
    define(name, F32, LaneLoop.of(LaneLoop.F1.class, f), F32);
  }

  private void f2(String name, LaneLoop.Float2 f) {
    define(name, F32, LaneLoop.of(LaneLoop.F2.class, f), F32, F32);
  }

  private void f3(String name, LaneLoop.Float3 f) {
    define(name, F32, LaneLoop.of(LaneLoop.F3.class, f), F32, F32, F32);
  }

  private void d1(String name, DoubleUnaryOperator f) {
    define(name, F64, LaneLoop.of(LaneLoop.D1.class, f), F64);
  }

  private void d2(String name, DoubleBinaryOperator f) {
    define(name, F64, LaneLoop.of(LaneLoop.D2.class, f), F64, F64);
  }

  private void d3(String name, LaneLoop.Double3 f) {
    define(name, F64, LaneLoop.of(LaneLoop.D3.class, f), F64, F64, F64);
  }

  private void h1(String name, DoubleUnaryOperator f) {
    define(name, F16, LaneLoop.of(LaneLoop.H1.class, f), F16);
  }

  private void h2(String name, DoubleBinaryOperator f) {
    define(name, F16, LaneLoop.of(LaneLoop.H2.class, f), F16, F16);
  }

  private void h3(String name, LaneLoop.Double3 f) {
    define(name, F16, LaneLoop.of(LaneLoop.H3.class, f), F16, F16, F16);
  }

  private void whole(
      String name,
      LaneMask mask,
      OperandType result,
      LaneLoop.LaneTable f,
      OperandType... sources) {
    define(name, mask, result, new LaneLoop.Whole(f), sources);
  }

  /** Gives {@code name} the function of {@code other}. */
  private void alias(String name, String other) {
    functions.put(name, functions.get(other));
  }

  /** Adds what the opcodes compute exactly, for the other rounding modes. */
  private void exact(Rounding.Exact exact, String... names) {
    for (String name : names) {
      VectorFunction f = functions.get(name);
      functions.put(
          name,
          new VectorFunction(
              f.result(),
              f.sources(),
              f.loop(),
              f.saturating(),
              exact,
              f.mask(),
              f.keepsHighHalf()));
    }
  }

  /**
   * Adds the saturating form of a two-operand integer opcode: the exact result cut to [low, high].
   */
  private void saturating(String name, long low, long high, LongBinaryOperator f) {
    boolean unsigned = low == 0;
    IntBinaryOperator cut =
        unsigned
            ? (a, b) -> (int) Math.max(low, Math.min(high, f.applyAsLong(a & U32, b & U32)))
            : (a, b) -> (int) Math.max(low, Math.min(high, f.applyAsLong(a, b)));
    saturating(name, LaneLoop.of(LaneLoop.I2.class, cut));
  }

  private void saturating(String name, LaneLoop loop) {
    VectorFunction f = functions.get(name);
    functions.put(
        name,
        new VectorFunction(
            f.result(), f.sources(), f.loop(), loop, f.exact(), f.mask(), f.keepsHighHalf()));
  }

  // Opcodes

  private void moves() {
    i1("v_mov_b32", a -> a);
    alias("v_accvgpr_read_b32", "v_mov_b32");
    alias("v_accvgpr_write_b32", "v_mov_b32");
    alias("v_accvgpr_mov_b32", "v_mov_b32");
    define(
        "v_mov_b64",
        B64,
        LaneLoop.of(LaneLoop.L1.class, (java.util.function.LongUnaryOperator) a -> a),
        B64);
    whole(
        "v_cndmask_b32",
        LaneMask.IN_SOURCE2,
        B32,
        x -> {
          int[] a = x.a;
          int[] b = x.b;
          long mask = x.maskIn;
          for (int i = 0; i < 64; i++) {
            x.r[i] = (mask >>> i & 1) != 0 ? b[i] : a[i];
          }
        },
        B32,
        B32);
  }

  private void integers() {
    i2("v_add_u32", (a, b) -> a + b);
    i2("v_sub_u32", (a, b) -> a - b);
    i2("v_subrev_u32", (a, b) -> b - a);
    i2("v_add_i32", (a, b) -> a + b);
    i2("v_sub_i32", (a, b) -> a - b);
    saturating("v_add_u32", 0, U32, Long::sum);
    saturating("v_sub_u32", 0, U32, (a, b) -> a - b);
    saturating("v_subrev_u32", 0, U32, (a, b) -> b - a);
    saturating("v_add_i32", Integer.MIN_VALUE, Integer.MAX_VALUE, Long::sum);
    saturating("v_sub_i32", Integer.MIN_VALUE, Integer.MAX_VALUE, (a, b) -> a - b);
    i2("v_mul_lo_u32", (a, b) -> a * b);
    i2("v_mul_hi_u32", (a, b) -> (int) ((a & U32) * (b & U32) >>> 32));
    i2("v_mul_hi_i32", (a, b) -> (int) ((long) a * b >> 32));
    i2("v_mul_u32_u24", (a, b) -> (a & 0xffffff) * (b & 0xffffff));
    i2("v_mul_i32_i24", (a, b) -> (a << 8 >> 8) * (b << 8 >> 8));
    i2("v_mul_hi_u32_u24", (a, b) -> (int) ((long) (a & 0xffffff) * (b & 0xffffff) >>> 32));
    i2("v_mul_hi_i32_i24", (a, b) -> (int) ((long) (a << 8 >> 8) * (b << 8 >> 8) >> 32));
    i3("v_mad_u32_u24", (a, b, c) -> (a & 0xffffff) * (b & 0xffffff) + c);
    i3("v_mad_i32_i24", (a, b, c) -> (a << 8 >> 8) * (b << 8 >> 8) + c);
    i3("v_mad_u32_u16", B32, U16, U16, B32, (a, b, c) -> a * b + c);
    i3("v_mad_i32_i16", B32, I16, I16, B32, (a, b, c) -> a * b + c);
    i2("v_and_b32", (a, b) -> a & b);
    i2("v_or_b32", (a, b) -> a | b);
    i2("v_xor_b32", (a, b) -> a ^ b);
    i2("v_xnor_b32", (a, b) -> ~(a ^ b));
    i1("v_not_b32", a -> ~a);
    i2("v_lshlrev_b32", (a, b) -> b << a);
    i2("v_lshrrev_b32", (a, b) -> b >>> a);
    i2("v_ashrrev_i32", (a, b) -> b >> a);
    i2("v_min_i32", Math::min);
    i2("v_max_i32", Math::max);
    i2("v_min_u32", VectorTable::minUnsigned);
    i2("v_max_u32", VectorTable::maxUnsigned);
    i3("v_min3_i32", (a, b, c) -> Math.min(Math.min(a, b), c));
    i3("v_max3_i32", (a, b, c) -> Math.max(Math.max(a, b), c));
    i3("v_med3_i32", VectorTable::median);
    i3("v_min3_u32", (a, b, c) -> minUnsigned(minUnsigned(a, b), c));
    i3("v_max3_u32", (a, b, c) -> maxUnsigned(maxUnsigned(a, b), c));
    i3(
        "v_med3_u32",
        (a, b, c) -> median(a ^ 0x80000000, b ^ 0x80000000, c ^ 0x80000000) ^ 0x80000000);
    i3("v_bfe_u32", (a, b, c) -> a >>> b & (1 << c) - 1);
    i3("v_bfe_i32", (a, b, c) -> (c & 31) == 0 ? 0 : signExtend(a >> b, c & 31));
    i3("v_bfi_b32", (a, b, c) -> a & b | ~a & c);
    i2("v_bfm_b32", (a, b) -> (1 << a) - 1 << b);
    i3("v_alignbit_b32", (a, b, c) -> (int) (((long) a << 32 | b & U32) >>> (c & 31)));
    i3("v_alignbyte_b32", (a, b, c) -> (int) (((long) a << 32 | b & U32) >>> 8 * (c & 3)));
    i3("v_perm_b32", VectorTable::permuteBytes);
    i3("v_lshl_add_u32", (a, b, c) -> (a << b) + c);
    i3("v_add_lshl_u32", (a, b, c) -> a + b << c);
    i3("v_add3_u32", (a, b, c) -> a + b + c);
    i3("v_lshl_or_b32", (a, b, c) -> a << b | c);
    i3("v_and_or_b32", (a, b, c) -> a & b | c);
    i3("v_or3_b32", (a, b, c) -> a | b | c);
    i3("v_xad_u32", (a, b, c) -> (a ^ b) + c);
    i1("v_bfrev_b32", Integer::reverse);
    i1("v_ffbh_u32", a -> a == 0 ? -1 : Integer.numberOfLeadingZeros(a));
    i1("v_ffbl_b32", a -> a == 0 ? -1 : Integer.numberOfTrailingZeros(a));
    i1("v_ffbh_i32", VectorTable::leadingSignBits);
    i2("v_bcnt_u32_b32", (a, b) -> Integer.bitCount(a) + b);
    whole(
        "v_mbcnt_lo_u32_b32",
        LaneMask.NONE,
        B32,
        x -> {
          for (int i = 0; i < 64; i++) {
            x.r[i] = Integer.bitCount(i < 32 ? x.a[i] & (1 << i) - 1 : x.a[i]) + x.b[i];
          }
        },
        B32,
        B32);
    whole(
        "v_mbcnt_hi_u32_b32",
        LaneMask.NONE,
        B32,
        x -> {
          for (int i = 0; i < 64; i++) {
            x.r[i] = (i < 32 ? 0 : Integer.bitCount(x.a[i] & (1 << i - 32) - 1)) + x.b[i];
          }
        },
        B32,
        B32);
  }

  private void shorts() {
    i2("v_add_u16", U16, U16, U16, (a, b) -> a + b);
    i2("v_sub_u16", U16, U16, U16, (a, b) -> a - b);
    i2("v_subrev_u16", U16, U16, U16, (a, b) -> b - a);
    i2("v_add_i16", I16, I16, I16, (a, b) -> a + b);
    i2("v_sub_i16", I16, I16, I16, (a, b) -> a - b);
    saturating("v_add_u16", 0, 0xffff, Long::sum);
    saturating("v_sub_u16", 0, 0xffff, (a, b) -> a - b);
    saturating("v_subrev_u16", 0, 0xffff, (a, b) -> b - a);
    saturating("v_add_i16", Short.MIN_VALUE, Short.MAX_VALUE, Long::sum);
    saturating("v_sub_i16", Short.MIN_VALUE, Short.MAX_VALUE, (a, b) -> a - b);
    i2("v_mul_lo_u16", U16, U16, U16, (a, b) -> a * b);
    i3("v_mad_u16", U16, U16, U16, U16, (a, b, c) -> a * b + c);
    i3("v_mad_i16", I16, I16, I16, I16, (a, b, c) -> a * b + c);
    i3("v_mad_legacy_u16", U16, U16, U16, U16, (a, b, c) -> a * b + c);
    i3("v_mad_legacy_i16", I16, I16, I16, I16, (a, b, c) -> a * b + c);
    i2("v_lshlrev_b16", U16, U16, U16, (a, b) -> b << (a & 15));
    i2("v_lshrrev_b16", U16, U16, U16, (a, b) -> b >>> (a & 15));
    i2("v_ashrrev_i16", I16, U16, I16, (a, b) -> b >> (a & 15));
    i2("v_min_u16", U16, U16, U16, Math::min);
    i2("v_max_u16", U16, U16, U16, Math::max);
    i2("v_min_i16", I16, I16, I16, Math::min);
    i2("v_max_i16", I16, I16, I16, Math::max);
    i3("v_min3_i16", I16, I16, I16, I16, (a, b, c) -> Math.min(Math.min(a, b), c));
    i3("v_max3_i16", I16, I16, I16, I16, (a, b, c) -> Math.max(Math.max(a, b), c));
    i3("v_med3_i16", I16, I16, I16, I16, VectorTable::median);
    i3("v_min3_u16", U16, U16, U16, U16, (a, b, c) -> Math.min(Math.min(a, b), c));
    i3("v_max3_u16", U16, U16, U16, U16, (a, b, c) -> Math.max(Math.max(a, b), c));
    i3("v_med3_u16", U16, U16, U16, U16, VectorTable::median);
    // packed instructions compute each half with these
    alias("v_pk_add_u16", "v_add_u16");
    alias("v_pk_sub_u16", "v_sub_u16");
    alias("v_pk_add_i16", "v_add_i16");
    alias("v_pk_sub_i16", "v_sub_i16");
    alias("v_pk_mul_lo_u16", "v_mul_lo_u16");
    alias("v_pk_mad_u16", "v_mad_u16");
    alias("v_pk_mad_i16", "v_mad_i16");
    alias("v_pk_lshlrev_b16", "v_lshlrev_b16");
    alias("v_pk_lshrrev_b16", "v_lshrrev_b16");
    alias("v_pk_ashrrev_i16", "v_ashrrev_i16");
    alias("v_pk_min_u16", "v_min_u16");
    alias("v_pk_max_u16", "v_max_u16");
    alias("v_pk_min_i16", "v_min_i16");
    alias("v_pk_max_i16", "v_max_i16");
  }

  private void wideIntegers() {
    LaneLoop.IntLongToLong left = (a, b) -> b << a;
    LaneLoop.IntLongToLong right = (a, b) -> b >>> a;
    LaneLoop.IntLongToLong arithmetic = (a, b) -> b >> a;
    define("v_lshlrev_b64", B64, LaneLoop.of(LaneLoop.IntLong.class, left), B32, B64);
    define("v_lshrrev_b64", B64, LaneLoop.of(LaneLoop.IntLong.class, right), B32, B64);
    define("v_ashrrev_i64", B64, LaneLoop.of(LaneLoop.IntLong.class, arithmetic), B32, B64);
    LaneLoop.LongIntLongToLong shiftAdd = (a, b, c) -> (a << (b & 7)) + c;
    define("v_lshl_add_u64", B64, LaneLoop.of(LaneLoop.LongIntLong.class, shiftAdd), B64, B32, B64);
    whole(
        "v_mad_u64_u32",
        LaneMask.OUT,
        B64,
        x -> {
          long carry = 0;
          for (int i = 0; i < 64; i++) {
            long product = (x.a[i] & U32) * (x.b[i] & U32);
            long sum = product + x.lc[i];
            x.lr[i] = sum;
            carry |= (Long.compareUnsigned(sum, product) < 0 ? 1L : 0L) << i;
          }
          x.maskOut = carry;
        },
        B32,
        B32,
        B64);
    whole(
        "v_mad_i64_i32",
        LaneMask.OUT,
        B64,
        x -> {
          long overflow = 0;
          for (int i = 0; i < 64; i++) {
            long product = (long) x.a[i] * x.b[i];
            long sum = product + x.lc[i];
            x.lr[i] = sum;
            overflow |= (((product ^ sum) & (x.lc[i] ^ sum)) >>> 63) << i;
          }
          x.maskOut = overflow;
        },
        B32,
        B32,
        B64);
  }

  private void carries() {
    carry("v_add_co_u32", LaneMask.OUT, (a, b, c) -> a + b);
    carry("v_sub_co_u32", LaneMask.OUT, (a, b, c) -> a - b);
    carry("v_subrev_co_u32", LaneMask.OUT, (a, b, c) -> b - a);
    carry("v_addc_co_u32", LaneMask.IN_SOURCE2_OUT, (a, b, c) -> a + b + c);
    carry("v_subb_co_u32", LaneMask.IN_SOURCE2_OUT, (a, b, c) -> a - b - c);
    carry("v_subbrev_co_u32", LaneMask.IN_SOURCE2_OUT, (a, b, c) -> b - a - c);
  }

  private void carry(String name, LaneMask mask, LaneLoop.Carry f) {
    define(name, mask, B32, LaneLoop.of(LaneLoop.AddCarry.class, f), B32, B32);
  }

  private void bytes() {
    i3("v_sad_u8", (a, b, c) -> sumOfDifferences(a, b, false) + c);
    i3("v_sad_hi_u8", (a, b, c) -> (sumOfDifferences(a, b, false) << 16) + c);
    i3("v_msad_u8", (a, b, c) -> sumOfDifferences(a, b, true) + c);
    i3(
        "v_sad_u16",
        (a, b, c) -> Math.abs((a & 0xffff) - (b & 0xffff)) + Math.abs((a >>> 16) - (b >>> 16)) + c);
    i3("v_sad_u32", (a, b, c) -> maxUnsigned(a, b) - minUnsigned(a, b) + c);
    i3("v_lerp_u8", VectorTable::averageBytes);
    whole("v_qsad_pk_u16_u8", LaneMask.NONE, B64, x -> quadDifferences(x, false), B64, B32, B64);
    whole("v_mqsad_pk_u16_u8", LaneMask.NONE, B64, x -> quadDifferences(x, true), B64, B32, B64);
    i1("v_sat_pk_u8_i16", a -> clampByte((short) a) | clampByte(a >> 16) << 8);
  }

  private void singles() {
    f2("v_add_f32", Float::sum);
    f2("v_sub_f32", (a, b) -> a - b);
    f2("v_subrev_f32", (a, b) -> b - a);
    f2("v_mul_f32", (a, b) -> a * b);
    f2("v_mul_legacy_f32", (a, b) -> a == 0 || b == 0 ? 0 : a * b);
    f3("v_fma_f32", Math::fma);
    alias("v_fmac_f32", "v_fma_f32");
    alias("v_fmamk_f32", "v_fma_f32");
    alias("v_fmaak_f32", "v_fma_f32");
    // the unfused forms flush denormals whatever MODE says
    f3("v_mad_f32", (a, b, c) -> flush(flush(flush(a) * flush(b)) + flush(c)));
    alias("v_mac_f32", "v_mad_f32");
    alias("v_madmk_f32", "v_mad_f32");
    alias("v_madak_f32", "v_mad_f32");
    f3(
        "v_mad_legacy_f32",
        (a, b, c) -> flush((a == 0 || b == 0 ? 0 : flush(flush(a) * flush(b))) + flush(c)));
    alias("v_pk_add_f32", "v_add_f32");
    alias("v_pk_mul_f32", "v_mul_f32");
    alias("v_pk_fma_f32", "v_fma_f32");
    i2("v_min_f32", F32, F32, F32, FloatMath::min);
    i2("v_max_f32", F32, F32, F32, FloatMath::max);
    i3("v_min3_f32", F32, F32, F32, F32, (a, b, c) -> FloatMath.min(FloatMath.min(a, b), c));
    i3("v_max3_f32", F32, F32, F32, F32, (a, b, c) -> FloatMath.max(FloatMath.max(a, b), c));
    i3("v_med3_f32", F32, F32, F32, F32, FloatMath::med3);
    f1("v_rcp_f32", a -> 1 / a);
    alias("v_rcp_iflag_f32", "v_rcp_f32");
    f1("v_rsq_f32", a -> (float) (1 / Math.sqrt(flush(a))));
    f1("v_sqrt_f32", a -> (float) Math.sqrt(flush(a)));
    f1("v_exp_f32", a -> flush((float) Transcendental.exp2(flush(a))));
    f1("v_log_f32", a -> (float) Transcendental.log2(flush(a)));
    alias("v_exp_legacy_f32", "v_exp_f32");
    alias("v_log_legacy_f32", "v_log_f32");
    f1("v_sin_f32", a -> (float) Transcendental.sinRevolutions(a));
    f1("v_cos_f32", a -> (float) Transcendental.cosRevolutions(a));
    f1("v_rndne_f32", a -> (float) Math.rint(a));
    f1("v_trunc_f32", a -> (float) truncate(a));
    f1("v_floor_f32", a -> (float) Math.floor(a));
    f1("v_ceil_f32", a -> (float) Math.ceil(a));
    f1("v_fract_f32", FloatMath::fract);
    i1("v_frexp_exp_i32_f32", B32, F32, a -> FloatMath.frexpExponent(Float.intBitsToFloat(a)));
    f1("v_frexp_mant_f32", a -> (float) FloatMath.frexpMantissa(a));
    i2(
        "v_ldexp_f32",
        F32,
        F32,
        B32,
        (a, b) -> FloatMath.isNan(a) ? a | 0x400000 : bits(Math.scalb(Float.intBitsToFloat(a), b)));
    exact(Rounding.add(), "v_add_f32", "v_pk_add_f32");
    exact(Rounding.subtract(), "v_sub_f32");
    exact(Rounding.subtractReversed(), "v_subrev_f32");
    exact(Rounding.multiply(), "v_mul_f32", "v_pk_mul_f32");
    exact(Rounding.fma(), "v_fma_f32", "v_fmac_f32", "v_fmamk_f32", "v_fmaak_f32", "v_pk_fma_f32");
    cubes();
  }

  /** Cube-map face selection: the axis of the largest magnitude, z before y before x in ties. */
  private void cubes() {
    f3(
        "v_cubeid_f32",
        (x, y, z) ->
            largest(x, y, z) == 2
                ? (z < 0 ? 5 : 4)
                : largest(x, y, z) == 1 ? (y < 0 ? 3 : 2) : x < 0 ? 1 : 0);
    f3(
        "v_cubesc_f32",
        (x, y, z) ->
            largest(x, y, z) == 2 ? (z < 0 ? -x : x) : largest(x, y, z) == 1 ? x : x < 0 ? z : -z);
    f3("v_cubetc_f32", (x, y, z) -> largest(x, y, z) == 1 ? (y < 0 ? -z : z) : -y);
    f3(
        "v_cubema_f32",
        (x, y, z) -> 2 * (largest(x, y, z) == 2 ? z : largest(x, y, z) == 1 ? y : x));
  }

  private void doubles() {
    d2("v_add_f64", Double::sum);
    d2("v_mul_f64", (a, b) -> a * b);
    d3("v_fma_f64", Math::fma);
    alias("v_fmac_f64", "v_fma_f64");
    LongBinaryOperator min = FloatMath::min;
    LongBinaryOperator max = FloatMath::max;
    define("v_min_f64", F64, LaneLoop.of(LaneLoop.L2.class, min), F64, F64);
    define("v_max_f64", F64, LaneLoop.of(LaneLoop.L2.class, max), F64, F64);
    d1("v_rcp_f64", a -> 1 / a);
    d1("v_rsq_f64", a -> 1 / Math.sqrt(a));
    d1("v_sqrt_f64", Math::sqrt);
    d1("v_rndne_f64", Math::rint);
    d1("v_floor_f64", Math::floor);
    d1("v_ceil_f64", Math::ceil);
    d1("v_trunc_f64", VectorTable::truncate);
    d1("v_fract_f64", FloatMath::fract);
    d1("v_frexp_mant_f64", FloatMath::frexpMantissa);
    LaneLoop.LongToInt exponent = a -> FloatMath.frexpExponent(Double.longBitsToDouble(a));
    define("v_frexp_exp_i32_f64", B32, LaneLoop.of(LaneLoop.Narrow.class, exponent), F64);
    LaneLoop.LongIntToLong ldexp =
        (a, b) ->
            FloatMath.isNan(a)
                ? a | 1L << 51
                : Double.doubleToRawLongBits(Math.scalb(Double.longBitsToDouble(a), b));
    define("v_ldexp_f64", F64, LaneLoop.of(LaneLoop.LongInt.class, ldexp), F64, B32);
    LaneLoop.LongIntToLong preop =
        (a, b) ->
            Double.doubleToRawLongBits(Transcendental.trigPreop(Double.longBitsToDouble(a), b));
    define("v_trig_preop_f64", F64, LaneLoop.of(LaneLoop.LongInt.class, preop), F64, B32);
    exact(Rounding.add(), "v_add_f64");
    exact(Rounding.multiply(), "v_mul_f64");
    exact(Rounding.fma(), "v_fma_f64", "v_fmac_f64");
  }

  private void halves() {
    h2("v_add_f16", Double::sum);
    h2("v_sub_f16", (a, b) -> a - b);
    h2("v_subrev_f16", (a, b) -> b - a);
    h2("v_mul_f16", (a, b) -> a * b);
    h3(
        "v_fma_f16",
        (a, b, c) -> a * b + c); // both steps exact in double wherever the result is finite
    h3("v_fma_legacy_f16", (a, b, c) -> a * b + c);
    h3("v_mad_f16", (a, b, c) -> Half.toFloat(Half.fromDouble(a * b)) + c);
    h3("v_mad_legacy_f16", (a, b, c) -> Half.toFloat(Half.fromDouble(a * b)) + c);
    alias("v_mac_f16", "v_mad_legacy_f16");
    alias("v_madmk_f16", "v_mad_legacy_f16");
    alias("v_madak_f16", "v_mad_legacy_f16");
    i2("v_min_f16", F16, F16, F16, FloatMath::minHalf);
    i2("v_max_f16", F16, F16, F16, FloatMath::maxHalf);
    i3(
        "v_min3_f16",
        F16,
        F16,
        F16,
        F16,
        (a, b, c) -> FloatMath.minHalf(FloatMath.minHalf(a, b), c));
    i3(
        "v_max3_f16",
        F16,
        F16,
        F16,
        F16,
        (a, b, c) -> FloatMath.maxHalf(FloatMath.maxHalf(a, b), c));
    i3("v_med3_f16", F16, F16, F16, F16, FloatMath::med3Half);
    alias("v_pk_add_f16", "v_add_f16");
    alias("v_pk_mul_f16", "v_mul_f16");
    alias("v_pk_fma_f16", "v_fma_f16");
    alias("v_pk_fmac_f16", "v_fma_f16");
    alias("v_pk_min_f16", "v_min_f16");
    alias("v_pk_max_f16", "v_max_f16");
    h1("v_rcp_f16", a -> 1 / a);
    h1("v_rsq_f16", a -> 1 / Math.sqrt(a));
    h1("v_sqrt_f16", Math::sqrt);
    h1("v_exp_f16", Transcendental::exp2);
    h1("v_log_f16", Transcendental::log2);
    h1("v_sin_f16", Transcendental::sinRevolutions);
    h1("v_cos_f16", Transcendental::cosRevolutions);
    h1("v_rndne_f16", Math::rint);
    h1("v_floor_f16", Math::floor);
    h1("v_ceil_f16", Math::ceil);
    h1("v_trunc_f16", VectorTable::truncate);
    h1("v_fract_f16", a -> Math.min(a - Math.floor(a), 0x1.ffcp-1));
    h1("v_frexp_mant_f16", FloatMath::frexpMantissa);
    i1("v_frexp_exp_i16_f16", I16, F16, a -> FloatMath.frexpExponent(Half.toFloat(a)));
    i2(
        "v_ldexp_f16",
        F16,
        F16,
        I16,
        (a, b) ->
            FloatMath.isNanHalf(a)
                ? (a | 0x200) & 0xffff
                : Half.fromDouble(Math.scalb((double) Half.toFloat(a), b)));
    i2("v_pack_b32_f16", B32, F16, F16, (a, b) -> a & 0xffff | b << 16);
    exact(Rounding.add(), "v_add_f16", "v_pk_add_f16");
    exact(Rounding.subtract(), "v_sub_f16");
    exact(Rounding.subtractReversed(), "v_subrev_f16");
    exact(Rounding.multiply(), "v_mul_f16", "v_pk_mul_f16");
    exact(Rounding.fma(), "v_fma_f16", "v_fma_legacy_f16", "v_pk_fma_f16", "v_pk_fmac_f16");
  }

  private void conversions() {
    i1("v_cvt_f32_i32", F32, B32, a -> bits((float) a));
    i1("v_cvt_f32_u32", F32, B32, a -> bits((float) (a & U32)));
    i1("v_cvt_i32_f32", B32, F32, a -> (int) Float.intBitsToFloat(a));
    i1("v_cvt_u32_f32", B32, F32, a -> saturatedUnsigned(Float.intBitsToFloat(a)));
    i1("v_cvt_rpi_i32_f32", B32, F32, a -> (int) Math.floor(Float.intBitsToFloat(a) + 0.5));
    i1("v_cvt_flr_i32_f32", B32, F32, a -> (int) Math.floor(Float.intBitsToFloat(a)));
    i1("v_cvt_off_f32_i4", F32, B32, a -> bits((a << 28 >> 28) / 16f));
    i1("v_cvt_f32_ubyte0", F32, B32, a -> bits(a & 0xff));
    i1("v_cvt_f32_ubyte1", F32, B32, a -> bits(a >>> 8 & 0xff));
    i1("v_cvt_f32_ubyte2", F32, B32, a -> bits(a >>> 16 & 0xff));
    i1("v_cvt_f32_ubyte3", F32, B32, a -> bits(a >>> 24));
    i1("v_cvt_f16_f32", F16, F32, a -> Half.fromFloat(Float.intBitsToFloat(a)));
    i1(
        "v_cvt_f32_f16",
        F32,
        F16,
        a -> bits(Half.toFloat(a)) | (FloatMath.isNanHalf(a) ? 0x400000 : 0));
    LaneLoop.LongToInt single = VectorTable::toSingle;
    define("v_cvt_f32_f64", F32, LaneLoop.of(LaneLoop.Narrow.class, single), F64);
    LaneLoop.IntToLong wide = VectorTable::toDouble;
    define("v_cvt_f64_f32", F64, LaneLoop.of(LaneLoop.Widen.class, wide), F32);
    LaneLoop.IntToLong fromSigned = a -> Double.doubleToRawLongBits(a);
    define("v_cvt_f64_i32", F64, LaneLoop.of(LaneLoop.Widen.class, fromSigned), B32);
    LaneLoop.IntToLong fromUnsigned = a -> Double.doubleToRawLongBits((double) (a & U32));
    define("v_cvt_f64_u32", F64, LaneLoop.of(LaneLoop.Widen.class, fromUnsigned), B32);
    LaneLoop.LongToInt toSigned = a -> (int) Double.longBitsToDouble(a);
    define("v_cvt_i32_f64", B32, LaneLoop.of(LaneLoop.Narrow.class, toSigned), F64);
    LaneLoop.LongToInt toUnsigned = a -> saturatedUnsigned(Double.longBitsToDouble(a));
    define("v_cvt_u32_f64", B32, LaneLoop.of(LaneLoop.Narrow.class, toUnsigned), F64);
    i1("v_cvt_f16_u16", F16, U16, Half::fromDouble);
    i1("v_cvt_f16_i16", F16, I16, Half::fromDouble);
    i1("v_cvt_u16_f16", U16, F16, a -> Math.max(0, Math.min(0xffff, (int) Half.toFloat(a))));
    i1("v_cvt_i16_f16", I16, F16, a -> Math.max(-0x8000, Math.min(0x7fff, (int) Half.toFloat(a))));
    i1("v_cvt_norm_i16_f16", I16, F16, a -> signedNorm(Half.toFloat(a)));
    i1("v_cvt_norm_u16_f16", U16, F16, a -> unsignedNorm(Half.toFloat(a)));
    i2(
        "v_cvt_pknorm_i16_f32",
        B32,
        F32,
        F32,
        (a, b) -> pack(signedNorm(Float.intBitsToFloat(a)), signedNorm(Float.intBitsToFloat(b))));
    i2(
        "v_cvt_pknorm_u16_f32",
        B32,
        F32,
        F32,
        (a, b) ->
            pack(unsignedNorm(Float.intBitsToFloat(a)), unsignedNorm(Float.intBitsToFloat(b))));
    i2(
        "v_cvt_pknorm_i16_f16",
        B32,
        F16,
        F16,
        (a, b) -> pack(signedNorm(Half.toFloat(a)), signedNorm(Half.toFloat(b))));
    i2(
        "v_cvt_pknorm_u16_f16",
        B32,
        F16,
        F16,
        (a, b) -> pack(unsignedNorm(Half.toFloat(a)), unsignedNorm(Half.toFloat(b))));
    i2(
        "v_cvt_pkrtz_f16_f32",
        B32,
        F32,
        F32,
        (a, b) ->
            pack(
                Half.fromFloatTowardsZero(Float.intBitsToFloat(a)),
                Half.fromFloatTowardsZero(Float.intBitsToFloat(b))));
    i2("v_cvt_pk_u16_u32", (a, b) -> pack(minUnsigned(a, 0xffff), minUnsigned(b, 0xffff)));
    i2(
        "v_cvt_pk_i16_i32",
        (a, b) ->
            pack(Math.max(-0x8000, Math.min(0x7fff, a)), Math.max(-0x8000, Math.min(0x7fff, b))));
    i3(
        "v_cvt_pk_u8_f32",
        B32,
        F32,
        B32,
        B32,
        (a, b, c) -> {
          int shift = 8 * (b & 3);
          int value = Math.max(0, Math.min(255, (int) Math.rint(Float.intBitsToFloat(a))));
          return c & ~(0xff << shift) | value << shift;
        });
    i1("v_cvt_f32_fp8", F32, B32, a -> bits(Half.fp8ToFloat(a)));
    i1("v_cvt_f32_bf8", F32, B32, a -> bits(Half.bf8ToFloat(a)));
    LaneLoop.IntToLong twoFp8 =
        a -> bits(Half.fp8ToFloat(a)) & U32 | (long) bits(Half.fp8ToFloat(a >> 8)) << 32;
    define("v_cvt_pk_f32_fp8", B64, LaneLoop.of(LaneLoop.Widen.class, twoFp8), B32);
    LaneLoop.IntToLong twoBf8 =
        a -> bits(Half.bf8ToFloat(a)) & U32 | (long) bits(Half.bf8ToFloat(a >> 8)) << 32;
    define("v_cvt_pk_f32_bf8", B64, LaneLoop.of(LaneLoop.Widen.class, twoBf8), B32);
    exact(
        Rounding.same(),
        "v_cvt_f16_f32",
        "v_cvt_f32_f64",
        "v_cvt_f32_i32",
        "v_cvt_f32_u32",
        "v_cvt_f16_u16",
        "v_cvt_f16_i16");
  }

  private void division() {
    whole(
        "v_div_scale_f32",
        LaneMask.OUT,
        F32,
        x -> {
          long mask = 0;
          for (int i = 0; i < 64; i++) {
            float d = Float.intBitsToFloat(x.b[i]);
            float n = Float.intBitsToFloat(x.c[i]);
            x.r[i] = bits(FloatMath.divScale(Float.intBitsToFloat(x.a[i]), d, n));
            mask |= (FloatMath.divScaleCondition(d, n) ? 1L : 0L) << i;
          }
          x.maskOut = mask;
        },
        F32,
        F32,
        F32);
    whole(
        "v_div_scale_f64",
        LaneMask.OUT,
        F64,
        x -> {
          long mask = 0;
          for (int i = 0; i < 64; i++) {
            double d = Double.longBitsToDouble(x.lb[i]);
            double n = Double.longBitsToDouble(x.lc[i]);
            x.lr[i] =
                Double.doubleToLongBits(FloatMath.divScale(Double.longBitsToDouble(x.la[i]), d, n));
            mask |= (FloatMath.divScaleCondition(d, n) ? 1L : 0L) << i;
          }
          x.maskOut = mask;
        },
        F64,
        F64,
        F64);
    whole(
        "v_div_fmas_f32",
        LaneMask.IN_VCC,
        F32,
        x -> {
          for (int i = 0; i < 64; i++) {
            float q =
                FloatMath.divFmas(
                    Float.intBitsToFloat(x.a[i]),
                    Float.intBitsToFloat(x.b[i]),
                    Float.intBitsToFloat(x.c[i]),
                    (x.maskIn >>> i & 1) != 0);
            x.r[i] = q == q ? bits(q) : LaneLoop.nan(x.a[i], x.b[i], x.c[i]);
          }
        },
        F32,
        F32,
        F32);
    whole(
        "v_div_fmas_f64",
        LaneMask.IN_VCC,
        F64,
        x -> {
          for (int i = 0; i < 64; i++) {
            double q =
                FloatMath.divFmas(
                    Double.longBitsToDouble(x.la[i]),
                    Double.longBitsToDouble(x.lb[i]),
                    Double.longBitsToDouble(x.lc[i]),
                    (x.maskIn >>> i & 1) != 0);
            x.lr[i] =
                q == q ? Double.doubleToRawLongBits(q) : LaneLoop.nan(x.la[i], x.lb[i], x.lc[i]);
          }
        },
        F64,
        F64,
        F64);
    i3("v_div_fixup_f32", F32, F32, F32, F32, FloatMath::divFixup);
    LaneLoop.Long3 fixup = FloatMath::divFixup;
    define("v_div_fixup_f64", F64, LaneLoop.of(LaneLoop.L3.class, fixup), F64, F64, F64);
    i3("v_div_fixup_f16", F16, F16, F16, F16, FloatMath::divFixupHalf);
    i3("v_div_fixup_legacy_f16", F16, F16, F16, F16, FloatMath::divFixupHalf);
  }

  /** Dot products; the f16 one adds both exact products and the addend, rounding once. */
  private void dots() {
    i3(
        "v_dot2_f32_f16",
        F32,
        B32,
        B32,
        F32,
        (a, b, c) ->
            bits(
                (float)
                    ((double) Half.toFloat(a) * Half.toFloat(b)
                        + (double) Half.toFloat(a >>> 16) * Half.toFloat(b >>> 16)
                        + Float.intBitsToFloat(c))));
    alias("v_dot2c_f32_f16", "v_dot2_f32_f16");
    i3("v_dot2_i32_i16", (a, b, c) -> (short) a * (short) b + (a >> 16) * (b >> 16) + c);
    i3("v_dot2_u32_u16", (a, b, c) -> (a & 0xffff) * (b & 0xffff) + (a >>> 16) * (b >>> 16) + c);
    i3("v_dot4_i32_i8", (a, b, c) -> dot(a, b, 8, true) + c);
    i3("v_dot4_u32_u8", (a, b, c) -> dot(a, b, 8, false) + c);
    i3("v_dot8_i32_i4", (a, b, c) -> dot(a, b, 4, true) + c);
    i3("v_dot8_u32_u4", (a, b, c) -> dot(a, b, 4, false) + c);
    alias("v_dot2c_i32_i16", "v_dot2_i32_i16");
    alias("v_dot4c_i32_i8", "v_dot4_i32_i8");
    alias("v_dot8c_i32_i4", "v_dot8_i32_i4");
  }

  private void integerCompares() {
    Map<String, LaneLoop.IntTest> signed =
        Map.of(
            "f", (a, b) -> false,
            "lt", (a, b) -> a < b,
            "eq", (a, b) -> a == b,
            "le", (a, b) -> a <= b,
            "gt", (a, b) -> a > b,
            "ne", (a, b) -> a != b,
            "ge", (a, b) -> a >= b,
            "t", (a, b) -> true);
    Map<String, LaneLoop.LongTest> wide =
        Map.of(
            "f", (a, b) -> false,
            "lt", (a, b) -> a < b,
            "eq", (a, b) -> a == b,
            "le", (a, b) -> a <= b,
            "gt", (a, b) -> a > b,
            "ne", (a, b) -> a != b,
            "ge", (a, b) -> a >= b,
            "t", (a, b) -> true);
    for (String cond : signed.keySet()) {
      LaneLoop.IntTest test = signed.get(cond);
      LaneLoop.LongTest wideTest = wide.get(cond);
      compare(cond + "_i16", LaneLoop.of(LaneLoop.TestInt.class, test), I16, I16);
      compare(cond + "_u16", LaneLoop.of(LaneLoop.TestInt.class, test), U16, U16);
      compare(cond + "_i32", LaneLoop.of(LaneLoop.TestInt.class, test), B32, B32);
      compare(cond + "_i64", LaneLoop.of(LaneLoop.TestLong.class, wideTest), I64, I64);
      // unsigned order is signed order with the top bit flipped
      LaneLoop.IntTest unsigned = (a, b) -> test.test(a ^ 0x80000000, b ^ 0x80000000);
      compare(cond + "_u32", LaneLoop.of(LaneLoop.TestInt.class, unsigned), B32, B32);
      LaneLoop.LongTest wideUnsigned =
          (a, b) -> wideTest.test(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE);
      compare(cond + "_u64", LaneLoop.of(LaneLoop.TestLong.class, wideUnsigned), B64, B64);
    }
  }

  private void floatCompares() {
    Map<String, LaneLoop.FloatTest> single = new HashMap<>();
    single.put("f", (a, b) -> false);
    single.put("lt", (a, b) -> a < b);
    single.put("eq", (a, b) -> a == b);
    single.put("le", (a, b) -> a <= b);
    single.put("gt", (a, b) -> a > b);
    single.put("lg", (a, b) -> a < b || a > b);
    single.put("ge", (a, b) -> a >= b);
    single.put("o", (a, b) -> a == a && b == b);
    single.put("u", (a, b) -> a != a || b != b);
    single.put("nge", (a, b) -> !(a >= b));
    single.put("nlg", (a, b) -> !(a < b || a > b));
    single.put("ngt", (a, b) -> !(a > b));
    single.put("nle", (a, b) -> !(a <= b));
    single.put("neq", (a, b) -> a != b);
    single.put("nlt", (a, b) -> !(a < b));
    single.put("tru", (a, b) -> true);
    Map<String, LaneLoop.DoubleTest> dbl = new HashMap<>();
    dbl.put("f", (a, b) -> false);
    dbl.put("lt", (a, b) -> a < b);
    dbl.put("eq", (a, b) -> a == b);
    dbl.put("le", (a, b) -> a <= b);
    dbl.put("gt", (a, b) -> a > b);
    dbl.put("lg", (a, b) -> a < b || a > b);
    dbl.put("ge", (a, b) -> a >= b);
    dbl.put("o", (a, b) -> a == a && b == b);
    dbl.put("u", (a, b) -> a != a || b != b);
    dbl.put("nge", (a, b) -> !(a >= b));
    dbl.put("nlg", (a, b) -> !(a < b || a > b));
    dbl.put("ngt", (a, b) -> !(a > b));
    dbl.put("nle", (a, b) -> !(a <= b));
    dbl.put("neq", (a, b) -> a != b);
    dbl.put("nlt", (a, b) -> !(a < b));
    dbl.put("tru", (a, b) -> true);
    for (String cond : single.keySet()) {
      compare(cond + "_f32", LaneLoop.of(LaneLoop.TestFloat.class, single.get(cond)), F32, F32);
      compare(cond + "_f16", LaneLoop.of(LaneLoop.TestHalf.class, single.get(cond)), F16, F16);
      compare(cond + "_f64", LaneLoop.of(LaneLoop.TestDouble.class, dbl.get(cond)), F64, F64);
    }
    LaneLoop.IntTest classSingle = (a, b) -> (FloatMath.classOf(a) & b) != 0;
    compare("class_f32", LaneLoop.of(LaneLoop.TestInt.class, classSingle), F32, B32);
    LaneLoop.IntTest classHalf = (a, b) -> (FloatMath.classOfHalf(a) & b) != 0;
    compare("class_f16", LaneLoop.of(LaneLoop.TestInt.class, classHalf), F16, B32);
    LaneLoop.LongIntTest classDouble = (a, b) -> (FloatMath.classOf(a) & b) != 0;
    compare("class_f64", LaneLoop.of(LaneLoop.TestLongInt.class, classDouble), F64, B32);
  }

  private void compare(String suffix, LaneLoop loop, OperandType a, OperandType b) {
    define("v_cmp_" + suffix, LaneMask.OUT, NONE, loop, a, b);
    define("v_cmpx_" + suffix, LaneMask.OUT, NONE, loop, a, b);
  }

  // Helpers of single lanes

  private static int bits(float value) {
    return Float.floatToIntBits(value);
  }

  private static int pack(int low, int high) {
    return low & 0xffff | high << 16;
  }

  static int minUnsigned(int a, int b) {
    return Math.min(a ^ 0x80000000, b ^ 0x80000000) ^ 0x80000000;
  }

  static int maxUnsigned(int a, int b) {
    return Math.max(a ^ 0x80000000, b ^ 0x80000000) ^ 0x80000000;
  }

  private static int median(int a, int b, int c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  private static int signExtend(int value, int width) {
    return value << 32 - width >> 32 - width;
  }

  private static int leadingSignBits(int a) {
    int x = a < 0 ? ~a : a;
    return x == 0 ? -1 : Integer.numberOfLeadingZeros(x);
  }

  /** Zero for a denormal, with its sign. */
  static float flush(float x) {
    return Math.abs(x) < Float.MIN_NORMAL ? x * 0.0f : x;
  }

  private static double truncate(double x) {
    return x < 0 ? Math.ceil(x) : Math.floor(x);
  }

  private static int saturatedUnsigned(double x) {
    return (int) Math.max(0, Math.min(U32, (long) x));
  }

  private static int toSingle(long bits) {
    if (FloatMath.isNan(bits)) {
      return (int) (bits >>> 32) & 0x80000000 | 0x7fc00000 | (int) (bits >>> 29) & 0x3fffff;
    }
    return Float.floatToRawIntBits((float) Double.longBitsToDouble(bits));
  }

  private static long toDouble(int bits) {
    if (FloatMath.isNan(bits)) {
      return (long) (bits & 0x80000000) << 32 | 0x7ff8000000000000L | (bits & 0x7fffffL) << 29;
    }
    return Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
  }

  private static int signedNorm(float x) {
    return x != x ? 0 : (int) Math.rint(Math.max(-1, Math.min(1, x)) * 32767.0);
  }

  private static int unsignedNorm(float x) {
    return x != x ? 0 : (int) Math.rint(Math.max(0, Math.min(1, x)) * 65535.0);
  }

  private static int clampByte(int x) {
    return Math.max(0, Math.min(255, x));
  }

  private static int largest(float x, float y, float z) {
    float ax = Math.abs(x);
    float ay = Math.abs(y);
    float az = Math.abs(z);
    return az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
  }

  /**
   * v_perm_b32: each selector byte picks a byte of {a, b} (0-3 from b, 4-7 from a), the sign of a
   * 16-bit half (8-11), 0x00 (12) or 0xff (above).
   */
  private static int permuteBytes(int a, int b, int selector) {
    long both = (long) a << 32 | b & U32;
    int result = 0;
    for (int i = 0; i < 4; i++) {
      int s = selector >>> 8 * i & 0xff;
      int value;
      if (s < 8) {
        value = (int) (both >>> 8 * s) & 0xff;
      } else if (s < 12) {
        value = (both >>> 16 * (s - 8) + 15 & 1) != 0 ? 0xff : 0;
      } else {
        value = s == 12 ? 0 : 0xff;
      }
      result |= value << 8 * i;
    }
    return result;
  }

  private static int sumOfDifferences(int a, int b, boolean masked) {
    int sum = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      int reference = b >>> shift & 0xff;
      if (!masked || reference != 0) {
        sum += Math.abs((a >>> shift & 0xff) - reference);
      }
    }
    return sum;
  }

  private static void quadDifferences(Lanes x, boolean masked) {
    for (int i = 0; i < 64; i++) {
      long result = 0;
      for (int k = 0; k < 4; k++) {
        int sum = sumOfDifferences((int) (x.la[i] >>> 8 * k), x.b[i], masked);
        long total = sum + (x.lc[i] >>> 16 * k & 0xffff);
        result |= Math.min(total, 0xffff) << 16 * k;
      }
      x.lr[i] = result;
    }
  }

  private static int averageBytes(int a, int b, int c) {
    int result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      int sum = (a >>> shift & 0xff) + (b >>> shift & 0xff) + (c >>> shift & 1);
      result |= sum >> 1 << shift;
    }
    return result;
  }

  private static int dot(int a, int b, int width, boolean signed) {
    int sum = 0;
    for (int shift = 0; shift < 32; shift += width) {
      int up = 32 - width - shift;
      int x = signed ? a << up >> 32 - width : a << up >>> 32 - width;
      int y = signed ? b << up >> 32 - width : b << up >>> 32 - width;
      sum += x * y;
    }
    return sum;
  }
}
