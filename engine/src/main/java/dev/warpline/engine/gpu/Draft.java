package dev.warpline.engine.gpu;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A description that is put together value by value from something other than YAML. Every value
 * knows where it comes from, so that a problem with it is reported there.
 */
public final class Draft {
  /**
   * A record of a list, field by field.
   *
   * @param fields values by name
   * @param place where they come from
   */
  public record Item(Map<String, Object> fields, String place) {}

  private final String source;
  private final Map<String, Object> root = new LinkedHashMap<>();

  /**
   * @param source what it is made from, for what is missing
   */
  public Draft(String source) {
    this.source = source;
  }

  /**
   * Sets a field.
   *
   * @param path dotted path, e.g. {@code sm.l1.sizeKiB}
   * @param value a number, text, flag or constant, a record, or a list of {@link Item}s
   * @param place where it comes from
   */
  public Draft set(String path, Object value, String place) {
    Map<String, Object> section = root;
    int from = 0;
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', from)) {
      section = section(section, path.substring(from, dot));
      from = dot + 1;
    }
    section.put(path.substring(from), tree(value, place));
    return this;
  }

  private static Yaml tree(Object value, String place) {
    if (value instanceof List<?> list) {
      return new Yaml.Sequence(
          list.stream().map(item -> tree(item, place)).toList(), place, Evidence.NONE);
    }
    return value instanceof Item item
        ? Yaml.ofValue(item.fields(), item.place())
        : Yaml.ofValue(value, place);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> section(Map<String, Object> around, String name) {
    return (Map<String, Object>) around.computeIfAbsent(name, n -> new LinkedHashMap<>());
  }

  /**
   * Checks the whole and makes the description.
   *
   * @throws DescriptionException with every problem and the place it comes from
   */
  public GpuDescription describe() throws DescriptionException {
    return Binder.bind(GpuDescription.class, mapping(root));
  }

  private Yaml.Mapping mapping(Map<String, Object> section) {
    Map<String, Yaml> values = new LinkedHashMap<>();
    Map<String, String> keys = new LinkedHashMap<>();
    section.forEach(
        (name, value) -> {
          Yaml tree = value instanceof Yaml given ? given : mapping(inner(value));
          values.put(name, tree);
          keys.put(name, tree.place());
        });
    return new Yaml.Mapping(values, keys, source, Evidence.NONE);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> inner(Object section) {
    return (Map<String, Object>) section;
  }
}
