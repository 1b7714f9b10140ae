package dev.warpline.engine.accelsim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The options that GPGPU-Sim and Accel-Sim know, from the data file {@code options.tsv}. */
final class OptionTable {
  /** What becomes of an option. */
  enum Use {
    MACHINE,
    RUN,
    IGNORED,
    UNMODELLED
  }

  /**
   * One option; the name begins with a dash.
   *
   * @param modelled the only value that is modelled, where others would matter; else null
   */
  record Option(String name, OptionType type, String standard, Use use, String modelled) {}

  private final Map<String, Option> options = new LinkedHashMap<>();
  private final Map<String, String> aliases = new LinkedHashMap<>();

  OptionTable() {
    try (InputStream stream = OptionTable.class.getResourceAsStream("options.tsv")) {
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.split("\n")) {
        if (line.startsWith("-")) {
          addOption(line);
        } else if (line.startsWith("alias\t")) {
          addAlias(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addOption(String line) {
    String[] cells = line.split("\t", -1);
    String[] use = cells[3].split(":");
    Use kind = Use.valueOf(use[0].toUpperCase(Locale.ROOT));
    String modelled = kind != Use.UNMODELLED ? null : use.length > 1 ? use[1] : cells[2];
    options.put(cells[0], new Option(cells[0], OptionType.of(cells[1]), cells[2], kind, modelled));
  }

  private void addAlias(String line) {
    String[] cells = line.split("\t", -1);
    aliases.put(cells[1], cells[2]);
  }

  /** The option of a name, old spellings included, or null. */
  Option find(String name) {
    return options.get(aliases.getOrDefault(name, name));
  }

  Collection<Option> all() {
    return options.values();
  }
}
