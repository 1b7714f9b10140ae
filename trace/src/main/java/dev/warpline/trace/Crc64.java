package dev.warpline.trace;

/**
 * The check of xz archives, eight bytes at a time. The one that comes with the library reads them
 * through handles, which takes twice as long before the optimising compiler has seen it.
 */
final class Crc64 {
  private static final long POLYNOMIAL = 0xC96C5795D7870F42L;

  /** By the place of a byte before the next one that is not looked at, and by its value. */
  private static final long[] TABLE = table();

  private long crc = -1;

  private static long[] table() {
    long[] table = new long[Long.BYTES << 8];
    for (int i = 0; i < 256; i++) {
      long c = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        c = c >>> 1 ^ ((c & 1) != 0 ? POLYNOMIAL : 0);
      }
      table[i] = c;
    }
    for (int i = 256; i < table.length; i++) {
      long before = table[i - 256];
      table[i] = before >>> 8 ^ table[(int) before & 0xff];
    }
    return table;
  }

  void update(byte[] bytes, int from, int count) {
    long[] table = TABLE;
    long c = crc;
    int end = from + count;
    int i = from;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      int low = (int) c;
      int high = (int) (c >>> 32);
      c =
          table[7 << 8 | (bytes[i] ^ low) & 0xff]
              ^ table[6 << 8 | (bytes[i + 1] ^ low >>> 8) & 0xff]
              ^ table[5 << 8 | (bytes[i + 2] ^ low >>> 16) & 0xff]
              ^ table[4 << 8 | (bytes[i + 3] ^ low >>> 24) & 0xff]
              ^ table[3 << 8 | (bytes[i + 4] ^ high) & 0xff]
              ^ table[2 << 8 | (bytes[i + 5] ^ high >>> 8) & 0xff]
              ^ table[1 << 8 | (bytes[i + 6] ^ high >>> 16) & 0xff]
              ^ table[(bytes[i + 7] ^ high >>> 24) & 0xff];
    }
    for (; i < end; i++) {
      c = c >>> 8 ^ table[((int) c ^ bytes[i]) & 0xff];
    }
    crc = c;
  }

  long value() {
    return ~crc;
  }

  void reset() {
    crc = -1;
  }
}
