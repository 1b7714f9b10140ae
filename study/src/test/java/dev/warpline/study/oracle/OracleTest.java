package dev.warpline.study.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another simulator's tables, how far we are from them, and how fast. */
class OracleTest {
  @TempDir Path folder;

  private OracleTable table(String... lines) throws IOException {
    return OracleTable.read(Files.write(folder.resolve("oracle.csv"), List.of(lines)));
  }

  private static KernelResult kernel(int id, long start, long cycles, Map<String, Number> counts) {
    return new KernelResult(
        id, "k", start, cycles, 50, 1600, 0.5, "grid", counts, Map.of(), List.of());
  }

  private static Workload workload(String name, double cpuSeconds, KernelResult... kernels) {
    return new Workload(name, List.of(kernels), 2 * cpuSeconds, cpuSeconds, 300_000_000);
  }

  @Test
  void aTableHasARowPerWorkloadAndUnknownsAreNotNumbers() throws IOException {
    OracleTable table = table("workload,cycles,l2_misses", "a,100,7", "", "b,200,");
    assertThat(table.rows()).extracting(OracleTable.Row::workload).containsExactly("a", "b");
    assertThat(table.rows().get(0).get("cycles")).isEqualTo(100);
    assertThat(table.rows().get(0).get("l2_misses")).isEqualTo(7);
    assertThat(table.rows().get(1).get("l2_misses")).isNaN();
    assertThat(table.rows().get(1).get("no such column")).isNaN();
  }

  @Test
  void aBadTableSaysWhereAndWhat() {
    assertThatThrownBy(() -> table()).hasMessageContaining("oracle.csv: empty");
    assertThatThrownBy(() -> table("workload,time", "a,1"))
        .hasMessageContaining("oracle.csv:1: found the columns workload,time")
        .hasMessageContaining("expected workload and cycles");
    assertThatThrownBy(() -> table("workload,cycles", "a,1", "b"))
        .hasMessageContaining("oracle.csv:3: found 1 cells, expected 2");
    assertThatThrownBy(() -> table("workload,cycles", "a,fast"))
        .hasMessageContaining("oracle.csv:2: column cycles: found fast, expected a number");
  }

  @Test
  void aLineHasBothCyclesAndEveryMetricsError() throws IOException {
    OracleTable.Row row =
        table("workload,cycles,warp_instructions,l1d_misses", "a,200,50,40").rows().get(0);
    OracleComparison comparison = new OracleComparison();
    String line =
        comparison.line(row, workload("a", 1, kernel(1, 0, 220, Map.of("l1.misses", 30))));
    assertThat(line).startsWith("a ").hasSameSizeAs(OracleComparison.header());
    assertThat(cell(line, "theirs")).isEqualTo("200");
    assertThat(cell(line, "ours")).isEqualTo("220");
    assertThat(cell(line, "cycles")).isEqualTo("+10.00%");
    assertThat(cell(line, "warp inst")).isEqualTo("+0.00%");
    assertThat(cell(line, "L1 miss")).isEqualTo("-25.00%");
    assertThat(cell(line, "DRAM rd")).isEqualTo("-");
  }

  /** What stands below a heading; both end at the same place. */
  private static String cell(String line, String heading) {
    int end = OracleComparison.header().indexOf(heading) + heading.length();
    return line.substring(end - 10, end).strip();
  }

  @Test
  void theSummaryCountsWhatIsCloseOverAllWorkloads() throws IOException {
    OracleTable table = table("workload,cycles", "a,200", "b,100");
    OracleComparison comparison = new OracleComparison();
    comparison.line(table.rows().get(0), workload("a", 1, kernel(1, 0, 210, Map.of())));
    assertThat(comparison.allClose()).isTrue();
    comparison.line(table.rows().get(1), workload("b", 1, kernel(1, 0, 85, Map.of())));
    assertThat(comparison.allClose()).isFalse();
    assertThat(comparison.summary().get(0))
        .isEqualTo("cycles       within 10 %: 1 of 2; mean error 10.00 %, largest 15.00 %");
    assertThat(comparison.summary().get(1)).contains("0 of 0");
  }

  @Test
  void oneInstructionTooManyIsNotClose() throws IOException {
    OracleTable table = table("workload,cycles,warp_instructions", "a,200,49");
    OracleComparison comparison = new OracleComparison();
    comparison.line(table.rows().get(0), workload("a", 1, kernel(1, 0, 200, Map.of())));
    assertThat(comparison.allClose()).isFalse();
  }

  @Test
  void aWorkloadAddsUpItsKernels() {
    Workload both =
        workload(
            "a",
            1,
            kernel(1, 0, 100, Map.of("l2.misses", 3)),
            kernel(2, 100, 40, Map.of("l2.misses", 4)));
    assertThat(both.cycles()).isEqualTo(140);
    assertThat(both.warpInstructions()).isEqualTo(100);
    assertThat(both.threadInstructions()).isEqualTo(3200);
    assertThat(both.statistic("l2.misses")).isEqualTo(7);
  }

  @Test
  void aTraceIsFoundByItsNameInAnyForm() throws IOException {
    Files.createFile(folder.resolve("a.tar.xz"));
    Files.createDirectory(folder.resolve("b"));
    Files.createFile(folder.resolve("b.wlt"));
    assertThat(Workload.find(folder, "a")).isEqualTo(folder.resolve("a.tar.xz"));
    assertThat(Workload.find(folder, "b")).isEqualTo(folder.resolve("b.wlt"));
    assertThatThrownBy(() -> Workload.find(folder, "c")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void speedsAreComparedByTheirGeometricMean() {
    SpeedTable table = new SpeedTable();
    // 50 warp instructions in 0.5 and 2 seconds of CPU: 100 and 25 a second.
    Workload quick = workload("quick", 0.5, kernel(1, 0, 10, Map.of()));
    Workload slow = workload("slow", 2, kernel(1, 0, 10, Map.of()));
    String first = table.line(quick, 1, null);
    table.line(slow, 1, quick);
    table.line(slow, Double.NaN, null);
    assertThat(first.trim().split(" +"))
        .containsExactly("quick", "50", "1.000", "0.500", "100", "100.0", "300", "-");
    assertThat(table.summary())
        .containsExactly(
            "geometric mean 50.0 x the oracle's rate over 2 workloads; least 25.0 x (slow)",
            "threads: geometric mean 4.00 x in wall time",
            "most heap seen in use 300 MB");
  }

  @Test
  void recordingIsMeasuredAgainstTheSameRunWithoutIt() throws IOException {
    AddedCost cost = AddedCost.ofRecording(() -> Core.MODERN.machine(Gpus.load("h200")), 2, 0);
    Path trace = Path.of("..", "examples", "traces", "vecadd");
    String line = cost.measure(trace, "vecadd");
    assertThat(line.trim().split(" +")[1]).isEqualTo("640");
    String percent = line.substring(line.lastIndexOf(' ') + 1).replace("%", "");
    assertThat(cost.summary())
        .matches(
            "recording costs -?[0-9.]+ % on average over 1 workloads, -?[0-9.]+ % at most"
                + " \\(vecadd\\)")
        .contains(percent.replace("+", "") + " %");
  }
}
