package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real shells propose after the script of {@code warpline completion}. */
class CompletionTest {
  @TempDir Path folder;

  private Path script(String shell) throws IOException {
    Warpline printed = Warpline.run("completion", shell);
    assertThat(printed.code()).isZero();
    assertThat(printed.err()).isEmpty();
    return Files.writeString(folder.resolve("completion." + shell), printed.out());
  }

  private List<String> say(String... command) throws Exception {
    Path out = folder.resolve("out");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("TERM", "dumb");
    Process shell = builder.directory(folder.toFile()).redirectOutput(out.toFile()).start();
    shell.getOutputStream().close();
    assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(shell.exitValue()).as(Files.readString(out)).isZero();
    return Files.readAllLines(out);
  }

  private static boolean has(String shell) {
    try {
      return new ProcessBuilder(shell, "-c", "exit 0").start().waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  @Test
  void bashProposesCommandsOptionsAndPresets() throws Exception {
    assumeTrue(has("bash"), "no bash here");
    assertThat(complete("warpline s")).contains("sweep", "serve", "session").doesNotContain("run");
    assertThat(complete("warpline run --ma")).contains("--max-cycles", "--max-instructions");
    assertThat(complete("warpline run --gpu h")).containsExactlyInAnyOrder("h100", "h200");
    assertThat(complete("warpline gpus sh")).contains("show");
  }

  /** What bash proposes at the end of a line. */
  private List<String> complete(String line) throws Exception {
    return say(
        "bash",
        "--norc",
        "-c",
        ". '"
            + script("bash")
            + "'; compopt() { :; }; COMP_LINE=$1; COMP_POINT=${#1}; read -ra COMP_WORDS <<<\"$1\";"
            + " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_warpline;"
            + " printf '%s\\n' \"${COMPREPLY[@]}\"",
        "bash",
        line);
  }

  @Test
  void zshTakesTheScriptAndKnowsWhatCompletes() throws Exception {
    assumeTrue(has("zsh"), "no zsh here");
    assertThat(
            say(
                "zsh",
                "-f",
                "-c",
                ". '"
                    + script("zsh")
                    + "' && print -r -- ${_comps[warpline]} && whence -w"
                    + " _complete_warpline"))
        .anyMatch(line -> line.contains("_complete_warpline"))
        .contains("_complete_warpline: function");
  }
}
