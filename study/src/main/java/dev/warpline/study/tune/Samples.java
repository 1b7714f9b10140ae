package dev.warpline.study.tune;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Nearest;
import dev.warpline.study.validate.HardwareTable;
import dev.warpline.study.validate.Metric;
import dev.warpline.study.validate.Validation;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The kernels of a table of hardware counters, and how they are divided. */
public final class Samples {
  /** Elapsed core cycles, as {@code validate} compares them. */
  public static final Metric CYCLES = new Metric("cycles", "cycles_median", r -> r.cycles());

  private Samples() {}

  /**
   * What can be fitted to.
   *
   * @param name {@code cycles}, or a counter's name as {@code validate} prints it
   */
  public static Metric metric(String name) throws DescriptionException {
    List<Metric> all = new ArrayList<>(List.of(CYCLES));
    all.addAll(Metric.ALL);
    for (Metric metric : all) {
      if (metric.name().equals(name)) {
        return metric;
      }
    }
    List<String> names = all.stream().map(Metric::name).toList();
    throw new DescriptionException(
        "--metric "
            + name
            + Nearest.hint(name, names)
            + ": expected one of "
            + String.join(", ", names));
  }

  /**
   * The kernels of a table whose workload's name matches.
   *
   * @param file the table's, for messages
   * @param traces folder of traces named like the workloads
   * @throws IOException if a kernel has no trace or was not measured; nothing is simulated
   */
  public static List<Sample> of(
      HardwareTable table, Path file, Path traces, Pattern only, Metric metric) throws IOException {
    List<HardwareTable.Row> rows =
        table.rows().stream().filter(row -> only.matcher(row.workload()).find()).toList();
    if (rows.isEmpty()) {
      throw new DescriptionException(file + ": no workload matches " + only);
    }
    Map<String, String> programs = programs(rows);
    Map<String, Integer> launches = new HashMap<>();
    List<Sample> samples = new ArrayList<>();
    Set<String> problems = new LinkedHashSet<>();
    for (HardwareTable.Row row : rows) {
      OptionalDouble measured = row.number(metric.column());
      Sample sample;
      try {
        sample =
            new Sample(
                row.workload(),
                row.kernelId(),
                programs.get(row.workload()),
                Validation.find(traces, row.workload()),
                metric,
                measured.orElse(0));
        if (!launches.containsKey(row.workload())) {
          launches.put(row.workload(), launches(sample.trace()));
        }
      } catch (IOException e) {
        problems.add(e.getMessage());
        continue;
      }
      if (measured.orElse(0) <= 0) {
        problems.add(
            file
                + ": "
                + sample.name()
                + " has no "
                + metric.column()
                + " above 0, which --metric "
                + metric.name()
                + " needs; --only can leave it out");
      } else if (row.kernelId() < 1 || row.kernelId() > launches.get(row.workload())) {
        problems.add(
            sample.trace()
                + ": found "
                + launches.get(row.workload())
                + " kernels, expected number "
                + row.kernelId()
                + " of "
                + file);
      } else if (samples.stream().anyMatch(other -> other.name().equals(sample.name()))) {
        problems.add(file + ": " + sample.name() + " has two rows, expected one");
      } else {
        samples.add(sample);
      }
    }
    if (!problems.isEmpty()) {
      throw new DescriptionException(problems.stream().limit(3).toList());
    }
    return samples;
  }

  private static int launches(Path trace) throws IOException {
    try (TraceSet set = Traces.open(trace)) {
      return (int)
          set.commands().stream().filter(command -> command instanceof TraceCommand.Launch).count();
    }
  }

  /**
   * The program of each workload: what the column {@code program} says. Where there is none, a
   * workload is a program of its own, and those that have a kernel in common, whatever its template
   * arguments, are one.
   */
  static Map<String, String> programs(List<HardwareTable.Row> rows) {
    Map<String, String> programs = new LinkedHashMap<>();
    Map<String, String> owners = new HashMap<>();
    for (HardwareTable.Row row : rows) {
      String stated = row.values().getOrDefault("program", "").strip();
      if (!stated.isEmpty()) {
        programs.put(row.workload(), stated);
        continue;
      }
      programs.putIfAbsent(row.workload(), row.workload());
      String kernel =
          row.values()
              .getOrDefault("kernel", "")
              .replaceFirst("^void ", "")
              .replaceFirst("<.*", "");
      String now = programs.get(row.workload());
      String owner = kernel.isEmpty() ? now : owners.computeIfAbsent(kernel, k -> now);
      programs.replaceAll((workload, program) -> program.equals(now) ? owner : program);
      owners.replaceAll((k, program) -> program.equals(now) ? owner : program);
    }
    return programs;
  }

  /**
   * Divides kernels so that no program is in two parts and the parts are about equally large.
   *
   * @param seed of the order in which programs are dealt out
   * @return indices of kernels by part
   */
  static List<Set<Integer>> folds(List<Sample> samples, int count, int seed) {
    Map<String, Set<Integer>> programs = new LinkedHashMap<>();
    for (int i = 0; i < samples.size(); i++) {
      programs.computeIfAbsent(samples.get(i).program(), p -> new TreeSet<>()).add(i);
    }
    List<Set<Integer>> order = new ArrayList<>(programs.values());
    java.util.Collections.shuffle(order, new Random(seed));
    order.sort(Comparator.comparing(kernels -> -kernels.size()));
    List<Set<Integer>> folds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      folds.add(new TreeSet<>());
    }
    for (Set<Integer> kernels : order) {
      folds.stream().min(Comparator.comparing(Set::size)).orElseThrow().addAll(kernels);
    }
    return folds;
  }
}
