package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stall counters, yields and dependence counters. */
class ControlBitsTest {
  @Test
  void theNextInstructionIssuesAfterTheStallCount() throws IOException {
    Program.Run run = Program.of("S04 FADD R1, R2, R3", "S01 FFMA R4, R5, R6, R7", "EXIT").run();
    assertThat(run.between(0, 1)).isEqualTo(4);
    assertThat(run.between(1, 2)).isEqualTo(1);
  }

  @Test
  void theClocksOfThePaperDifferByFiveAndEight() throws IOException {
    for (int stall : new int[] {1, 4}) {
      Program.Run run =
          Program.of(
                  "S01 CS2R.32 R20, SR_CLOCKLO",
                  "S01 NOP",
                  "S0" + stall + " FADD R1, R2, R3",
                  "S01 FFMA R5, R1, R1, R1",
                  "S01 NOP",
                  "S01 CS2R.32 R22, SR_CLOCKLO",
                  "EXIT")
              .run();
      assertThat(run.between(0, 5)).isEqualTo(stall == 1 ? 5 : 8);
    }
  }

  @Test
  void aYieldWithNobodyElseIsOneBubble() throws IOException {
    Program.Run run =
        Program.of("S01 FADD R1, R2, R3", "S01 Y FADD R4, R5, R6", "S01 NOP", "EXIT").run();
    assertThat(run.issues(0)).startsWith(0L, 1L, 3L);
  }

  @Test
  void stallZeroWithYieldHoldsTheWarpFor45Cycles() throws IOException {
    Program.Run run = Program.of("S00 Y NOP", "S01 NOP", "EXIT").run();
    assertThat(run.between(0, 1)).isEqualTo(45);
  }

  @Test
  void aWaiterInTheVeryNextCycleDoesNotSeeTheCounterGoUp() throws IOException {
    Program.Run early =
        Program.of("S01 W0 MUFU.RCP R1, R2", "S01 B01 FADD R3, R1, R1", "EXIT")
            .set("modern.units.xuDispatch=1")
            .run();
    assertThat(early.between(0, 1)).isEqualTo(1);
    Program.Run late =
        Program.of("S02 W0 MUFU.RCP R1, R2", "S01 B01 FADD R3, R1, R1", "EXIT")
            .set("modern.units.xuDispatch=1")
            .run();
    assertThat(late.between(0, 1)).isEqualTo(17);
  }

  @Test
  void theLongerControlTakesTheLaterACounterIsSeen() throws IOException {
    Program.Run run =
        Program.of("S02 W0 MUFU.RCP R1, R2", "S01 B01 FADD R3, R1, R1", "EXIT")
            .set("modern.units.xuDispatch=1")
            .set("modern.issue.controlCycles=2")
            .run();
    assertThat(run.between(0, 1)).isEqualTo(2);
  }

  @Test
  void aWaiterThatDoesNotSeeTheLastIncrementYetWaitsForTheOnesBefore() throws IOException {
    Program.Run run =
        Program.of("S01 W0 LDS R1, [R2]", "S01 W0 LDS R3, [R2]", "S01 B01 FADD R5, R1, R3", "EXIT")
            .run();
    assertThat(run.between(0, 2)).isEqualTo(23);
  }

  @Test
  void aYieldTakesAsLongAsItsFieldSays() throws IOException {
    Program.Run run =
        Program.of("S01 Y FADD R4, R5, R6", "S01 NOP", "EXIT")
            .set("modern.issue.yieldStall=7")
            .run();
    assertThat(run.between(0, 1)).isEqualTo(7);
  }

  @Test
  void oneCounterMayHaveSeveralProducers() throws IOException {
    Program.Run run =
        Program.of("S04 W0 LDS R1, [R2]", "S04 W0 LDS R3, [R2]", "S01 B01 FADD R5, R1, R3", "EXIT")
            .run();
    assertThat(run.between(1, 2)).isEqualTo(23);
  }

  @Test
  void depbarLetsSoManyOfItsCounterBeOutstanding() throws IOException {
    String[] program = {"S04 W0 LDS R4, [R2]", "S04 W0 LDG.E R6, [R18.64]", "", "S01 NOP", "EXIT"};
    program[2] = "S04 DEPBAR.LE SB0, 0x2";
    assertThat(Program.of(program).run().between(0, 2)).isEqualTo(8);
    program[2] = "S04 DEPBAR.LE SB0, 0x1";
    assertThat(Program.of(program).run().between(0, 2)).isEqualTo(23);
    program[2] = "S04 DEPBAR.LE SB0, 0x0";
    Program.Run all = Program.of(program).run();
    assertThat(all.between(0, 2)).isGreaterThan(400);
    assertThat(all.between(2, 3)).isEqualTo(4);
  }

  @Test
  void depbarWithAListAlsoWaitsForTheListedCountersToBeZero() throws IOException {
    String[] program = {
      "S04 W0 LDS R4, [R2]",
      "S04 W0 LDG.E R6, [R18.64]",
      "S04 W3 LDS R8, [R2]",
      "S04 W4 LDS R12, [R2]",
      "",
      "EXIT"
    };
    program[4] = "S04 DEPBAR.LE SB0, 0x1, {4,3}";
    assertThat(Program.of(program).run().between(0, 4)).isEqualTo(12 + 23);
    program[4] = "S04 DEPBAR.LE SB0, 0x1, {3}";
    assertThat(Program.of(program).run().between(0, 4)).isEqualTo(8 + 23);
    program[4] = "S04 DEPBAR.LE SB5, 0x0, {0}";
    assertThat(Program.of(program).run().between(0, 4)).isGreaterThan(400);
    program[4] = "S04 DEPBAR {4,3}";
    assertThat(Program.of(program).run().between(0, 4)).isEqualTo(12 + 23);
  }

  /** Two groups of copies, the second 300 cycles after the first, and a wait for all but some. */
  private static long groupsWaitedFor(int left) throws IOException {
    String copy = "S04 LDGSTS.E.BYPASS.128 [R3], desc[UR4][R18.64]";
    List<String> program = new ArrayList<>(List.of(copy, "S02 W0 LDGDEPBAR"));
    program.addAll(Collections.nCopies(20, "S15 NOP"));
    program.addAll(
        List.of(copy, "S02 W0 LDGDEPBAR", "S04 DEPBAR.LE SB0, 0x" + left, "S01 NOP", "EXIT"));
    Program.Run run = Program.of(program.toArray(String[]::new)).addressStep(128).run();
    assertThat(run.between(0, 22)).as("between the copies").isBetween(300L, 310L);
    return run.between(0, 24);
  }

  @Test
  void depbarWaitsForAllButSoManyGroupsOfCopies() throws IOException {
    long none = groupsWaitedFor(2);
    long first = groupsWaitedFor(1);
    long both = groupsWaitedFor(0);
    assertThat(none).as("nothing to wait for").isBetween(300L, 320L);
    assertThat(first).as("the first copy reads device memory").isBetween(600L, 900L);
    assertThat(both - first).as("the second copy ends so much later").isBetween(150L, 400L);
  }
}
