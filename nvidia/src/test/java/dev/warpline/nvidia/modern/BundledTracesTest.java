package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example traces, recorded on an H200, on every preset with a modern core. */
class BundledTracesTest {
  private static final Path TRACES = Path.of("..", "examples", "traces");

  private static KernelResult run(String gpu, String trace, String... settings) throws IOException {
    try (TraceSet program = Traces.open(TRACES.resolve(trace))) {
      RunOptions options = new RunOptions(1, 0, 0, (id, name) -> id == 1);
      return new ModernMachine(Gpus.load(gpu, List.of(settings)), true)
          .run(program, options, Progress.NONE)
          .kernels()
          .get(0);
    }
  }

  /** Nanoseconds, since clocks differ. */
  private static double time(String gpu, KernelResult result) throws IOException {
    return result.cycles() * 1e3 / Gpus.load(gpu, List.of()).clocks().coreMHz();
  }

  @Test
  @Tag("long")
  void aSmallerGpuTakesLonger() throws IOException {
    KernelResult first = run("h200", "reduce.wlt");
    double before = time("h200", first);
    for (String gpu : List.of("h100", "a100", "rtx3070")) {
      KernelResult result = run(gpu, "reduce.wlt");
      assertThat(result.warpInstructions()).as(gpu).isEqualTo(first.warpInstructions());
      assertThat(time(gpu, result)).as(gpu).isGreaterThanOrEqualTo(before);
      before = time(gpu, result);
    }
  }

  @Test
  void aBlockThatFitsNoSmIsRefusedWithTheReason() {
    assertThatThrownBy(() -> run("rtx3070", "reduce.wlt", "sm.warps=4"))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("a block needs more threads than an SM has");
  }

  @Test
  void whatAnOlderGpuDoesNotHaveIsNamed() throws IOException {
    assertThat(run("rtx3070", "wgmma_s4.wlt").warnings())
        .anyMatch(text -> text.contains("HGMMA: not modelled"))
        .anyMatch(text -> text.contains("UTMALDG: not modelled"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"vecadd", "reduce.wlt", "hgemm_wmma.wlt"})
  void scoreboardsAndControlBitsAgreeWithinAFewPercent(String trace) throws IOException {
    double obeyed = run("h200", trace).cycles();
    KernelResult tracked = run("h200", trace, "modern.issue.dependences=scoreboard");
    assertThat(tracked.cycles() / obeyed).isBetween(0.95, 1.05);
    assertThat(tracked.warnings()).anyMatch(text -> text.contains("scoreboards"));
  }

  /** Nothing but caches is left of a kernel when the next one starts. */
  @ParameterizedTest
  @ValueSource(strings = {"vecadd", "reduce.wlt", "cpasync.tar.xz", "wgmma_s4.wlt"})
  void aLaunchAgainFromColdCachesTakesTheSameTime(String trace) throws IOException {
    ModernMachine machine = new ModernMachine(Gpus.load("h200", List.of()), true);
    try (TraceSet program = Traces.open(TRACES.resolve(trace))) {
      RunOptions options = new RunOptions(1, 0, 0, (id, name) -> id == 1);
      KernelResult first = machine.run(program, options, Progress.NONE).kernels().get(0);
      KernelResult again = machine.run(program, options, Progress.NONE).kernels().get(0);
      assertThat(again.cycles()).isEqualTo(first.cycles());
      assertThat(again.statistics()).isEqualTo(first.statistics());
    }
  }
}
