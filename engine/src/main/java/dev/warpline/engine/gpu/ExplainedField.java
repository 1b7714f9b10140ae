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
 * @param source where the value comes from, in words; {@code standard} where the file says nothing.
 *     Of a field as such: whether it is required, optional or has a standard value
 * @param evidence where the value comes from; none for sections and fields as such
 * @param section whether this is the head of a section
 */
public record ExplainedField(
    String path,
    String value,
    String unit,
    String meaning,
    String source,
    Evidence evidence,
    boolean section) {

  static List<ExplainedField> of(Record root, Yaml tree) {
    List<ExplainedField> fields = new ArrayList<>();
    addRecord(root, "", tree, Evidence.NONE, fields);
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
              Evidence.NONE,
              inner.isRecord()));
      if (inner.isRecord()) {
        addType(inner, name, fields);
      }
    }
  }

  private static void addRecord(
      Record record, String path, Yaml tree, Evidence outer, List<ExplainedField> fields) {
    Evidence around = tree == null ? outer : tree.evidence();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Field field = component.getAnnotation(Field.class);
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Yaml given =
          tree instanceof Yaml.Mapping mapping ? mapping.values().get(component.getName()) : null;
      add(read(component, record), name, field, given, around, fields);
    }
  }

  /** Adds a field; {@code outer} is what is said of values that the file does not state. */
  private static void add(
      Object value,
      String path,
      Field field,
      Yaml given,
      Evidence outer,
      List<ExplainedField> fields) {
    String meaning = field == null ? "" : field.value();
    String unit = field == null ? "" : field.unit();
    if (value == null) {
      return;
    }
    boolean records =
        value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Record;
    if (!(value instanceof Record || value instanceof Map<?, ?> || records)) {
      Evidence evidence = given == null ? outer : given.evidence();
      fields.add(
          new ExplainedField(
              path, text(value), unit, meaning, source(given, evidence), evidence, false));
      return;
    }
    fields.add(new ExplainedField(path, "", unit, meaning, "", Evidence.NONE, true));
    Evidence around = given == null ? outer : given.evidence();
    if (value instanceof Record inner) {
      addRecord(inner, path, given, outer, fields);
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        Yaml item = given instanceof Yaml.Sequence sequence ? sequence.items().get(i) : null;
        add(list.get(i), path + "[" + i + "]", null, item, around, fields);
      }
    } else {
      ((Map<?, ?>) value)
          .forEach(
              (key, item) ->
                  add(
                      item,
                      path + "." + key,
                      null,
                      given instanceof Yaml.Mapping mapping ? mapping.values().get(key) : null,
                      around,
                      fields));
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

  private static String source(Yaml given, Evidence evidence) {
    return given == null && evidence.equals(Evidence.NONE) ? "standard" : evidence.toString();
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
