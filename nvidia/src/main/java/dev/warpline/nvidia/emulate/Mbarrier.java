package dev.warpline.nvidia.emulate;

/**
 * The mbarrier objects in shared memory, 64 bits each. From the top: the phase; 2^20 less the
 * arrivals that are pending, 20 bits; the bytes outstanding, 21 bits with sign, from bit 21; 2^20
 * less the arrivals of a phase, from bit 1.
 */
final class Mbarrier {
  private static final int COUNT_BITS = 20;
  private static final long COUNT = (1L << COUNT_BITS) - 1;
  private static final int EXPECTED = 1;
  private static final int BYTES = 21;
  private static final int BYTES_BITS = 21;
  private static final int PENDING = 43;
  private static final int PHASE = 63;

  private Mbarrier() {}

  /** The object at an address of a block's shared memory. */
  static long read(Block block, int address) {
    int at = aligned(address);
    byte[] content = block.shared().at(at, 8);
    return Words64.join(Bytes.word(content, at), Bytes.word(content, at + 4));
  }

  static void write(Block block, int address, long object) {
    int at = aligned(address);
    Bytes.doubleWord(block.shared().at(at, 8), at, object);
  }

  private static int aligned(int address) {
    MemoryInstruction.align(address, 8);
    return address & 0xffffff;
  }

  /** Whether the phase of a parity is over. */
  static boolean passed(Block block, int address, int parity) {
    return read(block, address) >>> PHASE != (parity & 1);
  }

  /**
   * Changes an object; the phase ends when no arrivals are pending and no bytes outstanding.
   *
   * @param arrivals that come
   * @param fewer arrivals that later phases expect less
   * @param bytes announced; negative: that came
   * @return the object before
   */
  static long change(Block block, int address, long arrivals, long fewer, long bytes) {
    long object = read(block, address);
    long expected = -(object >>> EXPECTED) & COUNT;
    long pending = -(object >>> PENDING) & COUNT;
    long outstanding = (object << 64 - BYTES - BYTES_BITS >> 64 - BYTES_BITS) + bytes;
    if (arrivals > pending) {
      throw new AddressFault(
          String.format(
              "arrives %d times at the mbarrier at 0x%x, which expects %d more",
              arrivals, address, pending));
    }
    long phase = object >>> PHASE;
    expected -= fewer;
    pending -= arrivals;
    if (pending == 0 && outstanding == 0) {
      phase ^= 1;
      pending = expected;
    }
    write(
        block,
        address,
        phase << PHASE
            | (-pending & COUNT) << PENDING
            | (outstanding & (1L << BYTES_BITS) - 1) << BYTES
            | (-expected & COUNT) << EXPECTED);
    block.cluster().changed();
    return object;
  }
}
