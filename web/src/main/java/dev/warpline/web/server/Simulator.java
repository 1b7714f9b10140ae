package dev.warpline.web.server;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Whatever runs a program of the store on a GPU; the command line puts the real machines here. */
@FunctionalInterface
public interface Simulator {
  /**
   * Simulates with a profile.
   *
   * @param program trace or launch file
   * @param gpu name of a preset
   * @param core {@code classic}, {@code modern}, or empty for the GPU's own
   * @param settings overrides of the form {@code field=value}
   */
  RunResult run(Path program, String gpu, String core, List<String> settings, Progress progress)
      throws IOException;
}
