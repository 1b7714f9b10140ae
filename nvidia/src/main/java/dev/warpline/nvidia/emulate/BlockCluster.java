package dev.warpline.nvidia.emulate;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.trace.Dim3;
import java.util.List;

/**
 * Blocks that live at the same time and run by turns: a cluster, or one block where the launch has
 * no clusters. Used for one cluster after another.
 */
final class BlockCluster {
  private final Launch launch;
  private final Block[] blocks;

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
   */
  static void run(List<BlockCluster> together, KernelSteps program) throws EmulationException {
    boolean left = true;
    while (left) {
      left = false;
      boolean moved = false;
      for (BlockCluster cluster : together) {
        for (Block block : cluster.blocks) {
          if (!block.ended()) {
            moved |= block.turn(program);
            left |= !block.ended();
          }
        }
      }
      if (left && !moved) {
        throw deadlock(together);
      }
    }
  }

  private static UnfinishedSimulationException deadlock(List<BlockCluster> together) {
    StringBuilder text = new StringBuilder();
    for (BlockCluster cluster : together) {
      for (Block block : cluster.blocks) {
        if (!block.ended() && text.length() < 4000) {
          text.append(text.isEmpty() ? "" : "\n").append(block.describeDeadlock());
        }
      }
    }
    return new UnfinishedSimulationException(text.toString());
  }
}
