package dev.warpline.study.settings;

import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.util.List;

/** Some settings, and a tiny program that runs on what comes of them. */
abstract class Trial {
  /** Whether one of the settings is surely outside of its bounds. */
  private final boolean outside;

  /** One of these must be in the message of a refusal. */
  private final List<String> names;

  Trial(boolean outside, List<String> names) {
    this.outside = outside;
    this.names = names;
  }

  abstract GpuDescription gpu() throws IOException;

  abstract RunResult run(GpuDescription gpu, RunOptions options) throws IOException;

  /** What came of a trial: it ran, it was refused as it should be, or something is wrong. */
  record Outcome(boolean ran, String failure) {}

  Outcome outcome(StopSignal stop) throws IOException {
    GpuDescription gpu;
    try {
      gpu = gpu();
    } catch (DescriptionException e) {
      boolean named = names.stream().anyMatch(e.getMessage()::contains);
      return refused(named ? null : "refused without naming the setting: " + e.getMessage());
    }
    if (outside) {
      return refused("taken although it is outside of its bounds");
    }
    try {
      // What was taken would be taken again: every field is inside of its bounds.
      Gpus.changed(gpu, "again", List.of());
      RunResult result = run(gpu, RunOptions.DEFAULT.withStop(stop));
      long cycles = result.kernels().stream().mapToLong(k -> k.cycles()).min().orElse(0);
      return new Outcome(
          true, cycles > 0 && cycles < 1L << 40 ? null : "ended after " + cycles + " cycles");
    } catch (UnfinishedSimulationException e) {
      boolean tooSmall = e.getMessage().contains("a block needs more");
      return refused(tooSmall ? null : "unfinished: " + e.getMessage());
    } catch (IOException e) {
      boolean said = e.getMessage().matches("(?s).*(expected|needs|does not fit|more than).*");
      return refused(said ? null : "refused without a reason: " + e);
    }
  }

  private static Outcome refused(String failure) {
    return new Outcome(false, failure);
  }
}
