package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user does with a capture that somebody gave to him. */
class CaptureExamplesTest {
  private static final String FUNCTIONS = "../examples/captures/functions.wcap";

  @TempDir Path folder;

  @Test
  void itIsExecutedAndCompared() {
    Warpline run = Warpline.run("execute", FUNCTIONS);
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("singles(float const*, float*, int)")
        .contains("2 of 2 kernels exact");
  }

  @Test
  void aPartOfItIsPackedAndStillExact() throws Exception {
    Path part = folder.resolve("part.wcap");
    assertThat(Warpline.run("pack", FUNCTIONS, "-o", part.toString(), "--kernel=doubles").code())
        .isZero();
    assertThat(Warpline.run("execute", part.toString()).out()).contains("1 of 1 kernels exact");
  }

  @Test
  void itsProgramIsSimulatedAsAWhole() {
    Warpline run = Warpline.run("run", FUNCTIONS, "--gpu=h200", "--kernel=2");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("doubles").contains("critical path");
    Warpline compared = Warpline.run("validate-programs", FUNCTIONS, "--gpu=h200");
    assertThat(compared.code()).as(compared.err()).isZero();
    assertThat(compared.out()).contains("the whole time: 1, ");
  }

  @Test
  void theSpeedOfItsExecutionIsMeasured() {
    String traces = "--traces=../examples/captures";
    String[] gpu = {"--gpu=h200", "--core=MODERN"};
    Warpline run =
        Warpline.run(
            "bench",
            "--execute",
            traces,
            gpu[0],
            gpu[1],
            "--only=eight",
            "--repeat=1",
            "--least=1");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("eight_streams")
        .contains("in the geometric mean over 24 kernels of at least 1,")
        .contains("times as fast as simulation from a trace cache");
    assertThat(Warpline.run("bench", "--execute", traces, gpu[0], gpu[1], "--only=nosuch").err())
        .contains("no capture matches \"nosuch\"");
  }

  @Test
  void aCaptureThatIsCutOffIsRefused() throws Exception {
    Path cut = folder.resolve("cut.wcap");
    byte[] bytes = Files.readAllBytes(Path.of(FUNCTIONS));
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    Warpline run = Warpline.run("execute", cut.toString());
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("cut.wcap");
  }
}
