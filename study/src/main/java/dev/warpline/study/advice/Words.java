package dev.warpline.study.advice;

import java.util.Locale;

/** Numbers and names as sentences want them. */
final class Words {
  private Words() {}

  static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A label inside a sentence. */
  static String lower(String label) {
    boolean acronym = label.length() > 1 && Character.isUpperCase(label.charAt(1));
    return acronym ? label : label.substring(0, 1).toLowerCase(Locale.ROOT) + label.substring(1);
  }

  static String percent(double share) {
    return say(share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
  }

  static String number(double value) {
    return value >= 1000
        ? say("%,.0f", value)
        : value >= 100 ? say("%.0f", value) : say("%.3g", value);
  }

  static String hex(int pc) {
    return say("0x%04x", pc);
  }

  /** How many other lines are like the one named. */
  static String others(int count) {
    return count < 2 ? "" : ", " + (count - 1) + (count == 2 ? " other too" : " others too");
  }
}
