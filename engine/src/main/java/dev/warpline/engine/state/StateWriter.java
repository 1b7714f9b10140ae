package dev.warpline.engine.state;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Writes all that a root leads to. */
public final class StateWriter {
  /** Collections that are written as their elements, in their order. */
  static final Set<Class<?>> COLLECTIONS =
      Set.of(
          ArrayList.class,
          ArrayDeque.class,
          LinkedHashSet.class,
          java.util.HashSet.class,
          TreeSet.class,
          PriorityQueue.class,
          java.util.LinkedList.class);

  static final Set<Class<?>> MAPS = Set.of(HashMap.class, LinkedHashMap.class, TreeMap.class);

  private static final int PIECE = 1 << 16;

  private final DataOutputStream out;
  private final Outside outside;
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private final Map<Class<?>, ClassShape> shapes = new HashMap<>();
  private final Map<Class<?>, Integer> classes = new HashMap<>();
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE);

  /**
   * @param outside what is not written but known to whoever reads: the same objects in the same
   *     order
   */
  public StateWriter(OutputStream out, List<?> outside) throws IOException {
    this.out = new DataOutputStream(out);
    this.outside = new Outside(outside);
  }

  /** Writes the object and all that it leads to. */
  public void write(Object root) throws IOException {
    reference(root, "");
    while (!waiting.isEmpty()) {
      contents(waiting.remove());
    }
    out.flush();
  }

  private void reference(Object object, String where) throws IOException {
    if (object == null) {
      tag(Tag.NULL);
      return;
    }
    int external = outside.number(object);
    if (external >= 0) {
      tag(Tag.OUTSIDE);
      out.writeInt(external);
      return;
    }
    Integer seen = numbers.get(object);
    if (seen != null) {
      tag(Tag.SEEN);
      out.writeInt(seen);
      return;
    }
    Class<?> type = object.getClass();
    if (object instanceof AtomicLong number) {
      tag(Tag.ATOMIC_LONG);
      out.writeLong(number.get());
      number(object);
    } else if (object instanceof AtomicLongArray array) {
      tag(Tag.ATOMIC_LONGS);
      out.writeInt(array.length());
      for (int i = 0; i < array.length(); i++) {
        out.writeLong(array.get(i));
      }
      number(object);
    } else if (object instanceof String text) {
      tag(Tag.STRING);
      string(text);
    } else if (object instanceof Number
        || object instanceof Boolean
        || object instanceof Character) {
      boxed(object, where);
    } else if (object instanceof Enum<?> constant) {
      tag(Tag.ENUM);
      type(constant.getDeclaringClass());
      string(constant.name());
    } else if (object instanceof Class<?> itself) {
      tag(Tag.CLASS);
      string(itself.getName());
    } else if (object instanceof Record) {
      record(object, type);
    } else if (type.isHidden()) {
      tag(Tag.CODE);
      number(object);
    } else if (type.getName().startsWith("java.util.ImmutableCollections")
        || type.getName().startsWith("java.util.Collections$")) {
      fixed(object, where);
    } else if (COLLECTIONS.contains(type)) {
      later(Tag.COLLECTION, object, type);
    } else if (MAPS.contains(type)) {
      later(Tag.MAP, object, type);
    } else if (type == BitSet.class) {
      tag(Tag.BITS);
      long[] words = ((BitSet) object).toLongArray();
      out.writeInt(words.length);
      for (long word : words) {
        out.writeLong(word);
      }
      number(object);
    } else if (type.isArray()) {
      array(object, type);
    } else if (type != Object.class && isForeign(type)) {
      throw new StateException(where + ": " + type.getName() + " cannot be written down");
    } else {
      later(Tag.OBJECT, object, type);
    }
  }

  /** Numbers follow at once, since a record may want to look at them when it is made. */
  private void array(Object object, Class<?> type) throws IOException {
    tag(Tag.ARRAY);
    type(type);
    number(object);
    out.writeInt(java.lang.reflect.Array.getLength(object));
    if (type.getComponentType().isPrimitive()) {
      primitives(object);
    } else {
      waiting.add(object);
    }
  }

  /** Whether a class has fields that can be followed. */
  static boolean isOwn(Class<?> type) {
    return !type.isHidden() && !type.isArray() && !isForeign(type);
  }

  /** Whether a class is Java's own, whose fields are nobody else's business. */
  static boolean isForeign(Class<?> type) {
    return type.getClassLoader() == null || type.getName().startsWith("java");
  }

  private void boxed(Object object, String where) throws IOException {
    tag(Tag.BOXED);
    if (object instanceof Long value) {
      out.writeByte('L');
      out.writeLong(value);
    } else if (object instanceof Integer value) {
      out.writeByte('I');
      out.writeLong(value);
    } else if (object instanceof Double value) {
      out.writeByte('D');
      out.writeLong(Double.doubleToRawLongBits(value));
    } else if (object instanceof Boolean value) {
      out.writeByte('Z');
      out.writeLong(value ? 1 : 0);
    } else {
      throw new StateException(where + ": " + object.getClass().getName() + " cannot be written");
    }
  }

  private void record(Object object, Class<?> type) throws IOException {
    tag(Tag.RECORD);
    type(type);
    ClassShape shape = shape(type);
    for (Field field : shape.fields) {
      value(field, object);
    }
    number(object);
  }

  private void fixed(Object object, String where) throws IOException {
    if (object instanceof Map<?, ?> map) {
      tag(Tag.FIXED_MAP);
      out.writeInt(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        reference(entry.getKey(), where);
        reference(entry.getValue(), where);
      }
    } else if (object instanceof Collection<?> collection) {
      tag(collection instanceof Set<?> ? Tag.FIXED_SET : Tag.FIXED_LIST);
      out.writeInt(collection.size());
      for (Object element : collection) {
        reference(element, where);
      }
    } else {
      throw new StateException(where + ": " + object.getClass().getName() + " cannot be written");
    }
    number(object);
  }

  private void later(Tag tag, Object object, Class<?> type) throws IOException {
    tag(tag);
    type(type);
    number(object);
    waiting.add(object);
  }

  private void number(Object object) {
    numbers.put(object, numbers.size());
  }

  private void contents(Object object) throws IOException {
    if (object instanceof Collection<?> collection && COLLECTIONS.contains(object.getClass())) {
      out.writeInt(collection.size());
      for (Object element : collection) {
        reference(element, "an element of a collection");
      }
    } else if (object instanceof Map<?, ?> map && MAPS.contains(object.getClass())) {
      out.writeInt(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        reference(entry.getKey(), "a key");
        reference(entry.getValue(), "a value of a map");
      }
    } else if (object instanceof Object[] array) {
      String where = "an element of " + object.getClass().getSimpleName();
      for (Object element : array) {
        reference(element, where);
      }
    } else {
      for (Field field : shape(object.getClass()).fields) {
        value(field, object);
      }
    }
  }

  private void value(Field field, Object object) throws IOException {
    try {
      Class<?> type = field.getType();
      if (!type.isPrimitive()) {
        Object value = field.get(object);
        reference(value, field.getDeclaringClass().getName() + "." + field.getName());
      } else if (type == int.class) {
        out.writeInt(field.getInt(object));
      } else if (type == long.class) {
        out.writeLong(field.getLong(object));
      } else if (type == boolean.class) {
        out.writeBoolean(field.getBoolean(object));
      } else if (type == double.class) {
        out.writeDouble(field.getDouble(object));
      } else if (type == float.class) {
        out.writeFloat(field.getFloat(object));
      } else if (type == byte.class) {
        out.writeByte(field.getByte(object));
      } else if (type == short.class) {
        out.writeShort(field.getShort(object));
      } else {
        out.writeChar(field.getChar(object));
      }
    } catch (IllegalAccessException e) {
      throw new StateException(field + ": " + e.getMessage());
    }
  }

  private void primitives(Object array) throws IOException {
    if (array instanceof byte[] bytes) {
      out.write(bytes);
      return;
    }
    int size = Primitives.size(array);
    int step = PIECE / size;
    int length = java.lang.reflect.Array.getLength(array);
    for (int from = 0; from < length; from += step) {
      int count = Math.min(step, length - from);
      piece.clear();
      Primitives.put(array, from, count, piece);
      out.write(piece.array(), 0, count * size);
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

  /** A class by its number; the first time with what it holds. */
  private void type(Class<?> type) throws IOException {
    Integer known = classes.get(type);
    if (known != null) {
      out.writeInt(known);
      return;
    }
    out.writeInt(classes.size());
    classes.put(type, classes.size());
    string(type.getName());
    string(isForeign(type) || type.isArray() || type.isEnum() ? "" : shape(type).words());
  }

  private void tag(Tag tag) throws IOException {
    out.writeByte(tag.ordinal());
  }

  private void string(String text) throws IOException {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
