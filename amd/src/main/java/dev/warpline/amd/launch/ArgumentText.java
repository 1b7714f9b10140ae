package dev.warpline.amd.launch;

import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.KernelArgument;
import dev.warpline.amd.launch.BufferContents.Placed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An argument as a launch file writes it: a buffer, a number whose type the code object knows, a
 * type with numbers, a structure, or a share of the LDS.
 */
final class ArgumentText {
  private static final Pattern TYPE = Pattern.compile("([a-z]+?)(2|3|4|8|16)?(?:\\[(\\d{1,6})])?");

  private final Map<String, Placed> buffers;
  private final Map<String, Long> variables;
  private List<String> words = List.of();
  private int at;

  ArgumentText(Map<String, Placed> buffers, Map<String, Long> variables) {
    this.buffers = buffers;
    this.variables = variables;
  }

  /** Bytes as they lie in memory, and the boundary they begin at. */
  private record Value(byte[] bytes, int alignment) {}

  /**
   * Gives a kernel its argument.
   *
   * @throws IllegalArgumentException saying what was found and expected
   */
  void give(KernargSegment segment, int position, KernelArgument argument, String text) {
    if (text.startsWith("lds ")) {
      segment.setLocal(position, (int) WholeNumber.evaluate(text.substring(4), variables));
      return;
    }
    if (argument.isDynamicLds()) {
      throw unfit(text, "lds N for a pointer to N bytes of LDS");
    }
    Long address = address(text);
    if (address != null) {
      if (argument.size() != 8) {
        throw unfit(text, expectation(argument));
      }
      segment.set(position, address.longValue());
      return;
    }
    words = words(text);
    at = 0;
    String first = words.isEmpty() ? "" : words.get(0);
    if (first.equals("struct")) {
      at = 1;
      Value value = structure(words.size() > 1 && words.get(1).equals("{"));
      end();
      give(segment, position, argument, text, value.bytes);
    } else if (type(first) != null) {
      Value value = typed();
      end();
      checkType(argument, text, first);
      give(segment, position, argument, text, value.bytes);
    } else {
      segment.set(position, untyped(argument, text));
    }
  }

  private void give(
      KernargSegment segment, int position, KernelArgument argument, String text, byte[] value) {
    // A vector of three elements takes the room of four in OpenCL, that of three in HIP.
    boolean three = words.get(0).matches("[a-z]+3");
    if (value.length != argument.size() && !(three && value.length * 3 / 4 == argument.size())) {
      throw unfit(
          text + "\", which has " + value.length + " bytes, for \"" + describe(argument),
          argument.size() + " bytes");
    }
    segment.set(position, Arrays.copyOf(value, argument.size()));
  }

  /** A type that the code object knows must be the one that the file says. */
  private static void checkType(KernelArgument argument, String text, String said) {
    ValueType known = ValueType.ofSource(argument.type());
    if (argument.isGlobalBuffer()) {
      throw unfit(text, "a buffer");
    }
    if (known != null && ValueType.ofWord(said) != known) {
      ValueType mine = ValueType.ofWord(said);
      boolean sameBits =
          mine != null
              && mine.bytes() == known.bytes()
              && !mine.isFloatingPoint()
              && !known.isFloatingPoint();
      if (!sameBits) {
        throw unfit(text, argument.type() + ", the type that the code object has");
      }
    }
  }

  /** A value without a type: what the code object knows of the argument must say it. */
  private byte[] untyped(KernelArgument argument, String text) {
    if (argument.isGlobalBuffer()) {
      if (text.equals("0") || text.equals("null")) {
        return new byte[8];
      }
      throw unfit(text, expectation(argument));
    }
    Type type = sourceType(argument);
    if (type != null) {
      Value value = numbers(type);
      end();
      return Arrays.copyOf(value.bytes, argument.size());
    }
    boolean number = words.size() == 1 && looksLikeNumber(words.get(0));
    if (!number) {
      throw unfit(text, expectation(argument));
    }
    if (ValueType.isFraction(words.get(0))) {
      ValueType floating =
          switch (argument.size()) {
            case 2 -> ValueType.HALF;
            case 4 -> ValueType.FLOAT;
            case 8 -> ValueType.DOUBLE;
            default -> null;
          };
      if (floating != null) {
        return littleEndian(floating.bits(words.get(0), variables), argument.size());
      }
    }
    String one = words.get(0);
    String ways =
        switch (argument.size()) {
          case 1 -> "char " + one + " or bool " + one;
          case 2 -> "short " + one + " or half " + one;
          case 4 -> "int " + one + " or float " + one;
          case 8 -> "long " + one + " or double " + one;
          default -> "struct or a type with a count, " + argument.size() + " bytes in all";
        };
    throw unfit(
        text,
        "a type before it, because the code object does not say what "
            + describe(argument)
            + " is: "
            + ways);
  }

