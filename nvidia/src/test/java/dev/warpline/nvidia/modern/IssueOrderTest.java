package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which warp of a sub-core goes on: four warps of sub-core 0, the youngest being warp 12. */
class IssueOrderTest {
  private static final String YOUNGEST = "modern.issue.policy=youngest";

  /** Warps in the order of their issues, warps of the other sub-cores left out. */
  private static List<Integer> order(Program.Run run) {
    List<long[]> all = new ArrayList<>();
    for (int w = 0; w < 16; w += 4) {
      for (long t : run.issued().get(w)) {
        all.add(new long[] {t, w / 4});
      }
    }
    all.sort(Comparator.comparingLong(a -> a[0]));
    return all.stream().map(a -> (int) a[1]).toList();
  }

  private static Program four(Program program) {
    return program.warps(16).set(YOUNGEST).set("modern.launch.smWarpInterval=0");
  }

  @Test
  void aWarpThatCanGoOnKeepsItsSubCore() throws IOException {
    List<Integer> order =
        order(four(Program.repeated("S01 FADD R1, R2, R3", 8).then("EXIT")).run());
    assertThat(order.subList(0, 9)).containsOnly(3);
    assertThat(order.subList(9, 18)).containsOnly(2);
    assertThat(order.subList(27, 36)).containsOnly(0);
  }

  @Test
  void aStallLetsTheYoungestOtherGo() throws IOException {
    List<Integer> order =
        order(
            four(Program.of("S01 NOP", "S04 NOP", "S01 NOP", "S01 NOP", "S01 NOP", "EXIT")).run());
    assertThat(order.subList(0, 6)).containsExactly(3, 3, 2, 2, 1, 1);
    assertThat(order.get(6)).isEqualTo(3);
  }

  @Test
  void aYieldSwitchesToTheYoungestOtherAndBack() throws IOException {
    List<Integer> order =
        order(four(Program.of("S01 NOP", "S01 Y NOP", "S01 Y NOP", "S01 NOP", "EXIT")).run());
    assertThat(order.subList(0, 5)).containsExactly(3, 3, 2, 2, 3);
  }

  @Test
  void fairOrderLetsAllWarpsEndTogether() throws IOException {
    Program.Run run =
        Program.repeated("S04 IADD3 R1, R2, R3, RZ", 40)
            .then("EXIT")
            .warps(32)
            .set("modern.launch.smWarpInterval=0")
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
}
