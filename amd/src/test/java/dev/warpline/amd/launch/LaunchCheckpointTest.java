package dev.warpline.amd.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.state.Checkpoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A launch file that goes on from a checkpoint ends as if it had never stopped. */
class LaunchCheckpointTest {
  private static final Map<String, String> RUN = Map.of();

  @TempDir Path folder;

  private static LaunchRun.Outcome run(String file, RunOptions options) throws IOException {
    Path path = Path.of("..", "examples", "amd", "launch", file);
    return new LaunchRun(path, Gpus.load("mi300a", List.of("amd.computeUnits=8")))
        .timed(options, Progress.NONE);
  }

  private static String words(LaunchRun.Outcome outcome) throws IOException {
    ObjectMapper json = new ObjectMapper();
    return json.writeValueAsString(outcome.result().kernels())
        + json.writeValueAsString(outcome.result().activities())
        + outcome.failedChecks();
  }

  private void same(String file, int times, RunOptions options) throws IOException {
    LaunchRun.Outcome whole = run(file, options);
    long end =
        whole.result().kernels().stream().mapToLong(k -> k.start() + k.cycles()).max().orElse(0);
    Random random = new Random(3);
    for (int i = 0; i < times; i++) {
      long cycle = 1 + (long) (random.nextDouble() * end * 0.9);
      Path state = folder.resolve("state");
      Checkpoints before = new Checkpoints(RUN);
      before.writeTo(state);
      before.everyCycles(cycle);
      RunOptions limited =
          new RunOptions(1, cycle + 200, 0, options.kernels(), options.profile(), new StopSignal())
              .withCheckpoints(before);
      assertThatThrownBy(() -> run(file, limited))
          .isInstanceOf(UnfinishedSimulationException.class);
      assertThat(before.written()).isPositive();
      Checkpoints after = new Checkpoints(RUN);
      after.resume(state);
      assertThat(words(run(file, options.withThreads(1 + i % 2).withCheckpoints(after))))
          .as(file + " at cycle " + cycle)
          .isEqualTo(words(whole));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vector_add.yaml"})
  void aProgramGoesOnAsIfItHadNotStopped(String file) throws IOException {
    same(file, 2, RunOptions.DEFAULT);
  }

  @Test
  void soDoesOneThatIsRecorded() throws IOException {
    same("vector_add.yaml", 1, RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE));
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({"vector_add.yaml, 10", "bfs.yaml, 2", "streams.yaml, 4", "scratch.yaml, 2"})
  void atAnyOfManyPlaces(String file, int times) throws IOException {
    same(file, times, RunOptions.DEFAULT);
  }
}
