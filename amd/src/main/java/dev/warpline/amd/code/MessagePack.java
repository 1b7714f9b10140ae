package dev.warpline.amd.code;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads MessagePack values: maps become {@link Map}, arrays {@link List}, integers {@link Long},
 * then String, Boolean, Double, byte[] and null.
 */
final class MessagePack {
  private static final int MAX_DEPTH = 32;

  private final FileBytes bytes;
  private long at;
  private int depth;

  private MessagePack(FileBytes bytes) {
    this.bytes = bytes;
  }

  static Object read(String file, byte[] data) throws CodeObjectException {
    return new MessagePack(new FileBytes(file, data)).value();
  }

  private Object value() throws CodeObjectException {
    int tag = u8();
    if (tag < 0x80) {
      return (long) tag;
    } else if (tag < 0x90) {
      return map(tag & 0xf);
    } else if (tag < 0xa0) {
      return array(tag & 0xf);
    } else if (tag < 0xc0) {
      return string(tag & 0x1f);
    } else if (tag >= 0xe0) {
      return (long) (byte) tag;
    }
    return switch (tag) {
      case 0xc0 -> null;
      case 0xc2 -> false;
      case 0xc3 -> true;
      case 0xc4 -> binary(u8());
      case 0xc5 -> binary(big(2));
      case 0xc6 -> binary(big(4));
      case 0xca -> (double) Float.intBitsToFloat((int) big(4));
      case 0xcb -> Double.longBitsToDouble(big(8));
      case 0xcc -> (long) u8();
      case 0xcd -> big(2);
      case 0xce -> big(4);
      case 0xcf, 0xd3 -> big(8);
      case 0xd0 -> (long) (byte) u8();
      case 0xd1 -> (long) (short) big(2);
      case 0xd2 -> (long) (int) big(4);
      case 0xd9 -> string(u8());
      case 0xda -> string(big(2));
      case 0xdb -> string(big(4));
      case 0xdc -> array(big(2));
      case 0xdd -> array(big(4));
      case 0xde -> map(big(2));
      case 0xdf -> map(big(4));
      default ->
          throw new CodeObjectException(
              bytes.file(), String.format("metadata has MessagePack tag 0x%02x", tag));
    };
  }

  private Map<String, Object> map(long count) throws CodeObjectException {
    enter();
    Map<String, Object> map = new LinkedHashMap<>();
    for (long i = 0; i < count; i++) {
      map.put(String.valueOf(value()), value());
    }
    depth--;
    return map;
  }

  private List<Object> array(long count) throws CodeObjectException {
    enter();
    List<Object> list = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      list.add(value());
    }
    depth--;
    return list;
  }

  private void enter() throws CodeObjectException {
    if (++depth > MAX_DEPTH) {
      throw new CodeObjectException(bytes.file(), "metadata is nested too deeply");
    }
  }

  private byte[] binary(long length) throws CodeObjectException {
    byte[] data = bytes.copy("metadata", at, length);
    at += length;
    return data;
  }

  private String string(long length) throws CodeObjectException {
    return new String(binary(length), StandardCharsets.UTF_8);
  }

  private int u8() throws CodeObjectException {
    return bytes.u8("metadata", at++);
  }

  private long big(int count) throws CodeObjectException {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = value << 8 | u8();
    }
    return value;
  }
}
