package dev.warpline.nvidia.classic;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import java.util.Set;
import java.util.TreeSet;

/** A kernel that has been launched. */
final class ClassicKernel {
  final int id;
  final KernelTrace trace;
  final KernelHeader header;
  final ClassicCode code;
  final Occupancy occupancy;
  final long blocks;
  final int warpsPerBlock;

  /** Whether its trace says the numbers of barriers and how many threads meet there. */
  final boolean namesBarriers;

  /** Where its time is written down, null if nowhere. */
  KernelRecorder recorder;

  private final long launchCycles;

  /** Core cycle of the launch, and from when on its blocks may start. */
  private long launched;

  private long startCycle;

  /** Next block to read from the trace, blocks finished, cycle of the last end. */
  long nextBlock;

  long blocksDone;

  /** Warp instructions of the blocks read so far. */
  long tracedInstructions;

  long lastEnd;

  ClassicKernel(int id, KernelTrace trace, GpuDescription gpu) {
    this.id = id;
    this.trace = trace;
    header = trace.header();
    code = new ClassicCode(trace.code(), gpu.classic());
    occupancy = Occupancy.of(header, gpu.sm(), gpu.classic());
    blocks = header.grid().count();
    warpsPerBlock = header.warpsPerBlock();
    namesBarriers = header.dialect().namesBarriers();
    if (warpsPerBlock > gpu.sm().warps()) {
      throw new UnfinishedSimulationException(
          "kernel "
              + id
              + " ("
              + header.name()
              + "): a block needs more threads than an SM has, "
              + warpsPerBlock
              + " warps of "
              + gpu.sm().warps());
    }
    launchCycles = gpu.launch().kernelCycles() + blocks * gpu.launch().blockCycles();
  }

  /** Warp instructions of all blocks, if those to come are like those read so far. */
  long expectedInstructions() {
    return nextBlock == 0 ? 0 : Math.round((double) tracedInstructions / nextBlock * blocks);
  }

  /** Launches the kernel in a core cycle. */
  void launchAt(long cycle) {
    launched = cycle;
    startCycle = cycle + launchCycles;
    lastEnd = startCycle;
  }

  long launched() {
    return launched;
  }

  long startCycle() {
    return startCycle;
  }

  /**
   * Instructions of its finished blocks, each once per active lane; counted only where kernels may
   * run side by side.
   */
  long threadInstructions;

  /** Other kernels that were under way at some time between its launch and its end. */
  final Set<Integer> besides = new TreeSet<>();

  /** Counts the lanes of a block that has ended. */
  void count(BlockTrace block) {
    for (int warp = 0; warp < block.warps(); warp++) {
      int first = block.start(warp);
      for (int i = first; i < first + block.count(warp); i++) {
        threadInstructions += Integer.bitCount(block.mask(i));
      }
    }
  }

  boolean isDone() {
    return blocksDone == blocks;
  }

  boolean allRead() {
    return nextBlock == blocks;
  }
}
