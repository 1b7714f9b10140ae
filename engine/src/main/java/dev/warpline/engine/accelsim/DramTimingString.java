package dev.warpline.engine.accelsim;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** DRAM timing as an option holds it: 14 numbers in order, or {@code name=value} in any order. */
final class DramTimingString {
  private static final List<String> NAMES =
      List.of(
          "nbk", "CCD", "RRD", "RCD", "RAS", "RP", "RC", "CL", "WL", "CDLR", "WR", "nbkgrp", "CCDL",
          "RTPL");

  /** What a description calls them, in the same order. */
  private static final List<String> FIELDS =
      List.of(
          "banks",
          "ccd",
          "rrd",
          "rcd",
          "ras",
          "rp",
          "rc",
          "cl",
          "wl",
          "cdlr",
          "wr",
          "bankGroups",
          "ccdl",
          "rtpl");

  private DramTimingString() {}

  /** What would be right, if the string is not; null if it is. */
  static String problem(String text) {
    String[] parts = text.split(":", -1);
    boolean named = text.contains("=");
    Map<String, Integer> values = new HashMap<>();
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i].strip();
      int equals = part.indexOf('=');
      String name = named ? part.substring(0, Math.max(0, equals)) : i < 14 ? NAMES.get(i) : "";
      Long number = OptionType.wholeNumber(part.substring(equals + 1));
      if (named == equals < 0 || !NAMES.contains(name) || number == null || number < 0) {
        return form();
      }
      values.put(name, number.intValue());
    }
    return values.size() == NAMES.size() ? null : form();
  }

  private static String form() {
    return "14 numbers " + String.join(":", NAMES) + ", or name=value for each";
  }

  /** The timing that a correct string describes, by the names of a description's fields. */
  static Map<String, Long> parse(String text) {
    Map<String, Long> values = new LinkedHashMap<>();
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i].strip();
      int equals = part.indexOf('=');
      int number = equals < 0 ? i : NAMES.indexOf(part.substring(0, equals));
      values.put(FIELDS.get(number), Long.decode(part.substring(equals + 1)));
    }
    return values;
  }
}
