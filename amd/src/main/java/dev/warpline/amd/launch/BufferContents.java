package dev.warpline.amd.launch;

import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.Half;
import dev.warpline.amd.launch.LaunchFile.Buffer;
import dev.warpline.amd.launch.LaunchFile.Check;
import dev.warpline.amd.launch.LaunchFile.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Fills buffers and compares them with what they should hold. */
final class BufferContents {
  private BufferContents() {}

  /** Where a buffer lies. */
  record Placed(long address, long bytes) {}

  /** Bytes that a buffer has: those that are said, or as many as its contents. */
  static long size(Buffer buffer, Place place, Path folder) throws IOException {
    long contents =
        buffer.file() != null
            ? file(buffer, place, folder).length
            : buffer.values() != null
                ? (long) buffer.values().list().size() * buffer.values().type().bytes()
                : 0;
    long bytes = buffer.bytes() == 0 ? contents : buffer.bytes();
    if (contents > bytes) {
      throw place.found(
          "contents of " + contents + " bytes for a buffer of " + bytes, "no more than it holds");
    }
    if (bytes == 0) {
      throw place.found("an empty file", "at least one byte");
    }
    return bytes;
  }

  private static byte[] file(Buffer buffer, Place place, Path folder) throws IOException {
    Path path = folder.resolve(buffer.file());
    if (!Files.isRegularFile(path)) {
      throw place.field("file").found("no file " + path, "one with the contents");
    }
    return Files.readAllBytes(path);
  }

  /** Writes a buffer's contents; what is not said stays as it is. */
  static void fill(DeviceMemory memory, Placed at, Buffer buffer, Place place, Path folder)
      throws IOException {
    long address = at.address();
    if (buffer.file() != null) {
      memory.copyIn(address, file(buffer, place, folder));
    } else if (buffer.pattern() != null) {
      ElementType type = buffer.pattern().type();
      for (long i = 0; i < at.bytes() / type.bytes(); i++) {
        write(memory, address, type, i, buffer.pattern().value(i));
      }
    } else if (buffer.values() != null) {
      for (int i = 0; i < buffer.values().list().size(); i++) {
        write(memory, address, buffer.values().type(), i, buffer.values().list().get(i));
      }
    } else if (buffer.random() != null) {
      LaunchFile.RandomValues random = buffer.random();
      SplittableRandom numbers = new SplittableRandom(random.seed());
      for (long i = 0; i < at.bytes() / random.type().bytes(); i++) {
        double value = random.from() + numbers.nextDouble() * (random.to() - random.from());
        write(memory, address, random.type(), i, value);
      }
    }
  }

  /** Contents that the host has before it copies them. */
  static byte[] ofHost(Buffer buffer, Place place, Path folder) throws IOException {
    long bytes = size(buffer, place, folder);
    DeviceMemory host = new DeviceMemory();
    Placed placed = new Placed(host.allocate(bytes), bytes);
    fill(host, placed, buffer, place, folder);
    return host.copyOut(placed.address(), (int) bytes);
  }

  static void write(DeviceMemory memory, long address, ElementType type, long index, double value) {
    long at = address + index * type.bytes();
    switch (type) {
      case BYTE -> memory.writeByte(at, (int) (long) Math.floor(value));
      case HALF -> memory.writeShort(at, Half.fromDouble(value));
      case SHORT -> memory.writeShort(at, (int) (long) Math.floor(value));
      case INT -> memory.writeInt(at, (int) (long) Math.floor(value));
      case LONG -> memory.writeLong(at, (long) Math.floor(value));
      case FLOAT -> memory.writeInt(at, Float.floatToRawIntBits((float) value));
      case DOUBLE -> memory.writeLong(at, Double.doubleToRawLongBits(value));
    }
  }

  static double read(DeviceMemory memory, long address, ElementType type, long index) {
    long at = address + index * type.bytes();
    return switch (type) {
      case BYTE -> (byte) memory.readByte(at);
      case HALF -> Half.toFloat(memory.readShort(at));
      case SHORT -> (short) memory.readShort(at);
      case INT -> memory.readInt(at);
      case LONG -> memory.readLong(at);
      case FLOAT -> Float.intBitsToFloat(memory.readInt(at));
      case DOUBLE -> Double.longBitsToDouble(memory.readLong(at));
    };
  }

  /** The first element that differs from what a pattern says, in words, or null. */
  static String differsFromPattern(DeviceMemory memory, Placed buffer, Check check) {
    ElementType type = check.type();
    for (long i = 0; i < buffer.bytes() / type.bytes(); i++) {
      double found = read(memory, buffer.address(), type, i);
      double exact = check.pattern().value(i);
      double expected = type == ElementType.FLOAT ? (float) exact : exact;
      if (!close(found, expected, check.tolerance())) {
        return difference(check, i, found, expected);
      }
    }
    return null;
  }

  /** The first element that differs from a list, in words, or null. */
  static String differsFromList(DeviceMemory memory, Placed buffer, Check check) {
    ElementType type = check.type();
    long elements = buffer.bytes() / type.bytes();
    if (check.values().size() > elements) {
      return String.format(
          "buffer %s has %d elements, expected %d",
          check.buffer(), elements, check.values().size());
    }
    for (int i = 0; i < check.values().size(); i++) {
      double found = read(memory, buffer.address(), type, i);
      double expected = check.values().get(i);
      if (!close(
          found, type == ElementType.FLOAT ? (float) expected : expected, check.tolerance())) {
        return difference(check, i, found, expected);
      }
    }
    return null;
  }

  /** The first element that differs from another buffer, in words, or null. */
  static String differs(
      DeviceMemory memory, Placed buffer, DeviceMemory otherMemory, Placed other, Check check) {
    ElementType type = check.type();
    if (buffer.bytes() != other.bytes()) {
      return String.format(
          "buffer %s has %d bytes, expected %d", check.buffer(), buffer.bytes(), other.bytes());
    }
    for (long i = 0; i < buffer.bytes() / type.bytes(); i++) {
      double found = read(memory, buffer.address(), type, i);
      double expected = read(otherMemory, other.address(), type, i);
      if (!close(found, expected, check.tolerance())) {
        return difference(check, i, found, expected);
      }
    }
    return null;
  }

  private static boolean close(double found, double expected, double tolerance) {
    if (Double.compare(found, expected) == 0 || found == expected) {
      return true;
    }
    return Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected));
  }

  private static String difference(Check check, long index, double found, double expected) {
    return String.format(
        "buffer %s, element %d: found %s, expected %s%s",
        check.buffer(),
        index,
        text(found),
        text(expected),
        check.tolerance() == 0 ? "" : " within " + check.tolerance());
  }

  private static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
