package dev.warpline.amd.exec;

/**
 * Where LDS and scratch appear in the flat address space: 4 GiB each, told apart by the upper half
 * of an address.
 */
public final class Apertures {
  public static final long SHARED_BASE = 0x1_0000_0000_0000L;
  public static final long PRIVATE_BASE = 0x2_0000_0000_0000L;

  /**
   * Hardware register SH_MEM_BASES: address bits 63:48 of the LDS aperture above those of the
   * private one.
   */
  static final int SH_MEM_BASES = (int) (SHARED_BASE >>> 48 << 16 | PRIVATE_BASE >>> 48);

  private static final long LIMIT = 0xffffffffL;

  private Apertures() {}

  static boolean isShared(long address) {
    return address >>> 32 == SHARED_BASE >>> 32;
  }

  static boolean isPrivate(long address) {
    return address >>> 32 == PRIVATE_BASE >>> 32;
  }

  /** Value of the operand codes 235 to 238. */
  static long register(int code) {
    return switch (code) {
      case 235 -> SHARED_BASE;
      case 236 -> SHARED_BASE + LIMIT;
      case 237 -> PRIVATE_BASE;
      default -> PRIVATE_BASE + LIMIT;
    };
  }
}
