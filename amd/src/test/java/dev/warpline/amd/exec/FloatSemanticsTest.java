package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Floating-point instructions: special values, modifiers, the MODE register, all widths. */
class FloatSemanticsTest {
  private static final int QUIET = 0x7fc00000;
  private static final int SIGNALLING = 0x7fa00000;
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  private final Machine m = Machine.gfx942();

  private int f32(String line, int a, int b) {
    return m.v(1, a).v(2, b).run(line).v(0);
  }

  private float f32(String line, float a, float b) {
    return m.v(1, a).v(2, b).run(line).f(0);
  }

  @Test
  void aNanOperandIsReturnedQuieted() {
    assertThat(f32("v_add_f32_e32 v0, v1, v2", SIGNALLING | 5, 0x3f800000))
        .isEqualTo(QUIET | SIGNALLING | 5);
    assertThat(f32("v_mul_f32_e32 v0, v1, v2", 0x3f800000, 0xffc00123)).isEqualTo(0xffc00123);
    assertThat(f32("v_mul_f32_e32 v0, v1, v2", 0x7f800000, 0)).as("invalid").isEqualTo(QUIET);
    assertThat(f32("v_add_f32_e32 v0, v1, v2", 0x7f800000, 0xff800000)).isEqualTo(QUIET);
  }

  @Test
  void zerosHaveSigns() {
    assertThat(f32("v_add_f32_e32 v0, v1, v2", -0f, 0f)).isEqualTo(0f);
    assertThat(f32("v_add_f32_e32 v0, v1, v2", -0f, -0f)).isEqualTo(-0f);
    assertThat(f32("v_mul_f32_e32 v0, v1, v2", -0f, 5f)).isEqualTo(-0f);
    assertThat(f32("v_mul_legacy_f32 v0, v1, v2", 0f, INFINITY)).isEqualTo(0f);
  }

  @Test
  void minimumAndMaximumPreferNumbersAndOrderZeros() {
    assertThat(f32("v_min_f32_e32 v0, v1, v2", 0f, -0f)).isEqualTo(-0f);
    assertThat(f32("v_max_f32_e32 v0, v1, v2", -0f, 0f)).isEqualTo(0f);
    assertThat(f32("v_min_f32_e32 v0, v1, v2", QUIET, 0x40000000)).isEqualTo(0x40000000);
    assertThat(f32("v_max_f32_e32 v0, v1, v2", 0x40000000, SIGNALLING))
        .isEqualTo(SIGNALLING | QUIET);
    m.v(1, 3f).v(2, 1f).v(3, 2f).run("v_med3_f32 v0, v1, v2, v3");
    assertThat(m.f(0)).isEqualTo(2f);
    m.v(2, Float.NaN).run("v_med3_f32 v0, v1, v2, v3");
    assertThat(m.f(0)).as("with a NaN: the minimum").isEqualTo(2f);
  }

  @Test
  void fusedAndUnfusedProductsDiffer() {
    float a = 1 + 0x1p-12f;
    m.v(1, a).v(2, a).v(3, -1f).run("v_fma_f32 v0, v1, v2, v3");
    assertThat(m.f(0)).isEqualTo(0x1p-11f + 0x1p-24f);
    Machine old = Machine.gfx900().v(1, a).v(2, a).v(3, -1f).run("v_mad_f32 v0, v1, v2, v3");
    assertThat(old.f(0)).isEqualTo(0x1p-11f);
    old.v(1, 0x1p-100f).v(2, 0x1p-40f).v(3, 0f).run("v_mad_f32 v0, v1, v2, v3");
    assertThat(old.f(0)).as("always flushes denormals").isZero();
    m.v(0, 10f).v(1, 2f).v(2, 3f).run("v_fmac_f32_e32 v0, v1, v2");
    assertThat(m.f(0)).isEqualTo(16f);
    m.run("v_fmamk_f32 v0, v1, 0x40a00000, v2");
    assertThat(m.f(0)).isEqualTo(13f);
    m.run("v_fmaak_f32 v0, v1, v2, 0x40a00000");
    assertThat(m.f(0)).isEqualTo(11f);
  }

