package dev.warpline.engine.gpu;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.comments.CommentLine;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A YAML document as a tree that remembers where each value stands and what the comment beside it
 * says. A value without a comment has that of the section or list around it.
 */
sealed interface Yaml {
  /** File, line and column as {@code file:line:column}. */
  String place();

  /** A number, word or text. */
  record Scalar(String text, String place, String comment) implements Yaml {}

  /** A list. */
  record Sequence(List<Yaml> items, String place, String comment) implements Yaml {}

  /** Named values in file order; {@code keys} says where each name stands. */
  record Mapping(Map<String, Yaml> values, Map<String, String> keys, String place) implements Yaml {
    /** This mapping with everything that {@code over} says put over it. */
    Mapping overlaid(Mapping over) {
      Map<String, Yaml> merged = new LinkedHashMap<>(values);
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
      return new Mapping(merged, mergedKeys, place);
    }

    Mapping without(String key) {
      Map<String, Yaml> rest = new LinkedHashMap<>(values);
      rest.remove(key);
      return new Mapping(rest, keys, place);
    }
  }

  /** Reads a document; {@code file} is its name, for messages. */
  static Yaml parse(String text, String file) throws DescriptionException {
    LoaderOptions options = new LoaderOptions();
    options.setProcessComments(true);
    try {
      Node root = new org.yaml.snakeyaml.Yaml(options).compose(new StringReader(text));
      if (root == null) {
        throw new DescriptionException(file + ": found an empty file, expected a description");
      }
      return convert(root, file, "");
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      int column = e.getProblemMark() == null ? 1 : e.getProblemMark().getColumn() + 1;
      throw new DescriptionException(
          file + ":" + line + ":" + column + ": not YAML: " + e.getProblem());
    }
  }

  /** A record as the tree that would be read into it. */
  static Mapping of(Record record, String source) {
    Map<String, Yaml> values = new LinkedHashMap<>();
    Map<String, String> keys = new LinkedHashMap<>();
    for (java.lang.reflect.RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = ExplainedField.read(component, record);
      if (value != null) {
        values.put(component.getName(), ofValue(value, source));
        keys.put(component.getName(), source);
      }
    }
    return new Mapping(values, keys, source);
  }

  /** A value as the tree that would be read into it. */
  static Yaml ofValue(Object value, String source) {
    if (value instanceof Record record) {
      return of(record, source);
    }
    if (value instanceof List<?> list) {
      return new Sequence(list.stream().map(item -> ofValue(item, source)).toList(), source, "");
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Yaml> values = new LinkedHashMap<>();
      Map<String, String> keys = new LinkedHashMap<>();
      map.forEach(
          (key, item) -> {
            values.put(key.toString(), ofValue(item, source));
            keys.put(key.toString(), source);
          });
      return new Mapping(values, keys, source);
    }
    String text = value instanceof Enum<?> ? Binder.word(value) : value.toString();
    return new Scalar(text, source, "");
  }

  private static Yaml convert(Node node, String file, String outerComment)
      throws DescriptionException {
    String place = place(node, file);
    String comment = comment(node, outerComment);
    if (node instanceof ScalarNode scalar) {
      return new Scalar(scalar.getValue(), place, comment);
    }
    if (node instanceof SequenceNode sequence) {
      List<Yaml> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        items.add(convert(item, file, comment));
      }
      return new Sequence(Collections.unmodifiableList(items), place, comment);
    }
    if (node instanceof MappingNode mapping) {
      Map<String, Yaml> values = new LinkedHashMap<>();
      Map<String, String> keys = new LinkedHashMap<>();
      for (NodeTuple tuple : mapping.getValue()) {
        String keyPlace = place(tuple.getKeyNode(), file);
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
          throw new DescriptionException(keyPlace + ": found a structure, expected a name");
        }
        Yaml value = convert(tuple.getValueNode(), file, comment(key, comment));
        if (values.put(key.getValue(), value) != null) {
          throw new DescriptionException(
              keyPlace + ": found " + key.getValue() + " a second time, expected it once");
        }
        keys.put(key.getValue(), keyPlace);
      }
      return new Mapping(values, keys, place);
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

  private static String comment(Node node, String otherwise) {
    StringBuilder text = new StringBuilder();
    if (node.getInLineComments() != null) {
      for (CommentLine line : node.getInLineComments()) {
        text.append(text.isEmpty() ? "" : " ").append(line.getValue().strip());
      }
    }
    return text.isEmpty() ? otherwise : text.toString();
  }
}
