package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One write port per register bank; a shared-memory load has its result after 23 cycles. */
class WritePortsTest {
  private static Program loadAnd(String fixed, int at) {
    return Program.of(
        "S02 W0 LDS R4, [R2]",
        "S10 NOP",
        "S0" + (at - 12) + " NOP",
        "S01 " + fixed,
        "S01 B01 FADD R9, R4, R4",
        "EXIT");
  }

  @ParameterizedTest
  @CsvSource({
    // A result of four cycles issued at 19 is there at 23 too: same bank, other bank.
    "'FADD R6, R2, R3',19,24",
    "'FADD R7, R2, R3',19,23",
    "'FADD R6, R2, R3',18,23",
    "'FADD R6, R2, R3',20,23",
  })
  void aLoadThatMeetsAFixedLatencyResultComesACycleLater(String fixed, int at, long read)
      throws IOException {
    Program.Run run = loadAnd(fixed, at).run();
    assertThat(run.between(0, 3)).isEqualTo(at);
    assertThat(run.between(0, 4)).isEqualTo(read);
  }

  @Test
  void itGivesWayOnce() throws IOException {
    Program.Run run =
        Program.of(
                "S02 W0 LDS R4, [R2]",
                "S10 NOP",
                "S07 NOP",
                "S01 FADD R6, R2, R3",
                "S01 FADD R8, R2, R3",
                "S01 B01 FADD R9, R4, R4",
                "EXIT")
            .run();
    assertThat(run.between(0, 5)).isEqualTo(24);
  }

  @Test
  void withoutTheRuleNothingWaits() throws IOException {
    Program.Run run = loadAnd("FADD R6, R2, R3", 19).set("modern.issue.writePort=false").run();
    assertThat(run.between(0, 4)).isEqualTo(23);
  }

  @Test
  void aScoreboardSeesTheLaterCycleToo() throws IOException {
    Program.Run run =
        loadAnd("FADD R6, R2, R3", 19).set("modern.issue.dependences=scoreboard").run();
    // Without stall counts the FADD goes at 3, so nothing meets.
    assertThat(run.between(0, 4)).isEqualTo(23);
    assertThat(run.count("registers.writeWaits")).isZero();
  }

  @Test
  void twoFixedLatencyResultsDoNotDelayEachOther() throws IOException {
    Program late =
        Program.of(
            "S01 DFMA R8, R10, R12, R14",
            "S01 NOP",
            "S01 NOP",
            "S01 NOP",
            "S01 FADD R16, R2, R3",
            "S01 FADD R17, R8, R16",
            "EXIT");
    Program.Run run = late.withoutControlBits().run();
    Program.Run alone =
        Program.of(
                "S01 DFMA R8, R10, R12, R14",
                "S01 NOP",
                "S01 NOP",
                "S01 NOP",
                "S01 NOP",
                "S01 FADD R17, R8, R16",
                "EXIT")
            .withoutControlBits()
            .run();
    assertThat(run.between(0, 4)).isEqualTo(4);
    assertThat(run.between(0, 5)).isEqualTo(alone.between(0, 5)).isEqualTo(8);
  }
}
