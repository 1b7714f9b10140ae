package dev.warpline.nvidia;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A kernel whose trace is open at a checkpoint. The trace is no state: whoever resumes opens it
 * again and reads the blocks that had been read, in order, after which it knows the same code.
 *
 * @param launch its {@link TraceCommand.Launch#index}
 * @param blocks blocks read, from the first
 */
public record OpenKernel(int launch, long blocks, KernelTrace trace) {
  /** What is to be opened again. */
  public record Plan(List<Integer> launches, List<Long> blocks) {}

  /** The plan of a checkpoint. */
  public static Plan plan(List<OpenKernel> open) {
    return new Plan(
        open.stream().map(OpenKernel::launch).toList(),
        open.stream().map(OpenKernel::blocks).toList());
  }

  /** What a machine has from others. */
  public static List<Object> outside(
      GpuDescription gpu, RunOptions options, List<OpenKernel> open) {
    List<Object> all = new ArrayList<>(List.of(gpu));
    if (options.profile() != null) {
      all.add(options.profile());
    }
    for (OpenKernel kernel : open) {
      all.add(kernel.trace());
      all.add(kernel.trace().code());
      all.add(kernel.trace().header());
    }
    return all;
  }

  /** Opens the traces of a plan and reads them to where they were. */
  public static List<OpenKernel> reopen(TraceSet program, Plan plan) throws IOException {
    List<OpenKernel> open = new ArrayList<>();
    BlockTrace scrap = new BlockTrace();
    for (int i = 0; i < plan.launches().size(); i++) {
      int index = plan.launches().get(i);
      KernelTrace trace = program.open(launch(program, index));
      long blocks = plan.blocks().get(i);
      for (long block = 0; block < blocks; block++) {
        trace.requireBlock(block, scrap);
      }
      open.add(new OpenKernel(index, blocks, trace));
    }
    return open;
  }

  /** Tells of the kernels that had ended, as if they had just now. */
  public static void tellAgain(List<KernelResult> ended, RunOptions options, Progress progress) {
    for (KernelResult result : ended) {
      // Who chooses kernels also counts those that were there.
      if (options.kernels().test(result.id(), result.name())) {
        progress.kernelFinished(result);
      }
    }
  }

  private static TraceCommand.Launch launch(TraceSet program, int index) throws IOException {
    for (TraceCommand command : program.commands()) {
      if (command instanceof TraceCommand.Launch launch && launch.index() == index) {
        return launch;
      }
    }
    throw new IOException("the program has no launch " + (index + 1) + ", which was under way");
  }
}
