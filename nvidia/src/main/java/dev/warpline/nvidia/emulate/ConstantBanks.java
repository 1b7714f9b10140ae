package dev.warpline.nvidia.emulate;

import java.util.Arrays;

/** The constant banks that a kernel sees. */
final class ConstantBanks {
  private static final int BANKS = 32;

  /** Where the first bank appears among global addresses. */
  static final long WINDOW = 0x6f2a_0000_0000L;

  private final byte[][] banks = new byte[BANKS][0];

  /** Lays bytes over a bank, which grows as needed. */
  void put(int bank, int offset, byte[] content) {
    if (offset + content.length > banks[bank].length) {
      banks[bank] = Arrays.copyOf(banks[bank], offset + content.length);
    }
    System.arraycopy(content, 0, banks[bank], offset, content.length);
  }

  int size(int bank) {
    return banks[bank].length;
  }

  int word(int bank, int offset) {
    return load(bank, offset, 4, false);
  }

  int load(int bank, int offset, int bytes, boolean signed) {
    if (bank < 0 || bank >= BANKS || offset < 0 || offset + bytes > banks[bank].length) {
      throw new AddressFault(
          String.format(
              "reads c[0x%x][0x%x], but that bank has %d bytes",
              bank, offset, bank >= 0 && bank < BANKS ? banks[bank].length : 0));
    }
    return Bytes.load(banks[bank], offset, bytes, signed);
  }

  int wordOrZero(int bank, int offset) {
    return offset < 0 || offset + 4 > banks[bank].length ? 0 : Bytes.word(banks[bank], offset);
  }

  /**
   * Reads the first bank where it appears among global addresses.
   *
   * @return whether the address lies there
   */
  boolean read(long address, byte[] into) {
    long at = address - WINDOW;
    if (at < 0 || at + into.length > banks[0].length) {
      return false;
    }
    System.arraycopy(banks[0], (int) at, into, 0, into.length);
    return true;
  }
}
