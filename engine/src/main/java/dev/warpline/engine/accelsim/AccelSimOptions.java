package dev.warpline.engine.accelsim;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Nearest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of an Accel-Sim run: defaults, overridden by option files and command-line options,
 * later ones winning. Every value has been checked against the form of its option.
 */
public final class AccelSimOptions {
  private static final String COMMAND_LINE = "command line";

  private final OptionTable table;
  private final Map<String, String> values;
  private final Map<String, String> places;
  private final List<String> warnings;

  private AccelSimOptions(
      OptionTable table,
      Map<String, String> values,
      Map<String, String> places,
      List<String> warnings) {
    this.table = table;
    this.values = values;
    this.places = places;
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Reads option files in order, then options as they would stand on a command line.
   *
   * @param files e.g. {@code gpgpusim.config} and {@code trace.config}
   * @param commandLine e.g. {@code -gpgpu_n_clusters 10}; {@code -config FILE} includes a file
   */
  public static AccelSimOptions read(List<Path> files, List<String> commandLine)
      throws IOException {
    return read(files, commandLine, null);
  }

  /**
   * Reads option files that somebody else wrote: they include files of one folder, nothing else.
   */
  public static AccelSimOptions readWithin(Path folder, List<Path> files) throws IOException {
    return read(files, List.of(), folder.toRealPath());
  }

  private static AccelSimOptions read(List<Path> files, List<String> commandLine, Path within)
      throws IOException {
    Reader reader = new Reader(within);
    for (Path file : files) {
      reader.file(file, file.toString());
    }
    List<Token> tokens = new ArrayList<>();
    commandLine.forEach(word -> tokens.add(new Token(word, COMMAND_LINE, false)));
    reader.options(tokens, Path.of(""));
    return reader.result();
  }

  /** What was not understood or will not be modelled, in words. */
  public List<String> warnings() {
    return warnings;
  }

  /** Every option with its final value, as Accel-Sim prints them at its start. */
  public Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>();
    for (OptionTable.Option option : table.all()) {
      all.put(option.name(), text(option.name()));
    }
    return all;
  }

  /** Whether a file or the command line gave the option. */
  public boolean given(String name) {
    return values.containsKey(name);
  }

  /** Where an option was given, and its name. */
  String place(String name) {
    String place = places.get(name);
    return place == null ? name + " (not given)" : place + ": " + name;
  }

  /** The value of an option as written. */
  public String text(String name) {
    OptionTable.Option option = table.find(name);
    if (option == null) {
      throw new IllegalArgumentException("no option " + name);
    }
    return values.getOrDefault(option.name(), option.standard());
  }

  /** A flag. */
  public boolean flag(String name) {
    return text(name).equals("1");
  }

  /** A whole number. */
  public int integer(String name) {
    return Long.decode(text(name)).intValue();
  }

  /** A whole number of 64 bits. */
  public long longInteger(String name) {
    return Long.decode(text(name));
  }

  /** Several whole numbers. */
  public int[] integers(String name) {
    return parts(name).stream().mapToInt(part -> Long.decode(part).intValue()).toArray();
  }

  /** Several numbers. */
  public double[] numbers(String name) {
    return parts(name).stream().mapToDouble(Double::parseDouble).toArray();
  }

  /** A cache, or null for {@code none}. */
  public CacheSpec cache(String name) {
    return CacheString.parse(text(name));
  }

  List<String> parts(String name) {
    return table.find(name).type().parts(text(name));
  }

  /** A word of an option file and where it stands. */
  private record Token(String text, String place, boolean quoted) {
    boolean isOption() {
      return !quoted
          && text.length() > 1
          && text.charAt(0) == '-'
          && !Character.isDigit(text.charAt(1))
          && text.charAt(1) != '.';
    }
  }

  /** Collects options from several sources. */
  private static final class Reader {
    private final OptionTable table = new OptionTable();
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, String> places = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<Path> open = new ArrayList<>();
    private final Path within;

    /** Reads files anywhere, or where {@code within} is not null those beneath it. */
    Reader(Path within) {
      this.within = within;
    }

    /** Says which options do not do what they would do in Accel-Sim. */
    private void warn(OptionTable.Option option) {
      String place = places.get(option.name());
      String value = values.getOrDefault(option.name(), option.standard());
      if (option.modelled() != null && !value.equals(option.modelled())) {
        warnings.add(
            (place == null ? "by default" : place)
                + ": "
                + option.name()
                + " "
                + value
                + " is not modelled: simulated as with "
                + option.modelled());
      } else if (option.use() == OptionTable.Use.IGNORED && COMMAND_LINE.equals(place)) {
        // In a file such an option is harmless; who gives one by hand expects something of it.
        warnings.add(place + ": " + option.name() + " has no effect on traces");
      }
    }

