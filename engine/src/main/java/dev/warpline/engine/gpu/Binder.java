package dev.warpline.engine.gpu;

import dev.warpline.policy.Chosen;
import dev.warpline.policy.Policies;
import dev.warpline.policy.Policy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Turns a YAML tree into records: field by field, by name. Understands int, long, double, boolean,
 * String, enums, records, and lists and maps of these. Collects every problem before it gives up.
 */
public final class Binder {
  /** Digits in groups or hexadecimal; no leading zeros, which some would read as octal. */
  private static final Pattern WHOLE =
      Pattern.compile("[-+]?(0|[1-9][0-9]*(_[0-9]+)*|0[xX][0-9a-fA-F]+)");

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]+(_[0-9]+)*(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?");

  private final List<String> problems = new ArrayList<>();

  /** Those that were looked for: many fields choose one kind. */
  private final Map<Class<?>, Policies<?>> policies;

  /** Sections of a tree that was bound before, and what became of them. */
  private final Map<Yaml, Object> known;

  /** Sections that were bound here without a problem. */
  private final Map<Yaml, Object> bound = new IdentityHashMap<>();

  Binder() {
    this(new ConcurrentHashMap<>(), Map.of());
  }

  private Binder(Map<Class<?>, Policies<?>> policies, Map<Yaml, Object> known) {
    this.policies = policies;
    this.known = known;
  }

  /**
   * Reads a whole YAML document into a record: for GPU descriptions and any other file of named
   * values.
   *
   * @param file name of the document, for messages
   */
  public static <T extends Record> T read(Class<T> type, String text, String file)
      throws DescriptionException {
    return bind(type, Yaml.parse(text, file));
  }

  /** Binds a whole document. */
  static <T extends Record> T bind(Class<T> type, Yaml tree) throws DescriptionException {
    return new Binder().whole(type, tree);
  }

  private <T extends Record> T whole(Class<T> type, Yaml tree) throws DescriptionException {
    Object whole = value(type, null, "", tree);
    if (!problems.isEmpty()) {
      throw new DescriptionException(problems);
    }
    return type.cast(whole);
  }

  /** Binds a document that others are made from; empty if it cannot stand alone. */
  <T extends Record> Optional<T> remember(Class<T> type, Yaml tree) {
    Object whole = value(type, null, "", tree);
    return problems.isEmpty() ? Optional.of(type.cast(whole)) : Optional.empty();
  }

  /** Binds a document; sections that it shares with the remembered one are not bound again. */
  <T extends Record> T again(Class<T> type, Yaml tree) throws DescriptionException {
    return new Binder(policies, bound).whole(type, tree);
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private Object value(Type type, Field field, String path, Yaml tree) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      return list(generic.getActualTypeArguments()[0], field, path, tree);
    }
    if (type instanceof ParameterizedType generic && generic.getRawType() == Chosen.class) {
      return chosen((Class<?>) generic.getActualTypeArguments()[0], path, tree);
    }
    if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
      return map(generic.getActualTypeArguments()[1], field, path, tree);
    }
    Class<?> raw = (Class<?>) type;
    if (raw.isRecord()) {
      return tree instanceof Yaml.Mapping mapping
          ? section(raw, path, mapping)
          : problem(tree, path, "a section with fields");
    }
    if (!(tree instanceof Yaml.Scalar scalar)) {
      return problem(tree, path, expectation(raw, field));
    }
    Object value = scalar(raw, scalar.text());
    if (value == null
        || value instanceof Number number && !Bounds.of(raw, field).allows(number.doubleValue())) {
      return problem(tree, path, expectation(raw, field));
    }
    return value;
  }

  private Object chosen(Class<?> kind, String path, Yaml tree) {
    if (!(tree instanceof Yaml.Scalar scalar)) {
      return problem(tree, path, "a text");
    }
    try {
      return policies
          .computeIfAbsent(kind, k -> Policies.of(k.asSubclass(Policy.class)))
          .maker(scalar.text());
    } catch (IllegalArgumentException e) {
      problems.add(tree.place() + ": " + path + ": " + e.getMessage());
      return null;
    }
  }

  private Object section(Class<?> type, String path, Yaml.Mapping tree) {
    Object before = known.get(tree);
    if (type.isInstance(before)) {
      return before;
    }
    int problemsBefore = problems.size();
    Object section = record(type, path, tree);
    if (problems.size() == problemsBefore) {
      bound.put(tree, section);
    }
    return section;
  }

  private Object record(Class<?> type, String path, Yaml.Mapping tree) {
    RecordShape shape = RecordShape.of(type);
    for (String key : tree.values().keySet()) {
      if (shape.names().contains(key)) {
        continue;
      }
      RecordShape.Part renamed = renamed(shape, key);
      if (renamed != null) {
        problems.add(
            tree.keys().get(key)
                + ": unknown field "
                + join(path, key)
                + "; expected "
                + join(path, renamed.name())
                + ", which stands for it now: "
                + expectation(renamed.type(), renamed.field()));
      } else {
        problems.add(
            tree.keys().get(key)
                + ": unknown field "
                + join(path, key)
                + Nearest.hint(key, shape.names())
                + "; expected one of "
                + String.join(", ", shape.names()));
      }
    }
    Object[] values = new Object[shape.parts().size()];
    boolean complete = true;
    for (int i = 0; i < values.length; i++) {
      RecordShape.Part part = shape.parts().get(i);
      Yaml given = tree.values().get(part.name());
      if (given != null && part.optional() && isNone(given)) {
        continue;
      }
      if (given != null || part.standard() != null) {
        Yaml said = given == null ? part.standard() : given;
        values[i] = value(part.generic(), part.field(), join(path, part.name()), said);
      } else if (!part.optional()) {
        problems.add(
            tree.place()
                + ": missing field "
                + join(path, part.name())
                + ", expected "
                + expectation(part.type(), part.field())
                + (part.field() == null ? "" : ": " + part.field().value()));
      }
      complete &= values[i] != null || part.optional();
    }
    return complete ? construct(shape, values, path, tree) : null;
  }

  /** The field that stands for one of the past, or null. */
  private static RecordShape.Part renamed(RecordShape shape, String key) {
    for (RecordShape.Part part : shape.parts()) {
      if (part.field() != null && part.field().was().equals(key)) {
        return part;
      }
    }
    return null;
  }

  /** Whether a file says that what it inherits, and what may be absent, is. */
  private static boolean isNone(Yaml given) {
    return given instanceof Yaml.Scalar scalar && scalar.text().equals("none");
  }

  private Object construct(RecordShape shape, Object[] values, String path, Yaml tree) {
    try {
      return shape.maker().newInstance(values);
    } catch (InvocationTargetException e) {
      // A record's own check of how its fields fit together.
      String message = e.getCause().getMessage();
      problems.add(
          places(message, (Yaml.Mapping) tree)
              + ": "
              + (path.isEmpty() ? "description" : path)
              + ": "
              + message);
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(shape.maker() + " cannot be called", e);
    }
  }

  /**
   * Where the fields that a message names were set, and if none of them by hand, which settings
   * changed the section: one of these must be the reason. Where the section stands if there is
   * none.
   */
  private static String places(String message, Yaml.Mapping section) {
    Set<String> places = new LinkedHashSet<>();
    addPlaces(message, section, "", places);
    if (places.stream().noneMatch(place -> place.startsWith(Gpus.SETTING))) {
      addSettings(section, places);
    }
    return places.isEmpty() ? section.place() : String.join(", ", places);
  }

  private static void addSettings(Yaml tree, Set<String> places) {
    if (tree instanceof Yaml.Mapping section) {
      section.values().values().forEach(value -> addSettings(value, places));
    } else if (tree.place().startsWith(Gpus.SETTING)) {
      places.add(tree.place());
    }
  }

  private static void addPlaces(String message, Yaml tree, String path, Set<String> places) {
    if (tree instanceof Yaml.Mapping section) {
      section
          .values()
          .forEach((name, value) -> addPlaces(message, value, join(path, name), places));
      return;
    }
    if (tree instanceof Yaml.Sequence list) {
      for (int i = 0; i < list.items().size(); i++) {
        addPlaces(message, list.items().get(i), path + "[" + i + "]", places);
      }
    }
    String whole = "(?<![\\w.\\]])" + Pattern.quote(path) + "(?!\\w|\\.\\w|\\[)";
    if (Pattern.compile(whole).matcher(message).find()) {
      places.add(tree.place());
    }
  }

  private Object list(Type element, Field field, String path, Yaml tree) {
    if (!(tree instanceof Yaml.Sequence sequence)) {
      return problem(tree, path, "a list, e.g. [1, 2]");
    }
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < sequence.items().size(); i++) {
      items.add(value(element, field, path + "[" + i + "]", sequence.items().get(i)));
    }
    return items.contains(null) ? null : List.copyOf(items);
  }

  private Object map(Type element, Field field, String path, Yaml tree) {
    if (!(tree instanceof Yaml.Mapping mapping)) {
      return problem(tree, path, "names and values");
    }
    Map<String, Object> items = new LinkedHashMap<>();
    mapping
        .values()
        .forEach((key, value) -> items.put(key, value(element, field, join(path, key), value)));
    return items.containsValue(null) ? null : java.util.Collections.unmodifiableMap(items);
  }

  private static Object scalar(Class<?> type, String text) {
    try {
      if (type == int.class || type == Integer.class) {
        return WHOLE.matcher(text).matches() ? Integer.decode(text.replace("_", "")) : null;
      }
      if (type == long.class || type == Long.class) {
        return WHOLE.matcher(text).matches() ? Long.decode(text.replace("_", "")) : null;
      }
      if (type == double.class || type == Double.class) {
        return NUMBER.matcher(text).matches() ? Double.valueOf(text.replace("_", "")) : null;
      }
    } catch (NumberFormatException e) {
      // Too large for its type.
      return null;
    }
    if (type == boolean.class || type == Boolean.class) {
      return switch (text) {
        case "true", "yes", "on" -> true;
        case "false", "no", "off" -> false;
        default -> null;
      };
    }
    if (type == String.class) {
      return text;
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .filter(constant -> word(constant).equalsIgnoreCase(text))
          .findFirst()
          .orElse(null);
    }
    throw new IllegalStateException("no rule to read a " + type);
  }

  /** How an enum constant is written in a file: {@code WRITE_BACK} as {@code write-back}. */
  static String word(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String expectation(Class<?> type, Field field) {
    Bounds bounds = Bounds.of(type, field);
    if (bounds != null) {
      return bounds.expectation(field.unit());
    }
    if (type == boolean.class) {
      return "true or false";
    }
    if (type.isEnum()) {
      return "one of "
          + String.join(", ", Arrays.stream(type.getEnumConstants()).map(Binder::word).toList());
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    return type == String.class ? "a text" : "a section with fields";
  }

  private Object problem(Yaml tree, String path, String expected) {
    String found =
        tree instanceof Yaml.Scalar scalar
            ? "\"" + scalar.text() + "\""
            : tree instanceof Yaml.Sequence ? "a list" : "a section";
    problems.add(tree.place() + ": " + path + ": found " + found + ", expected " + expected);
    return null;
  }
}
