package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/tuning.md does, on two small examples. */
class TuneCommandTest {
  private static final Path TRACES = Path.of("..", "examples", "traces").toAbsolutePath();

  @TempDir Path folder;

  private Warpline tune(Path table, String fit, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "tune",
                "--hardware",
                table.toString(),
                "--traces",
                TRACES.toString(),
                "--fit",
                fit,
                "--budget",
                "9",
                "-o",
                folder.resolve("mine.yaml").toString()));
    words.addAll(List.of(more));
    return Warpline.run(words.toArray(new String[0]));
  }

  private long cycles(String trace, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("run", TRACES.resolve(trace).toString(), "--json", "-"));
    words.addAll(List.of(more));
    String json = Warpline.run(words.toArray(new String[0])).out();
    return new ObjectMapper().readTree(json).get("kernels").get(0).get("cycles").asLong();
  }

  @Test
  void aFitIsWrittenAsADescriptionThatRunsAndSaysWhereItsValueIsFrom() throws IOException {
    String drain = "modern.launch.drainCycles=600";
    Path table =
        Files.writeString(
            folder.resolve("hw.csv"),
            "workload,cycles_median\n"
                + ("vecadd," + cycles("vecadd", "--gpu", "h200", "--set", drain) + "\n")
                + ("cpasync," + cycles("cpasync.tar.xz", "--gpu", "h200", "--set", drain) + "\n"));
    Warpline first = tune(table, "modern.launch.drainCycles=400..900");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(first.out())
        .contains("on NVIDIA H200 SXM, modern core; fitted to 2 kernels of 2 programs, 2 folds")
        .contains("The fit carries over", "mine.yaml written");
    String mine = folder.resolve("mine.yaml").toString();
    assertThat(cycles("vecadd", "--gpu", mine))
        .isBetween(
            cycles("vecadd", "--gpu", "h200", "--set", "modern.launch.drainCycles=590"),
            cycles("vecadd", "--gpu", "h200", "--set", "modern.launch.drainCycles=610"));
    assertThat(Warpline.run("gpus", "show", mine).out())
        .containsPattern("drainCycles .*\\[fitted: hw.csv, 2 kernels of 2 programs; mean error");
    assertThat(tune(table, "modern.launch.drainCycles=400..900").out())
        .contains(" machines, 0 simulations now");
    assertThat(Warpline.run("results", folder.resolve("mine.db").toString()).out())
        .contains("modern.launch.drainCycles", "cpasync");
    // As far from one as from the other: whatever is fitted to one is worse for the other.
    Files.writeString(
        table,
        "workload,cycles_median\n"
            + ("vecadd," + (cycles("vecadd", "--gpu", "h200") - 100) + "\n")
            + ("cpasync," + (cycles("cpasync.tar.xz", "--gpu", "h200") + 100) + "\n"));
    Files.delete(Path.of(mine));
    Warpline worse = tune(table, "modern.launch.drainCycles=400..900");
    assertThat(worse.code()).as(worse.err()).isEqualTo(ExitCode.CHECK_FAILED);
    assertThat(worse.out()).contains("does NOT carry over");
    assertThat(worse.err()).contains("mine.yaml was not written");
    assertThat(Path.of(mine)).doesNotExist();
  }

  @Test
  void mistakesAreNamedBeforeAnythingIsSimulated() throws IOException {
    Path table =
        Files.writeString(
            folder.resolve("hw.csv"), "workload,cycles_median\nvecadd,3000\ncpasync,8000\n");
    String good = "modern.launch.drainCycles=400..900";
    assertThat(tune(table, "modern.launch.drain=1..2").err()).contains("has no field");
    assertThat(tune(table, good, "--metric", "speed").err()).contains("--metric speed");
    assertThat(tune(table, good, "--folds", "3").err()).contains("found 3 folds, expected 2 to 2");
    assertThat(tune(table, good, "--only", "nothing").err()).contains("no workload matches");
    assertThat(tune(table, good, "--core", "classic").err()).contains("classic core does not read");
    assertThat(tune(table, good, "--gpu", folder.toString()).err()).contains("found a folder");
    Files.writeString(table, "workload,cycles_median\nvecadd,3000\nother,8000\n");
    Warpline missing = tune(table, good);
    assertThat(missing.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(missing.err()).contains("no trace of other");
    assertThat(folder.resolve("mine.yaml")).doesNotExist();
  }
}
