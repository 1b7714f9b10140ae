package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Memory instructions: addresses, widths, atomics, LDS, scratch, buffers, faults. */
class MemorySemanticsTest {
  private final Machine m = Machine.gfx942();
  private final long buffer = m.memory.allocate(4096);

  private Machine addresses(int register, int stride) {
    long[] at = new long[64];
    for (int lane = 0; lane < 64; lane++) {
      at[lane] = buffer + (long) lane * stride;
    }
    return m.v64(register, at);
  }

  @Test
  void loadsExtendNarrowValuesAndKeepTheOtherHalf() {
    m.memory.writeInt(buffer, 0x8081f2f3);
    addresses(2, 0).v(0, 0x11112222);
    assertThat(m.run("global_load_ubyte v0, v[2:3], off").v(0)).isEqualTo(0xf3);
    assertThat(m.run("global_load_sbyte v0, v[2:3], off offset:1").v(0)).isEqualTo(0xfffffff2);
    assertThat(m.run("global_load_ushort v0, v[2:3], off offset:2").v(0)).isEqualTo(0x8081);
    assertThat(m.run("global_load_sshort v0, v[2:3], off offset:2").v(0)).isEqualTo(0xffff8081);
    m.v(0, 0x11112222);
    assertThat(m.run("global_load_short_d16 v0, v[2:3], off").v(0)).isEqualTo(0x1111f2f3);
    assertThat(m.run("global_load_short_d16_hi v0, v[2:3], off offset:2").v(0))
        .isEqualTo(0x8081f2f3);
    m.v(0, 0x11112222);
    assertThat(m.run("global_load_sbyte_d16_hi v0, v[2:3], off").v(0)).isEqualTo(0xfff32222);
  }

  @Test
  void storesAndWideLoads() {
    addresses(2, 32).v(4, 1).v(5, 2).v(6, 3).v(7, 4);
    m.run(
        "global_store_dwordx4 v[2:3], v[4:7], off offset:16",
        "global_load_dwordx3 v[8:10], v[2:3], off offset:20");
    assertThat(m.lane(8, 63)).isEqualTo(2);
    assertThat(m.lane(10, 63)).isEqualTo(4);
    m.v(4, 0xaabbccdd)
        .run(
            "global_store_byte v[2:3], v4, off",
            "global_store_short_d16_hi v[2:3], v4, off offset:2");
    assertThat(m.memory.readInt(buffer)).isEqualTo(0xaabb00dd);
  }

  @Test
  void aScalarBaseTakesAnUnsignedVectorOffset() {
    m.memory.writeInt(buffer + 8, 77);
    m.s64(0, buffer - 0x80000000L).v(1, 0x80000010);
    assertThat(m.run("global_load_dword v0, v1, s[0:1] offset:-8").v(0)).isEqualTo(77);
  }

  @Test
  void unalignedAccessesWork() {
    m.memory.writeInt(buffer + 1, 0x12345678);
    addresses(2, 0);
    assertThat(m.run("global_load_dword v0, v[2:3], off offset:1").v(0)).isEqualTo(0x12345678);
  }

  @Test
  void anAccessPastTheEndNamesLaneAndPlace() {
    addresses(2, 65); // lane 63 begins at 4095
    assertThatThrownBy(() -> m.run("global_load_dword v0, v[2:3], off"))
        .isInstanceOf(ExecutionFault.class)
        .hasMessageContaining("4 bytes at 0x%x reach past the end of a buffer", buffer + 4095)
        .hasMessageContaining("global_load_dword v0, v[2:3], off at PC 0x1000 of kernel test")
        .hasMessageContaining("work-group (1, 2, 3), wave 0, lane 63");
    m.v64(2, 0L);
    assertThatThrownBy(() -> m.run("global_store_dword v[2:3], v4, off"))
        .hasMessageContaining("address 0x0 is not mapped")
        .hasMessageContaining("lane 0");
    assertThatThrownBy(() -> m.s64(0, 0).run("s_load_dword s2, s[0:1], 0x10"))
        .hasMessageContaining("address 0x10 is not mapped");
  }

