package dev.warpline.cli;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What {@code run} simulates: a traced program on an NVIDIA GPU, a launch file on an AMD one. */
interface Program {
  /** The GPU where the user names none. */
  String standardGpu() throws IOException;

  /**
   * Refuses, before anything is simulated, a GPU that it cannot run on.
   *
   * @throws IOException saying why
   */
  void check(GpuDescription gpu) throws IOException;

  /** The core that runs it on a GPU: {@code classic}, {@code modern} or {@code gcn}. */
  String core(GpuDescription gpu);

  /**
   * Everything but the simulation is ready.
   *
   * @param simulations how many of it are to come
   */
  default void ready(int simulations) throws IOException {}

  /** Runs it as far as it goes. */
  Attempt run(GpuDescription gpu, RunOptions options, Progress progress);

  /** The files that belong to it, sorted. */
  List<Path> files(GpuDescription gpu) throws IOException;
}
