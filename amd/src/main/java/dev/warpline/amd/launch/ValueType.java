package dev.warpline.amd.launch;

import dev.warpline.amd.exec.Half;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Type of a number that is passed to a kernel. */
enum ValueType {
  BOOL(1),
  CHAR(1),
  UCHAR(1),
  SHORT(2),
  USHORT(2),
  INT(4),
  UINT(4),
  LONG(8),
  ULONG(8),
  HALF(2),
  BFLOAT(2),
  FLOAT(4),
  DOUBLE(8);

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?((\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d{1,3})?|nan|inf)");

  /** Other names that compilers write down. */
  private static final Map<String, ValueType> NAMES =
      Map.ofEntries(
          Map.entry("signed char", CHAR),
          Map.entry("unsigned char", UCHAR),
          Map.entry("unsigned short", USHORT),
          Map.entry("unsigned int", UINT),
          Map.entry("unsigned", UINT),
          Map.entry("unsigned long", ULONG),
          Map.entry("long long", LONG),
          Map.entry("unsigned long long", ULONG),
          Map.entry("size_t", ULONG),
          Map.entry("ptrdiff_t", LONG),
          Map.entry("int8_t", CHAR),
          Map.entry("uint8_t", UCHAR),
          Map.entry("int16_t", SHORT),
          Map.entry("uint16_t", USHORT),
          Map.entry("int32_t", INT),
          Map.entry("uint32_t", UINT),
          Map.entry("int64_t", LONG),
          Map.entry("uint64_t", ULONG),
          Map.entry("_Float16", HALF),
          Map.entry("__half", HALF),
          Map.entry("__bf16", BFLOAT));

  private final int bytes;

  ValueType(int bytes) {
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isFloatingPoint() {
    return this == HALF || this == BFLOAT || this == FLOAT || this == DOUBLE;
  }

  /** The type that a launch file calls so, or null. */
  static ValueType ofWord(String word) {
    for (ValueType type : values()) {
      if (type.word().equals(word)) {
        return type;
      }
    }
    return null;
  }

  /** The type that a compiler calls so, or null. */
  static ValueType ofSource(String name) {
    String plain = name.startsWith("const ") ? name.substring(6) : name;
    ValueType type = ofWord(plain);
    return type == null ? NAMES.get(plain) : type;
  }

  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /** Whether it is written as no whole number is. */
  static boolean isFraction(String text) {
    return isNumber(text) && !text.matches("[-+]?\\d+");
  }

  /**
   * The bits of a value.
   *
   * @throws IllegalArgumentException saying what was found and expected
   */
  long bits(String text, Map<String, Long> variables) {
    if (this == BOOL && (text.equals("true") || text.equals("false"))) {
      return text.equals("true") ? 1 : 0;
    }
    if (isFloatingPoint()) {
      return bits(isNumber(text) ? number(text) : WholeNumber.evaluate(text, variables));
    }
    if (isFraction(text)) {
      throw new IllegalArgumentException(
          "found \"" + text + "\", expected a whole number (" + word() + ")");
    }
    long value = WholeNumber.evaluate(text, variables);
    long least = this == BOOL ? 0 : -1L << 8 * bytes - 1;
    long most = this == BOOL ? 1 : bytes == 8 ? Long.MAX_VALUE : (1L << 8 * bytes) - 1;
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "found \""
              + text
              + "\", expected a number that "
              + bytes
              + (bytes == 1 ? " byte holds (" : " bytes hold (")
              + word()
              + ")");
    }
    return value;
  }

  private static double number(String text) {
    String unsigned = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    double value =
        switch (unsigned) {
          case "nan" -> Double.NaN;
          case "inf" -> Double.POSITIVE_INFINITY;
          default -> Double.parseDouble(unsigned);
        };
    return text.startsWith("-") ? -value : value;
  }

  private long bits(double value) {
    return switch (this) {
      case HALF -> Half.fromDouble(value);
      case BFLOAT -> Half.bfloatFromFloat((float) value);
      case FLOAT -> Float.floatToRawIntBits((float) value) & 0xffffffffL;
      default -> Double.doubleToRawLongBits(value);
    };
  }
}
