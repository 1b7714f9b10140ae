package dev.warpline.policy;

/**
 * The lowest bit of a set. Java's own is one instruction only for the optimising compiler; for the
 * quick one, which a short simulation has to do with, it is a search that takes ten times as long.
 */
public final class LowestBit {
  /** Each six bits in a row are another number: those at the top tell how far it was shifted. */
  private static final long SEQUENCE = 0x03f79d71b4cb0a89L;

  private static final byte[] NUMBER = new byte[Long.SIZE];

  static {
    for (int i = 0; i < Long.SIZE; i++) {
      NUMBER[(int) (SEQUENCE << i >>> 58)] = (byte) i;
    }
  }

  private LowestBit() {}

  /** The number of the lowest bit of a set that has one. */
  public static int of(long set) {
    return NUMBER[(int) ((set & -set) * SEQUENCE >>> 58)];
  }
}
