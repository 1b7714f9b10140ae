package dev.warpline.engine.gpu;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a number of a description may be. The simulators rely on it: arrays are made as long as a
 * field says, times are added up without a thought of overflow, loops run as often as a field says.
 *
 * @param whole whether it has no fraction
 * @param least least number allowed
 * @param most largest number allowed
 */
public record Bounds(boolean whole, double least, double most) {
  /** The largest time where a field does not say: longer than any latency of a machine. */
  private static final double MOST_CYCLES = 10_000;

  private static final double MOST_NANOSECONDS = 10_000_000;

  /** Bounds of a number, or null if values of the type are none. */
  static Bounds of(Class<?> type, Field field) {
    boolean whole =
        type == int.class || type == long.class || type == Integer.class || type == Long.class;
    if (!whole && type != double.class && type != Double.class) {
      return null;
    }
    return new Bounds(whole, field.least(), most(field));
  }

  private static double most(Field field) {
    if (!Double.isNaN(field.most())) {
      return field.most();
    }
    return switch (field.unit()) {
      case "cycles", "core cycles", "command cycles" -> MOST_CYCLES;
      case "ns" -> MOST_NANOSECONDS;
      default ->
          throw new IllegalStateException(
              "the field \"" + field.value() + "\" does not say how large it may be");
    };
  }

  /**
   * Bounds of every number that a record may hold, by dotted path. An element of a list has the
   * list's path, a field of a record in a list that path with brackets.
   */
  static Map<String, Bounds> ofType(Class<? extends Record> root) {
    Map<String, Bounds> all = new LinkedHashMap<>();
    add(root, "", all);
    return all;
  }

  private static void add(Class<?> type, String path, Map<String, Bounds> all) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Type inner = component.getGenericType();
      boolean list = false;
      while (inner instanceof ParameterizedType generic) {
        Type[] arguments = generic.getActualTypeArguments();
        inner = arguments[arguments.length - 1];
        list = true;
      }
      Class<?> element = (Class<?>) inner;
      if (element.isRecord()) {
        add(element, list ? name + "[]" : name, all);
      } else {
        Bounds bounds = of(element, component.getAnnotation(Field.class));
        if (bounds != null) {
          all.put(name, bounds);
        }
      }
    }
  }

  /** Whether a number lies inside. */
  public boolean allows(double number) {
    return number >= least && number <= most && (!whole || number == Math.rint(number));
  }

  /** In words, e.g. {@code a whole number of cycles, 1 to 255}. */
  String expectation(String unit) {
    return (whole ? "a whole number" : "a number")
        + (unit.isEmpty() ? "" : " of " + unit)
        + (most >= 1e18
            ? least <= -1e18 ? "" : ", at least " + text(least)
            : ", " + text(least) + " to " + text(most));
  }

  /** A number as people write it. */
  static String text(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
