package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Scalar ALU and control. */
class ScalarSemanticsTest {
  private final Machine m = Machine.gfx942();

  @Test
  void unsignedAdditionAndSubtractionSetTheCarry() {
    m.s(1, -1, 1).run("s_add_u32 s0, s1, s2");
    assertThat(m.s(0)).isZero();
    assertThat(m.wave.scc).isTrue();
    m.s(1, 5, 6).run("s_addc_u32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(12);
    assertThat(m.wave.scc).isFalse();
    m.s(1, 5, 6).run("s_sub_u32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(-1);
    assertThat(m.wave.scc).isTrue();
    m.s(1, 5, 5).run("s_subb_u32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(-1);
    assertThat(m.wave.scc).isTrue();
  }

  @Test
  void signedAdditionSetsSccOnOverflow() {
    m.s(1, Integer.MAX_VALUE, 1).run("s_add_i32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(Integer.MIN_VALUE);
    assertThat(m.wave.scc).isTrue();
    m.s(1, -1, 1).run("s_add_i32 s0, s1, s2");
    assertThat(m.wave.scc).isFalse();
    m.s(0, Integer.MIN_VALUE).run("s_addk_i32 s0, 0xffff");
    assertThat(m.s(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(m.wave.scc).isTrue();
  }

  @Test
  void shiftsUseTheLowBitsOfTheCount() {
    m.s(1, 0x80000001, 33).run("s_lshl_b32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(2);
    m.run("s_lshr_b32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0x40000000);
    m.run("s_ashr_i32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0xc0000000);
    m.s64(2, 0x8000000000000001L).s(4, 65).run("s_lshl_b64 s[0:1], s[2:3], s4");
    assertThat(m.s64(0)).isEqualTo(2);
    m.run("s_ashr_i64 s[0:1], s[2:3], s4");
    assertThat(m.s64(0)).isEqualTo(0xc000000000000000L);
  }

  @Test
  void sccTellsWhetherALogicalResultIsNotZero() {
    m.s(1, 0xf0, 0x0f).run("s_and_b32 s0, s1, s2");
    assertThat(m.wave.scc).isFalse();
    m.run("s_or_b32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0xff);
    assertThat(m.wave.scc).isTrue();
    m.s64(2, 1L << 40).s64(4, -1).run("s_andn2_b64 s[0:1], s[2:3], s[4:5]");
    assertThat(m.wave.scc).isFalse();
    m.run("s_not_b64 s[0:1], s[2:3]");
    assertThat(m.s64(0)).isEqualTo(~(1L << 40));
  }

  @Test
  void fieldExtractionTakesOffsetAndWidthFromOneOperand() {
    m.s(1, 0x0000f080, 8 << 16 | 4).run("s_bfe_u32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0x08);
    m.s(1, 0x00000f80).run("s_bfe_i32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(-8);
    m.s(2, 4).run("s_bfe_u32 s0, s1, s2");
    assertThat(m.s(0)).as("width 0").isZero();
    m.s(1, -1).s(2, 40 << 16 | 28).run("s_bfe_u32 s0, s1, s2");
    assertThat(m.s(0)).as("cut at bit 31").isEqualTo(0xf);
    m.s(1, 5, 3).run("s_bfm_b32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0xf8);
  }

  @Test
  void bitSearchesGiveMinusOneWithoutABit() {
    m.s(1, 0).run("s_ff1_i32_b32 s0, s1");
    assertThat(m.s(0)).isEqualTo(-1);
    m.run("s_flbit_i32_b32 s0, s1");
    assertThat(m.s(0)).isEqualTo(-1);
    m.s64(2, 1L << 33).run("s_ff1_i32_b64 s0, s[2:3]");
    assertThat(m.s(0)).isEqualTo(33);
    m.run("s_bcnt1_i32_b64 s0, s[2:3]");
    assertThat(m.s(0)).isEqualTo(1);
    assertThat(m.wave.scc).isTrue();
    m.s(1, -2).run("s_flbit_i32 s0, s1");
    assertThat(m.s(0)).isEqualTo(31);
  }

  @Test
  void minimumAndMaximumTellWhetherTheFirstWasChosen() {
    m.s(1, -1, 1).run("s_min_i32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(-1);
    assertThat(m.wave.scc).isTrue();
    m.run("s_min_u32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(1);
    assertThat(m.wave.scc).isFalse();
    m.s(1, Integer.MIN_VALUE).run("s_abs_i32 s0, s1");
    assertThat(m.s(0)).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void highProducts() {
    m.s(1, -1, -1).run("s_mul_hi_u32 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(-2);
    m.run("s_mul_hi_i32 s0, s1, s2");
    assertThat(m.s(0)).isZero();
  }

  @Test
  void saveexecReturnsTheOldMaskAndTestsTheNewOne() {
    m.exec(0xff).s64(2, 0x0f).run("s_and_saveexec_b64 s[0:1], s[2:3]");
    assertThat(m.s64(0)).isEqualTo(0xff);
    assertThat(m.wave.exec()).isEqualTo(0x0f);
    assertThat(m.wave.scc).isTrue();
    m.exec(0xff).s64(2, 0xff).run("s_andn2_saveexec_b64 s[0:1], s[2:3]");
    assertThat(m.wave.exec()).isZero();
    assertThat(m.wave.scc).isFalse();
  }

  @Test
  void conditionalMovesKeepTheDestinationWithoutScc() {
    m.s(0, 7).s(1, 9).scc(false).run("s_cmov_b32 s0, s1");
    assertThat(m.s(0)).isEqualTo(7);
    m.scc(true).run("s_cmov_b32 s0, s1");
    assertThat(m.s(0)).isEqualTo(9);
    m.s(0, 0).run("s_bitset1_b32 s0, 5");
    assertThat(m.s(0)).isEqualTo(32);
    m.scc(false).run("s_cselect_b32 s0, 1, 2");
    assertThat(m.s(0)).isEqualTo(2);
  }

  @Test
  void literalsOfWideOperands() {
    m.run("s_mov_b64 s[0:1], 0x80000001");
    assertThat(m.s64(0)).as("bits are zero-extended").isEqualTo(0x80000001L);
    m.run("s_mov_b64 s[0:1], -16");
    assertThat(m.s64(0)).as("inline integers are sign-extended").isEqualTo(-16);
    m.run("s_mov_b64 s[0:1], 1.0");
    assertThat(m.s64(0)).isEqualTo(0x3ff0000000000000L);
    m.run("s_mov_b32 s0, 1.0");
    assertThat(m.s(0)).isEqualTo(0x3f800000);
    m.run("s_mov_b64 s[0:1], src_shared_base");
    assertThat(m.s64(0)).isEqualTo(Apertures.SHARED_BASE);
  }

  @Test
  void comparisonsWithImmediatesExtendThemByTheirType() {
    m.s(0, -1).run("s_cmpk_eq_i32 s0, 0xffff");
    assertThat(m.wave.scc).isTrue();
    m.run("s_cmpk_eq_u32 s0, 0xffff");
    assertThat(m.wave.scc).isFalse();
    m.s(1, -1, 1).run("s_cmp_lt_u32 s1, s2");
    assertThat(m.wave.scc).isFalse();
    m.run("s_cmp_lt_i32 s1, s2");
    assertThat(m.wave.scc).isTrue();
    m.s(1, 4).run("s_bitcmp1_b32 s1, 2");
    assertThat(m.wave.scc).isTrue();
  }

  @Test
  void branchesCountDwordsFromTheNextInstruction() {
    m.scc(true).run("s_cbranch_scc1 3");
    assertThat(m.wave.pc).isEqualTo(0x1000 + 4 + 12);
    m.run("s_cbranch_scc0 3");
    assertThat(m.wave.pc).isEqualTo(0x1014);
    m.exec(0).run("s_cbranch_execz -2");
    assertThat(m.wave.pc).isEqualTo(0x1010);
    m.run("s_getpc_b64 s[0:1]");
    assertThat(m.s64(0)).isEqualTo(0x1014);
    m.s64(2, 0x4000).run("s_swappc_b64 s[0:1], s[2:3]");
    assertThat(m.s64(0)).isEqualTo(0x1018);
    assertThat(m.wave.pc).isEqualTo(0x4000);
  }

  @Test
  void modeRegisterFieldsAreReadAndWritten() {
    m.mode(0x3f0).run("s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)");
    assertThat(m.s(0)).isEqualTo(0xf);
    m.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5");
    assertThat(m.wave.mode).isEqualTo(0x3f5);
    m.s(0, 2).run("s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s0");
    assertThat(m.wave.mode).isEqualTo(0x3f6);
    m.run("s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES)");
    assertThat(m.s(0)).isEqualTo(0x00010002);
  }

  @Test
  void relativeMovesAddM0() {
    m.s(10, 100, 101, 102).s(124, 2).run("s_movrels_b32 s0, s10");
    assertThat(m.s(0)).isEqualTo(102);
    m.run("s_movreld_b32 s20, s10");
    assertThat(m.s(22)).isEqualTo(100);
  }

  @Test
  void halvesArePacked() {
    m.s(1, 0x11112222, 0x33334444).run("s_pack_ll_b32_b16 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0x44442222);
    m.run("s_pack_lh_b32_b16 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0x33332222);
    m.run("s_pack_hh_b32_b16 s0, s1, s2");
    assertThat(m.s(0)).isEqualTo(0x33331111);
  }

  @Test
  void aTrapStopsWithItsPlace() {
    assertThatThrownBy(() -> m.run("s_trap 2"))
        .isInstanceOf(ExecutionFault.class)
        .hasMessageContaining("trapped")
        .hasMessageContaining("PC 0x1000")
        .hasMessageContaining("kernel test")
        .hasMessageContaining("work-group (1, 2, 3), wave 0");
  }
}
