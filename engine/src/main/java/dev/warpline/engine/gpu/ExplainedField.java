package dev.warpline.engine.gpu;

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
    return new Explanation(Map.of()).of(root, tree);
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
}