  @Test
  void anAccessCanBeIssuedNowAndCompletedLater() {
    addresses(2, 4).v(4, 5);
    MemoryAccess access = m.issue("global_store_dword v[2:3], v4, off");
    assertThat(access.address[3]).isEqualTo(buffer + 12);
    assertThat(access.bytes).isEqualTo(4);
    m.v(4, 6); // the data was taken when the store was issued
    access.perform(m.memory);
    assertThat(m.memory.readInt(buffer)).isEqualTo(5);
    access = m.issue("global_load_dword v0, v[2:3], off");
    access.perform(m.memory);
    m.memory.writeInt(buffer, 9);
    assertThat(m.v(0)).isZero();
    access.writeBack();
    assertThat(m.v(0)).isEqualTo(5);
  }

  @Test
  void atomicsOfLanesAtOneAddressHappenOneAfterTheOther() {
    addresses(2, 0).v(4, 1);
    m.run("global_atomic_add v0, v[2:3], v4, off sc0");
    assertThat(m.memory.readInt(buffer)).isEqualTo(64);
    for (int lane = 0; lane < 64; lane++) {
      assertThat(m.lane(0, lane)).isEqualTo(lane);
    }
  }

  private int atomic(String line, int old, int data) {
    m.memory.writeInt(buffer, old);
    addresses(2, 0).v(4, data).exec(1).run(line);
    return m.memory.readInt(buffer);
  }

  @Test
  void integerAtomics() {
    assertThat(atomic("global_atomic_sub v[2:3], v4, off", 5, 7)).isEqualTo(-2);
    assertThat(atomic("global_atomic_smin v[2:3], v4, off", 5, -7)).isEqualTo(-7);
    assertThat(atomic("global_atomic_umin v[2:3], v4, off", 5, -7)).isEqualTo(5);
    assertThat(atomic("global_atomic_smax v[2:3], v4, off", 5, -7)).isEqualTo(5);
    assertThat(atomic("global_atomic_umax v[2:3], v4, off", 5, -7)).isEqualTo(-7);
    assertThat(atomic("global_atomic_inc v[2:3], v4, off", 6, 7)).isEqualTo(7);
    assertThat(atomic("global_atomic_inc v[2:3], v4, off", 7, 7)).isZero();
    assertThat(atomic("global_atomic_dec v[2:3], v4, off", 0, 7)).isEqualTo(7);
    assertThat(atomic("global_atomic_dec v[2:3], v4, off", 9, 7)).isEqualTo(7);
    assertThat(atomic("global_atomic_dec v[2:3], v4, off", 3, 7)).isEqualTo(2);
    assertThat(atomic("global_atomic_swap v[2:3], v4, off", 3, 7)).isEqualTo(7);
    m.v(5, 3); // data pair: new value, then what to compare with
    assertThat(atomic("global_atomic_cmpswap v[2:3], v[4:5], off", 3, 7)).isEqualTo(7);
    assertThat(atomic("global_atomic_cmpswap v[2:3], v[4:5], off", 4, 7)).isEqualTo(4);
  }

  @Test
  void wideAndFloatAtomics() {
    m.memory.writeLong(buffer, -1);
    addresses(2, 0).v64(4, 2L).exec(1).run("global_atomic_add_x2 v[2:3], v[4:5], off");
    assertThat(m.memory.readLong(buffer)).isEqualTo(1);
    m.memory.writeInt(buffer, Float.floatToRawIntBits(1.5f));
    m.v(4, 2f).run("global_atomic_add_f32 v[2:3], v4, off");
    assertThat(Float.intBitsToFloat(m.memory.readInt(buffer))).isEqualTo(3.5f);
    m.memory.writeLong(buffer, Double.doubleToRawLongBits(1.5));
    m.v64(4, 0.5)
        .run(
            "global_atomic_min_f64 v[2:3], v[4:5], off",
            "global_atomic_add_f64 v[2:3], v[4:5], off");
    assertThat(Double.longBitsToDouble(m.memory.readLong(buffer))).isEqualTo(1.0);
    m.memory.writeInt(buffer, 0x3c004000);
    m.v(4, 0x3c003c00).run("global_atomic_pk_add_f16 v[2:3], v4, off");
    assertThat(m.memory.readInt(buffer)).isEqualTo(0x40004200);
    m.memory.writeInt(buffer, 0x3f804000);
    m.v(4, 0x3f803f80).run("global_atomic_pk_add_bf16 v[2:3], v4, off");
    assertThat(m.memory.readInt(buffer)).isEqualTo(0x40004040);
  }

