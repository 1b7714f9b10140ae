package dev.warpline.engine.accelsim;

import dev.warpline.engine.gpu.DetailedMemorySpec.Timing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** DRAM timing as an option holds it: 14 numbers in order, or {@code name=value} in any order. */
final class DramTimingString {
  private static final List<String> NAMES =
      List.of(
          "nbk", "CCD", "RRD", "RCD", "RAS", "RP", "RC", "CL", "WL", "CDLR", "WR", "nbkgrp", "CCDL",
          "RTPL");

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

  /** The timing that a correct string describes. */
  static Timing parse(String text) {
    Map<String, Integer> values = new HashMap<>();
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i].strip();
      int equals = part.indexOf('=');
      String name = equals < 0 ? NAMES.get(i) : part.substring(0, equals);
      values.put(name, Long.decode(part.substring(equals + 1)).intValue());
    }
    return new Timing(
        values.get("nbk"),
        values.get("nbkgrp"),
        values.get("CCD"),
        values.get("RRD"),
        values.get("RCD"),
        values.get("RAS"),
        values.get("RP"),
        values.get("RC"),
        values.get("CL"),
        values.get("WL"),
        values.get("CDLR"),
        values.get("WR"),
        values.get("CCDL"),
        values.get("RTPL"));
  }
}
