package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;

/** Constant bank 0 as drivers lay it out: sizes, windows, the stack, and the parameters. */
final class Bank0 {
  /** Where parameters begin on Hopper, if a cubin does not say. */
  private static final int HOPPER_PARAMETERS = 0x210;

  private static final int STACK_POINTER = 0x28;

  /** Where the stacks of threads begin, as in traces of real kernels. */
  private static final int STACK_TOP = 0xfffcd0;

  private Bank0() {}

  /**
   * The bank of a launch.
   *
   * @param offset where parameters begin, 0 if the cubin does not say
   */
  static byte[] of(KernelLaunch launch, long sharedBase, long localBase, int offset) {
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
    System.arraycopy(parameters, 0, bank, start, parameters.length);
    return bank;
  }
}