  @Test
  void sourceModifiersTakeTheAbsoluteValueBeforeNegating() {
    m.v(1, -3f).v(2, 1f).run("v_add_f32_e64 v0, -|v1|, v2");
    assertThat(m.f(0)).isEqualTo(-2f);
    m.v64(2, -3.0).v64(4, 1.0).run("v_add_f64 v[6:7], |v[2:3]|, -v[4:5]");
    assertThat(m.d(6)).isEqualTo(2.0);
  }

  @Test
  void clampLimitsToZeroAndOne() {
    m.v(1, 3f, -3f, 0.25f, Float.NaN).v(2, 0f).run("v_add_f32_e64 v0, v1, v2 clamp");
    assertThat(m.f(0, 0)).isEqualTo(1f);
    assertThat(m.f(0, 1)).isEqualTo(0f);
    assertThat(m.f(0, 2)).isEqualTo(0.25f);
    assertThat(m.f(0, 3)).as("DX10_CLAMP").isEqualTo(0f);
    m.mode(0x2f0).run("v_add_f32_e64 v0, v1, v2 clamp");
    assertThat(m.f(0, 3)).isNaN();
  }

  @Test
  void outputModifierWorksOnlyWhereDenormalsAreFlushed() {
    m.v(1, 3f).v(2, 1f).run("v_add_f32_e64 v0, v1, v2 mul:4");
    assertThat(m.f(0)).isEqualTo(4f);
    m.mode(0x3c0).run("v_add_f32_e64 v0, v1, v2 mul:4");
    assertThat(m.f(0)).isEqualTo(16f);
    m.run("v_add_f32_e64 v0, v1, v2 div:2");
    assertThat(m.f(0)).isEqualTo(2f);
  }

  @Test
  void modeDecidesAboutDenormals() {
    float tiny = 0x1p-130f;
    m.v(1, tiny).v(2, 1f);
    assertThat(m.run("v_mul_f32_e32 v0, v1, v2").f(0)).isEqualTo(tiny);
    assertThat(m.mode(0x3c0).run("v_mul_f32_e32 v0, v1, v2").f(0)).isZero();
    assertThat(m.mode(0x3d0).run("v_mul_f32_e32 v0, v1, v2").f(0)).as("results flushed").isZero();
    m.v(2, 0x1p20f);
    assertThat(m.mode(0x3d0).run("v_mul_f32_e32 v0, v1, v2").f(0))
        .as("operands kept")
        .isEqualTo(0x1p-110f);
    assertThat(m.mode(0x3e0).run("v_mul_f32_e32 v0, v1, v2").f(0)).as("operands flushed").isZero();
  }

