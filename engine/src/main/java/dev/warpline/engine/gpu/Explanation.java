package dev.warpline.engine.gpu;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Tells of a description field by field what is known of it. */
final class Explanation {
  private final Map<Record, List<ExplainedField>> known;
  private final Map<Record, List<ExplainedField>> sections = new IdentityHashMap<>();
  private final List<ExplainedField> fields = new ArrayList<>();

  /**
   * Begins.
   *
   * @param known sections of another description that were explained before; those that this one
   *     has, too, are not explained again
   */
  Explanation(Map<Record, List<ExplainedField>> known) {
    this.known = known;
  }

  /** Explains a description. */
  List<ExplainedField> of(Record root, Yaml tree) {
    addRecord(root, "", tree, Evidence.NONE);
    return fields;
  }

  /** The sections that stand in the description's file, explained. */
  Map<Record, List<ExplainedField>> sections() {
    return sections;
  }

  private void addSection(Record section, String path, Yaml tree, Evidence outer) {
    List<ExplainedField> before = tree == null ? null : known.get(section);
    if (before != null) {
      fields.addAll(before);
      return;
    }
    int start = fields.size();
    addRecord(section, path, tree, outer);
    if (tree != null) {
      sections.put(section, List.copyOf(fields.subList(start, fields.size())));
    }
  }

  private void addRecord(Record record, String path, Yaml tree, Evidence outer) {
    Evidence around = tree == null ? outer : tree.evidence();
    for (RecordShape.Part part : RecordShape.of(record.getClass()).parts()) {
      String name = path.isEmpty() ? part.name() : path + "." + part.name();
      Yaml given = tree instanceof Yaml.Mapping mapping ? mapping.values().get(part.name()) : null;
      add(part.of(record), name, part.field(), given, around);
    }
  }

  /** Adds a field; {@code outer} is what is said of values that the file does not state. */
  private void add(Object value, String path, Field field, Yaml given, Evidence outer) {
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
      addSection(inner, path, given, outer);
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        Yaml item = given instanceof Yaml.Sequence sequence ? sequence.items().get(i) : null;
        add(list.get(i), path + "[" + i + "]", null, item, around);
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
                      around));
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
}