  @Test
  void aMisalignedAtomicIsAnError() {
    addresses(2, 0).v(4, 1);
    assertThatThrownBy(() -> m.run("global_atomic_add v[2:3], v4, off offset:2"))
        .hasMessageContaining("not aligned to its 4 bytes")
        .hasMessageContaining("lane 0");
  }

  @Test
  void ldsPairsAndStrides() {
    m.lanes(1).run("v_lshlrev_b32_e32 v1, 3, v1").v(2, 10).v(3, 20);
    m.run("ds_write2_b32 v1, v2, v3 offset1:1", "ds_read_b64 v[4:5], v1");
    assertThat(m.lane(4, 40)).isEqualTo(10);
    assertThat(m.lane(5, 40)).isEqualTo(20);
    m.v(1, 0).run("ds_read2st64_b32 v[4:5], v1 offset0:1 offset1:1");
    assertThat(m.v(4)).as("offset 256").isEqualTo(10);
    m.run("ds_read2_b64 v[4:7], v1 offset0:3 offset1:4");
    assertThat(m.v(7)).isEqualTo(20);
    m.v(2, 0x8182f3f4)
        .run("ds_write_b32 v1, v2", "ds_read_i8 v4, v1 offset:3", "ds_read_u16 v5, v1 offset:2");
    assertThat(m.v(4)).isEqualTo(0xffffff81);
    assertThat(m.v(5)).isEqualTo(0x8182);
    m.run("ds_write_b8_d16_hi v1, v2 offset:9", "ds_read_u8_d16_hi v5, v1 offset:9");
    assertThat(m.v(5)).isEqualTo(0x00828182);
    m.v(1, -4).run("ds_read_b32 v4, v1 offset:4");
    assertThat(m.v(4)).as("the address wraps at 32 bits").isEqualTo(0x8182f3f4);
  }

  @Test
  void ldsAtomics() {
    m.v(1, 16).v(2, 3).run("ds_add_rtn_u32 v0, v1, v2");
    assertThat(m.lane(0, 63)).isEqualTo(189);
    m.exec(1).v(2, 192).v(3, 5).run("ds_cmpst_rtn_b32 v0, v1, v2, v3", "ds_read_b32 v4, v1");
    assertThat(m.v(0)).isEqualTo(192);
    assertThat(m.v(4)).isEqualTo(5);
    m.v(2, 7).run("ds_rsub_u32 v1, v2", "ds_read_b32 v4, v1");
    assertThat(m.v(4)).isEqualTo(2);
    m.v(2, 6).v(3, 1).run("ds_mskor_b32 v1, v2, v3", "ds_read_b32 v4, v1");
    assertThat(m.v(4)).isEqualTo(1);
    m.v(2, 0x40000000).run("ds_write_b32 v1, v2", "ds_add_f32 v1, v2", "ds_read_b32 v4, v1");
    assertThat(m.f(4)).isEqualTo(4f);
    m.v64(2, -5L)
        .run("ds_write_b64 v1, v[2:3]")
        .v64(2, 3L)
        .run("ds_max_i64 v1, v[2:3]", "ds_read_b64 v[4:5], v1");
    assertThat(m.l(4, 0)).isEqualTo(3);
    m.v(2, 8)
        .v(3, 9)
        .run("ds_wrxchg2_rtn_b32 v[4:5], v1, v2, v3 offset1:1", "ds_read_b64 v[6:7], v1");
    assertThat(m.v(4)).isEqualTo(3);
    assertThat(m.l(6, 0)).isEqualTo(9L << 32 | 8);
  }

