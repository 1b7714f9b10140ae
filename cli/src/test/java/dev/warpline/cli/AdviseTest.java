package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.study.advice.Finding;
import dev.warpline.study.advice.Findings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseTest {
  private static final String CHAIN = "../examples/what-if/ffma_chain.wlt";

  @TempDir Path folder;

  @Test
  void adviceSimulatesWithoutEachCauseAndSaysWhatItGains() throws Exception {
    Path json = folder.resolve("out.json");
    Path report = folder.resolve("out.html");
    Warpline run =
        Warpline.run(
            "run", CHAIN, "--gpu=h200", "--advise", "--json=" + json, "--report=" + report);
    assertThat(run.code()).as(run.err()).isZero();
    RunResult result = Results.readJson(json);
    assertThat(result.alternatives()).hasSizeBetween(1, 4);
    List<Finding> findings = Findings.of(result, result.kernels().get(0));
    Finding chain =
        findings.stream().filter(f -> f.rule().equals("fixed-latency")).findFirst().orElseThrow();
    assertThat(chain.gain()).as("every instruction waits for the one before").isBetween(0.2, 0.9);
    assertThat(chain.pcs()).isNotEmpty();
    Finding first = findings.get(0);
    assertThat(findings.stream().map(Finding::gain).filter(Objects::nonNull))
        .as("what gains most comes first")
        .hasSameSizeAs(result.alternatives())
        .allMatch(gain -> gain <= first.gain() + 0.01);
    assertThat(run.out())
        .contains("advice for kernel 1")
        .containsPattern("\\d+\\.\\d %  " + first.title())
        .contains("--what-if modern.ideal.fixedResults=true");
    assertThat(Files.readString(report))
        .contains("\"rule\":\"fixed-latency\"")
        .contains("\"whatIf\":\"modern.ideal.fixedResults=true\"")
        .contains("\"gain\":0.")
        .containsPattern("\"waitsFor\":\\[\\[\\d+,\\d+,\"R\\d+\"")
        .containsPattern("\"pipe\":\"FMA\",\"live\":\\d");
  }

  @Test
  void theClassicCoreHasFindingsButNoGains() {
    Warpline run = Warpline.run("run", CHAIN, "--gpu=h200", "--core=classic", "--advise");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("advice for kernel 1")
        .contains("no gains: causes can be taken away on the modern core only")
        .doesNotContain("--what-if");
  }

  @Test
  void aSampleIsNotEnoughForAdvice() {
    Warpline run = Warpline.run("run", CHAIN, "--gpu=h200", "--sample=2%", "--advise");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--advise: needs everything to be simulated");
  }
}