    void file(Path file, String name) throws IOException {
      Path real = file.toRealPath();
      if (open.contains(real)) {
        throw new DescriptionException(name + " includes itself");
      }
      open.add(real);
      try {
        options(tokens(Files.readString(file), name), real.getParent());
      } catch (CharacterCodingException e) {
        throw new DescriptionException(name + ": found bytes that are no text, expected options");
      }
      open.remove(real);
    }

    private List<Token> tokens(String text, String file) throws DescriptionException {
      List<Token> tokens = new ArrayList<>();
      int line = 1;
      int i = 0;
      while (i < text.length()) {
        char c = text.charAt(i);
        if (c == '\n') {
          line++;
          i++;
        } else if (Character.isWhitespace(c)) {
          i++;
        } else if (c == '#') {
          while (i < text.length() && text.charAt(i) != '\n') {
            i++;
          }
        } else if (c == '"') {
          int end = text.indexOf('"', i + 1);
          String place = file + ":" + line;
          if (end < 0) {
            throw new DescriptionException(
                place + ": found the end of the file, expected a closing quotation mark");
          }
          String quoted = text.substring(i + 1, end);
          // Blanks inside are dropped: a value may be broken over lines for legibility.
          tokens.add(new Token(quoted.replaceAll("\\s", ""), place, true));
          line += (int) quoted.chars().filter(x -> x == '\n').count();
          i = end + 1;
        } else {
          int start = i;
          while (i < text.length()
              && !Character.isWhitespace(text.charAt(i))
              && text.charAt(i) != '#'
              && text.charAt(i) != '"') {
            i++;
          }
          tokens.add(new Token(text.substring(start, i), file + ":" + line, false));
        }
      }
      return tokens;
    }

    void options(List<Token> tokens, Path folder) throws IOException {
      int i = 0;
      while (i < tokens.size()) {
        Token name = tokens.get(i++);
        if (!name.isOption()) {
          problems.add(
              name.place()
                  + ": found \""
                  + name.text()
                  + "\", expected an option, which begins with -");
          continue;
        }
        List<Token> given = new ArrayList<>();
        while (i < tokens.size() && !tokens.get(i).isOption()) {
          given.add(tokens.get(i++));
        }
        if (name.text().equals("-config")) {
          include(name, given, folder);
        } else {
          set(name, given);
        }
      }
    }

    private void include(Token name, List<Token> given, Path folder) throws IOException {
      if (given.size() != 1) {
        problems.add(name.place() + ": -config: expected the name of one file");
        return;
      }
      Path file;
      try {
        file = Path.of(given.get(0).text());
      } catch (InvalidPathException e) {
        problems.add(name.place() + ": -config: \"" + given.get(0).text() + "\" is no file name");
        return;
      }
      Path beside = folder == null ? file : folder.resolve(file);
      if (within != null && !(Files.exists(beside) && beside.toRealPath().startsWith(within))) {
        problems.add(
            given.get(0).place()
                + ": -config: found \""
                + file
                + "\", expected a file beside this");
        return;
      }
      file(within == null && Files.exists(file) ? file : beside, file.toString());
    }

    private void set(Token name, List<Token> given) {
      OptionTable.Option option = table.find(name.text());
      if (option == null) {
        List<String> names = table.all().stream().map(OptionTable.Option::name).toList();
        warnings.add(
            name.place()
                + ": unknown option "
                + name.text()
                + " ignored"
                + Nearest.hint(name.text(), names));
        return;
      }
      OptionType type = option.type();
      String value = given.isEmpty() && type.kind().equals("bool") ? "1" : "";
      if (!given.isEmpty()) {
        value = given.get(0).text();
      }
      if (given.size() > 1) {
        problems.add(
            given.get(1).place()
                + ": "
                + option.name()
                + ": found \""
                + given.get(1).text()
                + "\" after the value, expected the next option");
      }
      boolean missing = given.isEmpty() && !type.kind().equals("bool");
      if (missing || !type.accepts(value)) {
        problems.add(
            (given.isEmpty() ? name : given.get(0)).place()
                + ": "
                + option.name()
                + ": found "
                + (missing ? "no value" : "\"" + value + "\"")
                + ", expected "
                + type.expected(value));
        return;
      }
      values.put(option.name(), value);
      places.put(option.name(), name.place());
    }

    AccelSimOptions result() throws DescriptionException {
      if (!problems.isEmpty()) {
        throw new DescriptionException(problems);
      }
      table.all().forEach(this::warn);
      return new AccelSimOptions(table, Map.copyOf(values), Map.copyOf(places), warnings);
    }
  }
}
