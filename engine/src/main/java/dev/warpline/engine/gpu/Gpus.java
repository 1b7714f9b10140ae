package dev.warpline.engine.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds GPU descriptions: presets by name, others by file. */
public final class Gpus {
  private static final Pattern NEXT_SETTING = Pattern.compile(",(?=\\s*[A-Za-z][\\w.]*\\s*=)");

  private static final Pattern RELATIVE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)x");

  /** How the place of a value begins that was set by hand. */
  static final String SETTING = "--set ";

  /** Sections that say all of a part of NVIDIA's or nothing. */
  private static final Set<String> NVIDIA_SECTIONS =
      Set.of("sm", "classic", "modern", "detailedMemory", "flowMemory");

  private Gpus() {}

  /** Names of the presets. */
  public static List<String> names() {
    return List.of(resource("presets/index.txt").strip().split("\\s+"));
  }

  /**
   * Loads a description.
   *
   * @param nameOrFile a preset's name, or a YAML file
   * @param overrides settings of the form {@code sm.l1.sizeKiB=128}; {@code 2x} multiplies
   */
  public static GpuDescription load(String nameOrFile, List<String> overrides) throws IOException {
    return Binder.bind(GpuDescription.class, tree(nameOrFile, overrides));
  }

  /**
   * Loads a description that somebody else wrote: what it inherits from are presets and files of
   * one folder, nothing else.
   */
  public static GpuDescription loadWithin(Path folder, String name, List<String> overrides)
      throws IOException {
    Yaml.Mapping tree =
        overridden(
            inherited(folder.resolve(name).toString(), new ArrayList<>(), folder), overrides);
    checkFiles(tree, "");
    return Binder.bind(GpuDescription.class, tree);
  }

  /**
   * Takes several settings apart: {@code FIELD=VALUE,FIELD=VALUE}. A comma that no field follows
   * belongs to a value.
   */
  public static List<String> settings(String together) {
    return NEXT_SETTING.splitAsStream(together).map(String::strip).toList();
  }

  /** Refuses overrides that somebody else wrote and that name a file to read. */
  public static void checkFiles(List<String> overrides) throws DescriptionException {
    for (String override : overrides) {
      int equals = override.indexOf('=');
      String value = override.substring(equals + 1).strip();
      String path = override.substring(0, Math.max(0, equals)).strip();
      checkFiles(Yaml.parse(value.isEmpty() ? "''" : value, SETTING + override), path);
    }
  }

  private static void checkFiles(Yaml tree, String path) throws DescriptionException {
    if (tree instanceof Yaml.Mapping mapping) {
      for (Map.Entry<String, Yaml> entry : mapping.values().entrySet()) {
        String name = entry.getKey();
        checkFiles(entry.getValue(), path.isEmpty() ? name : path + "." + name);
      }
    } else if (tree instanceof Yaml.Scalar scalar
        && path.endsWith("dram.standard")
        && scalar.text().endsWith(".yaml")) {
      throw new DescriptionException(
          tree.place()
              + ": "
              + path
              + ": found a file, expected one of "
              + String.join(", ", DramStandard.names()));
    }
  }

  /** Loads a description as it stands. */
  public static GpuDescription load(String nameOrFile) throws IOException {
    return load(nameOrFile, List.of());
  }

  /**
   * Checks a description that was made otherwise than from YAML, and changes it.
   *
   * @param source where it came from, for messages
   * @param overrides as for {@link #load(String, List)}
   */
  public static GpuDescription changed(GpuDescription gpu, String source, List<String> overrides)
      throws IOException {
    return Binder.bind(GpuDescription.class, overridden(Yaml.of(gpu, source), overrides));
  }

  /** {@link #explain(String, List)} for a description that was made otherwise than from YAML. */
  public static List<ExplainedField> explain(
      GpuDescription gpu, String source, List<String> overrides) throws IOException {
    Yaml.Mapping tree = overridden(Yaml.of(gpu, source), overrides);
    return ExplainedField.of(Binder.bind(GpuDescription.class, tree), tree);
  }

  /** Everything that a description says, field by field, with what it means and where from. */
  public static List<ExplainedField> explain(String nameOrFile, List<String> overrides)
      throws IOException {
    Yaml.Mapping tree = tree(nameOrFile, overrides);
    return ExplainedField.of(Binder.bind(GpuDescription.class, tree), tree);
  }

  /**
   * A description as the text of a file that says the same on any machine: what it inherits and
   * what was set is in it, where its numbers come from is not.
   */
  public static String text(GpuDescription gpu) {
    return Yaml.text(Yaml.of(gpu, gpu.name()));
  }

  /** The description of such a text. */
  public static GpuDescription ofText(String text) throws DescriptionException {
    return Binder.bind(GpuDescription.class, Yaml.parse(text, "description"));
  }

  /** Reads a preset or a file, to make many GPUs from it. */
  public static BaseGpu base(String nameOrFile) throws IOException {
    return new BaseGpu(inherited(nameOrFile));
  }

  /** The same for a description that was made otherwise than from YAML. */
  public static BaseGpu base(GpuDescription gpu, String source) {
    return new BaseGpu(Yaml.of(gpu, source));
  }

  /**
   * Every field that a description may have. The value is the standard one, empty where the field
   * must be given; {@code optional} sections and fields say so in their source.
   */
  public static List<ExplainedField> fields() {
    return ExplainedField.ofType(GpuDescription.class);
  }

  /** What every number of a description may be, by dotted path as in {@link #fields}. */
  public static Map<String, Bounds> bounds() {
    return Bounds.ofType(GpuDescription.class);
  }

  /**
   * Fields that a user changed: what a file of one's own says otherwise than the preset it inherits
   * from, and every override. A file that inherits from no preset changes none.
   */
  public static List<FieldUse.Change> changes(String nameOrFile, List<String> overrides)
      throws IOException {
    List<FieldUse.Change> changes = new ArrayList<>();
    Yaml.Mapping whole = inherited(nameOrFile, new ArrayList<>(), null);
    String preset = nameOrFile;
    while (preset != null && !names().contains(preset)) {
      preset = parent(preset);
    }
    if (preset != null) {
      collect(whole, inherited(preset, new ArrayList<>(), null), "", changes);
    }
    changes.addAll(changes(overrides));
    return changes;
  }

  /** Fields that overrides change. */
  public static List<FieldUse.Change> changes(List<String> overrides) throws DescriptionException {
    List<FieldUse.Change> changes = new ArrayList<>();
    for (String override : overrides) {
      int equals = override.indexOf('=');
      String path = override.substring(0, Math.max(0, equals)).strip();
      String value = override.substring(equals + 1).strip();
      String place = SETTING + override;
      Yaml tree = Yaml.parse(value.isEmpty() ? "''" : value, place);
      if (tree instanceof Yaml.Mapping mapping) {
        collect(relocated(mapping, place), null, path, changes);
      } else {
        changes.add(new FieldUse.Change(path, place));
      }
    }
    return changes;
  }

  /** Leaves of a tree that another one lacks or has otherwise. */
  private static void collect(Yaml tree, Yaml other, String path, List<FieldUse.Change> into) {
    if (tree instanceof Yaml.Mapping mapping) {
      mapping
          .values()
          .forEach(
              (key, value) ->
                  collect(
                      value,
                      other instanceof Yaml.Mapping before ? before.values().get(key) : null,
                      path.isEmpty() ? key : path + "." + key,
                      into));
    } else if (other == null || !text(tree).equals(text(other))) {
      into.add(new FieldUse.Change(path, tree.place()));
    }
  }

  private static String text(Yaml tree) {
    if (tree instanceof Yaml.Sequence sequence) {
      return sequence.items().stream().map(Gpus::text).toList().toString();
    }
    if (tree instanceof Yaml.Mapping mapping) {
      Map<String, String> texts = new LinkedHashMap<>();
      mapping.values().forEach((key, value) -> texts.put(key, text(value)));
      return texts.toString();
    }
    return ((Yaml.Scalar) tree).text();
  }

  /** What a file inherits from, null if from nothing. */
  private static String parent(String file) throws IOException {
    return Yaml.parse(read(file), file) instanceof Yaml.Mapping tree
            && tree.values().get("inherits") instanceof Yaml.Scalar name
        ? heir(file, name, null)
        : null;
  }

  static Yaml.Mapping tree(String nameOrFile, List<String> overrides) throws IOException {
    return overridden(inherited(nameOrFile, new ArrayList<>(), null), overrides);
  }

  static Yaml.Mapping overridden(Yaml.Mapping tree, List<String> overrides) throws IOException {
    for (String override : overrides) {
      tree = overridden(tree, override);
    }
    return References.resolved(tree);
  }

  /** A preset or file with what it inherits; values that refer to others still do. */
  static Yaml.Mapping inherited(String nameOrFile) throws IOException {
    return inherited(nameOrFile, new ArrayList<>(), null);
  }

  /**
   * A description over those it inherits from.
   *
   * @param within the folder whose files may be read, null for any
   */
  private static Yaml.Mapping inherited(String nameOrFile, List<String> heirs, Path within)
      throws IOException {
    if (heirs.contains(nameOrFile)) {
      throw new DescriptionException(
          nameOrFile + " inherits from itself: " + String.join(" <- ", heirs));
    }
    heirs.add(nameOrFile);
    boolean preset = names().contains(nameOrFile);
    String file = preset ? nameOrFile + ".yaml" : nameOrFile;
    String text = preset ? resource("presets/" + file) : read(nameOrFile);
    if (!(Yaml.parse(text, file, preset) instanceof Yaml.Mapping tree)) {
      throw new DescriptionException(file + ":1:1: found no fields, expected name: value lines");
    }
    Yaml parent = tree.values().get("inherits");
    if (parent == null) {
      return tree;
    }
    if (!(parent instanceof Yaml.Scalar name)) {
      throw new DescriptionException(parent.place() + ": inherits: expected a preset or a file");
    }
    String below = heir(nameOrFile, name, within);
    Yaml.Mapping lent =
        (Yaml.Mapping)
            withoutValidation(inherited(below, heirs, within)).borrowed(below, name.evidence());
    return lent.overlaid(tree.without("inherits"));
  }

  /** What was found out about one GPU says nothing of another that builds on it. */
  private static Yaml.Mapping withoutValidation(Yaml.Mapping tree) {
    if (!(tree.values().get("cores") instanceof Yaml.Mapping cores)) {
      return tree;
    }
    Map<String, Yaml> values = new LinkedHashMap<>(tree.values());
    Map<String, Yaml> statements = new LinkedHashMap<>(cores.values());
    statements.replaceAll(
        (core, said) ->
            said instanceof Yaml.Mapping statement ? statement.without("validation") : said);
    values.put(
        "cores", new Yaml.Mapping(statements, cores.keys(), cores.place(), cores.evidence()));
    return new Yaml.Mapping(values, tree.keys(), tree.place(), tree.evidence());
  }

  /** What a file inherits from: a preset or, where {@code within} allows it, a file. */
  private static String heir(String file, Yaml.Scalar name, Path within) throws IOException {
    if (names().contains(name.text())) {
      return name.text();
    }
    Path beside;
    try {
      beside = Path.of(file).resolveSibling(name.text());
    } catch (InvalidPathException e) {
      throw new DescriptionException(
          name.place() + ": inherits: found \"" + name.text() + "\", expected a preset or a file");
    }
    if (within != null && !lies(beside, within)) {
      throw new DescriptionException(
          name.place()
              + ": inherits: found \""
              + name.text()
              + "\", expected a preset or a description beside this one");
    }
    return beside.toString();
  }

  private static boolean lies(Path file, Path folder) {
    try {
      return file.toRealPath().startsWith(folder.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  private static String read(String file) throws IOException {
    try {
      return Files.readString(Path.of(file));
    } catch (NoSuchFileException e) {
      throw new DescriptionException(
          "no GPU \""
              + file
              + "\""
              + Nearest.hint(file, names())
              + "; expected a YAML file or one of "
              + String.join(", ", names()));
    } catch (java.nio.charset.CharacterCodingException e) {
      throw new DescriptionException(file + ": found bytes that are no UTF-8 text");
    }
  }

  private static Yaml.Mapping overridden(Yaml.Mapping tree, String override) throws IOException {
    int equals = override.indexOf('=');
    String place = SETTING + override;
    if (equals <= 0) {
      throw new DescriptionException(
          place + ": expected FIELD=VALUE, e.g. sm.l1.sizeKiB=128 or clocks.coreMHz=1.5x");
    }
    List<String> path = List.of(override.substring(0, equals).strip().split("\\."));
    checkMaker(tree, path, place);
    String value = override.substring(equals + 1).strip();
    Yaml replacement;
    Matcher relative = RELATIVE.matcher(value);
    if (relative.matches()) {
      Yaml old = References.find(References.resolved(tree), path);
      if (old == null) {
        old = standard(String.join(".", path), place);
      }
      if (old == null) {
        throw new DescriptionException(
            place
                + ": the GPU has no "
                + String.join(".", path)
                + " to multiply"
                + Nearest.hint(
                    String.join(".", path), fields().stream().map(ExplainedField::path).toList()));
      }
      replacement = scaled(old, Double.parseDouble(relative.group(1)), place);
    } else {
      replacement =
          Yaml.isWord(value)
              ? new Yaml.Scalar(value, place, set(""))
              : relocated(Yaml.parse(value.isEmpty() ? "''" : value, place), place);
    }
    for (int i = path.size() - 1; i >= 0; i--) {
      Map<String, Yaml> values = new LinkedHashMap<>(Map.of(path.get(i), replacement));
      replacement = new Yaml.Mapping(values, Map.of(path.get(i), place), place, Evidence.NONE);
    }
    return tree.overlaid((Yaml.Mapping) replacement);
  }

  /** Refuses a field of NVIDIA's sections where the GPU is AMD's, and names AMD's. */
  private static void checkMaker(Yaml.Mapping tree, List<String> path, String place)
      throws DescriptionException {
    Map<String, Yaml> sections = tree.values();
    String section = path.get(0);
    if (path.size() > 1
        && NVIDIA_SECTIONS.contains(section)
        && !sections.containsKey(section)
        && sections.containsKey("amd")) {
      String instead = FieldUse.of("gcn").unread(String.join(".", path)).instead();
      throw new DescriptionException(
          place + ": an AMD GPU has no " + section + "; nearest that it has: " + instead);
    }
  }

  /** The value of a field that no file states, null where there is none. */
  private static Yaml standard(String path, String place) {
    return fields().stream()
        .filter(field -> field.path().equals(path) && !field.value().isEmpty())
        .findFirst()
        .map(field -> new Yaml.Scalar(field.value(), place, Evidence.NONE))
        .orElse(null);
  }

  private static Yaml scaled(Yaml old, double factor, String place) throws DescriptionException {
    if (!(old instanceof Yaml.Scalar scalar)) {
      throw new DescriptionException(place + ": the field has no number to multiply");
    }
    try {
      double product = Double.parseDouble(scalar.text().replace("_", "")) * factor;
      String text =
          product == Math.rint(product) && Math.abs(product) < 1e15
              ? Long.toString((long) product)
              : Double.toString(product);
      return new Yaml.Scalar(text, place, set(scalar.text() + " times " + factor));
    } catch (NumberFormatException e) {
      throw new DescriptionException(
          place + ": the field is \"" + scalar.text() + "\", no number to multiply");
    }
  }

  /** The same tree, saying that it was set by hand instead of a line of a file. */
  private static Yaml relocated(Yaml tree, String place) {
    if (tree instanceof Yaml.Scalar scalar) {
      return new Yaml.Scalar(scalar.text(), place, set(""));
    }
    if (tree instanceof Yaml.Sequence sequence) {
      return new Yaml.Sequence(
          sequence.items().stream().map(item -> relocated(item, place)).toList(), place, set(""));
    }
    Yaml.Mapping mapping = (Yaml.Mapping) tree;
    Map<String, Yaml> values = new LinkedHashMap<>();
    Map<String, String> keys = new LinkedHashMap<>();
    mapping
        .values()
        .forEach(
            (key, value) -> {
              values.put(key, relocated(value, place));
              keys.put(key, place);
            });
    return new Yaml.Mapping(values, keys, place, set(""));
  }

  private static Evidence set(String how) {
    return new Evidence(Evidence.Kind.SET, how, null, null);
  }

  private static String resource(String name) {
    try (InputStream stream = Gpus.class.getResourceAsStream(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
