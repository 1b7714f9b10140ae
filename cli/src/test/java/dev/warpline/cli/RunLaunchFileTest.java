package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
