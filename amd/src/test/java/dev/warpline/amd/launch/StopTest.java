package dev.warpline.amd.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel that never ends is in reach of limits and the stop signal. */
class StopTest {
  private static final Path CODE =
      Path.of("..", "examples", "amd", "co", "stream.gfx900.co").toAbsolutePath();

  /** {@code s_branch -1}: to itself. */
  private static final int FOREVER = 0xBF82FFFF;

  @TempDir Path folder;
  private LaunchRun run;

  @BeforeEach
  void makeAnEndlessKernel() throws IOException {
    CodeObject object = CodeObject.read(CODE, Optional.of(GcnTarget.ofProcessor("gfx900").get()));
    byte[] image = object.image(0);
    int entry = (int) object.kernel("vector_add").entryAddress();
    byte[] file = Files.readAllBytes(CODE);
    int at = find(file, image, entry, 32);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, FOREVER);
    Path endless = Files.write(folder.resolve("endless.co"), file);
    Path launch =
        Files.writeString(
            folder.resolve("launch.yaml"),
            "code: "
                + endless
                + "\nbuffers:\n  a: {bytes: 4096}\nlaunches:\n"
                + "  - {kernel: vector_add, grid: [64], group: [64], arguments: [a, a, a, 64]}\n");
    run = new LaunchRun(launch, Gpus.load("vega10", List.of("amd.computeUnits=1")));
  }

  private static int find(byte[] file, byte[] image, int from, int length) {
    for (int at = 0; at + length <= file.length; at++) {
      if (java.util.Arrays.equals(file, at, at + length, image, from, from + length)) {
        return at;
      }
    }
    throw new IllegalStateException("the kernel's code is not in its file");
  }

  private LaunchRun.Outcome run(boolean functional, RunOptions options) throws IOException {
    return functional ? run.functional(options, Progress.NONE) : run.timed(options, Progress.NONE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSignalFromAnotherThreadEndsIt(boolean functional) throws InterruptedException {
    StopSignal stop = new StopSignal();
    CompletableFuture<LaunchRun.Outcome> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run(functional, RunOptions.DEFAULT.withStop(stop));
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    TimeUnit.MILLISECONDS.sleep(200);
    assertThat(outcome).isNotDone();
    stop.stop("cancelled");
    assertThatThrownBy(() -> outcome.get(5, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("cancelled");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLimitOfInstructionsEndsIt(boolean functional) {
    assertThatThrownBy(() -> run(functional, new RunOptions(1, 0, 100_000, (id, name) -> true)))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessage("stopped at the limit of 100000 warp instructions");
  }

  @Test
  void aLimitOfCyclesEndsIt() {
    assertThatThrownBy(() -> run(false, new RunOptions(1, 50_000, 0, (id, name) -> true)))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessage("stopped at the limit of 50000 cycles");
  }
}
