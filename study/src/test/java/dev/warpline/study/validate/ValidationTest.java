package dev.warpline.study.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.KernelResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of counters, figures of merit, and what is written of them. */
class ValidationTest {
  @TempDir Path folder;

  private Path csv(String... lines) throws IOException {
    return Files.write(folder.resolve("hardware.csv"), List.of(lines));
  }

  private static KernelComparison comparison(String name, double measured, long simulated) {
    HardwareTable.Row row =
        new HardwareTable.Row(
            name,
            1,
            Map.of("cycles_median", Double.toString(measured), "smsp__inst_executed.sum", "100"));
    KernelResult result =
        new KernelResult(
            1,
            name,
            0,
            simulated,
            110,
            3520,
            0.5,
            "threads",
            Map.of(),
            Map.of("selected", 110L, "l2_hit", 220L),
            List.of());
    return new KernelComparison(row, result, null, 1);
  }

  @Test
  void aTableMayHoldSeveralKernelsOfAWorkload() throws IOException {
    HardwareTable table =
        HardwareTable.read(
            csv("workload,kernel_id,cycles_median", "a,1,100", "a,2,200", "\"b,c\",,300"));
    assertThat(table.rows()).extracting(HardwareTable.Row::kernelId).containsExactly(1, 2, 1);
    assertThat(table.rows().get(2).workload()).isEqualTo("b,c");
  }

  @Test
  void aBadTableSaysWhereAndWhat() throws IOException {
    Path noCycles = csv("workload,cycles", "a,1");
    assertThatThrownBy(() -> HardwareTable.read(noCycles)).hasMessageContaining("cycles_median");
    Path shortLine = csv("workload,cycles_median", "a");
    assertThatThrownBy(() -> HardwareTable.read(shortLine))
        .hasMessageContaining("hardware.csv:2")
        .hasMessageContaining("expected 2");
    Path noNumber = csv("workload,cycles_median", "a,x");
    assertThatThrownBy(() -> HardwareTable.read(noNumber)).hasMessageContaining("\"x\"");
  }

  @Test
  void theSummaryIsOfAbsoluteErrors() {
    Summary summary =
        Summary.of(
            List.of(
                comparison("a", 100, 110), comparison("b", 200, 190), comparison("c", 400, 400)));
    assertThat(summary.mape()).isCloseTo(5, within(1e-9));
    assertThat(summary.median()).isCloseTo(5, within(1e-9));
    assertThat(summary.max()).isCloseTo(10, within(1e-9));
    assertThat(summary.correlation()).isGreaterThan(0.99);
    assertThat(summary.rankCorrelation()).isCloseTo(1, within(1e-9));
  }

  @Test
  void aWorkloadWithoutATraceFailsByItself() throws Exception {
    HardwareTable table = HardwareTable.read(csv("workload,cycles_median", "absent,100"));
    Validation validation =
        new Validation(
            table,
            folder,
            () -> {
              throw new IOException("not asked for");
            });
    List<KernelComparison> all = validation.run(java.util.regex.Pattern.compile(""), 1, c -> {});
    assertThat(all).hasSize(1);
    assertThat(all.get(0).failure()).contains("no trace of absent");
  }

  @Test
  void theJsonHasSummaryAndWorkloads() throws IOException {
    Path json = folder.resolve("out.json");
    ValidationJson.write(List.of(comparison("alpha", 1000, 1100)), json);
    assertThat(Files.readString(json))
        .contains("\"mape\"", "\"name\" : \"alpha\"", "\"errorPercent\" : 10.0");
  }

  @Test
  void aMechanismIsWorthWhatTheErrorGrowsWithoutIt() throws IOException {
    Path file =
        Files.write(
            folder.resolve("a.tsv"),
            List.of("# comment", "rows\tflowMemory.dramRowNs=0,sm.count=3\topening a row is free"));
    Ablation rows = Ablation.read(file).get(0);
    assertThat(rows.settings()).containsExactly("flowMemory.dramRowNs=0", "sm.count=3");
    List<KernelComparison> whole =
        List.of(comparison("near", 100, 102), comparison("far", 100, 110), comparison("c", 10, 10));
    List<KernelComparison> without =
        List.of(comparison("near", 100, 90), comparison("far", 100, 105), comparison("c", 10, 10));
    assertThat(Ablation.header(whole)).contains("4.00%", "+4.00%");
    // Mean error 5 instead of 4; "near" needs the mechanism, "far" would be better without.
    assertThat(rows.line(whole, without).replaceAll("\\s+", " "))
        .isEqualTo("rows 5.00% -1.67% +1.00 1 1 near -11.8 %, far -4.5 %");
  }

  @Test
  void aLineThatTakesNothingAwayIsAnError() throws IOException {
    Path file = Files.write(folder.resolve("a.tsv"), List.of("rows\tdramRowNs\tfree"));
    assertThatThrownBy(() -> Ablation.read(file))
        .hasMessageContaining("a.tsv, line 1")
        .hasMessageContaining("FIELD=VALUE");
    Path empty = Files.write(folder.resolve("b.tsv"), List.of("# nothing"));
    assertThatThrownBy(() -> Ablation.read(empty)).hasMessageContaining("no line");
  }
}
