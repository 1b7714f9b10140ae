package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.Gpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatIfTest {
  private static final String VECADD = "../examples/traces/vecadd";

  @TempDir Path folder;

  @Test
  void eachWhatIfIsAnAlternativeOfSeveralSettings() {
    assertThat(Gpus.settings("clocks.coreMHz=2000")).containsExactly("clocks.coreMHz=2000");
    assertThat(Gpus.settings("a.b=2x, c=3")).containsExactly("a.b=2x", "c=3");
    assertThat(Gpus.settings("a.groups=[[0,1],[2,3]],b=1"))
        .containsExactly("a.groups=[[0,1],[2,3]]", "b=1");
  }

  @Test
  void aTypoIsFoundBeforeTheFirstSimulationAndTheNearestFieldNamed() {
    for (String wrong : List.of("flowMemory.l2MB=2x", "flowMemory.l2MB=100")) {
      Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--what-if=" + wrong);
      assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.err()).contains("--what-if " + wrong).contains("l2MiB");
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void alternativesStandBesideTheRunWithCyclesAndTime() throws Exception {
    Path json = folder.resolve("out.json");
    Path report = folder.resolve("out.html");
    Warpline run =
        Warpline.run(
            "run",
            VECADD,
            "--gpu=h200",
            "--what-if=flowMemory.dramNs=3x,flowMemory.l2MiB=2x",
            "--what-if=sm.count=66",
            "--json=" + json,
            "--report=" + report);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern(
            "what if flowMemory.dramNs=3x, flowMemory.l2MiB=2x:\\R"
                + "  kernel 1 {2}[\\d,]+ -> [\\d,]+ cycles, [\\d.]+ -> [\\d.]+ us \\(\\+[\\d.]+ %\\)")
        .containsPattern("what if sm.count=66:\\R  kernel 1 ");
    RunResult result = Results.readJson(json);
    assertThat(result.alternatives()).hasSize(2);
    RunResult.Alternative slower = result.alternatives().get(0);
    assertThat(slower.settings()).containsExactly("flowMemory.dramNs=3x", "flowMemory.l2MiB=2x");
    assertThat(slower.result().cycles()).isGreaterThan(result.cycles());
    assertThat(slower.result().configuration())
        .isNotEqualTo(result.configuration())
        .containsKey("flowMemory.l2MiB");
    assertThat(slower.result().origin().descriptionSha256())
        .isNotEqualTo(result.origin().descriptionSha256());
    assertThat(result.alternatives().get(1).result().configuration())
        .containsEntry("sm.count", "66");
    assertThat(Files.readString(report))
        .contains("\"title\":\"flowMemory.dramNs=3x, flowMemory.l2MiB=2x\"")
        .contains("\"cycles\":" + slower.result().cycles());
  }
}
