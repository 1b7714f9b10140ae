package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Vector ALU: integers, lanes, modifiers of operands and results. */
class VectorSemanticsTest {
  private final Machine m = Machine.gfx942();

  @Test
  void disabledLanesKeepTheirValue() {
    m.v(0, 7).v(1, 1).exec(0b101).run("v_add_u32_e32 v0, v0, v1");
    assertThat(m.lane(0, 0)).isEqualTo(8);
    assertThat(m.lane(0, 1)).isEqualTo(7);
    assertThat(m.lane(0, 2)).isEqualTo(8);
    assertThat(m.lane(0, 63)).isEqualTo(7);
  }

  @Test
  void reversedShiftsUseFiveBitsOfTheCount() {
    m.v(1, 33).v(2, 0x80000001).run("v_lshlrev_b32_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(2);
    m.run("v_lshrrev_b32_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x40000000);
    m.run("v_ashrrev_i32_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0xc0000000);
    m.v(1, 65).v64(4, 0x8000000000000001L).run("v_lshlrev_b64 v[2:3], v1, v[4:5]");
    assertThat(m.l(2, 0)).isEqualTo(2);
    m.run("v_ashrrev_i64 v[2:3], v1, v[4:5]");
    assertThat(m.l(2, 0)).isEqualTo(0xc000000000000000L);
  }

  @Test
  void carriesAreLaneMasks() {
    m.v(1, -1, 1, -1).v(2, 1).exec(0b11).vcc(-1).run("v_add_co_u32_e32 v0, vcc, v1, v2");
    assertThat(m.lane(0, 0)).isZero();
    assertThat(m.lane(0, 1)).isEqualTo(2);
    assertThat(m.vcc()).as("bits of disabled lanes are zero").isEqualTo(0b01);
    m.v(1, -1).run("v_addc_co_u32_e32 v0, vcc, v1, v2, vcc");
    assertThat(m.lane(0, 0)).isEqualTo(1);
    assertThat(m.lane(0, 1)).isZero();
    assertThat(m.vcc()).isEqualTo(0b11);
    m.v(1, 0).v(2, 0).run("v_subb_co_u32_e32 v0, vcc, v1, v2, vcc");
    assertThat(m.v(0)).isEqualTo(-1);
    assertThat(m.vcc()).isEqualTo(0b11);
    m.v(1, 5).v(2, 3).s64(4, 0).run("v_sub_co_u32_e64 v0, s[4:5], v2, v1");
    assertThat(m.v(0)).isEqualTo(-2);
    assertThat(m.s64(4)).isEqualTo(0b11);
  }

  @Test
  void wideMultiplyAddProducesACarry() {
    m.v(1, -1).v(2, -1).v64(4, -1L).run("v_mad_u64_u32 v[6:7], s[0:1], v1, v2, v[4:5]");
    assertThat(m.l(6, 0)).isEqualTo(0xfffffffe00000001L - 1);
    assertThat(m.s64(0)).isEqualTo(-1L);
    m.v64(4, 10L).run("v_mad_i64_i32 v[6:7], s[0:1], v1, v2, v[4:5]");
    assertThat(m.l(6, 0)).isEqualTo(11);
    assertThat(m.s64(0)).isZero();
    m.v64(2, 3L).v64(4, 100L).v(1, 2).run("v_lshl_add_u64 v[6:7], v[2:3], v1, v[4:5]");
    assertThat(m.l(6, 0)).isEqualTo(112);
  }

  @Test
  void bitFields() {
    m.v(1, 0xf80).v(2, 4).v(3, 8).run("v_bfe_i32 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(-8);
    m.v(3, 0).run("v_bfe_u32 v0, v1, v2, v3");
    assertThat(m.v(0)).as("width 0").isZero();
    m.v(1, 0xff00).v(2, -1).v(3, 0x12345678).run("v_bfi_b32 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0x1234ff78);
    m.v(1, 0x11223344).v(2, 0x55667788).v(3, 8).run("v_alignbit_b32 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0x44556677);
    m.v(3, 1).run("v_alignbyte_b32 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0x44556677);
    m.v(1, 0x80223344).v(3, 0x0c0b0d04).run("v_perm_b32 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0x00ffff44);
    m.v(1, 0).run("v_ffbh_u32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(-1);
    m.v(1, -1).run("v_ffbh_i32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(-1);
    m.v(1, -2).run("v_ffbh_i32_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(31);
  }

  @Test
  void maskCountsLookAtTheLanesBelow() {
    m.s64(0, 0xf0f0f0f0f0f0f0f0L)
        .v(1, 100)
        .run("v_mbcnt_lo_u32_b32 v0, s0, v1", "v_mbcnt_hi_u32_b32 v0, s1, v0");
    assertThat(m.lane(0, 0)).isEqualTo(100);
    assertThat(m.lane(0, 8)).isEqualTo(104);
    assertThat(m.lane(0, 63)).isEqualTo(131);
  }

  @Test
  void twentyFourBitProducts() {
    m.v(1, 0xff800001).v(2, 2).run("v_mul_u32_u24_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x01000002);
    m.run("v_mul_i32_i24_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0xff000002);
  }

  @Test
  void clampSaturatesIntegers() {
    m.v(1, -2).v(2, 5).run("v_add_u32_e64 v0, v1, v2 clamp");
    assertThat(m.v(0)).isEqualTo(-1);
    m.run("v_sub_u32_e64 v0, v2, v1 clamp");
    assertThat(m.v(0)).isZero();
    m.v(1, Integer.MAX_VALUE).run("v_add_i32 v0, v1, v2 clamp");
    assertThat(m.v(0)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void comparisonsProduceMasksOfEnabledLanes() {
    m.lanes(0).exec(0xff).vcc(-1).run("v_cmp_gt_u32_e32 vcc, 4, v0");
    assertThat(m.vcc()).isEqualTo(0x0f);
    m.run("v_cmp_ne_u32_e64 s[0:1], 2, v0");
    assertThat(m.s64(0)).isEqualTo(0xfb);
    m.run("v_cmpx_lt_i32_e32 vcc, 5, v0");
    assertThat(m.wave.exec()).isEqualTo(0xc0);
    assertThat(m.vcc()).isEqualTo(0xc0);
    m.exec(-1).v64(2, -1L).v64(4, 1L).run("v_cmp_lt_i64_e32 vcc, v[2:3], v[4:5]");
    assertThat(m.vcc()).isEqualTo(-1);
    m.run("v_cmp_lt_u64_e32 vcc, v[2:3], v[4:5]");
    assertThat(m.vcc()).isZero();
  }

  @Test
  void selectionTakesTheSecondWhereTheMaskIsSet() {
    m.v(1, 10).v(2, 20).vcc(2).run("v_cndmask_b32_e32 v0, v1, v2, vcc");
    assertThat(m.lane(0, 0)).isEqualTo(10);
    assertThat(m.lane(0, 1)).isEqualTo(20);
  }

  @Test
  void sixteenBitResultsClearTheUpperHalfUnlessTheInstructionSelectsHalves() {
    m.v(0, 0xaaaaaaaa).v(1, 0xffff).v(2, 2).run("v_add_u16_e32 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(1);
    m.v(0, 0xaaaaaaaa).v(3, 3).run("v_mad_u16 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0xaaaa0001);
    m.v(0, 0xaaaaaaaa).run("v_mad_u16 v0, v1, v2, v3 op_sel:[0,0,0,1]");
    assertThat(m.v(0)).isEqualTo(0x0001aaaa);
    m.v(1, 0x8000).v(2, 1).run("v_ashrrev_i16_e32 v0, v2, v1");
    assertThat(m.v(0)).isEqualTo(0xc000);
    m.v(1, 0x00ff0000).v(2, 0x8001).run("v_max_i16_e32 v0, v1, v2");
    assertThat(m.v(0)).isZero();
  }

  @Test
  void sdwaSelectsPartsOfOperandsAndResult() {
    Machine m = Machine.gfx90a().v(0, 0x11223344).v(1, 0x80ff7f01).v(2, 0x00000010);
    m.run(
        "v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:DWORD");
    assertThat(m.v(0)).isEqualTo(0x10f);
    m.run(
        "v_add_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:DWORD");
    assertThat(m.v(0)).isEqualTo(15);
    m.v(0, 0x11223344);
    m.run(
        "v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:DWORD");
    assertThat(m.v(0)).isEqualTo(0x11220f44);
    m.run(
        "v_or_b32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1 src1_sel:DWORD");
    assertThat(m.v(0)).isEqualTo(0xffff80ff);
    m.v(1, 0xff).run("v_cmp_eq_u32_sdwa s[0:1], v1, v2 src0_sel:BYTE_0 src1_sel:DWORD");
    assertThat(m.s64(0)).isZero();
  }

  @Test
  void dppMovesDataBetweenLanes() {
    m.lanes(1).v(0, 99).run("v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 0)).isEqualTo(1);
    assertThat(m.lane(0, 15)).as("no source lane: not written").isEqualTo(99);
    m.v(0, 99).run("v_mov_b32_dpp v0, v1 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0");
    assertThat(m.lane(0, 17)).as("no source lane: zero").isZero();
    assertThat(m.lane(0, 18)).isEqualTo(16);
    m.run("v_mov_b32_dpp v0, v1 row_ror:3 row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 16)).isEqualTo(29);
    m.run("v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 4)).isEqualTo(7);
    m.run("v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 20)).isEqualTo(27);
    m.run("v_mov_b32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 20)).isEqualTo(19);
    m.v(0, 99).run("v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf");
    assertThat(m.lane(0, 16)).isEqualTo(15);
    assertThat(m.lane(0, 32)).as("row masked out").isEqualTo(99);
    assertThat(m.lane(0, 50)).isEqualTo(47);
    m.v(0, 99).run("v_mov_b32_dpp v0, v1 row_bcast:31 row_mask:0xc bank_mask:0x3");
    assertThat(m.lane(0, 39)).isEqualTo(31);
    assertThat(m.lane(0, 40)).as("bank masked out").isEqualTo(99);
    m.run("v_mov_b32_dpp v0, v1 wave_shr:1 row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 16)).isEqualTo(15);
    m.run("v_mov_b32_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 63)).isZero();
    m.run("v_mov_b32_dpp v0, v1 row_newbcast:5 row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 40)).isEqualTo(37);
  }

  @Test
  void aDisabledLaneIsNoDppSource() {
    m.lanes(1).v(0, 99).exec(~2L).run("v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf");
    assertThat(m.lane(0, 0)).isEqualTo(99);
    assertThat(m.lane(0, 2)).isEqualTo(3);
    m.v(2, 10).run("v_add_u32_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
    assertThat(m.lane(0, 0)).isEqualTo(10);
  }

  @Test
  void lanesAndScalarsExchangeValues() {
    m.lanes(1).exec(0xf0).run("v_readfirstlane_b32 s0, v1");
    assertThat(m.s(0)).isEqualTo(4);
    m.exec(0).run("v_readfirstlane_b32 s0, v1");
    assertThat(m.s(0)).isZero();
    m.s(1, 70).run("v_readlane_b32 s0, v1, s1");
    assertThat(m.s(0)).isEqualTo(6);
    m.s(2, 123).run("v_writelane_b32 v1, s2, 9");
    assertThat(m.lane(1, 9)).isEqualTo(123);
    m.exec(1).v(0, 5).v(1, 6).run("v_swap_b32 v0, v1");
    assertThat(m.lane(0, 0)).isEqualTo(6);
    assertThat(m.lane(1, 0)).isEqualTo(5);
    assertThat(m.lane(1, 1)).isEqualTo(6);
  }

  @Test
  void relativeAddressingAddsM0ToTheChosenOperands() {
    Machine old = Machine.gfx900().v(3, 33).v(5, 55).s(0, 2);
    old.run(
        "s_set_gpr_idx_on s0, gpr_idx(SRC0)",
        "v_mov_b32_e32 v1, v3",
        "s_set_gpr_idx_off",
        "v_mov_b32_e32 v2, v3");
    assertThat(old.v(1)).isEqualTo(55);
    assertThat(old.v(2)).isEqualTo(33);
    old.run("s_set_gpr_idx_on s0, gpr_idx(DST)", "v_mov_b32_e32 v10, v3", "s_set_gpr_idx_off");
    assertThat(old.v(12)).isEqualTo(33);
  }

  @Test
  void byteSums() {
    m.v(1, 0x01020304).v(2, 0x04030201).v(3, 100).run("v_sad_u8 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(108);
    m.v(2, 0x04000001).run("v_msad_u8 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(106);
    m.v(1, 0xff01).v(2, 0x0102).v(3, 0x0001).run("v_lerp_u8 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(0x8002);
    m.v(1, 0x7fff8000).run("v_sat_pk_u8_i16_e32 v0, v1");
    assertThat(m.v(0)).isEqualTo(0xff00);
  }

  @Test
  void dotProducts() {
    m.v(1, 0x01ff0203).v(2, 0x02020202).v(3, 5).run("v_dot4_i32_i8 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(5 + 2 * (1 - 1 + 2 + 3));
    m.run("v_dot4_u32_u8 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(5 + 2 * (1 + 255 + 2 + 3));
    m.v(1, 0xffff0003).v(2, 0x00020002).run("v_dot2_i32_i16 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(5 + 6 - 2);
    m.v(1, 0x0000000f).v(2, 0x00000007).run("v_dot8_i32_i4 v0, v1, v2, v3");
    assertThat(m.v(0)).isEqualTo(5 - 7);
  }

  @Test
  void packedShorts() {
    m.v(1, 0x00010002).v(2, 0xffff0003).run("v_pk_add_u16 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0x00000005);
    m.run("v_pk_add_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,0]");
    assertThat(m.v(0)).isEqualTo(0x00050004);
    m.run("v_pk_sub_u16 v0, v1, v2 clamp");
    assertThat(m.v(0)).isZero();
    m.v(1, 0x7fff8000).v(2, 0x00010001).run("v_pk_add_i16 v0, v1, v2 clamp");
    assertThat(m.v(0)).isEqualTo(0x7fff8001);
    m.v(1, 0x00040001).v(2, 0x80008000).run("v_pk_ashrrev_i16 v0, v1, v2");
    assertThat(m.v(0)).isEqualTo(0xf800c000);
    m.run("v_pk_mad_i16 v0, v1, v1, v1");
    assertThat(m.v(0)).isEqualTo(0x00140002);
  }

  @Test
  void anInstructionWithoutSemanticsNamesItself() {
    assertThatThrownBy(() -> m.run("buffer_load_format_x v0, off, s[0:3], 0"))
        .isInstanceOf(ExecutionFault.class)
        .hasMessageContaining("no semantics for buffer_load_format_x")
        .hasMessageContaining("encoding 0xe0000000")
        .hasMessageContaining("PC 0x1000 of kernel test");
  }

  @Test
  void aRegisterTheWaveDoesNotHaveIsAnError() {
    assertThatThrownBy(() -> m.run("v_mov_b32_e32 v200, v1"))
        .isInstanceOf(ExecutionFault.class)
        .hasMessageContaining("beyond the 128 VGPRs");
  }
}
