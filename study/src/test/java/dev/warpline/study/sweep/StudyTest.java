package dev.warpline.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.study.settings.TinyProgram;
import dev.warpline.study.store.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyTest {
  @TempDir Path folder;

  @BeforeEach
  void traces() throws IOException {
    TinyProgram.write(Files.createDirectories(folder.resolve("a")), 1);
    TinyProgram.write(Files.createDirectories(folder.resolve("b")), 2);
  }

  private Plan plan(String text) throws IOException {
    return Plan.of(Study.read(Files.writeString(folder.resolve("s.yaml"), text)));
  }

  private static List<String> values(Plan plan) {
    return plan.members().stream().map(Member::values).map(Object::toString).distinct().toList();
  }

  private void refused(String text, String... words) {
    assertThatThrownBy(() -> plan(text)).isInstanceOf(IOException.class).message().contains(words);
  }

  @Test
  void pointsAreAllCombinationsOfListsGridsAndPairs() throws IOException {
    Plan plan =
        plan(
            """
            traces: [a, b]
            gpus: [h200]
            vary:
              sm.count: [0.5x, 1x]
              clocks.coreMHz: {from: 1000, to: 4000, steps: 3, scale: log}
            together:
              - flowMemory.l2MiB: [15, 30]
                sm.l1.sizeKiB: [128, 256]
            """);
    assertThat(plan.members()).hasSize(2 * 2 * 3 * 2);
    assertThat(values(plan))
        .contains(
            "{sm.count=66, clocks.coreMHz=2000, flowMemory.l2MiB=15, sm.l1.sizeKiB=128}",
            "{sm.count=132, clocks.coreMHz=4000, flowMemory.l2MiB=30, sm.l1.sizeKiB=256}")
        .noneMatch(words -> words.contains("l2MiB=15, sm.l1.sizeKiB=256"));
  }

  @Test
  void aFormulaFollowsOtherFieldsAndAFilterLeavesPointsOut() throws IOException {
    Plan plan =
        plan(
            """
            traces: [a, b]
            gpus: [h200]
            vary:
              flowMemory.l2MiB: ["= sm.count / 2", "= round(sm.count / 4)"]
              sm.count: [20, 40]
            where:
              - flowMemory.l2MiB * sm.count < 700
              - not (trace == 'b' and sm.count > 20)
            """);
    assertThat(values(plan))
        .containsExactly(
            "{flowMemory.l2MiB=10, sm.count=20}",
            "{flowMemory.l2MiB=5, sm.count=20}",
            "{flowMemory.l2MiB=10, sm.count=40}");
    assertThat(plan.members()).hasSize(5);
    assertThat(plan.filtered()).isEqualTo(3);
  }

  @Test
  void theSameMachineIsOnePointHoweverItIsSaid() throws IOException {
    Plan plan = plan("traces: a\ngpus: [h200]\nvary: {sm.count: [132, 1x]}\n");
    assertThat(plan.members()).hasSize(2);
    assertThat(plan.points()).hasSize(1);
  }

  @Test
  void aPointHasAnotherAddressWhenTheTraceTheMachineTheCoreOrTheLimitsChange() throws IOException {
    String text = "traces: a\ngpus: [h200]\n";
    String id = plan(text).members().get(0).point();
    assertThat(plan(text).members().get(0).point()).isEqualTo(id);
    assertThat(plan(text + "cores: classic\n").members().get(0).point()).isNotEqualTo(id);
    assertThat(plan(text + "set: {sm.count: 5}\n").members().get(0).point()).isNotEqualTo(id);
    assertThat(plan(text + "kernels: 1\n").members().get(0).point()).isNotEqualTo(id);
    assertThat(plan(text + "maxCycles: 9\n").members().get(0).point()).isNotEqualTo(id);
    TinyProgram.write(folder.resolve("a"), 3);
    assertThat(plan(text).members().get(0).point()).isNotEqualTo(id);
  }

  @Test
  void withoutGpusATraceRunsOnWhatItWasCompiledFor() throws IOException {
    assertThat(plan("traces: a\n").members().get(0).gpu()).isEqualTo("rtx3070");
  }

  @Test
  void mistakesAreNamedWithTheirLine() {
    refused("gpus: [h200]\n", "s.yaml:1:1: missing traces");
    refused("traces: [a]\nvarry: {}\n", "s.yaml:2:1: found varry", "did you mean vary?");
    refused("traces:\n  - c\n", "s.yaml:2:5: traces: found no file or folder");
    refused("traces: [x*]\n", "s.yaml:1:10: traces: nothing in", "is named x*");
    refused(
        "traces: a\nvary:\n  sm.cuont: [1]\n",
        "s.yaml:3:3: unknown field sm.cuont",
        "did you mean sm.count?");
    refused(
        "traces: a\ngpus: h200\nvary:\n  sm.count: [1, 0]\n",
        "s.yaml:4:17: ",
        "sm.count=0",
        "expected a whole number");
    refused("traces: a\ngpus: [h200, g80]\n", "s.yaml:2:14: no GPU");
    refused("traces: a\ngpus: h200\ncores: [modern, old]\n", "s.yaml:3:17: core \"old\"");
    refused("traces: a\nvary: {sm.count: {from: 1, to: 5}}\n", "s.yaml:2:18", "steps and by");
    refused("traces: a\nwhere: sm.count >\n", "s.yaml:2:8: where: ", "found the end");
    refused("traces: a\ngpus: h200\nwhere: smcount > 3\n", "s.yaml:3:8", "has no smcount");
    refused("traces: a\ngpus: h200\nwhere: sm.count > 999\n", "the filters leave out all 1");
    refused(
        "traces: a\ntogether:\n  sm.count: [1, 2]\n  clocks.coreMHz: [1000]\n",
        "s.yaml:4:19: clocks.coreMHz: found 1 values, expected 2");
    refused("traces: a\nmaxCycles: 0\n", "s.yaml:2:12: maxCycles: found \"0\"");
  }

  @Test
  void aSensitivityStudyMakesItsOwnPoints() throws IOException {
    Plan plan =
        plan(
            """
            traces: a
            gpus: [h200]
            sensitivity:
              trajectories: 4
              ranges:
                sm.count: {from: 1, to: 7}
                clocks.coreMHz: {from: 1000, to: 2000}
            """);
    assertThat(plan.members()).hasSize(4 * 3);
    assertThat(values(plan)).anyMatch(words -> words.contains("sm.count=3"));
    refused("traces: a\nsensitivity: {samples: 4}\n", "s.yaml:2:24: samples does nothing");
  }
}
