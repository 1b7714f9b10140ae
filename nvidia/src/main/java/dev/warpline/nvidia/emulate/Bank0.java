package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;

/** Constant bank 0 as drivers lay it out: sizes, windows, the stack, and the parameters. */
final class Bank0 {
  /** Where parameters begin on Hopper, if a cubin does not say. */
  private static final int HOPPER_PARAMETERS = 0x210;

  private static final int STACK_POINTER = 0x28;

  /** Where the stacks of threads begin, as in traces of real kernels. */
  private static final int STACK_TOP = 0xfffcd0;

  /** What Hopper's kernels read of their clusters: blocks along x, y, z, the inverses of that. */
  private static final int CLUSTER_SHAPE = 0x144;

  private static final int CLUSTER_INVERSES = 0x150;

  /** Clusters of the grid along x, y, z. */
  private static final int CLUSTER_GRID = 0x15c;

  private static final int CLUSTER_BLOCKS = 0x188;

  /** Where the parameters lie among global addresses, for tensor maps. */
  private static final int PARAMETER_ADDRESS = 0x198;

  /** Where the address of what the barrier of all blocks needs stands: its halves. */
  private static final int WORKSPACE_HIGH = 0x44;

  private static final int WORKSPACE_LOW = 0x48;

  /** Where the bank lies among global addresses. */
  private static final int BANK_ADDRESS = 0xc0;

  private Bank0() {}

  /**
   * The bank of a launch.
   *
   * @param cluster blocks of a cluster
   * @param workspace address of what the barrier of all blocks needs, 0 if there is none
   * @param offset where parameters begin, 0 if the cubin does not say
   */
  static byte[] of(
      KernelLaunch launch,
      Dim3 cluster,
      long sharedBase,
      long localBase,
      long workspace,
      int offset) {
    byte[] parameters = launch.parameters();
    int start = offset == 0 ? HOPPER_PARAMETERS : offset;
    byte[] bank = new byte[start + parameters.length];
    Dim3 block = launch.block();
    Dim3 grid = launch.grid();
    int[] sizes = {block.x(), block.y(), block.z(), grid.x(), grid.y(), grid.z()};
    for (int i = 0; i < sizes.length; i++) {
      Bytes.word(bank, 4 * i, sizes[i]);
    }
    Bytes.doubleWord(bank, 0x18, sharedBase);
    Bytes.doubleWord(bank, 0x20, localBase);
    Bytes.word(bank, STACK_POINTER, STACK_TOP);
    int[] shape = {cluster.x(), cluster.y(), cluster.z()};
    for (int d = 0; d < 3 && start > PARAMETER_ADDRESS; d++) {
      Bytes.word(bank, CLUSTER_SHAPE + 4 * d, shape[d]);
      Bytes.word(bank, CLUSTER_INVERSES + 4 * d, Float.floatToRawIntBits(1f / shape[d]));
      Bytes.word(bank, CLUSTER_GRID + 4 * d, sizes[3 + d] / shape[d]);
    }
    if (start > PARAMETER_ADDRESS) {
      Bytes.word(bank, CLUSTER_BLOCKS, (int) cluster.count());
      Bytes.doubleWord(bank, PARAMETER_ADDRESS, ConstantBanks.WINDOW + start);
      Bytes.doubleWord(bank, BANK_ADDRESS, ConstantBanks.WINDOW);
    }
    Bytes.word(bank, WORKSPACE_HIGH, (int) (workspace >>> 32));
    Bytes.word(bank, WORKSPACE_LOW, (int) workspace);
    System.arraycopy(parameters, 0, bank, start, parameters.length);
    return bank;
  }
}
