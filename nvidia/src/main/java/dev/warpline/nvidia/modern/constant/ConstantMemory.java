package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.cache.GroupPort;

/**
 * Constants beyond the first-level caches of an SM: the cache that the GPC shares, and memory
 * behind it. Bank 0 comes with the launch; the other banks wait in memory and come in larger
 * pieces.
 */
public final class ConstantMemory {
  /** Where constants lie, far from code and data. */
  private static final long CONSTANTS = 1L << 49;

  private static final int BANK_BITS = 16;
  private static final int LINE_BYTES = 64;
  private static final int GROUP_LINE_BYTES = 128;

  private final ModernCoreSpec.Constants spec;
  private final double hopCycles;
  private final GroupPort port;
  private long constantsAt;

  public ConstantMemory(ModernCoreSpec spec, GroupPort port) {
    this.spec = spec.constants();
    this.port = port;
    hopCycles = spec.supply().constantHopCycles();
  }

  /**
   * @param program number of its code: constants of one number lie at one place
   */
  public void startKernel(int program) {
    constantsAt = CONSTANTS + ((program & 0xfffffL) << 28);
  }

  /**
   * Asks for a line that a first-level cache lacks.
   *
   * @param cycles there and back
   * @return the earliest cycle at which it can come
   */
  long ask(int line, int cycles, int client, int number, long now) {
    int bank = line >>> BANK_BITS;
    int offset = (line & (1 << BANK_BITS) - 1) * LINE_BYTES;
    int piece = bank == 0 ? GROUP_LINE_BYTES : spec.tableLines() * LINE_BYTES;
    int count = bank == 0 ? Requests.LAUNCHED : Math.max(1, piece / GROUP_LINE_BYTES);
    long address = constantsAt + ((long) bank << 22) + offset / piece * piece;
    return port.ask(now, address, count, port.way(cycles, hopCycles), client, number);
  }
}
