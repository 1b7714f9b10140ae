package dev.warpline.engine;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@link Counter} fields of components. */
public final class Counters {
  /**
   * The counter fields of a class, superclasses first; looking them up takes longer than reading.
   */
  private static final ClassValue<Field[]> FIELDS =
      new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
          List<Field> fields = new ArrayList<>();
          if (type.getSuperclass() != null) {
            fields.addAll(List.of(FIELDS.get(type.getSuperclass())));
          }
          for (Field field : type.getDeclaredFields()) {
            if (field.isAnnotationPresent(Counter.class)) {
              field.setAccessible(true);
              fields.add(field);
            }
          }
          return fields.toArray(new Field[0]);
        }
      };

  private Counters() {}

  /** The counters of one component in declaration order, superclasses first. */
  public static Map<String, Number> of(Object component) {
    return sum(List.of(component));
  }

  /** The counters of many components of the same class, added up by name. */
  public static Map<String, Number> sum(Iterable<?> components) {
    Map<String, Number> sums = new LinkedHashMap<>();
    Field[] fields = null;
    double[] doubles = null;
    long[] longs = null;
    Class<?> type = null;
    for (Object component : components) {
      if (component.getClass() != type) {
        put(fields, longs, doubles, sums);
        type = component.getClass();
        fields = FIELDS.get(type);
        longs = new long[fields.length];
        doubles = new double[fields.length];
      }
      for (int i = 0; i < fields.length; i++) {
        try {
          if (fields[i].getType() == long.class) {
            longs[i] += fields[i].getLong(component);
          } else {
            doubles[i] += ((Number) fields[i].get(component)).doubleValue();
          }
        } catch (IllegalAccessException e) {
          throw new IllegalStateException("counter " + fields[i] + " cannot be read", e);
        }
      }
    }
    put(fields, longs, doubles, sums);
    return sums;
  }

  private static void put(
      Field[] fields, long[] longs, double[] doubles, Map<String, Number> sums) {
    if (fields == null) {
      return;
    }
    for (int i = 0; i < fields.length; i++) {
      boolean whole = fields[i].getType() == long.class;
      Number value = whole ? (Number) longs[i] : (Number) doubles[i];
      sums.merge(fields[i].getName(), value, Counters::plus);
    }
  }

  private static Number plus(Number a, Number b) {
    if (a instanceof Long && b instanceof Long) {
      return a.longValue() + b.longValue();
    }
    return a.doubleValue() + b.doubleValue();
  }
}
