package dev.warpline.nvidia.emulate;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.trace.Dim3;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Blocks that live at the same time and run by turns: a cluster, or one block where the launch has
 * no clusters. Used for one cluster after another.
 */
final class BlockCluster {
  /** How often all may find nothing to do but to ask again, before it counts as a deadlock. */
  private static final int MOST_TRIES = 1000;

  private final Launch launch;
  private final Block[] blocks;
  private boolean patient = true;
  private boolean changed;

  BlockCluster(Launch launch) {
    this.launch = launch;
    blocks = new Block[(int) launch.cluster().count()];
    for (int rank = 0; rank < blocks.length; rank++) {
      blocks[rank] = new Block(launch, this, rank);
    }
  }

  /** Blocks of a cluster. */
  int size() {
    return blocks.length;
  }

  /** The block of a rank. */
  Block block(int rank) {
    return blocks[rank];
  }

  Dim3 shape() {
    return launch.cluster();
  }

  /** The block whose shared memory an address with a rank above its 24 bits names. */
  Block owner(Block from, int address) {
    int rank = address >>> 24;
    if (blocks.length == 1 || rank == from.rank()) {
      return from;
    }
    if (rank >= blocks.length) {
      throw new AddressFault(
          String.format("names block %d of a cluster of %d at 0x%x", rank, blocks.length, address));
    }
    return blocks[rank];
  }

  /** Whether all warps have come to the barrier of the cluster so often. */
  boolean arrived(int times) {
    for (Block block : blocks) {
      if (!block.arrivedAtCluster(times)) {
        return false;
      }
    }
    return true;
  }

  /** Whether those who try to wait shall do so, since others can still go on. */
  boolean isPatient() {
    return patient;
  }

  /** An mbarrier has changed, for which somebody may wait. */
  void changed() {
    changed = true;
  }

  /** Makes its blocks those of the grid's cluster of a number, counted along x, y, z. */
  void start(long number) {
    Dim3 shape = launch.cluster();
    Dim3 grid = launch.grid();
    int across = grid.x() / shape.x();
    int deep = grid.y() / shape.y();
    int x = (int) (number % across) * shape.x();
    int y = (int) (number / across % deep) * shape.y();
    int z = (int) (number / across / deep) * shape.z();
    for (int rank = 0; rank < blocks.length; rank++) {
      blocks[rank].start(
          x + rank % shape.x(),
          y + rank / shape.x() % shape.y(),
          z + rank / (shape.x() * shape.y()));
    }
  }

  /**
   * Runs clusters to their ends, one turn of every warp after the other.
   *
   * @param together those that live at the same time
   * @param standstill tells when none of them gets on
   * @param more called then: adds others that they may wait for, and returns whether it did
   */
  static void run(
      List<BlockCluster> together, KernelSteps program, Standstill standstill, BooleanSupplier more)
      throws EmulationException {
    boolean left = true;
    int idle = 0;
    while (left) {
      left = false;
      boolean moved = false;
      boolean changed = false;
      for (BlockCluster cluster : together) {
        cluster.changed = false;
        for (Block block : cluster.blocks) {
          if (!block.ended()) {
            moved |= block.turn(program);
            left |= !block.ended();
          }
        }
        changed |= cluster.changed;
      }
      idle = changed ? 0 : moved ? idle : idle + 1;
      boolean waiting = idle > MOST_TRIES;
      if (left && (waiting || standstill.found(together))) {
        if (!more.getAsBoolean()) {
          throw stopped(together, waiting ? "deadlock" : "no progress, all is as it was before");
        }
        idle = 0;
        standstill.forget();
      }
      for (BlockCluster cluster : together) {
        cluster.patient = moved;
      }
    }
  }

  private static UnfinishedSimulationException stopped(List<BlockCluster> together, String what) {
    StringBuilder text = new StringBuilder();
    for (BlockCluster cluster : together) {
      for (Block block : cluster.blocks) {
        if (!block.ended() && text.length() < 4000) {
          text.append(text.isEmpty() ? "" : "\n").append(block.describe(what));
        }
      }
    }
    return new UnfinishedSimulationException(text.toString());
  }
}