  @Test
  void anLdsAccessBeyondTheGroupsShareIsAnError() {
    m.v(1, 1022);
    assertThatThrownBy(() -> m.run("ds_read_b32 v0, v1"))
        .hasMessageContaining("LDS offset 0x3fe lies outside of the 1024 bytes")
        .hasMessageContaining("lane 0");
  }

  @Test
  void permutationsAndSwizzles() {
    m.lanes(1).v(2, 0).run("v_lshlrev_b32_e32 v2, 2, v1", "ds_bpermute_b32 v0, v2, v1 offset:4");
    assertThat(m.lane(0, 10)).isEqualTo(11);
    assertThat(m.lane(0, 63)).isZero();
    m.exec(~(1L << 11)).run("ds_bpermute_b32 v0, v2, v1 offset:4");
    assertThat(m.lane(0, 10)).as("a disabled lane gives zero").isZero();
    m.exec(-1).v(2, 20).run("ds_permute_b32 v0, v2, v1");
    assertThat(m.lane(0, 5)).as("the last writer wins").isEqualTo(63);
    assertThat(m.lane(0, 6)).isZero();
    m.run("ds_swizzle_b32 v0, v1 offset:0x401f");
    assertThat(m.lane(0, 5)).isEqualTo(21);
    m.run("ds_swizzle_b32 v0, v1 offset:0x801b");
    assertThat(m.lane(0, 4)).isEqualTo(7);
  }

  @Test
  void scratchInterleavesTheDwordsOfLanes() {
    long scratch = m.memory.allocate(64 * 64);
    m.s64(WaveState.FLAT_SCRATCH, scratch).lanes(1).v(2, 8).v(4, 500).v(5, 600);
    m.run("scratch_store_dword v2, v1, off offset:4");
    assertThat(m.memory.readInt(scratch + 3 * 256 + 4 * 9)).isEqualTo(9);
    m.s(0, 4).run("scratch_load_dword v0, v2, s0");
    assertThat(m.lane(0, 9)).isEqualTo(9);
    m.run("scratch_store_dwordx2 off, v[4:5], off offset:16");
    assertThat(m.memory.readInt(scratch + 5 * 256)).isEqualTo(600);
    m.v(5, 0xab)
        .run(
            "scratch_store_byte off, v5, off offset:18",
            "scratch_load_dword v0, off, off offset:17");
    assertThat(m.v(0)).as("across dwords").isEqualTo(0x5800ab01);
    m.v64(6, Apertures.PRIVATE_BASE + 12).run("flat_load_dword v0, v[6:7]");
    assertThat(m.lane(0, 9)).as("flat access to scratch").isEqualTo(9);
  }

  @Test
  void eachLaneOfAFlatAccessFindsItsMemory() {
    m.memory.writeInt(buffer, 111);
    m.v(1, 32).v(2, 222).run("ds_write_b32 v1, v2");
    long scratch = m.memory.allocate(4096);
    m.memory.writeInt(scratch + 8, 333);
    m.s64(WaveState.FLAT_SCRATCH, scratch);
    m.v64(4, buffer, Apertures.SHARED_BASE + 32, Apertures.PRIVATE_BASE, buffer)
        .run("flat_load_dword v0, v[4:5]");
    assertThat(m.lane(0, 0)).isEqualTo(111);
    assertThat(m.lane(0, 1)).isEqualTo(222);
    assertThat(m.lane(0, 2)).isEqualTo(333);
  }

