package dev.warpline.nvidia.emulate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in byte arrays. */
final class Bytes {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  static int word(byte[] bytes, int at) {
    return (int) WORDS.get(bytes, at);
  }

  static void word(byte[] bytes, int at, int value) {
    WORDS.set(bytes, at, value);
  }

  static void doubleWord(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  /** One, two or four bytes as a word. */
  static int load(byte[] bytes, int at, int size, boolean signed) {
    return switch (size) {
      case 1 -> signed ? bytes[at] : bytes[at] & 0xff;
      case 2 -> {
        int value = bytes[at] & 0xff | bytes[at + 1] << 8;
        yield signed ? value : value & 0xffff;
      }
      default -> word(bytes, at);
    };
  }

  static void store(byte[] bytes, int at, int size, int value) {
    switch (size) {
      case 1 -> bytes[at] = (byte) value;
      case 2 -> {
        bytes[at] = (byte) value;
        bytes[at + 1] = (byte) (value >> 8);
      }
      default -> word(bytes, at, value);
    }
  }
}
