package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracingCommandTest {
  private static final String LAUNCH =
      """
      code: %s
      buffers:
        out: {address: 0x7f0000000000, bytes: 1024, checksum: "%s"}
      launches:
        - kernel: _Z10mandelbrotPiiii
          code: mandelbrot
          grid: [1]
          block: [32, 8]
          parameters: "00000000007f0000200000000800000008000000"
      limit: %d
      """;

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private int trace(String checksum, int limit) throws IOException {
    String code = Path.of("..", "examples", "tracing").toAbsolutePath().toString();
    Path launch = folder.resolve("launch.yaml");
    Files.writeString(launch, LAUNCH.formatted(code, checksum, limit));
    return run("trace", launch.toString(), "-o", folder.resolve("traced").toString());
  }

  @Test
  void aTracedKernelCanBeInspected() throws IOException {
    assertThat(trace("0x0", 100_000)).isEqualTo(ExitCode.CHECK_FAILED);
    assertThat(err.toString()).contains("buffer out: checksum 0x");
    assertThat(out.toString()).contains("0 of 1 checksums agree");

    assertThat(run("inspect", folder.resolve("traced").toString())).isZero();
    assertThat(out.toString()).contains("grid (1,1,1)  block (32,8,1)", "control bits: yes");
  }

  @Test
  void aLaunchThatDoesNotEndSaysSo() throws IOException {
    assertThat(trace("0x0", 5)).isEqualTo(ExitCode.UNFINISHED);
    assertThat(err.toString()).contains("more than 5 warp instructions");
  }

  @Test
  void anAbsentLaunchFileIsBadInput() {
    assertThat(run("trace", folder.resolve("none.yaml").toString(), "-o", "x"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("none.yaml: no such file");
  }
}