  @Test
  void modeDecidesAboutRounding() {
    m.v(1, 1f).v(2, 0x1p-30f);
    assertThat(m.mode(0x3f0).run("v_add_f32_e32 v0, v1, v2").f(0)).isEqualTo(1f);
    assertThat(m.mode(0x3f1).run("v_add_f32_e32 v0, v1, v2").f(0)).isEqualTo(Math.nextUp(1f));
    assertThat(m.mode(0x3f2).run("v_add_f32_e32 v0, v1, v2").f(0)).isEqualTo(1f);
    assertThat(m.mode(0x3f2).run("v_sub_f32_e32 v0, v1, v2").f(0)).isEqualTo(Math.nextDown(1f));
    assertThat(m.mode(0x3f3).run("v_sub_f32_e32 v0, v1, v2").f(0)).isEqualTo(Math.nextDown(1f));
    m.v(2, 1f);
    assertThat(m.mode(0x3f2).run("v_sub_f32_e32 v0, v1, v2").f(0))
        .as("x - x rounded down")
        .isEqualTo(-0f);
    m.v(1, Float.MAX_VALUE).v(2, 2f);
    assertThat(m.mode(0x3f3).run("v_mul_f32_e32 v0, v1, v2").f(0)).isEqualTo(Float.MAX_VALUE);
    m.v64(2, 1.0).v64(4, 3.0);
    m.mode(0x3f4).run("v_rcp_f64_e32 v[6:7], v[4:5]", "v_add_f64 v[6:7], v[2:3], v[6:7]");
    assertThat(m.d(6)).isEqualTo(Math.nextUp(1 + 1.0 / 3));
    m.v(1, 1 + 0x1p-12f).mode(0x3f4).run("v_cvt_f16_f32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(0x3c01);
  }

  @Test
  void conversionsToIntegersSaturateAndDropNan() {
    m.v(1, 3e9f, -3e9f, -1.9f, Float.NaN, INFINITY).run("v_cvt_i32_f32_e32 v0, v1");
    assertThat(m.lane(0, 0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(m.lane(0, 1)).isEqualTo(Integer.MIN_VALUE);
    assertThat(m.lane(0, 2)).isEqualTo(-1);
    assertThat(m.lane(0, 3)).isZero();
    m.run("v_cvt_u32_f32_e32 v0, v1");
    assertThat(m.lane(0, 0)).isEqualTo((int) 3000000000L);
    assertThat(m.lane(0, 1)).isZero();
    assertThat(m.lane(0, 4)).isEqualTo(-1);
    m.v(1, -1).run("v_cvt_f32_u32_e32 v0, v1");
    assertThat(m.f(0)).isEqualTo(0x1p32f);
    m.v64(2, 1e300).run("v_cvt_f32_f64_e32 v0, v[2:3]");
    assertThat(m.f(0)).isEqualTo(INFINITY);
    m.v(1, -2.5f).run("v_cvt_flr_i32_f32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(-3);
    m.run("v_cvt_rpi_i32_f32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(-2);
    m.v(1, 0x9).run("v_cvt_off_f32_i4_e32 v0, v1");
    assertThat(m.f(0)).isEqualTo(-7 / 16f);
    m.v(1, 0x01020304).run("v_cvt_f32_ubyte3_e32 v0, v1");
    assertThat(m.f(0)).isEqualTo(1f);
  }

  @Test
  void roundingToIntegers() {
    m.v(1, 2.5f).run("v_rndne_f32_e32 v0, v1");
    assertThat(m.f(0)).isEqualTo(2f);
    m.v(1, -0.5f).run("v_rndne_f32_e32 v0, v1");
    assertThat(m.f(0)).isEqualTo(-0f);
    m.run("v_trunc_f32_e32 v0, v1");
    assertThat(m.f(0)).isEqualTo(-0f);
    m.v(1, -0x1p-30f).run("v_fract_f32_e32 v0, v1");
    assertThat(m.f(0)).as("below one").isEqualTo(Math.nextDown(1f));
  }

  @Test
  void mantissaAndExponent() {
    m.v(1, 12f, 0x1p-140f, 0f, INFINITY)
        .run("v_frexp_exp_i32_f32_e32 v0, v1", "v_frexp_mant_f32_e32 v2, v1");
    assertThat(m.lane(0, 0)).isEqualTo(4);
    assertThat(m.f(2, 0)).isEqualTo(0.75f);
    assertThat(m.lane(0, 1)).isEqualTo(-139);
    assertThat(m.f(2, 1)).isEqualTo(0.5f);
    assertThat(m.lane(0, 2)).isZero();
    assertThat(m.lane(0, 3)).isZero();
    assertThat(m.f(2, 3)).isEqualTo(INFINITY);
    m.v(1, 1.5f).v(2, -149).run("v_ldexp_f32 v0, v1, v2");
    assertThat(m.f(0)).as("ties to even").isEqualTo(0x1p-148f);
    m.v64(2, 0x1p-1073)
        .run("v_frexp_exp_i32_f64_e32 v0, v[2:3]", "v_frexp_mant_f64_e32 v[4:5], v[2:3]");
    assertThat(m.v(0)).isEqualTo(-1072);
    assertThat(m.d(4)).isEqualTo(0.5);
  }

  @Test
  void classes() {
    int[] values = {
      SIGNALLING,
      QUIET,
      0xff800000,
      0xbf800000,
      0x80000001,
      0x80000000,
      0,
      1,
      0x3f800000,
      0x7f800000
    };
    m.v(1, values);
    for (int bit = 0; bit < 10; bit++) {
      m.s(0, 1 << bit).exec((1 << 10) - 1).run("v_cmp_class_f32_e64 s[2:3], v1, s0");
      assertThat(m.s64(2)).as("bit %d", bit).isEqualTo(1L << bit);
    }
    m.exec(1).s(0, 1 << 4).v64(2, -Double.MIN_VALUE).run("v_cmp_class_f64_e64 s[2:3], v[2:3], s0");
    assertThat(m.s64(2)).isEqualTo(1);
  }

  @Test
  void negatedComparisonsHoldForNan() {
    m.exec(1).v(1, Float.NaN).v(2, 1f);
    assertThat(m.run("v_cmp_lt_f32_e32 vcc, v1, v2").vcc()).isZero();
    assertThat(m.run("v_cmp_nlt_f32_e32 vcc, v1, v2").vcc()).isEqualTo(1);
    assertThat(m.run("v_cmp_neq_f32_e32 vcc, v1, v2").vcc()).isEqualTo(1);
    assertThat(m.run("v_cmp_lg_f32_e32 vcc, v1, v2").vcc()).isZero();
    assertThat(m.run("v_cmp_u_f32_e32 vcc, v1, v2").vcc()).isEqualTo(1);
    assertThat(m.run("v_cmp_o_f32_e32 vcc, v1, v2").vcc()).isZero();
  }

  @Test
  void approximationsAreWithinOneUlp() {
    for (float x = 0.01f; x < 40; x *= 1.37f) {
      m.v(1, x);
      assertUlp(m.run("v_rcp_f32_e32 v0, v1").f(0), 1.0 / x);
      assertUlp(m.run("v_sqrt_f32_e32 v0, v1").f(0), Math.sqrt(x));
      assertUlp(m.run("v_rsq_f32_e32 v0, v1").f(0), 1 / Math.sqrt(x));
      assertUlp(m.run("v_exp_f32_e32 v0, v1").f(0), Math.pow(2, x));
      assertUlp(m.run("v_log_f32_e32 v0, v1").f(0), Math.log(x) / Math.log(2));
      double turn = x - Math.floor(x);
      assertThat((double) m.run("v_sin_f32_e32 v0, v1").f(0))
          .isCloseTo(Math.sin(2 * Math.PI * turn), within(1e-7));
      assertThat((double) m.run("v_cos_f32_e32 v0, v1").f(0))
          .isCloseTo(Math.cos(2 * Math.PI * turn), within(1e-7));
    }
  }

  private static void assertUlp(float found, double exact) {
    assertThat(Math.abs(found - exact)).isLessThanOrEqualTo(Math.ulp((float) exact) * 0.5000001);
  }

  @Test
  void approximationsOfSpecialValues() {
    m.v(1, 0f, -0f, INFINITY, -1f, Float.NaN);
    m.run("v_rcp_f32_e32 v0, v1");
    assertThat(m.f(0, 0)).isEqualTo(INFINITY);
    assertThat(m.f(0, 1)).isEqualTo(-INFINITY);
    assertThat(m.f(0, 2)).isEqualTo(0f);
    m.run("v_sqrt_f32_e32 v0, v1");
    assertThat(m.f(0, 1)).isEqualTo(-0f);
    assertThat(m.lane(0, 3)).isEqualTo(QUIET);
    m.run("v_log_f32_e32 v0, v1");
    assertThat(m.f(0, 0)).isEqualTo(-INFINITY);
    assertThat(m.f(0, 3)).isNaN();
    m.v(1, -200f, 128f, 0.5f).run("v_exp_f32_e32 v0, v1");
    assertThat(m.f(0, 0)).isEqualTo(0f);
    assertThat(m.f(0, 1)).isEqualTo(INFINITY);
  }

  @Test
  void piecesOfTwoOverPi() {
    // the pieces add up to 2/pi, each 53 bits further down
    double sum = 0;
    for (int segment = 0; segment < 3; segment++) {
      m.v64(2, 1.0).v(1, segment).run("v_trig_preop_f64 v[4:5], v[2:3], v1");
      sum += m.d(4);
      assertThat(m.d(4)).isLessThan(Math.scalb(1, -53 * segment));
    }
    assertThat(sum).isEqualTo(2 / Math.PI);
    m.v64(2, 0x1p200).v(1, 0).run("v_trig_preop_f64 v[4:5], v[2:3], v1");
    assertThat(m.d(4)).as("large arguments skip the leading bits").isLessThan(0x1p-145);
  }

  @Test
  void halfPrecision() {
    m.v(0, -1).v(1, 0x3c01).v(2, 0x1400).run("v_add_f16_e32 v0, v1, v2"); // 1 + 2^-10 + 2^-10
    assertThat(m.v(0)).isEqualTo(0x3c02);
    m.v(2, 0x1000).run("v_add_f16_e32 v0, v1, v2"); // half a unit: ties to even
    assertThat(m.v(0)).isEqualTo(0x3c02);
    m.v(1, 0x7bff).v(2, 0x7bff).run("v_add_f16_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x7c00);
    m.v(1, 0x0400).v(2, 0x3800).run("v_mul_f16_e32 v0, v1, v2");
    assertThat(m.v(0)).as("denormal").isEqualTo(0x0200);
    m.v(0, 0xaaaaaaaa).v(1, 0x4000).v(2, 0x4200).v(3, 0x3c00).run("v_fma_f16 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0xaaaa4700);
    m.v(0, 0xaaaaaaaa).v(1, 0x40000000).run("v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,1]");
    assertThat(m.v(0)).isEqualTo(0x4700aaaa);
    m.v(1, 0x3c00).v(2, 0x0003).run("v_ldexp_f16_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x4800);
    m.v(1, 0xc248).run("v_cvt_i16_f16_e32 v0, v1");
    assertThat((short) m.v(0)).isEqualTo((short) -3);
    m.v(1, 65504f + 16f).run("v_cvt_f16_f32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(0x7c00);
    m.v(1, 65504f + 15.9f).run("v_cvt_f16_f32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(0x7bff);
    m.v(1, 1e9f).v(2, 1.9999f).run("v_cvt_pkrtz_f16_f32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x3fff7bff);
  }

  @Test
  void everyHalfSurvivesTheWayToFloatAndBack() {
    for (int bits = 0; bits < 0x10000; bits++) {
      int back = Half.fromFloat(Half.toFloat(bits));
      int expected = (bits & 0x7fff) > 0x7c00 ? bits | 0x200 : bits;
      assertThat(back).isEqualTo(expected);
    }
  }

  @Test
  void packedAndMixedHalves() {
    m.v(1, 0x40003c00).v(2, 0x42004200).run("v_pk_mul_f16 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x46004200);
    m.run("v_pk_add_f16 v0, v1, v2 neg_lo:[0,1] neg_hi:[1,0]");
    assertThat(m.v(0)).isEqualTo(0x3c00c000);
    m.run("v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]");
    assertThat(m.v(0)).isEqualTo(0x42004000);
    m.v(3, 10f).run("v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,0]");
    assertThat(m.f(0)).isEqualTo(16f);
    m.v(0, 0x11112222).run("v_fma_mixhi_f16 v0, v1, v2, v3 op_sel_hi:[1,1,0]");
    assertThat(m.v(0)).isEqualTo(0x4a802222);
    m.v64(2, 0x4000000040400000L)
        .v64(4, 0x3f80000041200000L)
        .run("v_pk_mul_f32 v[6:7], v[2:3], v[4:5]");
    assertThat(m.f(6)).isEqualTo(30f);
    assertThat(m.f(7)).isEqualTo(2f);
    m.run("v_pk_add_f32 v[6:7], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]");
    assertThat(m.f(6)).isEqualTo(12f);
    assertThat(m.f(7)).isEqualTo(4f);
    m.run("v_pk_mov_b32 v[6:7], v[2:3], v[4:5] op_sel:[1,0]");
    assertThat(m.f(6)).isEqualTo(2f);
    assertThat(m.f(7)).isEqualTo(10f);
    m.v(1, 0x40003c00).v(2, 0x42004200).v(3, 1f).run("v_dot2_f32_f16 v0, v1, v2, v3");
    assertThat(m.f(0)).isEqualTo(10f);
  }

  @Test
  void eightBitFloats() {
    m.v(1, 1.5f).v(2, -1000f).v(0, -1).run("v_cvt_pk_fp8_f32 v0, v1, v2");
    assertThat(m.v(0)).as("beyond the range: the largest").isEqualTo(0xffffff44);
    m.run("v_cvt_f32_fp8_e32 v3, v0");
    assertThat(m.f(3)).isEqualTo(1.5f);
    m.v(1, 0x00008001).run("v_cvt_pk_f32_bf8_e32 v[4:5], v1");
    assertThat(m.f(4)).isEqualTo(0x1p-17f);
    assertThat(m.f(5)).isNaN();
  }
}
