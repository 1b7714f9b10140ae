package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.UnfinishedSimulationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpSaysWhatTheExitCodesMean() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Commands:", "gpus", "Exit codes:", "4  the simulation");
  }

  @Test
  void wrongUseReturnsTwo() {
    assertThat(run("frobnicate")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("frobnicate");
  }

  @Test
  void badInputReturnsThreeAndSaysWhatIsWrong() {
    assertThat(run("gpus", "show", "h2000000")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).startsWith("warpline: no GPU \"h2000000\"");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(failing(new NoSuchFileException("a.traceg"))).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("warpline: a.traceg: no such file or folder");
  }

  @Test
  void aFileInPlaceOfAFolderIsNamed() {
    assertThat(failing(new NotDirectoryException("a.wlt"))).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("warpline: a.wlt: a file, expected a folder");
  }

  @Test
  void aSimulationThatDoesNotFinishReturnsFour() {
    assertThat(failing(new UnfinishedSimulationException("deadlock at cycle 7")))
        .isEqualTo(ExitCode.UNFINISHED);
    assertThat(err.toString()).isEqualToIgnoringNewLines("warpline: deadlock at cycle 7");
  }

  @Test
  void anErrorInsideReturnsOneAndShowsWhere() {
    assertThat(failing(new IllegalStateException("no"))).isEqualTo(ExitCode.INTERNAL);
    assertThat(err.toString()).contains("please report it", "IllegalStateException: no");
  }

  @Test
  void everyPresetIsListed() throws IOException {
    assertThat(run("gpus")).isZero();
    assertThat(out.toString()).contains("rtx3070", "NVIDIA GeForce RTX 3070", "Ampere");
  }

  @Test
  void aPresetIsExplained() {
    assertThat(run("gpus", "show", "rtx3070", "--set", "sm.count=2x")).isZero();
    assertThat(out.toString())
        .containsPattern("count +92 +SMs of the GPU \\[set: 46 times 2.0\\]")
        .containsPattern("sharedLatency +29 cycles +latency of shared memory");
  }

  private int failing(Exception failure) {
    CommandLine commandLine = Main.commandLine();
    commandLine.addSubcommand(new Failing(failure));
    return run(commandLine, "fail");
  }

  private int run(String... arguments) {
    return run(Main.commandLine(), arguments);
  }

  private int run(CommandLine commandLine, String... arguments) {
    return commandLine
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Command(name = "fail")
  record Failing(Exception failure) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }
}
