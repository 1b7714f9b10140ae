package dev.warpline.cli;

import dev.warpline.amd.hip.HipRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A HIP program on an AMD GPU. */
final class HipProgram implements Program {
  private final List<String> command;
  private final boolean functional;
  private final Path cache;
  private final Consumer<String> complaints;
  private int exitCode;

  /**
   * @param command the program and its arguments
   * @param functional whether kernels are only executed, without time
   * @param cache where the library for HIP programs is built
   */
  HipProgram(List<String> command, boolean functional, Path cache, Consumer<String> complaints) {
    this.command = command;
    this.functional = functional;
    this.cache = cache;
    this.complaints = complaints;
  }

  private HipRun on(GpuDescription gpu) {
    return new HipRun(command, gpu, functional, cache, complaints);
  }

  /** What the program returned when it last ran. */
  int exitCode() {
    return exitCode;
  }

  @Override
  public String standardGpu() {
    return "mi300a";
  }

  @Override
  public void check(GpuDescription gpu) throws IOException {
    on(gpu).check();
  }

  @Override
  public String core(GpuDescription gpu) {
    return "gcn";
  }

  @Override
  public Attempt run(GpuDescription gpu, RunOptions options, Progress progress) {
    RunResult nothing =
        Attempt.nothing(gpu, functional ? RunResult.FUNCTIONAL : "gcn", options.threads());
    return Attempt.of(
        nothing,
        progress,
        watcher -> {
          HipRun.Outcome outcome = on(gpu).run(options, watcher);
          exitCode = outcome.exitCode();
          return outcome.result();
        });
  }

  @Override
  public List<Path> files(GpuDescription gpu) {
    Path program = Path.of(command.get(0));
    return Files.isRegularFile(program) ? List.of(program) : List.of();
  }
}
