package dev.warpline.engine.gpu;

import dev.warpline.policy.Chosen;
import dev.warpline.policy.Policies;
import dev.warpline.policy.Policy;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
  private final Map<Class<?>, Policies<?>> policies = new HashMap<>();

  private Binder() {}

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
    Binder binder = new Binder();
    Object bound = binder.value(type, null, "", tree);
    if (!binder.problems.isEmpty()) {
      throw new DescriptionException(binder.problems);
    }
    return type.cast(bound);
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
          ? record(raw, path, mapping)
          : problem(tree, path, "a section with fields");
    }
    if (!(tree instanceof Yaml.Scalar scalar)) {
      return problem(tree, path, expectation(raw, field));
    }
    Object bound = scalar(raw, scalar.text());
    if (bound == null
        || bound instanceof Number number && !Bounds.of(raw, field).allows(number.doubleValue())) {
      return problem(tree, path, expectation(raw, field));
    }
    return bound;
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

  private Object record(Class<?> type, String path, Yaml.Mapping tree) {
    RecordComponent[] components = type.getRecordComponents();
    List<String> names = Arrays.stream(components).map(RecordComponent::getName).toList();
    for (String key : tree.values().keySet()) {
      RecordComponent renamed = renamed(components, key);
      if (renamed != null) {
        problems.add(
            tree.keys().get(key)
                + ": unknown field "
                + join(path, key)
                + "; expected "
                + join(path, renamed.getName())
                + ", which stands for it now: "
                + expectation(renamed.getType(), renamed.getAnnotation(Field.class)));
      } else if (!names.contains(key)) {
        problems.add(
            tree.keys().get(key)
                + ": unknown field "
                + join(path, key)
                + Nearest.hint(key, names)
                + "; expected one of "
                + String.join(", ", names));
      }
    }
    Object[] values = new Object[components.length];
    boolean complete = true;
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      Field field = component.getAnnotation(Field.class);
      String name = component.getName();
      Yaml given = tree.values().get(name);
      if (given != null && leftOut(component, field, given)) {
        continue;
      }
      if (given != null) {
        values[i] = value(component.getGenericType(), field, join(path, name), given);
      } else if (field != null && !field.standard().isEmpty()) {
        values[i] =
            value(component.getGenericType(), field, join(path, name), standard(field, name));
      } else if (field == null || !field.optional()) {
        problems.add(
            tree.place()
                + ": missing field "
                + join(path, name)
                + ", expected "
                + expectation(component.getType(), field)
                + (field == null ? "" : ": " + field.value()));
      }
      complete &= values[i] != null || field != null && field.optional();
    }
    return complete ? construct(type, components, values, path, tree) : null;
  }

  /** The field that stands for one of the past, or null. */
  private static RecordComponent renamed(RecordComponent[] components, String key) {
    for (RecordComponent component : components) {
      Field field = component.getAnnotation(Field.class);
      if (field != null && field.was().equals(key)) {
        return component;
      }
    }
    return null;
  }

  /** Whether a file says {@code none} for what it inherits and what may be absent. */
  static boolean leftOut(RecordComponent component, Field field, Yaml given) {
    return field != null
        && field.optional()
        && given instanceof Yaml.Scalar scalar
        && scalar.text().equals("none");
  }

  private static Yaml standard(Field field, String name) {
    try {
      return Yaml.parse(field.standard(), "standard value of " + name);
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object construct(
      Class<?> type, RecordComponent[] components, Object[] values, String path, Yaml tree) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (java.lang.reflect.InvocationTargetException e) {
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
      throw new IllegalStateException(type + " cannot be made", e);
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
