package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.amd.code.KernelDescriptor;
import dev.warpline.isa.gcn.GcnTarget;
import org.junit.jupiter.api.Test;

/** The state in which waves begin. */
class WaveLauncherTest {
  private static final int GROUP_IDS = 7 << 7;

  private final DeviceMemory memory = new DeviceMemory();
  private final long kernarg = memory.allocate(64);

  private Dispatch dispatch(
      GcnTarget target, int rsrc2, int properties, int preload, int[] grid, int[] group) {
    KernelDescriptor descriptor =
        new KernelDescriptor(0, 80, 64, 0, 0x00af0041, rsrc2, 1, properties, preload);
    return new Dispatch(
        target,
        "k",
        descriptor,
        0x4000,
        grid,
        group,
        512,
        80,
        kernarg,
        0x111,
        0x222,
        0x333,
        0x7_0000_0000L);
  }

  private WaveState wave(Dispatch dispatch, int x, int y, int z, int index) {
    WaveLauncher launcher = new WaveLauncher(dispatch, memory, 0);
    return launcher.wave(launcher.group(x, y, z), index, 3);
  }

  @Test
  void userRegistersComeInTheOrderOfTheAbi() {
    // scratch buffer, dispatch pointer, queue pointer, arguments, dispatch id, flat scratch: 14
    // registers, then the size
    int rsrc2 = 15 << 1 | GROUP_IDS | 1 << 10 | 1;
    WaveState w =
        wave(
            dispatch(
                GcnTarget.GFX900, rsrc2, 0x7f, 0, new int[] {256, 4, 2}, new int[] {128, 2, 1}),
            1,
            1,
            1,
            2);
    assertThat(w.sgpr[0]).isZero();
    assertThat(w.sgpr[1]).isEqualTo(0x80000007);
    assertThat(w.sgpr[3]).isEqualTo(1 << 19 | 3 << 21 | 1 << 23);
    assertThat(w.pair(4)).isEqualTo(0x111);
    assertThat(w.pair(6)).isEqualTo(0x222);
    assertThat(w.pair(8)).isEqualTo(kernarg);
    assertThat(w.pair(10)).isEqualTo(0x333);
    assertThat(w.pair(12)).isEqualTo(0x7_0000_0000L);
    assertThat(w.sgpr[14]).isEqualTo(80);
    assertThat(new int[] {w.sgpr[15], w.sgpr[16], w.sgpr[17]}).containsExactly(1, 1, 1);
    assertThat(w.sgpr[18]).as("four waves, not the first").isEqualTo(4);
    assertThat(w.sgpr[19])
        .as("scratch offset of slot 3: 80 * 64 bytes rounded to KiB")
        .isEqualTo(3 * 5120);
    assertThat(w.pc).isEqualTo(0x4000);
    assertThat(w.mode).isEqualTo(0x3f0);
    assertThat(w.exec()).isEqualTo(-1L);
    assertThat(w.group.lds).hasSize(512);
  }

  @Test
  void systemRegistersFollowAllUserRegisters() {
    // six user registers of which the arguments take two, as clang does for gfx900
    WaveState w =
        wave(
            dispatch(
                GcnTarget.GFX900,
                6 << 1 | 1 << 7,
                9,
                0,
                new int[] {64, 1, 1},
                new int[] {64, 1, 1}),
            0,
            0,
            0,
            0);
    assertThat(w.pair(4)).isEqualTo(kernarg);
    assertThat(w.sgpr[6]).isZero();
    Dispatch second =
        dispatch(
            GcnTarget.GFX900, 8 << 1 | 1 << 7, 9, 0, new int[] {256, 1, 1}, new int[] {64, 1, 1});
    assertThat(wave(second, 3, 0, 0, 0).sgpr[8]).isEqualTo(3);
  }

  @Test
  void gfx900GivesEachWorkItemIdItsOwnRegister() {
    int all = 2 << 11;
    WaveState w =
        wave(
            dispatch(GcnTarget.GFX900, all, 8, 0, new int[] {8, 8, 4}, new int[] {8, 8, 4}),
            0,
            0,
            0,
            3);
    assertThat(w.vector(0, 13)).isEqualTo(5);
    assertThat(w.vector(1, 13)).isEqualTo(1);
    assertThat(w.vector(2, 13)).isEqualTo(3);
  }

  @Test
  void laterTargetsPackTheIdsAndInitialiseFlatScratch() {
    WaveState w =
        wave(
            dispatch(GcnTarget.GFX942, 2 << 11 | 1, 8, 0, new int[] {8, 8, 4}, new int[] {8, 8, 4}),
            0,
            0,
            0,
            3);
    assertThat(w.vector(0, 13)).isEqualTo(5 | 1 << 10 | 3 << 20);
    assertThat(w.pair(WaveState.FLAT_SCRATCH)).isEqualTo(0x7_0000_0000L + 3 * 5120);
    assertThat(w.accBase).isEqualTo(8);
  }

  @Test
  void aPartialGroupHasFewerLanes() {
    Dispatch d = dispatch(GcnTarget.GFX942, 0, 8, 0, new int[] {100, 1, 1}, new int[] {80, 1, 1});
    assertThat(d.groups(0)).isEqualTo(2);
    assertThat(wave(d, 0, 0, 0, 1).exec()).isEqualTo(0xffff);
    assertThat(d.waves(1, 0, 0)).isEqualTo(1);
    assertThat(wave(d, 1, 0, 0, 0).exec()).isEqualTo(0xfffff);
    Dispatch square =
        dispatch(GcnTarget.GFX942, 1 << 11, 8, 0, new int[] {10, 10, 1}, new int[] {8, 8, 1});
    WaveState w = wave(square, 1, 1, 0, 0);
    assertThat(w.exec()).as("two by two work-items are left").isEqualTo(0xf);
    assertThat(w.vector(0, 3)).isEqualTo(1 | 1 << 10);
  }

  @Test
  void argumentsCanBePreloaded() {
    memory.writeInts(kernarg, 10, 20, 30, 40);
    WaveState w =
        wave(
            dispatch(
                GcnTarget.GFX942,
                4 << 1 | 1 << 7,
                8,
                1 << 7 | 2,
                new int[] {64, 1, 1},
                new int[] {64, 1, 1}),
            0,
            0,
            0,
            0);
    assertThat(w.sgpr[2]).isEqualTo(20);
    assertThat(w.sgpr[3]).isEqualTo(30);
  }
}
