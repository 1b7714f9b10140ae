package dev.warpline.amd.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.StallReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchRunTest {
  private static final Path CODE = Path.of("..", "examples", "amd", "co").toAbsolutePath();

  @TempDir Path folder;
  private GpuDescription gpu;

  @BeforeEach
  void load() throws IOException {
    gpu = Gpus.load("vega10", List.of("amd.computeUnits=4"));
  }

  private LaunchRun run(String... lines) throws IOException {
    Path file = folder.resolve("launch.yaml");
    Files.writeString(
        file, "code: " + CODE + "/stream.{target}.co\n" + String.join("\n", lines) + "\n");
    return new LaunchRun(file, gpu);
  }

  private LaunchRun add(String... more) throws IOException {
    String[] lines = new String[6 + more.length];
    lines[0] = "buffers:";
    lines[1] = "  a: {bytes: 4096, pattern: {type: float, step: 1}}";
    lines[2] = "  b: {bytes: 4096, pattern: {type: float, start: 1, step: 1}}";
    lines[3] = "  c: {bytes: 4096}";
    lines[4] = "launches:";
    lines[5] =
        "  - {kernel: vector_add, grid: [1024], group: [128], arguments: [a, b, c, 1024], repeat:"
            + " 2}";
    System.arraycopy(more, 0, lines, 6, more.length);
    return run(lines);
  }

  @Test
  void theSumIsCheckedAndWritten() throws IOException {
    LaunchRun.Outcome outcome =
        add(
                "checks:",
                "  - {buffer: c, type: float, pattern: {type: float, start: 1, step: 2}}",
                "  - {buffer: c, type: float, functional: true}",
                "outputs:",
                "  - {buffer: c, file: c.bin}")
            .timed(RunOptions.DEFAULT, Progress.NONE);
    assertThat(outcome.failedChecks()).isEmpty();
    assertThat(outcome.result().kernels()).hasSize(2);
    assertThat(outcome.result().core()).isEqualTo("gcn");
    KernelResult second = outcome.result().kernels().get(1);
    assertThat(second.cycles()).isPositive();
    assertThat(second.statistics().get("cu.wavesCompleted")).isEqualTo(16L);
    assertThat(folder.resolve("c.bin")).hasSize(4096);
  }

  @Test
  void functionalExecutionCountsTheSameInstructions() throws IOException {
    LaunchRun run = add();
    assertThat(
            run.functional(RunOptions.DEFAULT, Progress.NONE)
                .result()
                .kernels()
                .get(0)
                .warpInstructions())
        .isEqualTo(
            run.timed(RunOptions.DEFAULT, Progress.NONE)
                .result()
                .kernels()
                .get(0)
                .warpInstructions());
  }

  @Test
  void aFailedCheckNamesTheElement() throws IOException {
    LaunchRun.Outcome outcome =
        add("checks:", "  - {buffer: c, type: float, pattern: {type: float, step: 2}}")
            .functional(RunOptions.DEFAULT, Progress.NONE);
    assertThat(outcome.failedChecks()).containsExactly("buffer c, element 0: found 1, expected 0");
  }

  @Test
  void aWrongArgumentIsNamed() {
    assertThatThrownBy(
            () ->
                run(
                        "launches:",
                        "  - {kernel: relu, grid: [64], group: [64], arguments: [x, 1, 2]}")
                    .timed(RunOptions.DEFAULT, Progress.NONE))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("launches[0].arguments[0]: found \"x\", expected a buffer");
  }

  @Test
  void anArgumentIsReadByItsType() throws IOException {
    String[] lines = {
      "buffers:",
      "  x: {bytes: 256, pattern: {type: float, start: 3}}",
      "  y: {bytes: 256}",
      "launches:",
      "  - {kernel: saxpy, grid: [64], group: [64], arguments: [x, y, 2, 64]}",
      "checks:",
      "  - {buffer: y, type: float, pattern: {type: float, start: 6}}"
    };
    assertThat(run(lines).functional(RunOptions.DEFAULT, Progress.NONE).failedChecks())
        .as("2 is 2.0 for a float")
        .isEmpty();
    lines[4] = lines[4].replace("64]}", "64.5]}");
    assertThatThrownBy(() -> run(lines).functional(RunOptions.DEFAULT, Progress.NONE))
        .hasMessageContaining("arguments[3]: found \"64.5\", expected a whole number (int)");
  }

  @Test
  void anAccessOutsideOfABufferNamesWaveLaneAndPc() {
    assertThatThrownBy(
            () ->
                run(
                        "buffers: {a: {bytes: 64}}",
                        "launches:",
                        "  - {kernel: relu, grid: [64], group: [64], arguments: [a, a, 64]}")
                    .timed(RunOptions.DEFAULT, Progress.NONE))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("past the end of a buffer")
        .hasMessageContaining("kernel relu, work-group (0, 0, 0), wave 0, lane 16");
  }

  @Test
  void anUnknownFieldIsNamed() {
    assertThatThrownBy(() -> run("launchs: []"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unknown field launchs");
  }

  @Test
  void aLimitEndsTheRun() {
    assertThatThrownBy(
            () -> add().timed(new RunOptions(1, 10, 0, (id, name) -> true), Progress.NONE))
        .isInstanceOf(UnfinishedSimulationException.class);
  }

  @Test
  void aWaveHasTheSameReasonsWhetherRecordedOrNot() throws IOException {
    KernelResult plain = add().timed(RunOptions.DEFAULT, Progress.NONE).result().kernels().get(0);
    RunOptions recording = RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE);
    KernelResult recorded = add().timed(recording, Progress.NONE).result().kernels().get(0);
    assertThat(recorded.cycles()).isEqualTo(plain.cycles());
    assertThat(recorded.statistics()).isEqualTo(plain.statistics());
    assertThat(recorded.stalls()).isEqualTo(plain.stalls());
    Map<String, Long> profiled = new HashMap<>();
    recorded.profile().stalls().forEach((why, cycles) -> profiled.put(why.key(), cycles));
    assertThat(plain.stalls()).isEqualTo(profiled).containsKey("dram");
    assertThat(plain.stalls()).containsEntry("selected", plain.warpInstructions());
  }

  @Test
  void gem5sStallCyclesAreTheReasonsButForTheCyclesOfIssue() throws IOException {
    KernelResult kernel = add().timed(RunOptions.DEFAULT, Progress.NONE).result().kernels().get(0);
    Map<String, Long> view = new HashMap<>();
    kernel
        .stalls()
        .forEach((key, cycles) -> view.merge(StallReason.ofKey(key).gem5(), cycles, Long::sum));
    long all = 0;
    for (Map.Entry<String, Number> counter : kernel.statistics().entrySet()) {
      if (counter.getKey().startsWith("scoreboard.")) {
        long counted = counter.getValue().longValue();
        String name = counter.getKey().substring("scoreboard.".length());
        assertThat(view.getOrDefault(name, 0L))
            .as(name)
            .isCloseTo(counted, within(kernel.warpInstructions()));
        all += counted;
      }
    }
    assertThat(all).isEqualTo(kernel.statistics().get("cu.waveCycles"));
  }

  @Test
  void whatEachComputeUnitCountsAddsUpToTheWhole() throws IOException {
    RunResult run = add().timed(RunOptions.DEFAULT.withEachUnit(true), Progress.NONE).result();
    Map<String, Number> all = run.kernels().get(0).statistics();
    for (String name :
        List.of(
            "cu.instructions", "schedule.sent.VectorALU0", "schedule.listWaits.VectorMemPipe")) {
      long sum =
          all.entrySet().stream()
              .filter(e -> e.getKey().matches("each\\.\\d+\\." + Pattern.quote(name)))
              .mapToLong(e -> e.getValue().longValue())
              .sum();
      assertThat(sum).as(name).isPositive().isEqualTo(all.get(name).longValue());
    }
    StringWriter text = new StringWriter();
    try (PrintWriter out = new PrintWriter(text)) {
      new Gem5Text(out).write(run);
    }
    assertThat(text.toString())
        .containsPattern("CUs0.ExecStage.numCyclesWithInstrTypeIssued::VectorALU0 +[1-9]")
        .containsPattern("CUs1.ScheduleStage.dispNrdyStalls::VectorMemIssue +[0-9]")
        .containsPattern("CUs1.FetchStage.instFetchInstReturned::samples +[1-9]");
  }

  @Test
  void everyCycleAUnitWaitsHasACause() throws IOException {
    Map<String, Number> all =
        add().timed(RunOptions.DEFAULT, Progress.NONE).result().kernels().get(0).statistics();
    assertThat(sum(all, "schedule.notReady."))
        .isPositive()
        .isEqualTo(sum(all, "schedule.listWaits."));
    assertThat(sum(all, "schedule.sent.")).isEqualTo(all.get("schedule.dispatches").longValue());
  }

  private static long sum(Map<String, Number> all, String prefix) {
    return all.entrySet().stream()
        .filter(e -> e.getKey().startsWith(prefix))
        .mapToLong(e -> e.getValue().longValue())
        .sum();
  }

  @Test
  void gem5NamesAreThere() throws IOException {
    StringWriter text = new StringWriter();
    try (PrintWriter out = new PrintWriter(text)) {
      new Gem5Text(out).write(add().timed(RunOptions.DEFAULT, Progress.NONE).result());
    }
    assertThat(text.toString())
        .contains("system.Shader.CUs.vALUInsts")
        .containsPattern("ScoreboardCheckStage.stallCycles::WaitCnt +[1-9]")
        .containsPattern("controlFlowDivergenceDist::61-64 +[1-9]")
        .containsPattern("Shader.loadLatencyDist::mean +[1-9]")
        .containsPattern("ldsBankConflictDist::samples +0 ")
        .contains("Begin Simulation Statistics");
  }
}
