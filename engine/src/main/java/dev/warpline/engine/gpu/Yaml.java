package dev.warpline.engine.gpu;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.comments.CommentLine;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A YAML document as a tree that remembers where each value stands and what the comment beside it
 * says of its source. A value without a comment has that of the section or list around it.
 */
public sealed interface Yaml {
  /** File, line and column as {@code file:line:column}. */
  String place();

  /** Where the value comes from; for a section, what holds for values that it does not state. */
  Evidence evidence();

  /** The same tree, with another reason where it was taken from another description. */
  default Yaml claimed(Evidence claim) {
    Evidence now = evidence();
    boolean keep = claim.equals(Evidence.NONE) || now.gpu() == null;
    return keep ? this : lent().borrowed(now.gpu(), claim);
  }

  /** The same tree as the description has it that it was taken from. */
  private Yaml lent() {
    return mapped(Evidence::original);
  }

  /** The same tree in a description that took it over. */
  default Yaml borrowed(String lender, Evidence claim) {
    return mapped(evidence -> claim.borrowing(lender, evidence));
  }

  /** The same tree with other evidence. */
  private Yaml mapped(UnaryOperator<Evidence> change) {
    Evidence changed = change.apply(evidence());
    if (this instanceof Scalar scalar) {
      return new Scalar(scalar.text, scalar.place, changed);
    }
    if (this instanceof Sequence sequence) {
      return new Sequence(
          sequence.items.stream().map(item -> item.mapped(change)).toList(),
          sequence.place,
          changed);
    }
    Mapping mapping = (Mapping) this;
    Map<String, Yaml> values = new LinkedHashMap<>();
    mapping.values.forEach((key, value) -> values.put(key, value.mapped(change)));
    return new Mapping(values, mapping.keys, mapping.place, changed);
  }

  /** A number, word or text. */
  record Scalar(String text, String place, Evidence evidence) implements Yaml {}

  /** A list. */
  record Sequence(List<Yaml> items, String place, Evidence evidence) implements Yaml {}

  /** Named values in file order; {@code keys} says where each name stands. */
  record Mapping(
      Map<String, Yaml> values, Map<String, String> keys, String place, Evidence evidence)
      implements Yaml {
    /**
     * This mapping with everything that {@code over} says put over it. A source beside {@code over}
     * holds for what stays of this one, too.
     */
    Mapping overlaid(Mapping over) {
      Map<String, Yaml> merged = new LinkedHashMap<>();
      values.forEach((key, value) -> merged.put(key, value.claimed(over.evidence)));
      Map<String, String> mergedKeys = new LinkedHashMap<>(keys);
      mergedKeys.putAll(over.keys);
      over.values.forEach(
          (key, value) -> {
            Yaml old = merged.get(key);
            merged.put(
                key,
                old instanceof Mapping below && value instanceof Mapping above
                    ? below.overlaid(above)
                    : value);
          });
      Evidence said = over.evidence.equals(Evidence.NONE) ? evidence : over.evidence;
      return new Mapping(merged, mergedKeys, place, said);
    }

    Mapping without(String key) {
      Map<String, Yaml> rest = new LinkedHashMap<>(values);
      rest.remove(key);
      return new Mapping(rest, keys, place, evidence);
    }
  }

  /** Reads a document; {@code file} is its name, for messages. */
  static Yaml parse(String text, String file) throws DescriptionException {
    // Most standard values and settings, without the start of a whole parser.
    if (isWord(text)) {
      return new Scalar(text, file + ":1:1", Evidence.NONE);
    }
    if (text.equals("[]")) {
      return new Sequence(List.of(), file + ":1:1", Evidence.NONE);
    }
    if (text.equals("{}")) {
      return new Mapping(Map.of(), Map.of(), file + ":1:1", Evidence.NONE);
    }
    return parse(text, file, false);
  }

