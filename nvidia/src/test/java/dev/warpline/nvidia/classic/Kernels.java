package dev.warpline.nvidia.classic;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import java.util.List;

/** Small kernels on an RTX 3070 without launch latency. */
final class Kernels {
  private Kernels() {}

  static GpuDescription gpu(String... settings) throws IOException {
    List<String> all = new java.util.ArrayList<>(List.of("launch.kernelCycles=0"));
    all.addAll(List.of(settings));
    return Gpus.load("rtx3070", all);
  }

  /** One block of one warp with these lines and an EXIT. */
  static MemoryKernel oneWarp(String... lines) {
    KernelBuilder builder = new KernelBuilder("test").block(32, 1, 1).binaryVersion(86);
    for (String line : lines) {
      builder.line(line);
    }
    return builder.line("0ff0 ffffffff 0 EXIT 0 0 0").build();
  }

  static RunResult run(GpuDescription gpu, int threads, MemoryKernel... kernels)
      throws IOException {
    MemoryTrace program = new MemoryTrace("test");
    for (MemoryKernel kernel : kernels) {
      program.launch(kernel);
    }
    return new ClassicMachine(gpu)
        .run(program, RunOptions.DEFAULT.withThreads(threads), Progress.NONE);
  }

  static KernelResult run(MemoryKernel kernel, String... settings) throws IOException {
    return run(gpu(settings), 1, kernel).kernels().get(0);
  }

  /** Cycles that lines add to a kernel of one warp. */
  static long cost(String... lines) throws IOException {
    return run(oneWarp(lines)).cycles() - run(oneWarp()).cycles();
  }

  static long statistic(KernelResult result, String name) {
    return result.statistics().get(name).longValue();
  }
}
