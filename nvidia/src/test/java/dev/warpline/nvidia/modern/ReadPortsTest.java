package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Register banks, the read window and the register-file cache. */
class ReadPortsTest {
  @ParameterizedTest
  @CsvSource({"R17,R19,5", "R18,R19,6", "R18,R20,7"})
  void conflictsDelayTheInstructionAfterTheNext(String x, String y, long elapsed)
      throws IOException {
    Program.Run run =
        Program.of(
                "S01 CS2R.32 R2, SR_CLOCKLO",
                "S01 NOP",
                "S01 FFMA R11, R10, R12, R14",
                "S01 FFMA R13, R16, " + x + ", " + y,
                "S01 NOP",
                "S01 CS2R.32 R4, SR_CLOCKLO",
                "EXIT")
            .run();
    assertThat(run.between(0, 5)).isEqualTo(elapsed);
  }

  @Test
  void withoutTheNopTheSecondClockSeesNothing() throws IOException {
    Program.Run run =
        Program.of(
                "S01 CS2R.32 R2, SR_CLOCKLO",
                "S01 NOP",
                "S01 FFMA R11, R10, R12, R14",
                "S01 FFMA R13, R16, R18, R20",
                "S01 CS2R.32 R4, SR_CLOCKLO",
                "EXIT")
            .run();
    assertThat(run.between(0, 4)).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "'FMUL R1, R2, R4',2",
    "'FFMA R1, R2, R4, R6',3",
    "'FFMA R1, R2, R3, R5',2",
    "'FMUL R1, R2, R3',1"
  })
  void aStreamRunsAsFastAsItsBusiestBank(String instruction, long cycles) throws IOException {
    Program.Run run = Program.repeated("S01 " + instruction, 40).then("EXIT").run();
    assertThat(run.between(20, 30)).isEqualTo(10 * cycles);
  }

  /** The four examples of the paper: does the third instruction find R2 kept? */
  @ParameterizedTest
  @CsvSource({
    "'FFMA R5, R2, R7, R8',1,false",
    "'FFMA R5, R2.reuse, R7, R8',1,true",
    "'FFMA R5, R7, R2, R8',0,true",
    "'FFMA R5, R4, R7, R8',0,false"
  })
  void aKeptOperandStaysUntilItsPlaceIsRead(String second, int secondHits, boolean thirdHits)
      throws IOException {
    Program.Run run =
        Program.of(
                "S02 IADD3 R1, R2.reuse, R3, R4",
                "S02 " + second,
                "S02 IADD3 R10, R2, R12, R13",
                "EXIT")
            .run();
    assertThat(run.count("registers.reuseHits")).isEqualTo(secondHits + (thirdHits ? 1 : 0));
  }

  /** Three even sources take the port of bank 0 from the third to the fifth cycle after issue. */
  @Test
  void aLoadLeavesItsQueueWhenEveryBankHasAPortLeft() throws IOException {
    String[] code = {
      "S01 FFMA R11, R10, R12, R14", "S02 W0 LDS R4, [R2]", "S01 B01 FADD R5, R4, R4", "EXIT"
    };
    assertThat(Program.of(code).set("modern.issue.queuesUsePorts=false").run().between(1, 2))
        .isEqualTo(23);
    Program.Run run = Program.of(code).run();
    assertThat(run.between(1, 2)).isEqualTo(25);
    assertThat(run.count("registers.queueWaits")).isEqualTo(1);
  }
}
