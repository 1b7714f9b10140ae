package dev.warpline.engine.gpu;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One field of a description with all that is known of it.
 *
 * @param path dotted path, e.g. {@code sm.l1.sizeKiB}
 * @param value the value as a file would state it; empty for a section
 * @param unit unit, or empty
 * @param meaning what the field is
 * @param source comment beside the value (measured, published, guessed), {@code standard} where the
 *     file says nothing, or empty
 * @param section whether this is the head of a section
 */
public record ExplainedField(
    String path, String value, String unit, String meaning, String source, boolean section) {

  static List<ExplainedField> of(Record root, Yaml tree) {
    List<ExplainedField> fields = new ArrayList<>();
    addRecord(root, "", tree, fields);
    return fields;
  }

  static List<ExplainedField> ofType(Class<? extends Record> root) {
    List<ExplainedField> fields = new ArrayList<>();
    addType(root, "", fields);
    return fields;
  }

  private static void addType(Class<?> type, String path, List<ExplainedField> fields) {
    for (RecordComponent component : type.getRecordComponents()) {
      Field field = component.getAnnotation(Field.class);
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Class<?> inner = component.getType();
      if (component.getGenericType() instanceof ParameterizedType generic
          && generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1]
              instanceof Class<?> element
          && element.isRecord()) {
        name += inner == List.class ? "[]" : ".*";
        inner = element;
      }
      String standard = field == null ? "" : field.standard();
      String need =
          field != null && field.optional()
              ? "optional"
              : standard.isEmpty() ? "required" : "standard";
      fields.add(
          new ExplainedField(
              name,
              standard,
              field == null ? "" : field.unit(),
              field == null ? "" : field.value(),
              need,
              inner.isRecord()));
      if (inner.isRecord()) {
        addType(inner, name, fields);
      }
    }
  }

  private static void addRecord(
      Record record, String path, Yaml tree, List<ExplainedField> fields) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Field field = component.getAnnotation(Field.class);
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Yaml given =
          tree instanceof Yaml.Mapping mapping ? mapping.values().get(component.getName()) : null;
      add(read(component, record), name, field, given, fields);
    }
  }

  private static void add(
      Object value, String path, Field field, Yaml given, List<ExplainedField> fields) {
    String meaning = field == null ? "" : field.value();
    String unit = field == null ? "" : field.unit();
    if (value == null) {
      return;
    }
    if (value instanceof Record inner) {
      fields.add(new ExplainedField(path, "", unit, meaning, "", true));
      addRecord(inner, path, given, fields);
    } else if (value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Record) {
      fields.add(new ExplainedField(path, "", unit, meaning, "", true));
      for (int i = 0; i < list.size(); i++) {
        Yaml item = given instanceof Yaml.Sequence sequence ? sequence.items().get(i) : null;
        add(list.get(i), path + "[" + i + "]", null, item, fields);
      }
    } else if (value instanceof Map<?, ?> map) {
      fields.add(new ExplainedField(path, "", unit, meaning, "", true));
      map.forEach(
          (key, item) ->
              add(
                  item,
                  path + "." + key,
                  null,
                  given instanceof Yaml.Mapping mapping ? mapping.values().get(key) : null,
                  fields));
    } else {
      fields.add(new ExplainedField(path, text(value), unit, meaning, source(given), false));
    }
  }

  private static String text(Object value) {
    if (value instanceof Enum<?>) {
      return Binder.word(value);
    }
    if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
      return Long.toString(number.longValue());
    }
    return value.toString();
  }

  private static String source(Yaml given) {
    if (given == null) {
      return "standard";
    }
    if (given instanceof Yaml.Scalar scalar) {
      return scalar.comment();
    }
    return given instanceof Yaml.Sequence sequence ? sequence.comment() : "";
  }

  static Object read(RecordComponent component, Record record) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("field " + component + " cannot be read", e);
    }
  }
}
