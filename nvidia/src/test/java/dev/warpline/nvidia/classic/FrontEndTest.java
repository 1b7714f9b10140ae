package dev.warpline.nvidia.classic;

import static dev.warpline.nvidia.classic.Kernels.oneWarp;
import static dev.warpline.nvidia.classic.Kernels.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Instruction buffers and the scoreboard of an RTX 3070 with other sizes. */
class FrontEndTest {
  private static final String READERS = "classic.scoreboard.pendingReaders=";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 12, 24})
  void aFetchCostsTheOnlyWarpACycleHoweverManyInstructionsItBrings(int entries) throws IOException {
    String[] lines = new String[24];
    for (int i = 0; i < lines.length; i++) {
      String opcode = i % 2 == 0 ? "MOV" : "FADD";
      lines[i] = String.format("%04x ffffffff 1 R%d %s 0 0 0", 16 * i, i + 1, opcode);
    }
    long cycles =
        run(
                oneWarp(lines),
                "classic.frontEnd.fetchThroughput=1",
                "classic.frontEnd.instructionBuffer=" + entries)
            .cycles();
    assertThat(cycles).isEqualTo(33 + lines.length / entries);
  }

  @ParameterizedTest
  @CsvSource({"1, 534", "2, 534", "3, 542", "4, 542"})
  void aUserOfAWideLoadsThirdRegisterWaitsIfThatIsTracked(int destinations, long cycles)
      throws IOException {
    assertThat(
            run(
                    oneWarp(
                        "0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f0000000000 16 0",
                        "0010 ffffffff 1 R8 MOV 1 R6 0 0"),
                    "classic.scoreboard.destinations=" + destinations)
                .cycles())
        .isEqualTo(cycles);
  }

  @ParameterizedTest
  @CsvSource({"0, 11", "1, 12", "1023, 12"})
  void aRegisterIsNotOverwrittenUntilItWasRead(int readers, long cycles) throws IOException {
    assertThat(
            run(
                    oneWarp(
                        "0000 ffffffff 1 R5 FADD 3 R4 R8 R12 0 0", "0010 ffffffff 1 R4 MOV 0 0 0"),
                    READERS + readers)
                .cycles())
        .isEqualTo(cycles);
  }

  @ParameterizedTest
  @CsvSource({"0, 14", "1, 17", "2, 14", "3, 14", "63, 14"})
  void oneReaderAtATimeHoldsTheNextOneBack(int readers, long cycles) throws IOException {
    assertThat(
            run(
                    oneWarp(
                        "0000 ffffffff 1 R5 FADD 3 R4 R3 R1 0 0",
                        "0010 ffffffff 1 R6 IADD3 3 R4 R3 R1 0 0",
                        "0020 ffffffff 1 R7 FADD 3 R4 R3 R1 0 0",
                        "0030 ffffffff 1 R8 IADD3 3 R4 R3 R1 0 0"),
                    READERS + readers)
                .cycles())
        .isEqualTo(cycles);
  }
}
