package dev.warpline.trace.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Pipe;
import dev.warpline.trace.KernelBuilder;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class InspectorTest {
  private static KernelSummary inspect(KernelBuilder kernel) throws IOException {
    return Inspector.inspect(kernel.build(), done -> {});
  }

  @Test
  void instructionsAreCountedByWarpLaneUnitAndOpcode() throws IOException {
    KernelSummary summary =
        inspect(
            new KernelBuilder("_Z1kv")
                .grid(3, 1, 1)
                .block(64, 1, 1)
                .line("0000 ffffffff 1 R1 FFMA 2 R2 R3 0 0")
                .line("0010 0000ffff 1 R1 FFMA 2 R2 R3 0 0")
                .line("0020 ffffffff 0 EXIT 0 0 0")
                .everyWarpTheSame());
    assertThat(summary.name()).isEqualTo("k()");
    assertThat(summary.blocks()).isEqualTo(3);
    assertThat(summary.warps()).isEqualTo(6);
    assertThat(summary.warpInstructions()).isEqualTo(18);
    assertThat(summary.threadInstructions()).isEqualTo(6 * 80);
    assertThat(summary.averageLanes()).isEqualTo(80.0 / 3);
    assertThat(summary.staticInstructions()).isEqualTo(3);
    assertThat(summary.pipes()).containsEntry(Pipe.FMA, 12L);
    assertThat(summary.opcodes().toString()).isEqualTo("{FFMA=12, EXIT=6}");
    assertThat(summary.unknownOpcodes()).isEmpty();
    assertThat(summary.hasControlBits()).isFalse();
  }

  @Test
  void aFullyCoalescedLoadTouchesFourSectorsAndAScatteredOneThirtyTwo() throws IOException {
    assertThat(global("1 0x10000 4")).isEqualTo(new SpaceUse(MemorySpace.GLOBAL, 1, 4, 128));
    assertThat(global("1 0x10000 32")).isEqualTo(new SpaceUse(MemorySpace.GLOBAL, 1, 32, 1024));
    assertThat(global("1 0x10000 0")).isEqualTo(new SpaceUse(MemorySpace.GLOBAL, 1, 1, 32));
    assertThat(global("1 0x1001c 4").sectors()).isEqualTo(5);
  }

  private static SpaceUse global(String addresses) throws IOException {
    return inspect(
            new KernelBuilder("k").line("0000 ffffffff 1 R1 LDG.E 1 R2 4 " + addresses + " 0"))
        .spaces()
        .get(0);
  }

  @Test
  void theFootprintCountsASectorOnceHoweverOftenItIsTouched() throws IOException {
    KernelBuilder kernel = new KernelBuilder("k");
    for (int i = 0; i < 10; i++) {
      kernel.line(
          "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x" + Integer.toHexString(i % 5 * 128) + " 4 0");
    }
    SpaceUse use = inspect(kernel).spaces().get(0);
    assertThat(use.footprintBytes()).isEqualTo(5 * 128);
    assertThat(use.requests()).isEqualTo(10);
    assertThat(use.sectorsPerRequest()).isEqualTo(4);
  }

  @Test
  void aGenericAccessBelongsToTheWindowOfItsAddress() throws IOException {
    KernelBuilder kernel =
        new KernelBuilder("k")
            .windows(0x7f0000000000L, 0x7e0000000000L)
            .line("0000 00000001 1 R1 LD.E 1 R2 4 1 0x7f0000000010 0 0")
            .line("0000 00000001 1 R1 LD.E 1 R2 4 1 0x7e0000000010 0 0")
            .line("0000 00000001 1 R1 LD.E 1 R2 4 1 0x7d0000000010 0 0");
    assertThat(inspect(kernel).spaces())
        .extracting(SpaceUse::space)
        .containsExactlyInAnyOrder(MemorySpace.GLOBAL, MemorySpace.LOCAL, MemorySpace.SHARED);
  }

  @Test
  void aCopyToSharedMemoryTouchesBothSpaces() throws IOException {
    KernelBuilder kernel =
        new KernelBuilder("k")
            .line("0000 ffffffff 0 LDGSTS.E 2 R1 R2 4 1 0x400 4 0")
            .line("0000 ffffffff 0 LDGSTS.E 2 R1 R2 4 1 0x7d0000000000 4 0");
    KernelSummary summary = inspect(kernel);
    assertThat(summary.warpInstructions()).isEqualTo(1);
    assertThat(summary.spaces())
        .containsExactly(
            new SpaceUse(MemorySpace.GLOBAL, 1, 4, 128),
            new SpaceUse(MemorySpace.SHARED, 1, 4, 128));
  }

  @Test
  void aTensorCopyCountsItsSectors() throws IOException {
    KernelBuilder kernel =
        new KernelBuilder("k")
            .tracerVersion(6)
            .line("0000 00000001 0 UTMALDG.2D 0 32 0x40 0 128 0 4 0x1000 4 32 32 32 0 0 NoVal");
    assertThat(inspect(kernel).spaces())
        .containsExactly(new SpaceUse(MemorySpace.GLOBAL, 1, 4, 128));
  }

  @Test
  void predicatedOffAccessesTouchNothing() throws IOException {
    assertThat(
            inspect(new KernelBuilder("k").line("0000 00000000 1 R1 LDG.E 1 R2 4 1 0x0 0 0"))
                .spaces())
        .isEmpty();
  }
}