  @Test
  void buffersCheckTheirRange() {
    m.memory.writeInts(buffer, 1, 2, 3, 4);
    m.s(0, (int) buffer, (int) (buffer >>> 32), 16, 0).lanes(1).run("v_lshlrev_b32_e32 v1, 2, v1");
    m.v(0, 9).run("buffer_load_dword v0, v1, s[0:3], 0 offen");
    assertThat(m.lane(0, 3)).isEqualTo(4);
    assertThat(m.lane(0, 4)).as("out of range loads zero").isZero();
    m.v(2, 7).run("buffer_store_dword v2, v1, s[0:3], 0 offen offset:4");
    assertThat(m.memory.readInts(buffer, 5)).containsExactly(1, 7, 7, 7, 0);
    // structured: 8 bytes per record, 2 records
    m.s(1, (int) (buffer >>> 32) | 8 << 16, 2)
        .lanes(1)
        .run("buffer_load_dword v0, v1, s[0:3], 0 idxen offset:4");
    assertThat(m.lane(0, 1)).isEqualTo(7);
    assertThat(m.lane(0, 2)).isZero();
  }

  @Test
  void scratchThroughABufferDescriptor() {
    Machine old = Machine.gfx900();
    long scratch = old.memory.allocate(64 * 64);
    old.s(0, (int) scratch, (int) (scratch >>> 32) | 1 << 31, -1, 1 << 19 | 3 << 21 | 1 << 23)
        .s(4, 256);
    old.lanes(1).v(2, 8).run("buffer_store_dword v1, v2, s[0:3], s4 offen offset:4");
    assertThat(old.memory.readInt(scratch + 256 + 3 * 256 + 4 * 9)).isEqualTo(9);
    old.run("buffer_load_dword v0, off, s[0:3], s4 offset:12");
    assertThat(old.lane(0, 9)).isEqualTo(9);
  }

  @Test
  void scalarLoads() {
    m.memory.writeInts(buffer, 10, 20, 30, 40);
    m.s64(0, buffer + 4).run("s_load_dwordx2 s[4:5], s[0:1], 0x4");
    assertThat(m.s(4)).isEqualTo(30);
    assertThat(m.s(5)).isEqualTo(40);
    m.s(6, 8).run("s_load_dword s4, s[0:1], s6");
    assertThat(m.s(4)).isEqualTo(40);
    m.s(8, (int) buffer, (int) (buffer >>> 32), 12, 0)
        .run("s_buffer_load_dwordx4 s[4:7], s[8:11], 0x4");
    assertThat(new int[] {m.s(4), m.s(5), m.s(6), m.s(7)}).containsExactly(20, 30, 0, 0);
    m.wave.clock = 0x1_0000_0005L;
    m.run("s_memtime s[4:5]");
    assertThat(m.s64(4)).isEqualTo(0x1_0000_0005L);
    m.wave.realTime = 0x2_0000_0007L;
    m.run("s_memrealtime s[4:5]");
    assertThat(m.s64(4)).as("a clock of its own").isEqualTo(0x2_0000_0007L);
  }

  @Test
  void loadsThatBypassTheRegisters() {
    m.memory.writeInts(buffer, 10, 20, 30);
    addresses(2, 4)
        .s(124, 64)
        .run("global_load_lds_dword v[2:3], off")
        .v(1, 64 + 8)
        .run("ds_read_b32 v0, v1");
    assertThat(m.v(0)).isEqualTo(30);
  }

  @Test
  void accumulationRegistersAreLoadedAndStored() {
    m.memory.writeInt(buffer, 42);
    addresses(2, 0).run("global_load_dword a3, v[2:3], off");
    assertThat(m.v(m.acc(3))).isEqualTo(42);
    m.run("v_accvgpr_read_b32 v0, a3");
    assertThat(m.v(0)).isEqualTo(42);
    m.run(
        "v_accvgpr_write_b32 a4, 7",
        "v_accvgpr_mov_b32 a5, a4",
        "global_store_dword v[2:3], a5, off");
    assertThat(m.memory.readInt(buffer)).isEqualTo(7);
  }
}
