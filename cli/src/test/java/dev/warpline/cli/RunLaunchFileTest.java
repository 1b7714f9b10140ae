package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RunLaunchFileTest {
  private static final Path EXAMPLES = Path.of("..", "examples", "amd").toAbsolutePath();

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int warpline(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void anAmdKernelIsTimed() {
    String file = EXAMPLES.resolve("launch/vector_add.yaml").toString();
    assertThat(warpline("run", file, "--gpu", "vega10", "--threads", "1")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("vector_add")
        .contains("gcn core")
        .containsPattern("waiting .*dram \\d");
  }

  @Test
  void aFailedCheckHasItsOwnExitCode() throws Exception {
    Path file = folder.resolve("launch.yaml");
    Files.writeString(
        file,
        "code: "
            + EXAMPLES
            + "/co/stream.{target}.co\n"
            + "buffers: {a: {bytes: 256, pattern: {type: float, start: 1}}, b: {bytes: 256}}\n"
            + "launches: [{kernel: relu, grid: [64], group: [64], arguments: [a, b, 64]}]\n"
            + "checks: [{buffer: b, type: float, pattern: {type: float, start: 2}}]\n");
    assertThat(warpline("run", file.toString(), "--functional")).isEqualTo(ExitCode.CHECK_FAILED);
    assertThat(err.toString()).contains("buffer b, element 0: found 1, expected 2");
  }

  @Test
  void aSmallCallComesCloseToTheMeasuredTime() {
    assertThat(
            warpline(
                "validate-amd",
                "--threads",
                "1",
                "--only",
                "vectoradd 1024$",
                "--times",
                EXAMPLES.resolve("mi300a-times.csv").toString(),
                "--code",
                EXAMPLES.resolve("co").toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1 points, weighted error");
  }

  @Test
  void theTimelineOfAProgramHasItsQueuesAtTheirOwnTimes() throws Exception {
    Path timeline = folder.resolve("t.json");
    String file = EXAMPLES.resolve("launch/streams.yaml").toString();
    assertThat(
            warpline(
                "run",
                file,
                "--gpu",
                "vega10",
                "--threads",
                "1",
                "--timeline",
                timeline.toString()))
        .isEqualTo(ExitCode.OK);
    ChromeTrace trace = ChromeTrace.read(timeline);
    List<ChromeTrace.Slice> third = new ArrayList<>();
    trace.threads.forEach(
        (track, name) -> {
          if (name.equals("queue 2")) {
            third.addAll(trace.slices.get(track));
          }
        });
    assertThat(third)
        .extracting(ChromeTrace.Slice::name)
        .contains("vector_add", "launch", "kernel", "completion");
    assertThat(trace.threads.values()).contains("queue 0", "queue 1");
    assertThat(out.toString())
        .contains("copy to the GPU, a, 32768 bytes")
        .containsPattern("program: [0-9.]+ us from the first packet to the last completion")
        .containsPattern("4 copies and fills [0-9.]+ %, both at once");
  }

  @Test
  void aRunBeginsAndEndsWithTheKernelsThatAreNamed() {
    String file = EXAMPLES.resolve("launch/bfs.yaml").toString();
    String[] words = {
      "run",
      file,
      "--gpu",
      "vega10",
      "--threads",
      "1",
      "--from",
      "2",
      "--until",
      "bfs",
      "--csv",
      "-"
    };
    assertThat(warpline(words)).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines().skip(1).map(line -> line.split(",")[2])).containsExactly("2");
    assertThat(err.toString()).contains("ended after kernel 2 as asked");
    assertThat(warpline("run", file, "--gpu", "vega10", "--functional", "--until", "nothing"))
        .isEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("warning: --until nothing: no kernel was that one");
  }

  @Test
  void emptyCachesAreRefusedWithWhatALaunchFileSaysInstead() {
    String file = EXAMPLES.resolve("launch/bfs.yaml").toString();
    assertThat(warpline("run", file, "--gpu", "vega10", "--cold")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--cold").contains("acquire: system");
  }
}
