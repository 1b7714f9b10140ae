package dev.warpline.engine.gpu;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;

/**
 * What a record of a description is made of. Java finds that out anew whenever it is asked, which
 * for thousands of descriptions is most of the work; so it is asked once for each class.
 *
 * @param parts its components in their order
 * @param names their names
 * @param maker takes a value for each
 */
record RecordShape(List<Part> parts, List<String> names, Constructor<?> maker) {
  private static final ClassValue<RecordShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
          return find(type);
        }
      };

  /**
   * A component.
   *
   * @param type its class
   * @param generic the same with what it is a list or a map of
   * @param field what is said of it, null if nothing
   * @param standard its value where a file states none, null if there is none
   */
  record Part(String name, Class<?> type, Type generic, Field field, Yaml standard, Method reader) {
    /** Its value in a record. */
    Object of(Record record) {
      try {
        return reader.invoke(record);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("field " + name + " cannot be read", e);
      }
    }

    boolean optional() {
      return field != null && field.optional();
    }
  }

  /** The shape of a record's class. */
  static RecordShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  private static RecordShape find(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    List<Part> parts = Arrays.stream(components).map(RecordShape::part).toList();
    try {
      Constructor<?> maker =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      maker.setAccessible(true);
      return new RecordShape(parts, parts.stream().map(Part::name).toList(), maker);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private static Part part(RecordComponent component) {
    Field field = component.getAnnotation(Field.class);
    component.getAccessor().setAccessible(true);
    return new Part(
        component.getName(),
        component.getType(),
        component.getGenericType(),
        field,
        field == null || field.standard().isEmpty() ? null : standard(field, component.getName()),
        component.getAccessor());
  }

  private static Yaml standard(Field field, String name) {
    try {
      return Yaml.parse(field.standard(), "standard value of " + name);
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }
}
