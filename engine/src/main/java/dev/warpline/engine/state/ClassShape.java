package dev.warpline.engine.state;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import sun.reflect.ReflectionFactory;

/** What a class holds: its fields, in an order that does not depend on the Java machine. */
final class ClassShape {
  /** Ancestors without state that matters. */
  private static final Set<Class<?>> STATELESS =
      Set.of(Object.class, Record.class, AbstractList.class);

  final Class<?> type;

  /** Fields of a class and its ancestors, the ancestors' first; none of an array. */
  final Field[] fields;

  private final Constructor<?> maker;

  /** A class whose fields do not matter. */
  ClassShape(Class<?> type, Field[] none) {
    this.type = type;
    fields = none;
    maker = null;
  }

  ClassShape(Class<?> type) throws StateException {
    this.type = type;
    List<Field> all = new ArrayList<>();
    try {
      for (Class<?> c = type; c != null && !STATELESS.contains(c); c = c.getSuperclass()) {
        List<Field> own = new ArrayList<>();
        for (Field field : c.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers())) {
            field.setAccessible(true);
            own.add(field);
          }
        }
        if (!type.isRecord()) {
          own.sort(Comparator.comparing(Field::getName));
        }
        all.addAll(0, own);
      }
      maker = type.isArray() ? null : maker(type);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new StateException("class " + type.getName() + ": its state cannot be reached: " + e);
    }
    fields = type.isArray() ? new Field[0] : all.toArray(new Field[0]);
  }

  private static Constructor<?> maker(Class<?> type) throws ReflectiveOperationException {
    if (type.isRecord()) {
      Constructor<?> canonical =
          type.getDeclaredConstructor(
              Arrays.stream(type.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new));
      canonical.setAccessible(true);
      return canonical;
    }
    return ReflectionFactory.getReflectionFactory()
        .newConstructorForSerialization(type, Object.class.getDeclaredConstructor());
  }

  /** Name and fields in words; classes with equal words hold the same. */
  String words() {
    StringBuilder words = new StringBuilder(type.getName());
    for (Field field : fields) {
      words.append(' ').append(field.getName()).append(':').append(field.getType().getName());
    }
    return words.toString();
  }

  /** A new object whose fields are all zero. */
  Object make(int length) throws StateException {
    try {
      return type.isArray()
          ? Array.newInstance(type.getComponentType(), length)
          : maker.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new StateException("class " + type.getName() + " cannot be made: " + e);
    }
  }

  /** A record of these components. */
  Object makeRecord(Object[] components) throws StateException {
    try {
      return maker.newInstance(components);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new StateException("record " + type.getName() + " cannot be made: " + e);
    }
  }
}
