package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command that rewrites golden results; what it does to files is tested where that is done. */
class GoldensCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "goldens --rewrite",
        "goldens --rewrite --reason=",
        "goldens --reason=because",
        "goldens --rewrite --reason=because --only=vecadd"
      })
  void nothingIsRewrittenWithoutAReasonOrInPart(String arguments) {
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setErr(new PrintWriter(err));
    assertThat(line.execute(arguments.split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--rewrite");
  }

  @Test
  void usersDoNotSeeIt() {
    assertThat(Main.commandLine().getUsageMessage()).contains("gpus").doesNotContain("goldens");
  }
}
