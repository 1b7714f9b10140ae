package dev.warpline.engine;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The statistics of a part of the machine: components register once, with what their names begin
 * with; every {@link Counter} field they have, or get one day, is then read and set to zero here.
 * Components with the same beginning are added up.
 */
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
              check(field);
              field.setAccessible(true);
              fields.add(field);
            }
          }
          return fields.toArray(new Field[0]);
        }
      };

  private final Map<String, List<Object>> components = new LinkedHashMap<>();

  private static void check(Field field) {
    Class<?> type = field.getType();
    if (type != long.class && type != double.class && type != long[].class) {
      throw new IllegalStateException(
          "counter " + field + ": found " + type + ", expected long, double or long[]");
    }
  }

  /**
   * Registers a component.
   *
   * @param prefix what its names begin with, e.g. {@code dram.}
   */
  public Counters add(String prefix, Object component) {
    components.computeIfAbsent(prefix, p -> new ArrayList<>()).add(component);
    return this;
  }

  /** Registers components that are added up. */
  public Counters addAll(String prefix, Iterable<?> parts) {
    parts.forEach(part -> add(prefix, part));
    return this;
  }

  /** Registers all that a part has registered. */
  public Counters addAll(Counters part) {
    part.components.forEach(this::addAll);
    return this;
  }

  /** Whether a component is registered. */
  public boolean contains(Object component) {
    return components.values().stream()
        .flatMap(List::stream)
        .anyMatch(registered -> registered == component);
  }

  /** What has been counted, by name, in the order of registration and declaration. */
  public Map<String, Number> read() {
    Map<String, Number> all = new LinkedHashMap<>();
    components.forEach(
        (prefix, parts) -> sum(parts).forEach((name, value) -> all.put(prefix + name, value)));
    return all;
  }

  /** Sets every counter to zero. */
  public void reset() {
    for (List<Object> parts : components.values()) {
      for (Object part : parts) {
        reset(part);
      }
    }
  }

  private static void reset(Object component) {
    for (Field field : FIELDS.get(component.getClass())) {
      try {
        if (field.getType() == long.class) {
          field.setLong(component, 0);
        } else if (field.getType() == double.class) {
          field.setDouble(component, 0);
        } else {
          Arrays.fill((long[]) field.get(component), 0);
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("counter " + field + " cannot be set", e);
      }
    }
  }

  /** The counters of one component in declaration order, superclasses first. */
  public static Map<String, Number> of(Object component) {
    return sum(List.of(component));
  }

  /** The counters of many components of the same class, added up by name. */
  public static Map<String, Number> sum(Iterable<?> components) {
    Map<String, Number> sums = new LinkedHashMap<>();
    Field[] fields = null;
    double[] doubles = null;
    long[][] longs = null;
    Class<?> type = null;
    for (Object component : components) {
      if (component.getClass() != type) {
        put(fields, longs, doubles, sums);
        type = component.getClass();
        fields = FIELDS.get(type);
        longs = new long[fields.length][1];
        doubles = new double[fields.length];
      }
      for (int i = 0; i < fields.length; i++) {
        try {
          if (fields[i].getType() == long.class) {
            longs[i][0] += fields[i].getLong(component);
          } else if (fields[i].getType() == double.class) {
            doubles[i] += fields[i].getDouble(component);
          } else {
            longs[i] = plus(longs[i], (long[]) fields[i].get(component));
          }
        } catch (IllegalAccessException e) {
          throw new IllegalStateException("counter " + fields[i] + " cannot be read", e);
        }
      }
    }
    put(fields, longs, doubles, sums);
    return sums;
  }

  private static long[] plus(long[] sums, long[] counted) {
    long[] all = Arrays.copyOf(sums, Math.max(sums.length, counted.length));
    for (int i = 0; i < counted.length; i++) {
      all[i] += counted[i];
    }
    return all;
  }

  private static void put(
      Field[] fields, long[][] longs, double[] doubles, Map<String, Number> sums) {
    if (fields == null) {
      return;
    }
    for (int i = 0; i < fields.length; i++) {
      String name = fields[i].getName();
      if (fields[i].getType() == double.class) {
        sums.merge(name, doubles[i], Counters::plus);
      } else if (fields[i].getType() == long.class) {
        sums.merge(name, longs[i][0], Counters::plus);
      } else {
        for (int n = 0; n < longs[i].length; n++) {
          sums.merge(name + n, longs[i][n], Counters::plus);
        }
      }
    }
  }

  private static Number plus(Number a, Number b) {
    if (a instanceof Long && b instanceof Long) {
      return a.longValue() + b.longValue();
    }
    return a.doubleValue() + b.doubleValue();
  }
}
