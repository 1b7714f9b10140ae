package dev.warpline.engine.gpu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values that are another GPU's: {@code =h200} is what the preset h200 says for the same field. So
 * a number that two GPUs share stands in one of them.
 */
final class References {
  private final Map<String, Yaml.Mapping> presets = new HashMap<>();

  private References() {}

  /** The tree with every reference replaced by what it refers to; itself where it has none. */
  static Yaml.Mapping resolved(Yaml.Mapping tree) throws IOException {
    return (Yaml.Mapping) new References().resolve(tree, List.of(), List.of());
  }

  /** The value at a path, null if there is none. */
  static Yaml find(Yaml tree, List<String> path) {
    for (String name : path) {
      tree = tree instanceof Yaml.Mapping mapping ? mapping.values().get(name) : null;
    }
    return tree;
  }

  private Yaml resolve(Yaml tree, List<String> path, List<String> followed) throws IOException {
    if (tree instanceof Yaml.Scalar scalar && scalar.text().startsWith("=")) {
      return target(scalar, path, followed);
    }
    if (!(tree instanceof Yaml.Mapping mapping)) {
      return tree;
    }
    Map<String, Yaml> values = new LinkedHashMap<>();
    boolean same = true;
    for (Map.Entry<String, Yaml> entry : mapping.values().entrySet()) {
      List<String> inner = new ArrayList<>(path);
      inner.add(entry.getKey());
      Yaml value = resolve(entry.getValue(), inner, followed);
      same &= value == entry.getValue();
      values.put(entry.getKey(), value);
    }
    return same
        ? mapping
        : new Yaml.Mapping(values, mapping.keys(), mapping.place(), mapping.evidence());
  }

  /**
   * What a reference refers to.
   *
   * @param followed presets that led here
   */
  private Yaml target(Yaml.Scalar reference, List<String> path, List<String> followed)
      throws IOException {
    String name = reference.text().substring(1).strip();
    boolean known = Gpus.names().contains(name) && !followed.contains(name);
    if (known && !presets.containsKey(name)) {
      presets.put(name, Gpus.inherited(name));
    }
    Yaml found = known ? find(presets.get(name), path) : null;
    if (found == null || found instanceof Yaml.Mapping) {
      throw new DescriptionException(
          reference.place()
              + ": "
              + String.join(".", path)
              + ": found \""
              + reference.text()
              + "\", expected a value, or = and a preset that has one for this field");
    }
    List<String> further = new ArrayList<>(followed);
    further.add(name);
    Yaml value = resolve(found, path, further);
    Evidence evidence = reference.evidence().referringTo(name, value.evidence());
    return value instanceof Yaml.Sequence list
        ? new Yaml.Sequence(list.items(), reference.place(), evidence)
        : new Yaml.Scalar(((Yaml.Scalar) value).text(), reference.place(), evidence);
  }
}
