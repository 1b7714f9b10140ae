package dev.warpline.amd.launch;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Yaml;

/**
 * A place in a launch file, for messages: file, line, column and the names and numbers that lead
 * there. What the file leaves out stands where its section does.
 */
record Place(Yaml tree, String path) {
  /** The beginning of a file. */
  static Place of(String text, String file) throws DescriptionException {
    return new Place(Yaml.parse(text, file), "");
  }

  Place field(String name) {
    Yaml inside = tree instanceof Yaml.Mapping mapping ? mapping.values().get(name) : null;
    return new Place(inside == null ? tree : inside, path.isEmpty() ? name : path + "." + name);
  }

  Place item(int index) {
    Yaml inside =
        tree instanceof Yaml.Sequence sequence && index < sequence.items().size()
            ? sequence.items().get(index)
            : null;
    return new Place(inside == null ? tree : inside, path + "[" + index + "]");
  }

  LaunchException found(String found, String expected) {
    return new LaunchException(toString(), "found " + found + ", expected " + expected);
  }

  @Override
  public String toString() {
    return tree.place() + (path.isEmpty() ? "" : ": " + path);
  }
}
