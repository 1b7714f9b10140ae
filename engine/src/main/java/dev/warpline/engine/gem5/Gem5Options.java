package dev.warpline.engine.gem5;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What gem5 users write on their command line, {@code --num-compute-units 8}, as settings of a GPU
 * description.
 */
public final class Gem5Options {
  private static final Pattern SIZE =
      Pattern.compile("([0-9]+)\\s*(?:(Ki?|k|Mi?|Gi?)?B)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern CLOCK =
      Pattern.compile("([0-9.]+)\\s*([MG])Hz", Pattern.CASE_INSENSITIVE);

  private record Option(String form, List<String> fields, String why, Map<String, String> words) {}

  private final Map<String, Option> options = new LinkedHashMap<>();

  public Gem5Options() {
    for (String line : table().split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split("\t");
      boolean none = parts[2].equals("-");
      Map<String, String> words = new LinkedHashMap<>();
      if (!none && parts.length > 3) {
        for (String word : parts[3].split(" ")) {
          String[] sides = word.split("=", 2);
          words.put(sides[0], sides[1]);
        }
      }
      options.put(
          parts[0],
          new Option(
              parts[1],
              none ? List.of() : List.of(parts[2].split(" ")),
              none ? parts[3] : "",
              words));
    }
  }

  private static String table() {
    try (InputStream in = Gem5Options.class.getResourceAsStream("options.tsv")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names of all options, in the order of the table, and the fields that they set. */
  public Map<String, List<String>> fields() {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    options.forEach((name, option) -> fields.put(name, option.fields));
    return fields;
  }

  /** Whether words are meant as gem5's: Accel-Sim's options begin with one dash. */
  public static boolean isGem5(String option) {
    return option.strip().startsWith("--");
  }

  /**
   * Settings that say the same.
   *
   * @param written each an option with its value, {@code --tcp-size 32KiB}; with or without an
   *     equals sign
   */
  public List<String> settings(List<String> written) throws DescriptionException {
    List<String> settings = new ArrayList<>();
    for (String text : written) {
      String[] words = text.strip().split("[\\s=]+");
      String name = words[0].replaceFirst("^--", "");
      Option option = options.get(name);
      if (option == null) {
        throw new DescriptionException(
            "--option "
                + text
                + ": gem5's option "
                + words[0]
                + " is not known here"
                + Nearest.hint(name, options.keySet()));
      }
      if (option.fields.isEmpty()) {
        throw new DescriptionException(
            "--option "
                + text
                + ": gem5's option "
                + words[0]
                + " has no counterpart: "
                + option.why);
      }
      if (words.length != 2 && !(option.form.equals("flag") && words.length == 1)) {
        throw new DescriptionException(
            "--option " + text + ": found " + (words.length - 1) + " values, expected one");
      }
      String value = words.length == 1 ? "true" : value(text, option, words[1]);
      option.fields.forEach(field -> settings.add(field + "=" + value));
    }
    return settings;
  }

  private static String value(String text, Option option, String word) throws DescriptionException {
    switch (option.form) {
      case "size" -> {
        Matcher size = SIZE.matcher(word);
        if (size.matches()) {
          long unit =
              switch (size.group(2) == null ? "" : size.group(2).toLowerCase(Locale.ROOT)) {
                case "k", "ki" -> 1L << 10;
                case "m", "mi" -> 1L << 20;
                case "g", "gi" -> 1L << 30;
                default -> 1;
              };
          return Long.toString(Long.parseLong(size.group(1)) * unit);
        }
        throw new DescriptionException(
            "--option " + text + ": found \"" + word + "\", expected a size, e.g. 32KiB");
      }
      case "clock" -> {
        Matcher clock = CLOCK.matcher(word);
        if (clock.matches()) {
          double factor = clock.group(2).equalsIgnoreCase("G") ? 1000 : 1;
          return Double.toString(Double.parseDouble(clock.group(1)) * factor);
        }
        throw new DescriptionException(
            "--option " + text + ": found \"" + word + "\", expected a clock, e.g. 1GHz");
      }
      case "word" -> {
        String ours = option.words.get(word);
        if (ours == null) {
          throw new DescriptionException(
              "--option "
                  + text
                  + ": found \""
                  + word
                  + "\", expected one of "
                  + String.join(", ", option.words.keySet()));
        }
        return ours;
      }
      default -> {
        return word;
      }
    }
  }
}
