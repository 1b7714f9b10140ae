package dev.warpline.engine.state;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private final Map<Class<?>, ClassShape> shapes = new HashMap<>();

  Outside(List<?> roots) throws StateException {
    for (Object root : roots) {
      boolean whole = root instanceof Whole;
      add(whole ? ((Whole) root).root() : root);
      while (!waiting.isEmpty()) {
        follow(waiting.remove(), whole);
      }
    }
  }

  private void add(Object object) {
    if (object == null || isValue(object) || numbers.containsKey(object)) {
      return;
    }
    numbers.put(object, objects.size());
    objects.add(object);
    waiting.add(object);
  }

  /**
   * Goes on into what cannot change, records and collections, or into everything.
   *
   * @param whole whether nothing of it can change
   */
  private void follow(Object object, boolean whole) throws StateException {
    if (object instanceof Collection<?> elements) {
      elements.forEach(this::add);
    } else if (object instanceof Map<?, ?> map) {
      map.values().forEach(this::add);
    } else if (object instanceof Object[] array) {
      if (whole) {
        for (Object element : array) {
          add(element);
        }
      }
    } else if (object instanceof Record || whole && StateWriter.isOwn(object.getClass())) {
      try {
        for (Field field : shape(object.getClass()).fields) {
          if (!field.getType().isPrimitive()) {
            add(field.get(object));
          }
        }
      } catch (IllegalAccessException e) {
        throw new StateException(e.toString());
      }
    }
  }

  private ClassShape shape(Class<?> type) throws StateException {
    ClassShape shape = shapes.get(type);
    if (shape == null) {
      shape = new ClassShape(type);
      shapes.put(type, shape);
    }
    return shape;
  }

  /** Whether one object is as good as another that equals it. */
  private static boolean isValue(Object object) {
    return object instanceof String
        || object instanceof Number
        || object instanceof Boolean
        || object instanceof Enum<?>
        || object instanceof Class<?>;
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
