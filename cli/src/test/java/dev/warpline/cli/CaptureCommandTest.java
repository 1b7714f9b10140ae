package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code capture} says to a user whose machine or options do not suffice; what is recorded is
 * tested in module nvidia.
 */
class CaptureCommandTest {
  private static final Path SCRIPT = Path.of("../capture/warpline-capture").toAbsolutePath();

  @TempDir Path folder;

  private record Ended(int code, String said) {}

  private Ended script(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    return new Ended(process.waitFor(), said);
  }

  @ParameterizedTest
  @CsvSource({
    "--count x -- true,--count x: expected a whole number",
    "--skip -1 -- true,--skip -1: expected a whole number",
    "--max-bytes 3Q -- true,--max-bytes 3Q: expected a size such as 64M",
    "--kernel [ -- true,--kernel [: not a regular expression",
    "--nonsense -- true,--nonsense: no such option",
    "--count,--count: a value is missing",
    "--passes=3 -- true,--passes 3: expected --time with it",
    "--time --passes 0 -- true,--passes 0: expected at least 1",
    "--time --passes x -- true,--passes x: expected a whole number",
    "--time,no command",
    "-- no-such-program,no-such-program: there is no such command",
    "-o there -- true,there: is there already"
  })
  void whatIsWrongIsSaidBeforeAnythingRuns(String arguments, String why) throws Exception {
    Files.createDirectories(folder.resolve("there/something"));
    Ended ended = script(arguments.split(" "));
    assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.said()).contains(why);
  }

  @Test
  void aMachineWithoutGpuIsToldSo() throws Exception {
    assumeFalse(Files.exists(Path.of("/dev/nvidiactl")) || Files.exists(Path.of("/dev/dxg")));
    Ended ended = script("--kernel=a.*", "--count=3", "--max-bytes=1G", "--time", "--", "true");
    assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.said()).contains("no NVIDIA GPU with its driver on this machine");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theCommandHasTheOptionsOfTheScript() throws Exception {
    String usage = script("--help").said();
    Main.commandLine()
        .getSubcommands()
        .get("capture")
        .getCommandSpec()
        .options()
        .forEach(
            option -> {
              if (!option.longestName().equals("--version")) {
                assertThat(usage + "--help").contains(option.longestName());
              }
            });
  }

  @Test
  void theCommandPassesOnWhatTheScriptReturns() {
    System.setProperty("warpline.home", Path.of("..").toAbsolutePath().normalize().toString());
    try {
      assertThat(Warpline.run("capture", "--max-bytes=x", "--", "true").code())
          .isEqualTo(ExitCode.USAGE);
    } finally {
      System.clearProperty("warpline.home");
    }
    Warpline lost = Warpline.run("capture", "--", "true");
    assertThat(lost.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(lost.err()).contains("capture/warpline-capture: no such file");
    assertThat(Warpline.run("capture").code()).isEqualTo(ExitCode.USAGE);
  }
}