  /** Whether a text is a scalar whatever else YAML knows. */
  static boolean isWord(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!letter && (i == 0 || "_.+-".indexOf(c) < 0)) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /**
   * Reads a document.
   *
   * @param file its name, for messages
   * @param strict whether every comment beside a value must be a source
   */
  static Yaml parse(String text, String file, boolean strict) throws DescriptionException {
    LoaderOptions options = new LoaderOptions();
    options.setProcessComments(true);
    // Aliases of whole sections can make a small file a huge or an endless tree.
    options.setMaxAliasesForCollections(0);
    try {
      Node root = new org.yaml.snakeyaml.Yaml(options).compose(new StringReader(text));
      if (root == null) {
        throw new DescriptionException(file + ": found an empty file, expected a description");
      }
      return convert(root, file, strict, Evidence.NONE);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      int column = e.getProblemMark() == null ? 1 : e.getProblemMark().getColumn() + 1;
      throw new DescriptionException(
          file + ":" + line + ":" + column + ": not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw new DescriptionException(file + ": not YAML that is read here: " + e.getMessage());
    }
  }

  /** A record as the tree that would be read into it. */
  static Mapping of(Record record, String source) {
    Map<String, Yaml> values = new LinkedHashMap<>();
    Map<String, String> keys = new LinkedHashMap<>();
    for (RecordShape.Part part : RecordShape.of(record.getClass()).parts()) {
      Object value = part.of(record);
      if (value != null) {
        values.put(part.name(), ofValue(value, source));
        keys.put(part.name(), source);
      }
    }
    return new Mapping(values, keys, source, Evidence.NONE);
  }

  /** A value as the tree that would be read into it. */
  static Yaml ofValue(Object value, String source) {
    if (value instanceof Record record) {
      return of(record, source);
    }
    if (value instanceof List<?> list) {
      return new Sequence(
          list.stream().map(item -> ofValue(item, source)).toList(), source, Evidence.NONE);
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Yaml> values = new LinkedHashMap<>();
      Map<String, String> keys = new LinkedHashMap<>();
      map.forEach(
          (key, item) -> {
            values.put(key.toString(), ofValue(item, source));
            keys.put(key.toString(), source);
          });
      return new Mapping(values, keys, source, Evidence.NONE);
    }
    String text = value instanceof Enum<?> ? Binder.word(value) : value.toString();
    return new Scalar(text, source, Evidence.NONE);
  }

  /** A document that reads as the tree, on one line. */
  static String text(Yaml tree) {
    if (tree instanceof Mapping mapping) {
      return mapping.values.entrySet().stream()
          .map(entry -> quoted(entry.getKey()) + ": " + text(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (tree instanceof Sequence sequence) {
      return sequence.items.stream().map(Yaml::text).collect(Collectors.joining(", ", "[", "]"));
    }
    return quoted(((Scalar) tree).text);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static Yaml convert(Node node, String file, boolean strict, Evidence outer)
      throws DescriptionException {
    String place = place(node, file);
    Evidence evidence = evidence(node, file, strict, outer);
    if (node instanceof ScalarNode scalar) {
      return new Scalar(scalar.getValue(), place, evidence);
    }
    if (node instanceof SequenceNode sequence) {
      List<Yaml> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        items.add(convert(item, file, strict, evidence));
      }
      return new Sequence(Collections.unmodifiableList(items), place, evidence);
    }
    if (node instanceof MappingNode mapping) {
      Map<String, Yaml> values = new LinkedHashMap<>();
      Map<String, String> keys = new LinkedHashMap<>();
      for (NodeTuple tuple : mapping.getValue()) {
        String keyPlace = place(tuple.getKeyNode(), file);
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
          throw new DescriptionException(keyPlace + ": found a structure, expected a name");
        }
        Yaml value =
            convert(tuple.getValueNode(), file, strict, evidence(key, file, strict, evidence));
        if (values.put(key.getValue(), value) != null) {
          throw new DescriptionException(
              keyPlace + ": found " + key.getValue() + " a second time, expected it once");
        }
        keys.put(key.getValue(), keyPlace);
      }
      return new Mapping(values, keys, place, evidence);
    }
    throw new DescriptionException(place + ": found an alias, expected plain values");
  }

  private static String place(Node node, String file) {
    return file
        + ":"
        + (node.getStartMark().getLine() + 1)
        + ":"
        + (node.getStartMark().getColumn() + 1);
  }

  private static Evidence evidence(Node node, String file, boolean strict, Evidence otherwise)
      throws DescriptionException {
    StringBuilder text = new StringBuilder();
    if (node.getInLineComments() != null) {
      for (CommentLine line : node.getInLineComments()) {
        text.append(text.isEmpty() ? "" : " ").append(line.getValue().strip());
      }
    }
    if (text.isEmpty()) {
      return otherwise;
    }
    return strict
        ? Evidence.strict(text.toString(), place(node, file))
        : Evidence.of(text.toString());
  }
}
