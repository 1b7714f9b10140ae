package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Constant loads with a register index: what follows from docs/hardware/h200/indexed_constants.cu.
 */
class ConstantLoadsTest {
  /**
   * From a load's issue to that of an instruction that waits for it, and the loads' own program.
   */
  private static long loadAfter(Program program, String... index) throws IOException {
    for (String line : index) {
      program.then(line);
    }
    program.then("S02 W0 LDC R8, c[0x3][R6]").then("S04 B01 FADD R9, R8, R8").then("EXIT");
    Program.Run run = program.run();
    int load = run.issued().get(0).size() - 3;
    return run.between(load, load + 1);
  }

  private static Program lane() {
    return Program.of("S02 W0 S2R R4, SR_LANEID");
  }

  /** Constants of three banks, one of them in a line that nothing else reads. */
  private static Program reader() {
    return Program.of(
            "S02 W0 LDC R4, c[0x0][0x210]",
            "S02 W1 LDC R5, c[0x3][0x1000]",
            "S06 B03 FADD R6, R4, c[0x2][0x40]",
            "S06 FADD R7, R6, c[0x0][RZ]",
            "S06 FADD R8, R7, R6",
            "EXIT")
        .cold();
  }

  @Test
  void aFileOfConstantsSaysWhatAListingSays() throws IOException {
    List<Long> listed = reader().run().issues(0);
    assertThat(reader().withoutListing().withConstants().run().issues(0)).isEqualTo(listed);
    assertThat(reader().withoutListing().run().issues(0)).isNotEqualTo(listed);
  }

  @Test
  void oneWordForAllLanesTakes28Cycles() throws IOException {
    assertThat(loadAfter(lane(), "S06 B01 IMAD R6, R4, 0x0, RZ")).isEqualTo(28);
  }

  @ParameterizedTest
  @CsvSource({"0x1,2", "0x3,4", "0x7,8", "0xf,16", "0x1f,32"})
  void eachFurtherWordTakes11More(String mask, int words) throws IOException {
    long one =
        loadAfter(
            lane(),
            "S06 B01 LOP3.LUT R5, R4, " + mask + ", RZ, 0xc0, !PT",
            "S06 SHF.L.U32 R6, R5, 0x2, RZ");
    assertThat(one).isEqualTo(28 + 11L * (words - 1));
  }

  @Test
  void wordsOfOneLineCostAsMuchAsWordsOfSeveral() throws IOException {
    long line = loadAfter(lane(), "S06 B01 SHF.L.U32 R6, R4, 0x2, RZ");
    long lines = loadAfter(lane(), "S06 B01 SHF.L.U32 R6, R4, 0x6, RZ");
    assertThat(line).isEqualTo(28 + 11 * 31);
    assertThat(lines).isEqualTo(line);
  }

  @Test
  void theRowOfA128By3BlockIsOneWordInEveryWarp() throws IOException {
    Program block = Program.of("S02 W0 S2R R4, SR_TID.Y").warps(12).rows(3);
    assertThat(loadAfter(block, "S06 B01 SHF.L.U32 R6, R4, 0x2, RZ")).isLessThan(60);
  }

  @Test
  void aFieldOfTwoBitsOfUnknownDataTakesFourWords() throws IOException {
    Program data = Program.of("S02 W0 S2R R4, SR_TID.X", "S02 W1 B01 LDG.E R5, desc[UR4][R2.64]");
    assertThat(loadAfter(data, "S06 B02 LOP3.LUT R6, R5, 0xc, RZ, 0xc0, !PT"))
        .isEqualTo(28 + 11 * 3);
  }

  @Test
  void aParameterIsOneWordForAllLanes() throws IOException {
    assertThat(loadAfter(lane(), "S06 B01 IADD3 R6, RZ, c[0x0][0x218], RZ")).isEqualTo(28);
  }

  @Test
  void aTableComesFromMemoryInPiecesOfFourLines() throws IOException {
    Program.Run run =
        lane()
            .then("S06 B01 IMAD R6, R4, 0x0, RZ")
            .then("S02 W0 LDC R8, c[0x3][R6]")
            .then("S04 B01 IADD3 R6, R6, 0x40, RZ")
            .then("S02 W0 LDC R8, c[0x3][R6]")
            .then("S04 B01 IADD3 R6, R6, 0xc0, RZ")
            .then("S02 W0 LDC R8, c[0x3][R6]")
            .then("S04 B01 FADD R9, R8, R8")
            .then("EXIT")
            .cold()
            .run();
    // Past the GPC's cache, by way of L2: 770 were measured for device memory.
    assertThat(run.between(2, 3)).isBetween(500L, 810L);
    assertThat(run.between(4, 5)).isBetween(88L, 110L);
    assertThat(run.between(6, 7)).isBetween(500L, 810L);
  }

  @Test
  void anSmReadsAWordEveryTwoCycles() throws IOException {
    Program program =
        Program.of("S02 W0 S2R R4, SR_LANEID", "S06 B01 SHF.L.U32 R6, R4, 0x2, RZ").warps(16);
    for (int i = 0; i < 8; i++) {
      program.then("S02 W0 LDC R" + (8 + i) + ", c[0x3][R6]");
    }
    Program.Run run = program.then("S04 B01 FADD R9, R8, R8").then("EXIT").run();
    long last = 0;
    for (int w = 0; w < 16; w++) {
      last = Math.max(last, run.together(w).get(10));
    }
    assertThat(last / (16.0 * 8 * 32)).isBetween(1.95, 2.2);
  }

  private static KernelResult bare(String load, String... settings) throws IOException {
    MemoryKernel kernel =
        new KernelBuilder("bare")
            .warp(0, 0)
            .line("0000 ffffffff 1 R4 S2R 0 0 0")
            .line(load)
            .line("0020 ffffffff 1 R9 FADD 2 R8 R8 0 0")
            .line("0030 ffffffff 0 EXIT 0 0 0")
            .build();
    return new ModernMachine(Gpus.load("h200", List.of(settings)), true)
        .run(new MemoryTrace("test").launch(kernel), RunOptions.DEFAULT, Progress.NONE)
        .kernels()
        .get(0);
  }

  @Test
  void withoutAListingAnIndexIsTakenAsTheSameForAllLanesAndSaidSo() throws IOException {
    assertThat(bare("0010 ffffffff 1 R8 LDC 1 R4 0 0").warnings())
        .contains("LDC at 0x0010: no listing says its index; taken as one word for all lanes");
  }

  @Test
  void withoutAListingALoadFromAFixedPlaceReadsTheLaunchesParameters() throws IOException {
    String load = "0010 ffffffff 1 R8 LDC 0 0 0";
    long usual = bare(load, "modern.constants.loadMissCycles=120").cycles();
    long slower = bare(load, "modern.constants.loadMissCycles=620").cycles();
    assertThat(slower - usual).isEqualTo(500);
  }
}
