package dev.warpline.study.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits and the stop signal reach a run on either core. */
class StopTest {
  private static final String FEW_SMS = "sm.count=2";

  @TempDir Path folder;

  private RunResult run(Core core, RunOptions options) throws IOException {
    try (TraceSet trace = Traces.open(folder)) {
      return core.machine(Gpus.load("rtx3070", List.of(FEW_SMS)))
          .run(trace, options, Progress.NONE);
    }
  }

  @ParameterizedTest
  @EnumSource(Core.class)
  void aSignalFromAnotherThreadEndsARun(Core core) throws Exception {
    TinyProgram.write(folder, 3);
    // Hours of kernels.
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n".repeat(200_000));
    StopSignal stop = new StopSignal();
    CompletableFuture<RunResult> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run(core, RunOptions.DEFAULT.withStop(stop));
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    TimeUnit.MILLISECONDS.sleep(300);
    assertThat(run).isNotDone();
    stop.stop("cancelled");
    assertThatThrownBy(() -> run.get(5, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("cancelled");
  }

  @ParameterizedTest
  @EnumSource(Core.class)
  void aLimitOfInstructionsEndsARun(Core core) throws IOException {
    TinyProgram.write(folder, 3);
    long all =
        run(core, RunOptions.DEFAULT).kernels().stream().mapToLong(k -> k.warpInstructions()).sum();
    // In the middle of the second kernel.
    assertThatThrownBy(() -> run(core, new RunOptions(1, 0, all * 3 / 4, (id, name) -> true)))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessage("stopped at the limit of " + all * 3 / 4 + " warp instructions");
    assertThat(run(core, new RunOptions(1, 0, all + 1, (id, name) -> true)).kernels()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(Core.class)
  void aLimitOfCyclesEndsARun(Core core) throws IOException {
    TinyProgram.write(folder, 3);
    long all = run(core, RunOptions.DEFAULT).cycles();
    assertThatThrownBy(() -> run(core, new RunOptions(1, all / 2, 0, (id, name) -> true)))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessage("stopped at the limit of " + all / 2 + " cycles");
    assertThat(run(core, new RunOptions(1, 2 * all, 0, (id, name) -> true)).kernels()).hasSize(2);
  }
}
