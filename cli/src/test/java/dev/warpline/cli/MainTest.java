package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.UnfinishedSimulationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  void aMistakeIsSaidInTwoLinesWithTheNearestThatIsThere() {
    Map<List<String>, String> mistakes =
        Map.of(
            List.of("rnu", "a.wlt"), "unknown command rnu (did you mean run?)",
            List.of("gpus", "shwo"), "unknown command shwo (did you mean show?)",
            List.of("help", "gpsu"), "unknown command gpsu (did you mean gpus?)",
            List.of("run", "a.wlt", "--gup=h200"), "unknown option --gup (did you mean --gpu?)",
            List.of("run", "a.wlt", "b.wlt"), "unexpected argument b.wlt",
            List.of("run"), "Missing required parameter: 'TRACE'",
            List.of("run", "a.wlt", "--threads=x"), "--threads");
    mistakes.forEach(
        (words, said) -> {
          err.getBuffer().setLength(0);
          assertThat(run(words.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
          List<String> lines = err.toString().lines().toList();
          assertThat(lines).as(words.toString()).hasSize(2);
          assertThat(lines.get(0)).startsWith("warpline: ").contains(said);
          assertThat(lines.get(1)).matches("'warpline.* --help' explains it");
        });
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void helpExplainsACommandAsItsOwnOptionDoes() {
    for (List<String> words :
        List.of(List.<String>of(), List.of("run"), List.of("gpus", "show"), List.of("help"))) {
      List<String> asked = new ArrayList<>(List.of("help"));
      asked.addAll(words);
      List<String> option = new ArrayList<>(words);
      option.add("--help");
      assertThat(Warpline.run(asked.toArray(String[]::new)))
          .isEqualTo(Warpline.run(option.toArray(String[]::new)))
          .extracting(Warpline::code)
          .isEqualTo(0);
    }
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
