package dev.warpline.study.sweep;

import dev.warpline.engine.Sampling;
import dev.warpline.engine.gpu.Bounds;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Nearest;
import dev.warpline.engine.gpu.Yaml;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A study as its file says it.
 *
 * @param name what results are kept under
 * @param file where it was read from
 * @param text the whole file
 * @param store where results go
 * @param traces programs to simulate
 * @param gpus what to simulate them on; empty for what each was compiled for
 * @param cores models of the SM; empty for the best of each GPU
 * @param kernels which launches; empty for all
 * @param maxCycles core cycles after which a point ends, 0 for no limit
 * @param sample relative error at which points are sampled, 0 to simulate everything
 * @param axes what varies; the points are all combinations
 * @param filters what must hold for a point to be simulated
 * @param design the points of a sensitivity analysis, null if it is none
 */
public record Study(
    String name,
    Path file,
    String text,
    Path store,
    List<Named> traces,
    List<Named> gpus,
    List<Named> cores,
    List<String> kernels,
    long maxCycles,
    double sample,
    List<Axis> axes,
    List<Filter> filters,
    Design design) {

  private static final List<String> KEYS =
      List.of(
          "study",
          "store",
          "traces",
          "gpus",
          "cores",
          "kernels",
          "maxCycles",
          "sample",
          "set",
          "vary",
          "together",
          "where",
          "sensitivity");

  /**
   * A word of the file.
   *
   * @param place where it stands
   */
  public record Named(String text, String place) {}

  /** A formula that must hold. */
  public record Filter(Expression formula, String place) {}

  /**
   * Reads a study.
   *
   * @throws DescriptionException with file, line, what was found and what was expected
   */
  public static Study read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new DescriptionException(file + ": found bytes that are no UTF-8 text");
    }
    return parse(text, file);
  }

  /** A study whose text is at hand. */
  public static Study parse(String text, Path file) throws IOException {
    return new Reader(text, file).read();
  }

  /** Walks the file. */
  private static final class Reader {
    private final String text;
    private final Path file;
    private final Path folder;
    private final Yaml.Mapping root;
    private final List<String> fields =
        Gpus.fields().stream().filter(f -> !f.section()).map(ExplainedField::path).toList();

    Reader(String text, Path file) throws IOException {
      this.text = text;
      this.file = file;
      folder = file.toAbsolutePath().normalize().getParent();
      root = mapping(Yaml.parse(text, file.toString()), "a study: traces and what to vary");
    }

    Study read() throws IOException {
      known(root, KEYS);
      String stem = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
      String name = root.values().containsKey("study") ? text("study") : stem;
      Path store =
          folder.resolve(root.values().containsKey("store") ? text("store") : stem + ".db");
      List<Axis> axes = new ArrayList<>();
      Yaml set = root.values().get("set");
      if (set != null) {
        fixed(set, axes);
      }
      Yaml vary = root.values().get("vary");
      if (vary != null) {
        for (Map.Entry<String, Yaml> entry : mapping(vary, "fields").values().entrySet()) {
          axes.add(axis(entry.getKey(), entry.getValue(), keyPlace(vary, entry.getKey())));
        }
      }
      Yaml together = root.values().get("together");
      if (together != null) {
        for (Yaml group :
            together instanceof Yaml.Sequence list ? list.items() : List.of(together)) {
          axes.add(together(group));
        }
      }
      Design design = null;
      Yaml sensitivity = root.values().get("sensitivity");
      if (sensitivity != null) {
        design = design(mapping(sensitivity, "method, ranges and their number"));
        axes.add(design.axis(keyPlace(root, "sensitivity")));
      }
      return new Study(
          name,
          file,
          text,
          store,
          traces(),
          words("gpus"),
          words("cores"),
          words("kernels").stream().map(Named::text).toList(),
          maxCycles(),
          sample(),
          List.copyOf(axes),
          filters(),
          design);
    }

    private List<Named> traces() throws IOException {
      if (!root.values().containsKey("traces")) {
        throw problem(root, "missing traces, expected files or folders of traced programs");
      }
      List<Named> found = new ArrayList<>();
      for (Named named : words("traces")) {
        List<Path> files = matching(named);
        for (Path path : files) {
          if (found.stream().noneMatch(other -> other.text().equals(path.toString()))) {
            found.add(new Named(path.toString(), named.place()));
          }
        }
      }
      if (found.isEmpty()) {
        throw problem(root.values().get("traces"), "traces: found none, expected at least one");
      }
      return found;
    }

    /** The files that a name with stars means, or the one that it is. */
    private List<Path> matching(Named named) throws IOException {
      if (!named.text().matches(".*[*?\\[{].*")) {
        Path path = folder.resolve(named.text()).normalize();
        if (!Files.exists(path)) {
          throw new DescriptionException(
              named.place() + ": traces: found no file or folder " + path);
        }
        return List.of(path);
      }
      Path pattern = folder.resolve(named.text()).normalize();
      Path start = pattern.getParent();
      if (start.toString().matches(".*[*?\\[{].*")) {
        throw new DescriptionException(
            named.place()
                + ": traces: found a pattern in a folder's name, expected it in the last");
      }
      PathMatcher matcher =
          FileSystems.getDefault().getPathMatcher("glob:" + pattern.getFileName());
      TreeSet<Path> files = new TreeSet<>();
      if (Files.isDirectory(start)) {
        try (Stream<Path> inside = Files.list(start)) {
          inside.filter(path -> matcher.matches(path.getFileName())).forEach(files::add);
        }
      }
      if (files.isEmpty()) {
        throw new DescriptionException(
            named.place() + ": traces: nothing in " + start + " is named " + pattern.getFileName());
      }
      return List.copyOf(files);
    }

    private long maxCycles() throws DescriptionException {
      if (!root.values().containsKey("maxCycles")) {
        return 0;
      }
      String value = text("maxCycles").replace("_", "");
      if (!value.matches("[1-9][0-9]{0,17}")) {
        throw problem(
            root.values().get("maxCycles"),
            "maxCycles: found \"" + value + "\", expected a whole number, 1 or more");
      }
      return Long.parseLong(value);
    }

    private double sample() throws DescriptionException {
      if (!root.values().containsKey("sample")) {
        return 0;
      }
      try {
        return Sampling.parse(text("sample"));
      } catch (IllegalArgumentException e) {
        throw problem(root.values().get("sample"), "sample: " + e.getMessage());
      }
    }

    private List<Filter> filters() throws DescriptionException {
      List<Filter> filters = new ArrayList<>();
      for (Named named : words("where")) {
        filters.add(new Filter(formula(named.text(), named.place(), "where"), named.place()));
      }
      return filters;
    }

    private static Expression formula(String text, String place, String what)
        throws DescriptionException {
      try {
        return new Expression(text);
      } catch (IllegalArgumentException e) {
        throw new DescriptionException(place + ": " + what + ": " + e.getMessage());
      }
    }

    private void fixed(Yaml set, List<Axis> axes) throws DescriptionException {
      for (Map.Entry<String, Yaml> entry :
          mapping(set, "fields with a value each").values().entrySet()) {
        field(entry.getKey(), keyPlace(set, entry.getKey()));
        String value = scalar(entry.getValue(), entry.getKey());
        checkFormula(value, entry.getValue(), entry.getKey());
        axes.add(
            new Axis(
                List.of(new Axis.Choice(entry.getValue().place(), Map.of(entry.getKey(), value)))));
      }
    }

    private Axis axis(String field, Yaml values, String place) throws DescriptionException {
      field(field, place);
      List<Axis.Choice> choices = new ArrayList<>();
      for (Named value : values(field, values)) {
        choices.add(new Axis.Choice(value.place(), Map.of(field, value.text())));
      }
      return new Axis(choices);
    }

    /** The values of a field: one, a list, or a grid. */
    private List<Named> values(String field, Yaml values) throws DescriptionException {
      List<Named> all = new ArrayList<>();
      if (values instanceof Yaml.Mapping grid) {
        known(grid, List.of("from", "to", "steps", "by", "scale"));
        boolean whole = whole(field);
        for (double value : grid(field, grid)) {
          all.add(new Named(Range.text(whole ? Math.rint(value) : value), grid.place()));
        }
        return all;
      }
      for (Yaml item : values instanceof Yaml.Sequence list ? list.items() : List.of(values)) {
        String value = scalar(item, field);
        checkFormula(value, item, field);
        all.add(new Named(value, item.place()));
      }
      if (all.isEmpty()) {
        throw problem(values, field + ": found no values, expected at least one");
      }
      return all;
    }

    private static double[] grid(String field, Yaml.Mapping grid) throws DescriptionException {
      double from = number(grid, field, "from");
      double to = number(grid, field, "to");
      boolean log = logarithmic(grid, field);
      if (grid.values().containsKey("by") == grid.values().containsKey("steps")) {
        throw problem(grid, field + ": expected from, to and one of steps and by");
      }
      int steps;
      double width = 0;
      if (grid.values().containsKey("by")) {
        width = number(grid, field, "by");
        if (log || width <= 0 || to < from || (to - from) / width > 10_000) {
          throw problem(
              grid,
              field + ": expected from below to, by above 0, fewer than 10,000 steps, no log");
        }
        steps = (int) Math.floor((to - from) / width + 1e-9) + 1;
      } else {
        double count = number(grid, field, "steps");
        if (count < 2 || count > 10_000 || count != Math.rint(count)) {
          throw problem(grid, field + ": steps: expected a whole number, 2 to 10,000");
        }
        steps = (int) count;
      }
      double[] values = new double[steps];
      for (int i = 0; i < steps; i++) {
        values[i] =
            width > 0
                ? from + i * width
                : new Range(field, from, to, log, false).at(i / (steps - 1.0));
      }
      return values;
    }

    private static boolean logarithmic(Yaml.Mapping grid, String field)
        throws DescriptionException {
      Yaml scale = grid.values().get("scale");
      if (scale == null) {
        return false;
      }
      String word = scalar(scale, field);
      if (!word.matches("log|linear")) {
        throw problem(scale, field + ": scale: found \"" + word + "\", expected log or linear");
      }
      if (word.equals("log")
          && (number(grid, field, "from") <= 0 || number(grid, field, "to") <= 0)) {
        throw problem(grid, field + ": a log scale goes from and to numbers above 0");
      }
      return word.equals("log");
    }

    private Axis together(Yaml group) throws DescriptionException {
      Yaml.Mapping mapping = mapping(group, "fields with as many values each");
      List<Map<String, String>> rows = new ArrayList<>();
      List<String> places = new ArrayList<>();
      for (Map.Entry<String, Yaml> entry : mapping.values().entrySet()) {
        field(entry.getKey(), mapping.keys().get(entry.getKey()));
        List<Named> values = values(entry.getKey(), entry.getValue());
        if (rows.isEmpty()) {
          values.forEach(value -> rows.add(new LinkedHashMap<>()));
          values.forEach(value -> places.add(value.place()));
        } else if (rows.size() != values.size()) {
          throw problem(
              entry.getValue(),
              String.format(
                  Locale.ROOT,
                  "%s: found %d values, expected %d as of the fields before it",
                  entry.getKey(),
                  values.size(),
                  rows.size()));
        }
        for (int i = 0; i < rows.size(); i++) {
          rows.get(i).put(entry.getKey(), values.get(i).text());
        }
      }
      List<Axis.Choice> choices = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        choices.add(new Axis.Choice(places.get(i), rows.get(i)));
      }
      if (choices.isEmpty()) {
        throw problem(group, "together: found no fields, expected some");
      }
      return new Axis(choices);
    }

    private Design design(Yaml.Mapping section) throws DescriptionException {
      known(section, List.of("method", "ranges", "trajectories", "samples", "seed"));
      Yaml method = section.values().get("method");
      String word = method == null ? "morris" : scalar(method, "method");
      if (!word.matches("morris|sobol")) {
        throw problem(method, "method: found \"" + word + "\", expected morris or sobol");
      }
      boolean morris = word.equals("morris");
      String unused = morris ? "samples" : "trajectories";
      if (section.values().containsKey(unused)) {
        throw problem(section.values().get(unused), unused + " does nothing with " + word);
      }
      int number =
          whole(section, morris ? "trajectories" : "samples", morris ? 10 : 64, morris ? 2 : 4);
      if (!(section.values().get("ranges") instanceof Yaml.Mapping fields)
          || fields.values().isEmpty()) {
        throw problem(section, "missing ranges, expected fields with from and to each");
      }
      List<Range> ranges = new ArrayList<>();
      for (Map.Entry<String, Yaml> entry : fields.values().entrySet()) {
        String field = entry.getKey();
        field(field, fields.keys().get(field));
        Yaml.Mapping range = mapping(entry.getValue(), "from and to");
        known(range, List.of("from", "to", "scale"));
        if (!Gpus.bounds().containsKey(field)) {
          throw problem(range, field + ": is no number, and so has no range");
        }
        double from = number(range, field, "from");
        double to = number(range, field, "to");
        if (from >= to) {
          throw problem(range, field + ": expected from below to");
        }
        ranges.add(new Range(field, from, to, logarithmic(range, field), whole(field)));
      }
      return new Design(
          morris ? Design.Method.MORRIS : Design.Method.SOBOL,
          number,
          whole(section, "seed", 1, 0),
          ranges);
    }

    private static int whole(Yaml.Mapping section, String key, int otherwise, int least)
        throws DescriptionException {
      Yaml value = section.values().get(key);
      if (value == null) {
        return otherwise;
      }
      String word = scalar(value, key);
      if (!word.matches("[0-9]{1,6}") || Integer.parseInt(word) < least) {
        throw problem(
            value, key + ": found \"" + word + "\", expected a whole number from " + least);
      }
      return Integer.parseInt(word);
    }

    private static boolean whole(String field) {
      Bounds bounds = Gpus.bounds().get(field);
      return bounds != null && bounds.whole();
    }

    /** Refuses a field that no GPU has. */
    private void field(String path, String place) throws DescriptionException {
      boolean inside = fields.stream().anyMatch(field -> pattern(field).matcher(path).matches());
      if (!inside) {
        throw new DescriptionException(
            place
                + ": unknown field "
                + path
                + Nearest.hint(path, fields)
                + "; 'warpline gpus fields' lists them");
      }
    }

    private static java.util.regex.Pattern pattern(String field) {
      String named = field.replace("[]", "(\\[[0-9]+])?").replace(".*", ".[^.]+");
      return java.util.regex.Pattern.compile(named);
    }

    private static void checkFormula(String value, Yaml item, String field)
        throws DescriptionException {
      if (value.startsWith("=")) {
        formula(value.substring(1), item.place(), field);
      }
    }

    private List<Named> words(String key) throws DescriptionException {
      Yaml value = root.values().get(key);
      List<Named> words = new ArrayList<>();
      if (value != null) {
        for (Yaml item : value instanceof Yaml.Sequence list ? list.items() : List.of(value)) {
          words.add(new Named(scalar(item, key), item.place()));
        }
      }
      return words;
    }

    private String text(String key) throws DescriptionException {
      String word = scalar(root.values().get(key), key);
      if (word.isBlank()) {
        throw problem(root.values().get(key), key + ": found nothing, expected a name");
      }
      return word;
    }

    private static String keyPlace(Yaml section, String key) {
      return ((Yaml.Mapping) section).keys().get(key);
    }

    private static double number(Yaml.Mapping section, String field, String key)
        throws DescriptionException {
      Yaml value = section.values().get(key);
      if (value == null) {
        throw problem(section, field + ": missing " + key + ", expected a number");
      }
      String word = scalar(value, field).replace("_", "");
      if (!word.matches("-?[0-9]{1,15}(\\.[0-9]{1,15})?")) {
        throw problem(value, field + ": found \"" + word + "\", expected a number");
      }
      return Double.parseDouble(word);
    }

    private static void known(Yaml.Mapping section, List<String> keys) throws DescriptionException {
      for (String key : section.values().keySet()) {
        if (!keys.contains(key)) {
          throw new DescriptionException(
              section.keys().get(key)
                  + ": found "
                  + key
                  + Nearest.hint(key, keys)
                  + ", expected one of "
                  + String.join(", ", keys));
        }
      }
    }

    private static Yaml.Mapping mapping(Yaml value, String expected) throws DescriptionException {
      if (value instanceof Yaml.Mapping mapping) {
        return mapping;
      }
      throw problem(value, "expected " + expected);
    }

    private static String scalar(Yaml value, String what) throws DescriptionException {
      if (value instanceof Yaml.Scalar scalar) {
        return scalar.text().strip();
      }
      throw problem(value, what + ": found a structure, expected a number or a word");
    }

    private static DescriptionException problem(Yaml where, String what) {
      return new DescriptionException(where.place() + ": " + what);
    }
  }
}