  private boolean looksLikeNumber(String word) {
    if (ValueType.isNumber(word)) {
      return true;
    }
    try {
      WholeNumber.evaluate(word, variables);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Type sourceType(KernelArgument argument) {
    ValueType scalar = ValueType.ofSource(argument.type());
    if (scalar != null) {
      return scalar.bytes() == argument.size() ? new Type(scalar, 1, 1) : null;
    }
    Type vector = type(argument.type());
    return vector != null && vector.bytes() >= argument.size() ? vector : null;
  }

  /** What can be written for an argument. */
  private String expectation(KernelArgument argument) {
    if (argument.isGlobalBuffer()) {
      return "a buffer" + names();
    }
    ValueType known = ValueType.ofSource(argument.type());
    if (known != null) {
      return (known.isFloatingPoint() ? "a number (" : "a whole number (") + argument.type() + ")";
    }
    return "a type and a number (int 2, float 2), a structure (struct int 2 float 3), or a buffer"
        + names();
  }

  private String names() {
    return buffers.isEmpty() ? "" : " (" + String.join(", ", buffers.keySet()) + ")";
  }

  private static String describe(KernelArgument argument) {
    return argument.name().isEmpty()
        ? "the argument of " + argument.size() + " bytes at offset " + argument.offset()
        : argument.name();
  }

  private static IllegalArgumentException unfit(String found, String expected) {
    return new IllegalArgumentException("found \"" + found + "\", expected " + expected);
  }

  /** An address that a buffer's name stands for, with an offset or without; null if it is none. */
  private Long address(String text) {
    int plus = text.indexOf('+', 1);
    Placed buffer = buffers.get(plus < 0 ? text : text.substring(0, plus).strip());
    if (buffer == null) {
      return null;
    }
    long offset = plus < 0 ? 0 : WholeNumber.evaluate(text.substring(plus + 1), variables);
    if (offset > buffer.bytes() || offset < 0) {
      throw unfit(text, "an offset within the " + buffer.bytes() + " bytes of the buffer");
    }
    return buffer.address() + offset;
  }

  /** A type as a launch file writes it: {@code float}, {@code float4}, {@code int[3]}. */
  private record Type(ValueType element, int width, int count) {
    /** A vector of three takes the room of four. */
    int elementBytes() {
      return element.bytes() * (width == 3 ? 4 : width);
    }

    int bytes() {
      return elementBytes() * count;
    }
  }

  private static Type type(String word) {
    Matcher matcher = TYPE.matcher(word);
    if (!matcher.matches()) {
      return null;
    }
    ValueType element = ValueType.ofWord(matcher.group(1));
    return element == null
        ? null
        : new Type(
            element,
            matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2)),
            matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3)));
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String word : text.replace("{", " { ").replace("}", " } ").split("[\\s,]+")) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  private String next(String expected) {
    if (at == words.size()) {
      throw new IllegalArgumentException(
          "found nothing after \"" + String.join(" ", words) + "\", expected " + expected);
    }
    return words.get(at++);
  }

  private void end() {
    if (at < words.size()) {
      throw new IllegalArgumentException(
          "found \"" + words.get(at) + "\" after a whole value, expected nothing more");
    }
  }

  private Value typed() {
    return numbers(type(next("a type")));
  }

  private Value numbers(Type type) {
    ByteBuffer bytes = ByteBuffer.allocate(type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    int size = type.element.bytes();
    for (int i = 0; i < type.count; i++) {
      for (int lane = 0; lane < type.width; lane++) {
        String word = next(type.width * type.count + " numbers (" + type.element.word() + ")");
        bytes.put(
            i * type.elementBytes() + lane * size,
            littleEndian(type.element.bits(word, variables), size));
      }
    }
    return new Value(bytes.array(), type.elementBytes());
  }

  private static byte[] littleEndian(long bits, int size) {
    byte[] bytes = new byte[size];
    for (int b = 0; b < Math.min(size, 8); b++) {
      bytes[b] = (byte) (bits >> 8 * b);
    }
    return bytes;
  }

  /** Members with the alignment that C gives them. */
  private Value structure(boolean braces) {
    if (braces) {
      at++;
    }
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    int alignment = 1;
    while (at < words.size() && !(braces && words.get(at).equals("}"))) {
      Value member = member();
      alignment = Math.max(alignment, member.alignment);
      bytes.position(roundUp(bytes.position(), member.alignment));
      if (bytes.remaining() < member.bytes.length) {
        throw new IllegalArgumentException("found a structure of more than 65536 bytes");
      }
      bytes.put(member.bytes);
    }
    if (braces) {
      next("}");
    }
    int size = roundUp(bytes.position(), alignment);
    return new Value(Arrays.copyOf(bytes.array(), size), alignment);
  }

  private static int roundUp(int size, int alignment) {
    return (size + alignment - 1) / alignment * alignment;
  }

  private Value member() {
    String word = words.get(at);
    if (word.equals("struct")) {
      at++;
      if (at == words.size() || !words.get(at).equals("{")) {
        throw new IllegalArgumentException(
            "found a structure in a structure without braces, expected struct { ... }");
      }
      return structure(true);
    }
    if (word.equals("pointer")) {
      at++;
      String buffer = next("a buffer");
      Long address = address(buffer);
      if (address == null && !buffer.equals("0")) {
        throw unfit(buffer, "a buffer" + names());
      }
      return new Value(littleEndian(address == null ? 0 : address, 8), 8);
    }
    if (type(word) == null) {
      throw unfit(
          word,
          "a type: bool, char, uchar, short, ushort, int, uint, long, ulong, half, bfloat, float,"
              + " double, one of these with a count (float4, int[3]), pointer or struct");
    }
    return typed();
  }
}
