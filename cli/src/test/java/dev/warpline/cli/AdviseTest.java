package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.study.advice.Finding;
import dev.warpline.study.advice.Findings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseTest {
  private static final String ATOMICS = "../examples/what-if/gatomic_one.wlt";

  @TempDir Path folder;

  @Test
  void adviceSimulatesWithoutEachCauseAndSaysWhatItGains() throws Exception {
    Path json = folder.resolve("out.json");
    Path report = folder.resolve("out.html");
    Warpline run =
        Warpline.run(
            "run", ATOMICS, "--gpu=h200", "--advise", "--json=" + json, "--report=" + report);
    assertThat(run.code()).as(run.err()).isZero();
    RunResult result = Results.readJson(json);
    assertThat(result.alternatives()).hasSizeBetween(1, 4);
    List<Finding> findings = Findings.of(result, result.kernels().get(0));
    Finding first = findings.get(0);
    assertThat(first.rule()).as("132 blocks add to one word").isEqualTo("atomics");
    assertThat(first.gain()).isGreaterThan(0.3);
    assertThat(first.pcs()).isNotEmpty();
    assertThat(run.out())
        .contains("advice for kernel 1")
        .containsPattern("\\d+\\.\\d %  Atomics queue up at L2")
        .contains("--what-if flowMemory.atomicWordCycles=0,flowMemory.atomicFloatCycles=0");
    assertThat(Files.readString(report)).contains("\"rule\":\"atomics\"").contains("\"gain\":0.");
  }

  @Test
  void theSettingsOfAFindingAreThoseThatWhatIfTakes() {
    Warpline run =
        Warpline.run(
            "run",
            ATOMICS,
            "--gpu=h200",
            "--what-if=flowMemory.atomicWordCycles=0,flowMemory.atomicFloatCycles=0",
            "--json=-");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("flowMemory.atomicWordCycles=0");
  }

  @Test
  void theClassicCoreHasFindingsButNoGains() {
    Warpline run = Warpline.run("run", ATOMICS, "--gpu=h200", "--core=classic", "--advise");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("advice for kernel 1")
        .contains("no gains: causes can be taken away on the modern core only")
        .doesNotContain("--what-if");
  }

  @Test
  void aSampleIsNotEnoughForAdvice() {
    Warpline run = Warpline.run("run", ATOMICS, "--gpu=h200", "--sample=2%", "--advise");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--advise: needs everything to be simulated");
  }
}
