package dev.warpline.engine.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which fields of a description a core reads, from the data file {@code unread.tsv}. */
public final class FieldUse {
  /** The cores, by the names that results have. */
  public static final List<String> CORES = List.of("classic", "modern", "gcn");

  /**
   * A part of a description that a core does not read.
   *
   * @param nearest fields or sections that it reads instead
   * @param why a few words, or empty
   */
  public record Unread(List<String> nearest, String why) {
    /** The nearest fields as a reader is told of them. */
    public String instead() {
      return String.join(", ", nearest) + (why.isEmpty() ? "" : " (" + why + ")");
    }
  }

  private final String core;
  private final Map<String, Unread> unread = new LinkedHashMap<>();

  private FieldUse(String core) {
    this.core = core;
  }

  /**
   * What a core reads.
   *
   * @param core one of {@link #CORES}
   */
  public static FieldUse of(String core) {
    if (!CORES.contains(core)) {
      throw new IllegalArgumentException("no core " + core + "; expected one of " + CORES);
    }
    FieldUse use = new FieldUse(core);
    try (InputStream stream = FieldUse.class.getResourceAsStream("unread.tsv")) {
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .filter(cells -> cells[1].equals(core))
          .forEach(use::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return use;
  }

  private void add(String[] cells) {
    String[] parts = cells[2].split(" - ", 2);
    Unread entry =
        new Unread(List.of(parts[0].strip().split(" +")), parts.length > 1 ? parts[1] : "");
    if (unread.put(cells[0], entry) != null) {
      throw new IllegalStateException("unread.tsv names " + cells[0] + " twice for " + core);
    }
  }

  /** Fields and sections that have a line of their own. */
  public List<String> named() {
    return List.copyOf(unread.keySet());
  }

  /** What is nearest to a field that the core does not read; null if it reads it. */
  public Unread unread(String path) {
    for (String part = path; !part.isEmpty(); part = outer(part)) {
      Unread entry = unread.get(part);
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private static String outer(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('.')));
  }

  /** Names each change that has no effect on this core, and what would have. */
  public List<String> warnings(List<Change> changes) {
    List<String> warnings = new ArrayList<>();
    for (Change change : changes) {
      Unread entry = unread(change.path());
      if (entry != null) {
        warnings.add(
            change.place()
                + ": the "
                + core
                + " core does not read "
                + change.path()
                + "; nearest that it reads: "
                + entry.instead());
      }
    }
    return warnings;
  }

  /**
   * A field that a user changed.
   *
   * @param path dotted path, e.g. {@code sm.l1.sizeKiB}
   * @param place where: a line of a file, or the option
   */
  public record Change(String path, String place) {}
}
