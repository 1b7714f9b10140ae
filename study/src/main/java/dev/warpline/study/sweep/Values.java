package dev.warpline.study.sweep;

import java.util.Map;
import java.util.regex.Pattern;

/** Values of fields, as text and as what the text means. */
public final class Values {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?[0-9]{1,15}(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?");

  private Values() {}

  /** A whole number, a number, or text. */
  public static Object of(String text) {
    if (!NUMBER.matcher(text).matches()) {
      return text;
    }
    double number = Double.parseDouble(text);
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      return (long) number;
    }
    return number;
  }

  /**
   * A field of a GPU without its unit, null if there is none.
   *
   * @param configuration value with unit by dotted name
   */
  public static Object field(Map<String, String> configuration, String name) {
    String value = configuration.get(name);
    if (value == null) {
      return null;
    }
    int space = value.indexOf(' ');
    boolean number = space > 0 && of(value.substring(0, space)) instanceof Number;
    return of(number ? value.substring(0, space) : value);
  }
}
