package dev.warpline.nvidia.classic;

import static dev.warpline.nvidia.classic.Kernels.oneWarp;
import static dev.warpline.nvidia.classic.Kernels.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.isa.ControlBits;
import dev.warpline.trace.KernelBuilder;
import java.io.IOException;
import org.junit.jupiter.api.Test;
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

  /** Cycles of one warp with lines that have a listing behind a bar. */
  private static long tracking(String registers, String... lines) throws IOException {
    KernelBuilder kernel = new KernelBuilder("test").binaryVersion(86);
    for (String line : lines) {
      String[] parts = line.split(" \\| ");
      kernel.line(parts[0], ControlBits.ABSENT, parts[1]);
    }
    kernel.line("0ff0 ffffffff 0 EXIT 0 0 0", ControlBits.ABSENT, "EXIT ;");
    return run(kernel.build(), "classic.scoreboard.tracks=" + registers).cycles();
  }

  @ParameterizedTest
  @CsvSource({"first, 534", "regular, 542", "all, 542"})
  void aUserOfAWideLoadsThirdRegisterWaitsIfThatIsTracked(String registers, long cycles)
      throws IOException {
    assertThat(
            tracking(
                registers,
                "0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f0000000000 16 0 | LDG.E.128 R4, [R2.64] ;",
                "0010 ffffffff 1 R8 MOV 1 R6 0 0 | MOV R8, R6 ;"))
        .isEqualTo(cycles);
  }

  @ParameterizedTest
  @CsvSource({"first, 12", "regular, 12", "all, 19"})
  void aUserOfAUniformRegisterWaitsIfThoseAreTracked(String registers, long cycles)
      throws IOException {
    assertThat(
            tracking(
                registers,
                "0000 ffffffff 0 S2UR 0 0 0 | S2UR UR4, SR_CTAID.X ;",
                "0010 ffffffff 1 R5 IADD3 1 R4 0 0 | IADD3 R5, R4, UR4, RZ ;"))
        .isEqualTo(cycles);
  }

  @ParameterizedTest
  @CsvSource({"first, 13, 11", "regular, 13, 11", "all, 18, 17"})
  void aUserOfAPredicateWaitsIfThoseAreTracked(String registers, long selected, long guarded)
      throws IOException {
    String compare = "0000 ffffffff 0 ISETP.NE.AND 2 R2 R3 0 0 | ISETP.NE.AND P0, PT, R2, R3, PT ;";
    String select = "0010 ffffffff 1 R5 SEL 2 R4 R6 0 0 | SEL R5, R4, R6, P0 ;";
    String guard = "0010 ffffffff 1 R5 FADD 2 R4 R6 0 0 | @P0 FADD R5, R4, R6 ;";
    assertThat(tracking(registers, compare, select)).isEqualTo(selected);
    assertThat(tracking(registers, compare, guard)).isEqualTo(guarded);
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

  @Test
  void aSchedulerThatChoosesAWarpThatCannotIssueEndsTheRunByName() {
    assertThatThrownBy(
            () -> run(oneWarp("0000 ffffffff 0 NOP 0 0 0"), "classic.frontEnd.policy=wrong"))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("scheduler wrong chose warp 63, expected one that can issue, or -1");
  }
}
