package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.UnfinishedSimulationException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which warp of a sub-core goes on: four warps of sub-core 0, the youngest being warp 12. */
class IssueOrderTest {
  private static final String YOUNGEST = "modern.issue.policy=youngest";

  /** In front of a program: all warps go on together, the youngest first, with full buffers. */
  private static final String FILL = "S01 BAR.SYNC 0x0";

  /** Warps in the order of their issues, warps of the other sub-cores left out. */
  private static List<Integer> order(Program.Run run) {
    return order(run, 0);
  }

  /** The same without the first instructions of each warp. */
  private static List<Integer> order(Program.Run run, int without) {
    return order(run, without, 4);
  }

  private static List<Integer> order(Program.Run run, int without, int subCores) {
    List<long[]> all = new ArrayList<>();
    for (int w = 0; w < 4 * subCores; w += subCores) {
      List<Long> issued = run.issued().get(w);
      for (long t : issued.subList(without, issued.size())) {
        all.add(new long[] {t, w / subCores});
      }
    }
    all.sort(Comparator.comparingLong(a -> a[0]));
    return all.stream().map(a -> (int) a[1]).toList();
  }

  private static Program four(Program program) {
    return program.warps(16).set(YOUNGEST).set("modern.launch.smWarpInterval=0");
  }

  /** Warps that start one after the other, so that the youngest comes last to a barrier. */
  private static Program staggered(Program program) {
    return program.warps(16).set(YOUNGEST).set("modern.launch.smWarpInterval=4");
  }

  @Test
  void aWarpThatCanGoOnKeepsItsSubCore() throws IOException {
    Program program = Program.of(FILL);
    for (int i = 0; i < 8; i++) {
      program.then("S01 FADD R1, R2, R3");
    }
    List<Integer> order = order(staggered(program.then("EXIT")).run(), 1);
    assertThat(order.subList(0, 9)).containsOnly(3);
    assertThat(order.subList(9, 18)).containsOnly(2);
    assertThat(order.subList(27, 36)).containsOnly(0);
  }

  @Test
  void aStallLetsTheYoungestOtherGo() throws IOException {
    List<Integer> order =
        order(
            staggered(
                    Program.of(FILL, "S01 NOP", "S04 NOP", "S01 NOP", "S01 NOP", "S01 NOP", "EXIT"))
                .run(),
            1);
    assertThat(order.subList(0, 6)).containsExactly(3, 3, 2, 2, 1, 1);
    assertThat(order.get(6)).isEqualTo(3);
  }

  /** First published timeline: 32 instructions, all control bits zero, instruction caches cold. */
  @Test
  void aWarpThatMissesItsNextLineLetsTheNextOneRunThroughAndThenFinishes() throws IOException {
    List<Integer> order =
        order(
            Program.repeated("S01 NOP", 32)
                .then("EXIT")
                .warps(4)
                .set("sm.subCores=1")
                .set(YOUNGEST)
                .set("modern.launch.smWarpInterval=0")
                .cold()
                .set("modern.supply.firstCycles=0")
                .set("modern.supply.l15Cycles=40")
                .set("modern.supply.l15Interval=10")
                .run(),
            0,
            1);
    // The lines behind the first come when warp 3 has issued its eight and warp 2 a few of its own.
    assertThat(order.subList(0, 8)).containsOnly(3);
    assertThat(order.subList(8, 8 + 33)).containsOnly(2);
    assertThat(order.subList(41, 41 + 25)).containsOnly(3);
    assertThat(order.subList(66, 66 + 33)).containsOnly(1);
    assertThat(order.subList(99, 99 + 33)).containsOnly(0);
  }

