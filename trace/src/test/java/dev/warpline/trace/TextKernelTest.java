package dev.warpline.trace;

import static dev.warpline.trace.TraceText.block;
import static dev.warpline.trace.TraceText.header;
import static dev.warpline.trace.TraceText.kernel;
import static dev.warpline.trace.TraceText.open;
import static dev.warpline.trace.TraceText.warp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.Instruction;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TextKernelTest {
  private final BlockTrace block = new BlockTrace();

  @Test
  void theHeaderSaysWhatWasLaunched() throws IOException {
    KernelHeader header = open(kernel(), Diagnostics.strict()).header();
    assertThat(header.name()).isEqualTo("_Z3addPfi");
    assertThat(header.grid()).isEqualTo(new Dim3(4, 1, 1));
    assertThat(header.block()).isEqualTo(new Dim3(64, 1, 1));
    assertThat(header.warpsPerBlock()).isEqualTo(2);
    assertThat(header.sharedBytes()).isEqualTo(128);
    assertThat(header.registers()).isEqualTo(16);
    assertThat(header.binaryVersion()).isEqualTo(86);
    assertThat(header.sharedBase()).isEqualTo(0x7f2c00000000L);
    assertThat(header.localBase()).isEqualTo(0x7f2b85000000L);
    assertThat(header.tracerVersion()).isEqualTo(5);
    assertThat(header.cluster()).isEqualTo(Dim3.ONE);
  }

  @Test
  void anOldStreamHandleMayBeNegative() throws IOException {
    String text = header(3).replace("stream id = 0", "stream id = -559038737");
    assertThat(open(text, Diagnostics.strict()).header().stream()).isEqualTo(-559038737);
  }

  @Test
  void anUnknownHeaderKeyIsKept() throws IOException {
    String text = "-color = blue\n" + kernel();
    assertThat(open(text, Diagnostics.strict()).header().extra()).containsEntry("color", "blue");
  }

  @Test
  void versionsBelowThreeRepeatBlockAndWarpOnEachLine() throws IOException {
    for (int version = 0; version < 3; version++) {
      String text =
          header(version) + block(1, warp(1, "1 0 0 1 0090 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4"));
      Instruction load = only(text, 1, 1);
      assertThat(load.text()).isEqualTo("LDG.E");
      assertThat(load.recordedWidth()).isEqualTo(4);
    }
  }

  @Test
  void tracerVersionOnePointTwoIsVersionOne() throws IOException {
    String text = header(1).replace("version = 1\n", "version = 1.2\n");
    assertThat(open(text, Diagnostics.strict()).header().tracerVersion()).isEqualTo(1);
  }

  @Test
  void versionFourMayOrMayNotHaveAnImmediate() throws IOException {
    assertThat(only(4, "0010 ffffffff 0 DEPBAR 0 0").immediate()).isZero();
    assertThat(only(4, "0010 ffffffff 0 DEPBAR 0 0 -3").immediate()).isEqualTo(-3);
  }

  @Test
  void lineInformationComesFirst() throws IOException {
    String text =
        header(4, "(4,1,1)", true) + block(0, warp(0, "17 0010 ffffffff 1 R4 IADD3 1 R2 0 0"));
    Instruction add = only(text, 0, 0);
    assertThat(add.sourceLine()).isEqualTo(17);
    assertThat(add.pc()).isEqualTo(0x10);
  }

  @Test
  void anyNumberOfSourcesAndDestinationsIsRead() throws IOException {
    Instruction wide = only(5, "0010 ffffffff 2 R4 R5 HMMA 5 R1 R2 R3 R255 R6 0 0");
    assertThat(wide.destinations()).containsExactly(4, 5);
    assertThat(wide.sources()).containsExactly(1, 2, 3, 255, 6);
  }

  @Test
  void versionSixNamesMoreRegistersImmediatesAndValues() throws IOException {
    Instruction sync =
        only(6, "0170 ffffffff 0 SYNCS.EXCH.64 2 UR4 R7 8 1 0x440 0 5 6 Val 1 0x1e 1 0x7f");
    assertThat(sync.sources()).containsExactly(7);
    assertThat(sync.immediate()).isEqualTo(5);
    assertThat(sync.immediate2()).isEqualTo(6);
    assertThat(KernelAssert.payloads(block, 0)).isEqualTo("1:[1088, 0]4:[1, 30, 1, 127]");
  }

  @Test
  void aWarpgroupProductSaysWhetherItClosesItsGroup() throws IOException {
    assertThat(only(6, "0ab0 ffffffff 1 R24 HGMMA.64x64x16 1 R24 1 0 0 0 NoVal").commitsGroup())
        .isTrue();
    assertThat(only(6, "0ab0 ffffffff 1 R24 HGMMA.64x64x16 1 R24 0 0 0 0 NoVal").commitsGroup())
        .isFalse();
  }

  @Test
  void aTensorCopyHasItsSectorsAsRuns() throws IOException {
    only(6, "0010 00000001 0 UTMALDG.2D 0 32 0x440 1 0x3 160 32 4 0x1000 5 32 32 64 64 0 0 NoVal");
    assertThat(KernelAssert.payloads(block, 0))
        .isEqualTo("3:[1088, 3, 160, 32, 4096, 32, 3, 4224, 64, 2]");
    only(6, "0010 00000001 0 UBLKCP.S.G 0 32 0x440 0 64 0 3 2 0x2000 0x2020 0 0 NoVal");
    assertThat(KernelAssert.payloads(block, 0)).isEqualTo("3:[1088, 0, 64, 0, 8192, 32, 2]");
  }

  @Test
  void modeZeroListsEveryActiveLane() throws IOException {
    assertThat(addresses("00000005", "0 0x0000000000001000 0x0000000000002000"))
        .startsWith(0x1000, 0, 0x2000, 0);
  }

  @Test
  void modeOneIsBaseAndStride() throws IOException {
    assertThat(addresses("0000000e", "1 0x1000 -4")).startsWith(0, 0x1000, 0xffc, 0xff8, 0);
  }

  @Test
  void modeTwoIsBaseAndDifferencesBetweenActiveLanes() throws IOException {
    assertThat(addresses("00000015", "2 0x1000 512 -8"))
        .startsWith(0x1000, 0, 0x1200, 0, 0x11f8, 0);
    assertThat(addresses("00000100", "2 0x1000")[8]).isEqualTo(0x1000);
  }

  @Test
  void anInstructionWithoutActiveLanesIsStillThere() throws IOException {
    Instruction off = only(5, "0010 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0");
    assertThat(off.text()).isEqualTo("LDG.E");
    assertThat(block.mask(0)).isZero();
  }

  @Test
  void theTwoLinesOfAnAsynchronousCopyAreOneInstructionWithTheGlobalAddressesFirst()
      throws IOException {
    KernelTrace kernel =
        open(
            kernel(
                block(
                    0,
                    warp(
                        0,
                        "0150 ffffffff 0 LDGSTS.E.128 2 R3 R18 16 1 0x400 16 0",
                        "0150 ffffffff 0 LDGSTS.E.128 2 R3 R18 16 1 0x7ff58a000000 16 0",
                        "0160 ffffffff 0 EXIT 0 0 0"))),
            Diagnostics.strict());
    assertThat(kernel.readBlock(0, block)).isTrue();
    assertThat(block.count(0)).isEqualTo(2);
    assertThat(KernelAssert.payloads(block, 0))
        .isEqualTo("1:[" + 0x7ff58a000000L + ", 16]1:[1024, 16]");
  }

  @Test
  void anAsynchronousCopyWhoseSharedLineWasDroppedHasTheGlobalAddresses() throws IOException {
    only(5, "0150 ffffffff 0 LDGSTS.E.128 2 R3 R18 16 1 0x7ff58a000000 16 0");
    assertThat(KernelAssert.payloads(block, 0)).isEqualTo("1:[" + 0x7ff58a000000L + ", 16]");
  }

  @Test
  void sameInstructionsShareARowAndDifferentOnesOfOnePcDoNot() throws IOException {
    KernelTrace kernel =
        open(
            kernel(
                block(
                    0,
                    warp(
                        0,
                        "0010 ffffffff 1 R4 IADD3 1 R2 0 0",
                        "0010 0000ffff 1 R4 IADD3 1 R2 0 0",
                        "0010 ffffffff 1 R4 IADD3 1 R2 0 1",
                        "0020 ffffffff 1 R4 LDG.E 1 R2 4 2 0x1000" + " 4".repeat(31) + " 0",
                        "0020 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 8 0",
                        "0020 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 8 1"))),
            Diagnostics.strict());
    kernel.readBlock(0, block);
    assertThat(Arrays.copyOf(block.row, 6)).containsExactly(0, 0, 1, 2, 2, 3);
  }

  @Test
  void whereBlocksAreAbsentTheOthersAreReadAndWarpsMayBeEmpty() throws IOException {
    String exit = "0010 ffffffff 0 EXIT 0 0 0";
    Diagnostics diagnostics = Diagnostics.lenient();
    KernelTrace kernel = open(kernel(block(1, warp(0) + warp(1, exit)), block(3, "")), diagnostics);
    assertThat(kernel.readBlock(0, block)).isFalse();
    assertThat(kernel.readBlock(1, block)).isTrue();
    assertThat(block.count(0)).isZero();
    assertThat(block.count(1)).isEqualTo(1);
    assertThat(kernel.readBlock(2, block)).isFalse();
    assertThat(kernel.readBlock(3, block)).isTrue();
    assertThat(block.instructions()).isZero();
    assertThat(kernel.readBlock(1, block)).isTrue();
    assertThat(diagnostics.messages())
        .containsExactly(
            "kernel-1.traceg: found 2 of 4 thread blocks, the first missing is 0,0,0, expected all"
                + " blocks of the grid (4,1,1)");
  }

  @Test
  void blocksAreFoundByCoordinateInWhateverOrderTheyStand() throws IOException {
    KernelTrace kernel = open(shuffled(), Diagnostics.strict());
    for (int id : new int[] {0, 1, 2, 3, 1, 3, 0, 2, 2}) {
      assertThat(kernel.readBlock(id, block)).isTrue();
      assertThat(block.blockId()).isEqualTo(id);
      assertThat(kernel.code().get(block.row(0)).pc()).isEqualTo(16 * id);
    }
    assertThat(kernel.readBlock(4, block)).isFalse();
  }

  private static String shuffled() {
    StringBuilder text = new StringBuilder(header(5));
    for (int id : new int[] {2, 0, 3, 1}) {
      text.append(block(id, warp(0, String.format("%04x ffffffff 0 EXIT 0 0 0", 16 * id))));
    }
    return text.toString();
  }

  @Test
  void blocksOfAThreeDimensionalGridAreNumberedXFirst() throws IOException {
    String text =
        header(5, "(2,3,3)", false)
            + block(0, warp(0, "0010 ffffffff 0 EXIT 0 0 0")).replace("0,0,0", "1,2,1");
    assertThat(open(text, Diagnostics.strict()).readBlock((1 * 3 + 2) * 2 + 1, block)).isTrue();
  }

  @Test
  void theRankInAClusterIsRead() throws IOException {
    String text = header(6) + block(1, "cluster id = 0,0,0\ncluster rank = 1\n");
    open(text, Diagnostics.strict()).readBlock(1, block);
    assertThat(block.clusterRank()).isEqualTo(1);
  }

  @Test
  void windowsLineEndsAndAMissingLastNewlineAreRead() throws IOException {
    String text = kernel(block(0, warp(0, "0010 ffffffff 0 EXIT 0 0 0"))).stripTrailing();
    KernelTrace kernel = open(text.replace("\n", "\r\n"), Diagnostics.strict());
    assertThat(kernel.readBlock(0, block)).isTrue();
    assertThat(block.count(0)).isEqualTo(1);
  }

  @Test
  void aPcThatBeginsLikeClusterIsAnInstruction() throws IOException {
    assertThat(only(5, "c0a0 ffffffff 0 EXIT 0 0 0").pc()).isEqualTo(0xc0a0);
  }

  @Test
  void aLineLongerThanTheBufferIsRead() throws IOException {
    int sectors = 200_000;
    only(
        6,
        "0010 00000001 0 UTMALDG.2D 0 32 0x440 0 160 32 4 0x1000 "
            + sectors
            + " 32".repeat(sectors - 1)
            + " 0 0 NoVal");
    assertThat(KernelAssert.payloads(block, 0))
        .isEqualTo("3:[1088, 0, 160, 32, 4096, 32, " + sectors + "]");
  }

  private long[] addresses(String mask, String payload) throws IOException {
    only(5, "0010 " + mask + " 1 R4 LDG.E 1 R2 4 " + payload + " 0");
    long[] lanes = new long[32];
    Payload.addresses(block.data(), block.payload(0), block.mask(0), lanes);
    return lanes;
  }

  /** The only instruction of a one-line kernel of a version. */
  private Instruction only(int version, String line) throws IOException {
    return only(header(version).replace("86", "90") + block(0, warp(0, line)), 0, 0);
  }

  private Instruction only(String text, long blockId, int warp) throws IOException {
    KernelTrace kernel = open(text, Diagnostics.strict());
    assertThat(kernel.readBlock(blockId, block)).isTrue();
    assertThat(block.count(warp)).isEqualTo(1);
    return kernel.code().get(block.row(block.start(warp)));
  }
}
