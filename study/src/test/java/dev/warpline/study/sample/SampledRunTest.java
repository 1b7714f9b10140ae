package dev.warpline.study.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.Sampling;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.study.settings.TinyProgram;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sampled results against what they estimate. */
class SampledRunTest {
  private static final Path EXAMPLES = Path.of("..", "examples", "traces");

  @TempDir Path folder;

  private static GpuDescription h200() throws IOException {
    return Gpus.load("h200", List.of());
  }

  private static RunResult run(TraceSet program, RunOptions options) throws IOException {
    return SampledRun.of(Core.MODERN.machine(h200()), false, program, options, Progress.NONE);
  }

  private static RunResult run(String example, RunOptions options) throws IOException {
    try (TraceSet program = Traces.open(EXAMPLES.resolve(example))) {
      return run(program, options);
    }
  }

  @Test
  void anEighthOfTheBlocksTellsAKernelsTimeWithinItsInterval() throws IOException {
    // An error that no sample of blocks promises simulates all of them.
    KernelResult full = run("reduce.wlt", RunOptions.DEFAULT.withSample(0.01)).kernels().get(0);
    RunResult run = run("reduce.wlt", RunOptions.DEFAULT.withSample(0.05));
    KernelResult sampled = run.kernels().get(0);
    Sampling sampling = sampled.sampling();
    assertThat(full.sampling()).isNull();
    assertThat(sampling.simulatedInstructions()).isLessThan(full.warpInstructions() / 7);
    assertThat(full.cycles())
        .isBetween(sampling.low(sampled.cycles()), sampling.high(sampled.cycles()));
    assertThat(sampling.plusMinus()).isBetween(0.03, 0.05);
    // What the trace tells is exact; what was counted is scaled to the whole.
    assertThat(sampled.warpInstructions()).isEqualTo(full.warpInstructions());
    assertThat(sampled.statistics().get("l2.smReadSectors").doubleValue())
        .isCloseTo(
            full.statistics().get("l2.smReadSectors").doubleValue(), Percentage.withPercentage(3));
    assertThat(run.sampling()).isNotNull();
    assertThat(run.warnings()).anyMatch(warning -> warning.startsWith("sampled: "));
  }

  @Test
  void aSampleIsTheSameOnAnyNumberOfThreads() throws IOException {
    RunOptions options = RunOptions.DEFAULT.withSample(0.05);
    assertThat(run("hgemm_wmma.wlt", options.withThreads(3)).kernels())
        .isEqualTo(run("hgemm_wmma.wlt", options).kernels());
  }

  @Test
  void whereSmsDifferTooMuchTheKernelIsSimulatedInFull() throws IOException {
    KernelResult kernel =
        run("mandelbrot.wlt", RunOptions.DEFAULT.withSample(0.05)).kernels().get(0);
    assertThat(kernel.sampling().plusMinus()).isZero();
    assertThat(kernel.sampling().simulatedInstructions()).isGreaterThan(kernel.warpInstructions());
    assertThat(kernel.sampling().how()).startsWith("in full, since a sample left");
  }

  @Test
  void aProgramOfSixHundredLaunchesNeedsAThirtiethOfThem() throws IOException {
    Path small = tiny("small", 2);
    Path large = tiny("large", 5);
    try (Mixture program = new Mixture(small, large)) {
      program.launch(1);
      for (int i = 0; i < 200; i++) {
        program.launch(0);
        program.launch(1);
        program.launch(1);
      }
      RunResult full = run(program, RunOptions.DEFAULT);
      RunResult sampled = run(program, RunOptions.DEFAULT.withSample(0.01));
      Sampling sampling = sampled.sampling();
      long all = full.kernels().stream().mapToLong(KernelResult::warpInstructions).sum();
      assertThat(sampled.kernels()).hasSize(601);
      assertThat(sampled.kernels().stream().mapToLong(KernelResult::warpInstructions).sum())
          .isEqualTo(all);
      assertThat(sampling.simulatedInstructions()).isLessThan(all / 30);
      assertThat(Math.abs((double) sampled.cycles() / full.cycles() - 1)).isLessThan(0.01);
      assertThat(full.cycles())
          .isBetween(sampling.low(sampled.cycles()), sampling.high(sampled.cycles()));
      assertThat(sampling.met()).isTrue();
    }
  }

  @Test
  void launchesOfOtherGridsDoNotStandForEachOther() throws IOException {
    try (TraceSet two = Traces.open(tiny("two", 2));
        TraceSet three = Traces.open(tiny("three", 3))) {
      LaunchFeatures ofTwo = features(two);
      assertThat(ofTwo.alike(features(two))).isTrue();
      assertThat(ofTwo.alike(features(three))).isFalse();
    }
  }

  private Path tiny(String name, int blocks) throws IOException {
    return TinyProgram.write(Files.createDirectories(folder.resolve(name)), blocks);
  }

  private static LaunchFeatures features(TraceSet program) throws IOException {
    try (var kernel =
        program.open(
            (TraceCommand.Launch)
                program.commands().stream()
                    .filter(TraceCommand.Launch.class::isInstance)
                    .findFirst()
                    .orElseThrow())) {
      return LaunchFeatures.of(kernel);
    }
  }

  @Test
  void errorsAreReadAsPeopleWriteThem() {
    assertThat(Sampling.parse("2%")).isEqualTo(0.02);
    assertThat(Sampling.parse("0.05")).isEqualTo(0.05);
    assertThatThrownBy(() -> Sampling.parse("70%"))
        .hasMessage("found 70%, expected an error from 0.1% to 50%, e.g. 2%");
  }
}
