package dev.warpline.engine.state;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Puts written state into a machine that was built anew in the same way. Objects that are there
 * already, at the same place and of the same class, are filled; others are made.
 */
public final class StateReader {
  private static final int PIECE = 1 << 16;

  private final DataInputStream in;
  private final Outside outside;
  private final List<Object> objects = new ArrayList<>();
  private final Set<Object> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private final List<ClassShape> shapes = new ArrayList<>();
  private final Map<Class<?>, ClassShape> shapeOf = new HashMap<>();
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
  private final ClassLoader loader;

  /**
   * @param outside what was not written, as it was given to the writer
   */
  public StateReader(InputStream in, List<?> outside) throws IOException {
    this.in = new DataInputStream(in);
    this.outside = new Outside(outside);
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    loader = context == null ? StateReader.class.getClassLoader() : context;
  }

  /** Reads what was written into the object that was built anew, and all that it leads to. */
  public <T> T read(T root) throws IOException {
    Object read = reference(root, "");
    if (read != root) {
      throw new StateException("found the state of another kind of machine");
    }
    while (!waiting.isEmpty()) {
      contents(waiting.remove());
    }
    return root;
  }

  /**
   * @param there what the place holds now
   */
  private Object reference(Object there, String where) throws IOException {
    int code = in.readUnsignedByte();
    if (code >= Tag.ALL.length) {
      throw damaged();
    }
    switch (Tag.ALL[code]) {
      case NULL:
        return null;
      case SEEN:
        return seen(in.readInt());
      case OUTSIDE:
        return outside.object(in.readInt());
      case CODE:
        if (there == null || !there.getClass().isHidden()) {
          throw new StateException(where + ": holds code that a new machine does not have there");
        }
        objects.add(there);
        return there;
      case STRING:
        return string();
      case BOXED:
        return boxed();
      case ENUM:
        return constant();
      case CLASS:
        return find(string());
      case RECORD:
        return record(there);
      case FIXED_LIST:
      case FIXED_SET:
      case FIXED_MAP:
        return fixed(Tag.ALL[code], where);
      case BITS:
        return bits(there);
      case ATOMIC_LONG:
        return atomic(there);
      case ATOMIC_LONGS:
        return atomics(there);
      default:
        return later(there, Tag.ALL[code]);
    }
  }

  private Object seen(int number) throws StateException {
    if (number < 0 || number >= objects.size()) {
      throw damaged();
    }
    return objects.get(number);
  }

  private static StateException damaged() {
    return new StateException("the state is damaged");
  }

  private Object boxed() throws IOException {
    int kind = in.readByte();
    long bits = in.readLong();
    return switch (kind) {
      case 'L' -> (Object) bits;
      case 'I' -> (Object) (int) bits;
      case 'D' -> (Object) Double.longBitsToDouble(bits);
      case 'Z' -> (Object) (bits != 0);
      default -> throw damaged();
    };
  }

  private Object constant() throws IOException {
    Class<?> type = type().type;
    String name = string();
    for (Object each : type.isEnum() ? type.getEnumConstants() : new Object[0]) {
      if (((Enum<?>) each).name().equals(name)) {
        return each;
      }
    }
    throw new StateException("found " + name + ", which is no " + type.getName());
  }

  private Object record(Object there) throws IOException {
    ClassShape shape = type();
    Object[] components = new Object[shape.fields.length];
    for (int i = 0; i < components.length; i++) {
      Object old =
          there != null && there.getClass() == shape.type ? get(shape.fields[i], there) : null;
      components[i] = value(shape.fields[i], old);
    }
    Object made = shape.makeRecord(components);
    objects.add(made);
    return made;
  }

