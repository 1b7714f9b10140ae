package dev.warpline.engine.state;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is no state, since whoever resumes has it already: the GPU's description, the program, the
 * options. Its objects are numbered in the order in which they are found.
 */
final class Outside {
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final List<Object> objects = new ArrayList<>();

  Outside(List<?> roots) throws StateException {
    for (Object root : roots) {
      add(root);
    }
  }

  /** Goes on into what cannot change: records and collections. */
  private void add(Object object) throws StateException {
    if (object == null || isValue(object) || numbers.containsKey(object)) {
      return;
    }
    numbers.put(object, objects.size());
    objects.add(object);
    if (object instanceof Record) {
      try {
        for (Field field : new Shape(object.getClass()).fields) {
          if (!field.getType().isPrimitive()) {
            add(field.get(object));
          }
        }
      } catch (IllegalAccessException e) {
        throw new StateException(e.toString());
      }
    } else if (object instanceof List<?> elements) {
      for (Object element : elements) {
        add(element);
      }
    } else if (object instanceof Map<?, ?> map) {
      for (Object value : map.values()) {
        add(value);
      }
    }
  }

  /** Whether one object is as good as another that equals it. */
  private static boolean isValue(Object object) {
    return object instanceof String
        || object instanceof Number
        || object instanceof Boolean
        || object instanceof Enum<?>;
  }

  /** Number of an object; -1 if it is not outside. */
  int number(Object object) {
    return numbers.getOrDefault(object, -1);
  }

  Object object(int number) throws StateException {
    if (number < 0 || number >= objects.size()) {
      throw new StateException("found a reference to description or program that they do not have");
    }
    return objects.get(number);
  }
}
