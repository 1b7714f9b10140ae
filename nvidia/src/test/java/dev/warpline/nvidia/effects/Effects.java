package dev.warpline.nvidia.effects;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What changes of fields do to small kernels. */
final class Effects {
  /** The change is refused. */
  static final String REFUSED = "refused";

  /**
   * A field, a core, and what shows that the field acts there.
   *
   * @param field path as in {@link Gpus#fields}
   * @param core classic or modern
   * @param change settings, the field's own first; or {@code elsewhere}
   * @param kernel a kernel's name, {@code refused}, or the test that shows it elsewhere
   * @param with settings under which the change is made
   */
  record Row(String field, String core, List<String> change, String kernel, List<String> with) {
    static Row read(String line) {
      String[] cells = line.split("\t", -1);
      return new Row(
          cells[0], cells[1], words(cells[2]), cells[3], words(cells.length > 4 ? cells[4] : ""));
    }

    /** Settings are separated by blanks; those inside brackets belong to a value. */
    private static List<String> words(String text) {
      List<String> words = new ArrayList<>();
      int depth = 0;
      StringBuilder word = new StringBuilder();
      for (char c : (text + " ").toCharArray()) {
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c == ' ' && depth == 0) {
          if (!word.isEmpty()) {
            words.add(word.toString());
          }
          word.setLength(0);
        } else {
          word.append(c);
        }
      }
      return words;
    }

    boolean isElsewhere() {
      return change.equals(List.of("elsewhere"));
    }

    String line() {
      return String.join(
              "\t", field, core, String.join(" ", change), kernel, String.join(" ", with))
          .stripTrailing();
    }
  }

  /** The GPU whose fields are changed. */
  static String preset(String core) {
    return core.equals("classic") ? "rtx3070" : "h200";
  }

  private final Map<String, EffectKernel> kernels = EffectKernel.read(resource("kernels.txt"));
  private final Map<List<String>, Map<String, Number>> results = new ConcurrentHashMap<>();

  static String resource(String name) {
    try (InputStream stream = Effects.class.getResourceAsStream(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static List<Row> rows() {
    return resource("effects.tsv").lines().filter(l -> !l.startsWith("#")).map(Row::read).toList();
  }

  List<String> kernels() {
    return List.copyOf(kernels.keySet());
  }

  /** What a change does, in words; null if it does nothing. */
  String effect(Row row) throws IOException {
    if (row.isElsewhere()) {
      return null;
    }
    List<String> changed = new ArrayList<>(row.with());
    changed.addAll(row.change());
    if (row.kernel().equals(REFUSED)) {
      try {
        Core.valueOf(row.core().toUpperCase(Locale.ROOT))
            .machine(Gpus.load(preset(row.core()), changed));
        return null;
      } catch (DescriptionException e) {
        return REFUSED;
      }
    }
    Map<String, Number> before = simulate(row.core(), row.kernel(), row.with());
    Map<String, Number> after = simulate(row.core(), row.kernel(), changed);
    double cycles = before.get("cycles").doubleValue();
    double more = after.get("cycles").doubleValue() - cycles;
    if (more != 0) {
      double percent = 100 * more / cycles;
      return Math.abs(percent) >= 0.05
          ? String.format(Locale.ROOT, "%+.1f %%", percent)
          : String.format(Locale.ROOT, "%+d cycles", (long) more);
    }
    Map<String, Number> all = new TreeMap<>(before);
    all.putAll(after);
    for (String name : all.keySet()) {
      Number one = before.getOrDefault(name, 0);
      Number two = after.getOrDefault(name, 0);
      if (!text(one).equals(text(two))) {
        return name + " " + text(one) + " to " + text(two);
      }
    }
    return null;
  }

  private static String text(Number number) {
    return number instanceof Long || number instanceof Integer
        ? number.toString()
        : String.format(Locale.ROOT, "%.5f", number.doubleValue());
  }

  /** Cycles and counters of a kernel under some settings. */
  private Map<String, Number> simulate(String core, String kernel, List<String> settings)
      throws IOException {
    List<String> key = new ArrayList<>(List.of(core, kernel));
    key.addAll(settings);
    Map<String, Number> known = results.get(key);
    if (known == null) {
      known = run(core, kernel, settings);
      results.put(key, known);
    }
    return known;
  }

  private Map<String, Number> run(String core, String kernel, List<String> settings)
      throws IOException {
    Core model = Core.valueOf(core.toUpperCase(Locale.ROOT));
    RunOptions options = new RunOptions(1, 3_000_000, 0, (id, name) -> true);
    Map<String, Number> counts = new LinkedHashMap<>();
    try (TraceSet trace = kernels.get(kernel).trace()) {
      RunResult result =
          model.machine(Gpus.load(preset(core), settings)).run(trace, options, Progress.NONE);
      counts.put("cycles", result.cycles());
      for (KernelResult one : result.kernels()) {
        one.statistics().forEach((name, value) -> counts.merge(name, value, Effects::sum));
        one.stalls().forEach((name, value) -> counts.merge("stall " + name, value, Effects::sum));
        counts.merge("occupancy", one.occupancy(), Effects::sum);
        counts.put("limited by " + one.limiter(), 1);
      }
    }
    return counts;
  }

  private static Number sum(Number a, Number b) {
    return a instanceof Long && b instanceof Long
        ? (Number) (a.longValue() + b.longValue())
        : (Number) (a.doubleValue() + b.doubleValue());
  }
}