  private Object fixed(Tag tag, String where) throws IOException {
    int count = in.readInt();
    Object made;
    if (tag == Tag.FIXED_MAP) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        Object key = reference(null, where);
        map.put(key, reference(null, where));
      }
      made = Collections.unmodifiableMap(map);
    } else {
      Collection<Object> all = tag == Tag.FIXED_SET ? new LinkedHashSet<>() : new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(reference(null, where));
      }
      made =
          tag == Tag.FIXED_SET
              ? Collections.unmodifiableSet((Set<?>) all)
              : Collections.unmodifiableList((List<?>) all);
    }
    objects.add(made);
    return made;
  }

  private Object bits(Object there) throws IOException {
    long[] words = new long[length()];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.readLong();
    }
    BitSet set = there instanceof BitSet own && taken.add(own) ? own : new BitSet();
    set.clear();
    set.or(BitSet.valueOf(words));
    objects.add(set);
    return set;
  }

  private Object atomic(Object there) throws IOException {
    AtomicLong number = there instanceof AtomicLong own && taken.add(own) ? own : new AtomicLong();
    number.set(in.readLong());
    objects.add(number);
    return number;
  }

  private Object atomics(Object there) throws IOException {
    int length = length();
    AtomicLongArray array =
        there instanceof AtomicLongArray own && own.length() == length && taken.add(own)
            ? own
            : new AtomicLongArray(length);
    for (int i = 0; i < length; i++) {
      array.set(i, in.readLong());
    }
    objects.add(array);
    return array;
  }

  private int length() throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw damaged();
    }
    return length;
  }

  private Object later(Object there, Tag tag) throws IOException {
    ClassShape shape = type();
    int length = tag == Tag.ARRAY ? length() : 0;
    boolean fits =
        there != null
            && there.getClass() == shape.type
            && (tag != Tag.ARRAY || Array.getLength(there) == length)
            && taken.add(there);
    Object object = fits ? there : make(shape, length);
    objects.add(object);
    if (tag == Tag.ARRAY && shape.type.getComponentType().isPrimitive()) {
      primitives(object);
    } else {
      waiting.add(object);
    }
    return object;
  }

  private static Object make(ClassShape shape, int length) throws StateException {
    if (StateWriter.COLLECTIONS.contains(shape.type) || StateWriter.MAPS.contains(shape.type)) {
      try {
        return shape.type.getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new StateException(e.toString());
      }
    }
    return shape.make(length);
  }

  @SuppressWarnings("unchecked")
  private void contents(Object object) throws IOException {
    Class<?> type = object.getClass();
    if (StateWriter.COLLECTIONS.contains(type)) {
      Collection<Object> collection = (Collection<Object>) object;
      Object[] old = collection.toArray();
      collection.clear();
      int count = length();
      for (int i = 0; i < count; i++) {
        collection.add(reference(i < old.length ? old[i] : null, "an element of a collection"));
      }
    } else if (StateWriter.MAPS.contains(type)) {
      Map<Object, Object> map = (Map<Object, Object>) object;
      Map<Object, Object> old = new HashMap<>(map);
      map.clear();
      int count = length();
      for (int i = 0; i < count; i++) {
        Object key = reference(null, "a key");
        map.put(key, reference(old.get(key), "a value of a map"));
      }
    } else if (object instanceof Object[] array) {
      String where = "an element of " + type.getSimpleName();
      for (int i = 0; i < array.length; i++) {
        array[i] = reference(array[i], where);
      }
    } else {
      for (Field field : shapeOf.get(type).fields) {
        Object old = field.getType().isPrimitive() ? null : get(field, object);
        Object value = value(field, old);
        if (old == null || old != value) {
          set(field, object, value);
        }
      }
    }
  }

  private static Object get(Field field, Object object) throws StateException {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new StateException(e.toString());
    }
  }

  private static void set(Field field, Object object, Object value) throws StateException {
    try {
      field.set(object, value);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw new StateException(field + ": cannot be set: " + e.getMessage());
    }
  }

  private Object value(Field field, Object old) throws IOException {
    Class<?> type = field.getType();
    if (!type.isPrimitive()) {
      return reference(old, field.getDeclaringClass().getName() + "." + field.getName());
    }
    if (type == int.class) {
      return in.readInt();
    }
    if (type == long.class) {
      return in.readLong();
    }
    if (type == boolean.class) {
      return in.readBoolean();
    }
    if (type == double.class) {
      return in.readDouble();
    }
    if (type == float.class) {
      return in.readFloat();
    }
    if (type == byte.class) {
      return in.readByte();
    }
    return type == short.class ? (Object) in.readShort() : (Object) in.readChar();
  }

  private void primitives(Object array) throws IOException {
    if (array instanceof byte[] bytes) {
      in.readFully(bytes);
      return;
    }
    int size = Primitives.size(array);
    int step = PIECE / size;
    int length = Array.getLength(array);
    for (int from = 0; from < length; from += step) {
      int count = Math.min(step, length - from);
      in.readFully(piece.array(), 0, count * size);
      piece.clear();
      Primitives.get(array, from, count, piece);
    }
  }

  private ClassShape type() throws IOException {
    int number = in.readInt();
    if (number < 0 || number > shapes.size()) {
      throw damaged();
    }
    if (number < shapes.size()) {
      return shapes.get(number);
    }
    Class<?> type = find(string());
    if (StateWriter.isForeign(type)
        && type != Object.class
        && !type.isArray()
        && !StateWriter.COLLECTIONS.contains(type)
        && !StateWriter.MAPS.contains(type)) {
      throw new StateException("found " + type.getName() + ", which is nobody's state");
    }
    String words = string();
    ClassShape shape = shapeOf.get(type);
    if (shape == null) {
      shape =
          StateWriter.COLLECTIONS.contains(type) || StateWriter.MAPS.contains(type) || type.isEnum()
              ? new ClassShape(type, new Field[0])
              : new ClassShape(type);
      shapeOf.put(type, shape);
    }
    if (!words.isEmpty() && !words.equals(shape.words())) {
      throw new StateException(
          type.getName() + " holds other fields than when the state was written: another version");
    }
    shapes.add(shape);
    return shape;
  }

  private Class<?> find(String name) throws StateException {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      throw new StateException("found class " + name + ", which this version does not have");
    }
  }

  private String string() throws IOException {
    byte[] bytes = in.readNBytes(length());
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
