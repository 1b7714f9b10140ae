package dev.warpline.amd.launch;

import dev.warpline.amd.exec.DeviceMemory;
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

  static Placed place(DeviceMemory memory, Buffer buffer, String place, Path folder)
      throws IOException {
    byte[] file = buffer.file() == null ? null : Files.readAllBytes(folder.resolve(buffer.file()));
    long bytes = buffer.bytes() == 0 ? file.length : buffer.bytes();
    if (file != null && file.length > bytes) {
      throw new LaunchException(
          place, "found a file of " + file.length + " bytes for a buffer of " + bytes);
    }
    if (bytes == 0) {
      throw new LaunchException(place, "found an empty file, expected at least one byte");
    }
    long address = memory.allocate(bytes);
    if (file != null) {
      memory.copyIn(address, file);
    } else if (buffer.pattern() != null) {
      ElementType type = buffer.pattern().type();
      for (long i = 0; i < bytes / type.bytes(); i++) {
        write(memory, address, type, i, buffer.pattern().value(i));
      }
    } else if (buffer.random() != null) {
      LaunchFile.RandomValues random = buffer.random();
      SplittableRandom numbers = new SplittableRandom(random.seed());
      for (long i = 0; i < bytes / random.type().bytes(); i++) {
        double value = random.from() + numbers.nextDouble() * (random.to() - random.from());
        write(memory, address, random.type(), i, value);
      }
    }
    return new Placed(address, bytes);
  }

  private static void write(
      DeviceMemory memory, long address, ElementType type, long index, double value) {
    long at = address + index * type.bytes();
    switch (type) {
      case BYTE -> memory.writeByte(at, (int) (long) Math.floor(value));
      case SHORT -> memory.writeShort(at, (int) (long) Math.floor(value));
      case INT -> memory.writeInt(at, (int) (long) Math.floor(value));
      case LONG -> memory.writeLong(at, (long) Math.floor(value));
      case FLOAT -> memory.writeInt(at, Float.floatToRawIntBits((float) value));
      case DOUBLE -> memory.writeLong(at, Double.doubleToRawLongBits(value));
    }
  }

  private static double read(DeviceMemory memory, long address, ElementType type, long index) {
    long at = address + index * type.bytes();
    return switch (type) {
      case BYTE -> (byte) memory.readByte(at);
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
