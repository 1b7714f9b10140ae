package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A setting acts, or the user is told that it does not, and what would. */
class SettingsTest {
  private static final Path VECADD = Path.of("../examples/traces/vecadd");
  private static final String UNREAD =
      "the modern core does not read detailedMemory.l2.cache.ways; nearest that it reads:"
          + " flowMemory.l2MiB, flowMemory.l2Ways";

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... more) {
    List<String> arguments = new ArrayList<>(List.of("run", VECADD.toString()));
    arguments.addAll(List.of(more));
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(new String[0]));
  }

  @Test
  void aFieldThatTheCoreDoesNotReadIsNamedOnTheConsoleInJsonAndInTheReport() throws IOException {
    Path report = folder.resolve("report.html");
    int code =
        run(
            "--gpu=h200",
            "--set=detailedMemory.l2.cache.ways=16",
            "--json=-",
            "--report=" + report);
    assertThat(code).isZero();
    String warning = "--set detailedMemory.l2.cache.ways=16: " + UNREAD;
    assertThat(err.toString()).contains("warning: " + warning);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("warnings")).hasSize(1);
    assertThat(json.get("warnings").get(0).asText()).isEqualTo(warning);
    assertThat(Files.readString(report)).contains(warning);
  }

  @Test
  void itIsAnErrorWhereTheUserIsStrict() {
    assertThat(run("--gpu=h200", "--strict", "--set=detailedMemory.l2.cache.ways=16"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains(UNREAD);
    assertThat(out.toString()).isEmpty();
    assertThat(run("--gpu=h200", "--strict", "--set=flowMemory.l2Ways=8")).isZero();
  }

  @Test
  void anAlternativeWithoutEffectIsNamedToo() {
    assertThat(run("--gpu=h200", "--what-if=classic.smsPerCluster=2")).isZero();
    assertThat(err.toString())
        .contains("warning: --what-if classic.smsPerCluster=2: the modern core does not read");
    assertThat(run("--gpu=h200", "--strict", "--what-if=classic.smsPerCluster=2"))
        .isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void aFileOfOnesOwnIsReadLikeASetting() throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("own.yaml"),
            "inherits: h200\nname: Own\ndetailedMemory:\n  l2:\n    cache: {ways: 16}\n");
    assertThat(run("--gpu=" + own)).isZero();
    assertThat(err.toString()).contains("warning: " + own + ":5:19: " + UNREAD);
    assertThat(run("--gpu=" + own, "--core=classic", "--strict")).isZero();
  }

  @Test
  void twiceTheCoreClockIsMoreCyclesOfTheSameMemory() throws IOException {
    assertThat(run("--gpu=h200", "--json=-")).isZero();
    long before = new ObjectMapper().readTree(out.toString()).at("/kernels/0/cycles").asLong();
    out.getBuffer().setLength(0);
    assertThat(run("--gpu=h200", "--json=-", "--set=clocks.coreMHz=2x")).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/kernels/0/cycles").asLong())
        .isBetween(before + 200, 2 * before);
  }

  @Test
  void emptyCachesAreRefusedWhereTheCoreHasOtherFieldsForThem() {
    assertThat(run("--gpu=h200", "--core=classic", "--cold")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--cold: acts on the modern core only");
  }

  @Test
  void anAccelSimOptionThatIsNotModelledIsAWarningAndAnErrorWhereTheUserIsStrict()
      throws IOException {
    Path config = Path.of("../engine/src/test/resources/dev/warpline/engine/accelsim/SM86_RTX3070");
    String warning = "command line: -network_mode 1 is not modelled: simulated as with 2";
    assertThat(run("--config=" + config, "--option=-network_mode 1", "--json=-")).isZero();
    assertThat(err.toString()).contains("warning: " + warning);
    assertThat(new ObjectMapper().readTree(out.toString()).get("warnings"))
        .anyMatch(one -> one.asText().equals(warning));
    assertThat(run("--config=" + config, "--option=-network_mode 1", "--strict"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run("--config=" + config, "--strict")).isZero();
  }
}
