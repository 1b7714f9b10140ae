package dev.warpline.engine.accelsim;

import java.util.ArrayList;
import java.util.List;

/**
 * What the value of an option may look like.
 *
 * @param kind bool, int, long, text, ints, numbers, list, cache, datacache, instructioncache,
 *     timing or unit
 * @param separator between the parts of a value of several parts
 * @param least fewest parts
 * @param most most parts
 */
record OptionType(String kind, char separator, int least, int most) {

  static OptionType of(String text) {
    for (String kind : List.of("ints", "numbers")) {
      if (text.startsWith(kind)) {
        char separator = text.charAt(kind.length());
        String[] counts = text.substring(kind.length() + 1).split(String.valueOf(separator));
        return new OptionType(
            kind, separator, Integer.parseInt(counts[0]), Integer.parseInt(counts[1]));
      }
    }
    return switch (text) {
      case "list" -> new OptionType("ints", ',', 1, Integer.MAX_VALUE);
      case "unit" -> new OptionType("unit", ',', 6, 6);
      case "bool", "int", "long", "text", "cache", "datacache", "instructioncache", "timing" ->
          new OptionType(text, ' ', 1, 1);
      default -> throw new IllegalArgumentException("unknown option type " + text);
    };
  }

  /** Whether a value has this form. */
  boolean accepts(String value) {
    return switch (kind) {
      case "bool" -> value.equals("0") || value.equals("1");
      case "int" -> isInt(value);
      case "long" -> wholeNumber(value) != null;
      case "text" -> true;
      case "ints" -> count(value) && parts(value).stream().allMatch(OptionType::isInt);
      case "numbers" -> count(value) && parts(value).stream().allMatch(OptionType::isNumber);
      case "unit" ->
          count(value) && parts(value).subList(0, 5).stream().allMatch(OptionType::isInt);
      case "cache", "datacache", "instructioncache" -> CacheString.problem(value, kind) == null;
      case "timing" -> DramTimingString.problem(value) == null;
      default -> throw new IllegalStateException(kind);
    };
  }

  /** The form in words. */
  String expected(String value) {
    String counted =
        most == Integer.MAX_VALUE
            ? ""
            : least == most ? least + " " : "from " + least + " to " + most + " ";
    return switch (kind) {
      case "bool" -> "0 or 1";
      case "int", "long" -> "a whole number";
      case "ints" -> counted + "whole numbers separated by '" + separator + "'";
      case "numbers" -> counted + "numbers separated by '" + separator + "'";
      case "unit" -> "enabled,units,max latency,ID_OC width,OC_EX width,name";
      case "cache", "datacache", "instructioncache" -> CacheString.problem(value, kind);
      case "timing" -> DramTimingString.problem(value);
      default -> "a value";
    };
  }

  private boolean count(String value) {
    int parts = parts(value).size();
    return parts >= least && parts <= most;
  }

  List<String> parts(String value) {
    List<String> parts = new ArrayList<>();
    for (String part : value.split(String.valueOf(separator), -1)) {
      parts.add(part.strip());
    }
    return parts;
  }

  private static boolean isInt(String value) {
    Long number = wholeNumber(value);
    // 32 bits, signed or not: a mask may be written as 0xffffffff.
    return number != null && number >= Integer.MIN_VALUE && number <= 0xffff_ffffL;
  }

  private static boolean isNumber(String value) {
    try {
      // Java takes more for a number: blanks around it, hexadecimal digits, a letter for its type.
      return Double.isFinite(Double.parseDouble(value))
          && value.chars().allMatch(c -> "-+.eE0123456789".indexOf(c) >= 0);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** A number as C writes it: 0x is hexadecimal, a leading 0 octal. Null if it is none. */
  static Long wholeNumber(String value) {
    try {
      return Long.decode(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
