package dev.warpline.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.state.Checkpoints;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that goes on from a checkpoint ends as if it had never stopped. */
class CheckpointTest {
  private static final Map<String, String> RUN = Map.of("input", "the same");

  @TempDir Path folder;

  private static Path trace(String name) {
    return Path.of("..", "examples", "traces", name);
  }

  private static List<KernelResult> run(Core core, String trace, RunOptions options)
      throws IOException {
    try (TraceSet program = Traces.open(trace(trace))) {
      return core.machine(Gpus.load("rtx3070", List.of("sm.count=4")))
          .run(program, options, Progress.NONE)
          .kernels();
    }
  }

  /** Stops a run at the first chance after a cycle, with a checkpoint. */
  private Path stopped(Core core, String trace, RunOptions options, long cycle) throws IOException {
    Path file = folder.resolve("checkpoint");
    Files.deleteIfExists(file);
    Checkpoints checkpoints = new Checkpoints(RUN);
    checkpoints.writeTo(file);
    checkpoints.everyCycles(cycle);
    StopSignal stop = new StopSignal();
    assertThatThrownBy(
            () ->
                run(
                    core,
                    trace,
                    new RunOptions(
                        options.threads(),
                        cycle + 2_000,
                        0,
                        options.kernels(),
                        options.profile(),
                        stop,
                        0,
                        checkpoints,
                        false)))
        .isInstanceOf(UnfinishedSimulationException.class);
    assertThat(checkpoints.written()).isPositive();
    return file;
  }

  private static List<KernelResult> resumed(Core core, String trace, RunOptions options, Path file)
      throws IOException {
    Checkpoints checkpoints = new Checkpoints(RUN);
    checkpoints.resume(file);
    return run(core, trace, options.withCheckpoints(checkpoints));
  }

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, vecadd, 3",
    "CLASSIC, cpasync.tar.xz, 2",
    "MODERN, vecadd, 3",
    "MODERN, cpasync.tar.xz, 2"
  })
  void aRunGoesOnAsIfItHadNotStopped(Core core, String trace, int times) throws IOException {
    same(core, trace, times, RunOptions.DEFAULT);
  }

  @ParameterizedTest
  @EnumSource
  void soDoesOneThatIsRecorded(Core core) throws IOException {
    same(core, "vecadd", 1, RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE));
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({"CLASSIC, vecadd", "MODERN, vecadd", "MODERN, wgmma_s4.wlt"})
  void atAnyOfTenPlaces(Core core, String trace) throws IOException {
    same(core, trace, 10, RunOptions.DEFAULT);
  }

  private static String words(List<KernelResult> results) throws IOException {
    return new ObjectMapper().writeValueAsString(results);
  }

  private void same(Core core, String trace, int times, RunOptions options) throws IOException {
    List<KernelResult> whole = run(core, trace, options);
    long end = whole.get(whole.size() - 1).end();
    Random random = new Random(7);
    for (int i = 0; i < times; i++) {
      long cycle = 1 + (long) (random.nextDouble() * (end - 4_000));
      Path file = stopped(core, trace, options, cycle);
      assertThat(words(resumed(core, trace, options.withThreads(1 + i % 2), file)))
          .as("checkpoint at cycle " + cycle)
          .isEqualTo(words(whole));
    }
  }

  @Test
  void aDamagedCheckpointAndOneOfAnotherRunAreRefused() throws IOException {
    Path file = stopped(Core.CLASSIC, "vecadd", RunOptions.DEFAULT, 1_000);
    assertThatThrownBy(() -> new Checkpoints(Map.of("input", "another")).resume(file))
        .hasMessage(file + ": is of another run: input was the same, now it is another");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> new Checkpoints(RUN).resume(file))
        .hasMessage(file + ": is damaged or cut off: its checksum does not fit");
    Files.write(file, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> new Checkpoints(RUN).resume(file))
        .hasMessageContaining("is no checkpoint");
  }
}
