package dev.warpline.study.validate;

import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A mechanism of the machine, neutralised, to see what it is worth.
 *
 * @param name the mechanism
 * @param settings fields that take it away, e.g. {@code flowMemory.dramTurnNs=0}
 * @param meaning what the machine does without it
 */
public record Ablation(String name, List<String> settings, String meaning) {
  /** A change of less, in percent of the time, is none. */
  private static final double NOTICED = 0.5;

  /**
   * Reads a list: a line has name, settings and meaning, with tabs between them; {@code #} begins a
   * comment.
   */
  public static List<Ablation> read(Path file) throws IOException {
    List<Ablation> all = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank() || lines.get(i).startsWith("#")) {
        continue;
      }
      String[] columns = lines.get(i).split("\t");
      if (columns.length != 3 || !columns[1].contains("=")) {
        throw new IOException(
            file
                + ", line "
                + (i + 1)
                + ": found \""
                + lines.get(i)
                + "\", expected name, FIELD=VALUE,... and meaning with tabs between them");
      }
      all.add(new Ablation(columns[0], Gpus.settings(columns[1]), columns[2]));
    }
    if (all.isEmpty()) {
      throw new IOException(file + ": no line says what to take away");
    }
    return all;
  }

  /** Heads the lines. */
  public static String header(List<KernelComparison> whole) {
    return String.format(
            Locale.ROOT,
            "%-22s %7s %7s  %7s %7s %7s  %s%n",
            "without",
            "error",
            "signed",
            "worth",
            "nearer",
            "farther",
            "moved most")
        + String.format(
            Locale.ROOT,
            "%-22s %6.2f%% %+6.2f%%",
            "(nothing taken away)",
            Summary.of(whole).mape(),
            signed(whole));
  }

  /**
   * What the machine is worth without it: its mean error, the mechanism's worth in points, kernels
   * that the mechanism brings nearer to the hardware and those that it takes farther away, and the
   * three whose time it changes most.
   */
  public String line(List<KernelComparison> whole, List<KernelComparison> without) {
    Map<String, KernelComparison> before = new HashMap<>();
    whole.stream().filter(KernelComparison::ran).forEach(one -> before.put(key(one), one));
    int nearer = 0;
    int farther = 0;
    record Moved(String name, double percent) {}
    List<Moved> moved = new ArrayList<>();
    for (KernelComparison one : without) {
      KernelComparison with = before.get(key(one));
      if (with == null || !one.ran()) {
        continue;
      }
      double change = 100.0 * one.result().cycles() / with.result().cycles() - 100;
      if (Math.abs(change) < NOTICED) {
        continue;
      }
      moved.add(new Moved(key(one), change));
      double difference = Math.abs(one.errorPercent()) - Math.abs(with.errorPercent());
      nearer += difference > 0 ? 1 : 0;
      farther += difference < 0 ? 1 : 0;
    }
    moved.sort((a, b) -> Double.compare(Math.abs(b.percent()), Math.abs(a.percent())));
    StringBuilder most = new StringBuilder();
    moved.stream()
        .limit(3)
        .forEach(
            one ->
                most.append(most.isEmpty() ? "" : ", ")
                    .append(one.name())
                    .append(String.format(Locale.ROOT, " %+.1f %%", one.percent())));
    double error = Summary.of(without).mape();
    return String.format(
        Locale.ROOT,
        "%-22s %6.2f%% %+6.2f%%  %+7.2f %7d %7d  %s",
        name,
        error,
        signed(without),
        error - Summary.of(whole).mape(),
        nearer,
        farther,
        most);
  }

  private static String key(KernelComparison one) {
    int id = one.hardware().kernelId();
    return one.hardware().workload() + (id == 1 ? "" : "#" + id);
  }

  private static double signed(List<KernelComparison> all) {
    return all.stream()
        .filter(KernelComparison::ran)
        .mapToDouble(KernelComparison::errorPercent)
        .average()
        .orElse(0);
  }
}
