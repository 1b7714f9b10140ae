package dev.warpline.study.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColdStartTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin/java").toString();

  private static final Path PERL = Path.of("/usr/bin/perl");

  @Test
  void aProcessIsMeasuredFromItsStartToItsEnd() throws IOException {
    ColdStart start = ColdStart.of(List.of(JAVA, "-version"));
    assertThat(start.wallSeconds()).isPositive();
    if (!Double.isNaN(start.cpuSeconds())) {
      assertThat(start.cpuSeconds()).isBetween(0.0, 60.0);
    }
  }

  @Test
  void aChildThatEndedHidesNoMemory() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/status")) && Files.exists(PERL));
    // Nobody waits for the child once Perl stands in the shell's place; only then it takes memory.
    String memory =
        "my $n = 64_000_000; sleep 1; my $much = 'a' x $n; select(undef, undef, undef, 0.2)";
    String script = "sleep 0.01 & exec " + PERL + " -e \"" + memory.replace("$", "\\$") + '"';
    ColdStart start = ColdStart.of(List.of("/bin/bash", "-c", script));
    assertThat(start.peakMegabytes()).isBetween(32.0, 1_000.0);
  }

  @Test
  void aProcessThatFailsIsNoMeasurement() {
    assertThatThrownBy(() -> ColdStart.of(List.of(JAVA, "--no-such-option")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ended with 1")
        .hasMessageContaining("no-such-option");
  }

  @Test
  void theTableHasTheMeanAndTheLeast() {
    ColdStartTable table = new ColdStartTable();
    table.line("a", new ColdStart(1, 2, 100), 40);
    table.line("b", new ColdStart(2, 2, 300), 20);
    assertThat(table.summary())
        .containsExactly(
            "by wall time: geometric mean 20.0 x the oracle over 2 workloads; least 10.0 x (b)",
            "by processor time: geometric mean 14.1 x the oracle over 2 workloads; least 10.0 x (b)",
            "most memory 300 MB");
  }
}
