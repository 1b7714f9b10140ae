package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.cache.GroupPort;
import dev.warpline.nvidia.modern.warp.ResidentKernel;

/**
 * Constants beyond the first-level caches of an SM: the cache that the GPC shares, and memory
 * behind it. Bank 0 comes with the launch; the other banks wait in memory and come in larger
 * pieces.
 */
public final class ConstantMemory {
  /** Bytes that a kernel's constants may have, as a shift. */
  public static final int KERNEL_BITS = 28;

  private static final int BANK_BITS = 16;
  private static final int LINE_BYTES = 64;
  private static final int GROUP_LINE_BYTES = 128;

  private final ModernCoreSpec.Constants spec;
  private final double hopCycles;
  private final GroupPort port;

  /** Where the constants of each of the SM's kernels lie. */
  private final long[] constantsAt = new long[ResidentKernel.MOST];

  public ConstantMemory(ModernCoreSpec spec, GroupPort port) {
    this.spec = spec.constants();
    this.port = port;
    hopCycles = spec.supply().constantHopCycles();
  }

  /**
   * A kernel comes to the SM.
   *
   * @param number constants of one number lie at one place
   */
  public void admit(ResidentKernel kernel, int number) {
    constantsAt[kernel.constants >>> ResidentKernel.CONSTANT_SHIFT] = address(number);
  }

  /** Where constants of a number begin. */
  public static long address(int number) {
    return GroupCaches.CONSTANTS + ((number & 0xfffffL) << KERNEL_BITS);
  }

  /**
   * Asks for a line that a first-level cache lacks.
   *
   * @param cycles there and back
   * @return the earliest cycle at which it can come
   */
  long ask(int line, int cycles, int client, int number, long now) {
    int bank = line >>> BANK_BITS;
    int kernel = line >>> ResidentKernel.CONSTANT_SHIFT & ResidentKernel.MOST - 1;
    int offset = (line & (1 << ResidentKernel.CONSTANT_SHIFT) - 1) * LINE_BYTES;
    int piece = bank == 0 ? GROUP_LINE_BYTES : spec.tableLines() * LINE_BYTES;
    int count = bank == 0 ? Requests.LAUNCHED : Math.max(1, piece / GROUP_LINE_BYTES);
    long address = constantsAt[kernel] + ((long) bank << 22) + offset / piece * piece;
    return port.ask(now, address, count, port.way(cycles, hopCycles), client, number);
  }
}
