package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run stands beside earlier results, in text and in its report. */
class BaselineTest {
  private static final String VECADD = "../examples/traces/vecadd";

  @TempDir Path folder;

  @Test
  void aRunIsComparedWithAnEarlierResultAndAReportIsMadeOfBothWithoutSimulating() throws Exception {
    Path before = folder.resolve("before.json");
    Path after = folder.resolve("after.json");
    Path page = folder.resolve("page.html");
    Warpline first = Warpline.run("run", VECADD, "--gpu=h200", "--profile", "--json=" + before);
    assertThat(first.code()).as(first.err()).isZero();
    Warpline second =
        Warpline.run(
            "run",
            VECADD,
            "--gpu=h200",
            "--set=flowMemory.dramNs=3x",
            "--baseline=" + before,
            "--lines",
            "--profile",
            "--json=" + after);
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(second.out())
        .containsPattern("since before \\(.*\\):\\R  kernel 1 .* \\(\\+[\\d.]+ %\\)")
        .containsPattern("Data from DRAM +[\\d,]+ -> +[\\d,]+ warp-cycles")
        .contains("no line information");
    Warpline report =
        Warpline.run("report", after.toString(), "--baseline=" + before, "-o=" + page);
    assertThat(report.code()).as(report.err()).isZero();
    assertThat(report.out()).contains("since before");
    assertThat(Files.readString(page)).contains("\"before\":true", "\"title\":\"before\"");
  }

  @Test
  void aBaselineThatIsNoResultIsFoundBeforeTheRun() throws Exception {
    Path wrong = Files.writeString(folder.resolve("wrong.json"), "{\"a\": 1}");
    Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--baseline=" + wrong);
    assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("wrong.json").contains("expected a run's result");
    assertThat(run.out()).isEmpty();
  }
}
