package dev.warpline.nvidia;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TreeSet;

/** Finds the parts of a machine that count something nobody would read. */
public final class Countings {
  private Countings() {}

  /** Classes with counters of which an object can be reached and is not registered. */
  public static Set<String> forgotten(Object machine, Counters registered)
      throws IllegalAccessException {
    Set<String> forgotten = new TreeSet<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    open.add(machine);
    while (!open.isEmpty()) {
      Object part = open.pop();
      if (!seen.add(part)) {
        continue;
      }
      if (part.getClass().isArray()) {
        for (int i = 0; i < Array.getLength(part); i++) {
          follow(Array.get(part, i), open);
        }
        continue;
      }
      if (part instanceof Iterable<?> all) {
        all.forEach(one -> follow(one, open));
        continue;
      }
      for (Class<?> type = part.getClass(); type != Object.class; type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          if (field.isAnnotationPresent(Counter.class) && !registered.contains(part)) {
            forgotten.add(part.getClass().getSimpleName() + "." + field.getName());
          }
          if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
            field.setAccessible(true);
            follow(field.get(part), open);
          }
        }
      }
    }
    return forgotten;
  }

  private static void follow(Object found, Deque<Object> open) {
    if (found == null) {
      return;
    }
    Class<?> type = found.getClass();
    boolean objects = type.isArray() && !type.getComponentType().isPrimitive();
    if (objects
        || found instanceof java.util.Collection<?>
        || type.getName().startsWith("dev.warpline.") && !type.isHidden() && !type.isEnum()) {
      open.add(found);
    }
  }
}
