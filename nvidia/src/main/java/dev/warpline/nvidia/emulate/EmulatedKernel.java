package dev.warpline.nvidia.emulate;

import dev.warpline.isa.CodeTable;
import dev.warpline.trace.BlockStore;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A kernel that is executed while its trace is read: blocks in ascending order, each once. What was
 * executed before it is asked for is kept, packed. Closing executes the rest, since later kernels
 * need what this one writes.
 */
public final class EmulatedKernel implements KernelTrace {
  /** Warps that live at the same time on the largest GPUs: 160 SMs of 64. */
  private static final long MOST_WARPS = 160 * 64;

  private final KernelHeader header;
  private final Launch launch;
  private final KernelSteps program;
  private final ExecutedCode code;
  private final List<BlockCluster> together = new ArrayList<>();
  private final BlockStore ahead;
  private final BlockTrace packed = new BlockTrace();
  private final LongConsumer progress;
  private final long clusters;

  /** Clusters that start together. */
  private final int atOnce;

  /** Clusters executed. */
  private long executed;

  private boolean failed;

  /**
   * @param cooperative whether all blocks live at the same time
   * @param progress told the warp instructions of the kernel so far
   */
  EmulatedKernel(
      KernelHeader header,
      Launch launch,
      KernelSteps program,
      ExecutedCode code,
      boolean cooperative,
      LongConsumer progress) {
    this.header = header;
    this.launch = launch;
    this.program = program;
    this.code = code;
    this.progress = progress;
    Dim3 grid = launch.grid();
    Dim3 shape = launch.cluster();
    clusters = grid.count() / shape.count();
    atOnce = Math.toIntExact(cooperative ? clusters : 1);
    for (int i = 0; i < atOnce; i++) {
      together.add(cluster());
    }
    ahead = new BlockStore(header.warpsPerBlock());
  }

  private BlockCluster cluster() {
    BlockCluster cluster = new BlockCluster(launch);
    if (header.registers() > 0 && !program.program().movesRegisters()) {
      for (int rank = 0; rank < cluster.size(); rank++) {
        cluster.block(rank).useRegisters(header.registers(), program.program().uniforms());
      }
    }
    return cluster;
  }

  @Override
  public KernelHeader header() {
    return header;
  }

  @Override
  public CodeTable code() {
    return code.table();
  }

  @Override
  public boolean isIndependent() {
    return false;
  }

  @Override
  public boolean hasControlBits() {
    return code.hasControlBits();
  }

  /** Warp instructions executed so far. */
  public long instructions() {
    return program.executed();
  }

  /** Whether all blocks were executed. */
  public boolean finished() {
    return executed == clusters;
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) throws IOException {
    if (blockId < 0 || blockId >= launch.grid().count()) {
      return false;
    }
    if (ahead.take(blockId, code.table().size(), into)) {
      return true;
    }
    while (!finished()) {
      next(true);
      boolean found = false;
      for (BlockCluster cluster : together) {
        for (int rank = 0; rank < cluster.size(); rank++) {
          Block block = cluster.block(rank);
          if (block.id() == blockId) {
            into.gather(blockId, rank, block.traces());
            found = true;
          } else {
            packed.gather(block.id(), rank, block.traces());
            ahead.put(packed);
          }
        }
      }
      if (found) {
        return true;
      }
    }
    throw new IOException(
        header.name() + ": block " + blockId + " was read before and is asked for again");
  }

  /** Executes all blocks that are left, and keeps their traces for those who ask later. */
  public void executeAhead() throws IOException {
    while (!finished()) {
      next(true);
      for (BlockCluster cluster : together) {
        for (int rank = 0; rank < cluster.size(); rank++) {
          packed.gather(cluster.block(rank).id(), rank, cluster.block(rank).traces());
          ahead.put(packed);
        }
      }
    }
  }

  /** Executes all blocks, the last one first; for those who ask whether their order matters. */
  public void executeBackwards() throws IOException {
    for (long cluster = clusters - 1; cluster >= 0; cluster--) {
      BlockCluster one = together.get(0);
      for (int rank = 0; rank < one.size(); rank++) {
        one.block(rank).record(false);
      }
      one.start(cluster);
      Standstill standstill = new Standstill(program, progress);
      BlockCluster.run(List.of(one), program, standstill, () -> false);
    }
    executed = clusters;
  }

  /** Executes all blocks that are left, without a trace. */
  public void execute() throws IOException {
    while (!finished()) {
      next(false);
    }
  }

  private void next(boolean recorded) throws IOException {
    if (failed) {
      throw new EmulationException(header.name() + ": could not be executed");
    }
    failed = true;
    together.subList(atOnce, together.size()).clear();
    together.forEach(cluster -> start(cluster, recorded));
    Standstill standstill = new Standstill(program, progress);
    BlockCluster.run(together, program, standstill, () -> join(recorded));
    progress.accept(program.executed());
    failed = false;
  }

  private void start(BlockCluster cluster, boolean recorded) {
    for (int rank = 0; rank < cluster.size(); rank++) {
      cluster.block(rank).record(recorded);
    }
    cluster.start(executed++);
  }

  /**
   * Starts as many blocks again as there are, since these wait for later ones; returns false if
   * there are none, or no GPU has room for so many.
   */
  private boolean join(boolean recorded) {
    long warps = (long) header.warpsPerBlock() * together.get(0).size();
    int count = together.size();
    for (int i = 0; i < count && !finished(); i++) {
      if ((together.size() + 1) * warps <= MOST_WARPS) {
        together.add(cluster());
        start(together.get(together.size() - 1), recorded);
      }
    }
    return together.size() > count;
  }

  @Override
  public void close() throws IOException {
    try {
      if (!failed) {
        execute();
      }
    } finally {
      ahead.close();
    }
  }
}
