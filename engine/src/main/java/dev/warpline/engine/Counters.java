package dev.warpline.engine;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the {@link Counter} fields of components. */
public final class Counters {
  private Counters() {}

  /** The counters of one component in declaration order, superclasses first. */
  public static Map<String, Number> of(Object component) {
    return sum(java.util.List.of(component));
  }

  /** The counters of many components of the same class, added up by name. */
  public static Map<String, Number> sum(Iterable<?> components) {
    Map<String, Number> sums = new LinkedHashMap<>();
    for (Object component : components) {
      add(component.getClass(), component, sums);
    }
    return sums;
  }

  private static void add(Class<?> type, Object component, Map<String, Number> sums) {
    if (type.getSuperclass() != null) {
      add(type.getSuperclass(), component, sums);
    }
    for (Field field : type.getDeclaredFields()) {
      if (field.isAnnotationPresent(Counter.class)) {
        sums.merge(field.getName(), read(field, component), Counters::plus);
      }
    }
  }

  private static Number read(Field field, Object component) {
    try {
      field.setAccessible(true);
      return (Number) field.get(component);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("counter " + field + " cannot be read", e);
    }
  }

  private static Number plus(Number a, Number b) {
    if (a instanceof Long && b instanceof Long) {
      return a.longValue() + b.longValue();
    }
    return a.doubleValue() + b.doubleValue();
  }
}