  /** Second published timeline: the second of 32 instructions carries a stall of 4. */
  @Test
  void onlyTheLastWarpShowsTheBubblesOfAStall() throws IOException {
    Program program = Program.of(FILL, "S01 NOP", "S04 NOP");
    for (int i = 0; i < 30; i++) {
      program.then("S01 NOP");
    }
    Program.Run run = staggered(program.then("EXIT")).run();
    List<Integer> order = order(run, 1);
    assertThat(order.subList(0, 6)).containsExactly(3, 3, 2, 2, 1, 1);
    assertThat(order.subList(6, 6 + 31)).containsOnly(3);
    assertThat(order.subList(37, 37 + 31)).containsOnly(2);
    assertThat(order.subList(68, 68 + 31)).containsOnly(1);
    List<Long> last = run.issued().get(0);
    assertThat(last.get(3) - last.get(2)).isEqualTo(4);
    // Until then an instruction went in every cycle: 99 of the others, two of its own.
    assertThat(last.get(2) - run.issued().get(12).get(1)).isEqualTo(100);
  }

  /** Third published timeline: the second of 32 instructions carries a yield. */
  @Test
  void aYieldHandsTheSubCoreToTheYoungestOther() throws IOException {
    Program program = Program.of(FILL, "S01 NOP", "S01 Y NOP");
    for (int i = 0; i < 30; i++) {
      program.then("S01 NOP");
    }
    List<Integer> order = order(staggered(program.then("EXIT")).run(), 1);
    assertThat(order.subList(0, 4)).containsExactly(3, 3, 2, 2);
    assertThat(order.subList(4, 4 + 31)).containsOnly(3);
    assertThat(order.subList(35, 35 + 31)).containsOnly(2);
  }

  @Test
  void aYieldSwitchesToTheYoungestOtherAndBack() throws IOException {
    List<Integer> order =
        order(
            staggered(Program.of(FILL, "S01 NOP", "S01 Y NOP", "S01 Y NOP", "S01 NOP", "EXIT"))
                .run(),
            1);
    assertThat(order.subList(0, 5)).containsExactly(3, 3, 2, 2, 3);
  }

  @Test
  void fairOrderLetsAllWarpsEndTogether() throws IOException {
    Program.Run run =
        Program.repeated("S04 IADD3 R1, R2, R3, RZ", 40)
            .then("EXIT")
            .warps(32)
            .set("modern.launch.smWarpInterval=0")
            .set("modern.supply.bufferEntries=1")
            .run();
    long first = Long.MAX_VALUE;
    long last = 0;
    for (int w = 0; w < 32; w += 4) {
      List<Long> issues = run.issued().get(w);
      first = Math.min(first, issues.get(issues.size() - 1));
      last = Math.max(last, issues.get(issues.size() - 1));
    }
    assertThat(last - first).isLessThan(40);
  }

  /** Active or current warps that wait at a barrier or for memory make room for the others. */
  @ParameterizedTest
  @ValueSource(strings = {"gto", "youngest", "least-recent", "old", "lrr", "rrr", "two-level:2"})
  void everySchedulerEndsABlockWithBarriersAndLoads(String policy) throws IOException {
    Program.Run run =
        Program.of(
                "S02 W0 LDG.E R4, desc[UR4][R2.64]",
                "S04 B01 FADD R5, R4, R4",
                "S02 BAR.SYNC 0x0",
                "S02 W0 LDS R6, [R7]",
                "S04 B01 FADD R8, R6, R5",
                "S02 BAR.SYNC 0x0",
                "EXIT")
            .warps(32)
            .set("modern.issue.policy=" + policy)
            .run();
    for (int w = 0; w < 32; w++) {
      assertThat(run.issued().get(w)).as("warp " + w).hasSize(7);
    }
  }

  @Test
  void aSchedulerThatChoosesAWarpThatCannotIssueEndsTheRunByName() {
    Program program = Program.of("S01 NOP", "EXIT").set("modern.issue.policy=wrong");
    assertThatThrownBy(program::run)
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageMatching(
            "cycle \\d+: scheduler wrong chose warp 63, expected one that can issue, or -1");
  }
}
