package dev.warpline.study.energy;

import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.EnergyEvent.Component;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Fits and comparisons as a person reads them. */
public final class EnergyText {
  private static final String CARD = "    %s: %.2g # fitted: %s%n";

  private EnergyText() {}

  /**
   * A line per kernel, then means and largest errors: of all, of each group, of each measurement.
   */
  public static List<String> comparison(List<EnergyValidation.Comparison> all) {
    List<String> lines = new ArrayList<>();
    lines.add(
        line("kernel", "run", "measured W", "W", "error", "measured uJ", "uJ", "error", "most of"));
    for (EnergyValidation.Comparison one : all) {
      lines.add(
          line(
              one.measured().workload(),
              one.measured().run(),
              number(one.measured().watts()),
              number(one.energy().watts()),
              percent(one.powerError()),
              number(1e6 * one.measured().joules()),
              number(1e6 * one.energy().joules()),
              percent(one.energyError()),
              most(one.energy().parts())));
    }
    lines.addAll(errors("", all));
    Map<String, List<EnergyValidation.Comparison>> parts = new LinkedHashMap<>();
    for (EnergyValidation.Comparison one : all) {
      for (String part : List.of(one.measured().group(), one.measured().run())) {
        parts.computeIfAbsent(part, p -> new ArrayList<>()).add(one);
      }
    }
    new TreeMap<>(parts).forEach((part, its) -> lines.addAll(errors("  " + part + ", ", its)));
    return lines;
  }

  private static List<String> errors(String of, List<EnergyValidation.Comparison> some) {
    return List.of(
        power(of + "power", some),
        summary(
            of + "energy", some.stream().map(EnergyValidation.Comparison::energyError).toList()));
  }

  /** A line per row in power alone, then one per kernel over all measurements of it. */
  public static List<String> repeats(List<EnergyValidation.Comparison> all) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT, "%-20s %-6s %10s %8s %8s", "again", "run", "measured W", "W", "error"));
    for (EnergyValidation.Comparison one : all) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-20s %-6s %10s %8s %8s",
              one.measured().workload(),
              one.measured().run(),
              number(one.measured().watts()),
              number(one.energy().watts()),
              percent(one.powerError())));
    }
    lines.add(power("power", all));
    lines.add("");
    lines.addAll(means(all));
    return lines;
  }

  /** Kernels that were measured several times: the model beside the mean over measurements. */
  private static List<String> means(List<EnergyValidation.Comparison> all) {
    Map<String, List<EnergyValidation.Comparison>> kernels = new LinkedHashMap<>();
    for (EnergyValidation.Comparison one : all) {
      String kernel = one.measured().group() + " " + one.measured().workload();
      kernels.computeIfAbsent(kernel, k -> new ArrayList<>()).add(one);
    }
    List<String> lines = new ArrayList<>();
    String format = "%-30s %5s %8s %8s %8s %8s %8s";
    lines.add(
        String.format(
            Locale.ROOT, format, "kernel", "times", "least W", "most W", "mean W", "W", "error"));
    List<Double> errors = new ArrayList<>();
    kernels.forEach(
        (kernel, its) -> {
          DoubleSummaryStatistics measured =
              its.stream().mapToDouble(one -> one.measured().watts()).summaryStatistics();
          double model = its.stream().mapToDouble(one -> one.energy().watts()).average().orElse(0);
          errors.add(model / measured.getAverage() - 1);
          lines.add(
              String.format(
                  Locale.ROOT,
                  format,
                  kernel,
                  its.size(),
                  number(measured.getMin()),
                  number(measured.getMax()),
                  number(measured.getAverage()),
                  number(model),
                  percent(errors.get(errors.size() - 1))));
        });
    lines.add(summary("power, mean over measurements", errors));
    return lines;
  }

  private static String power(String what, List<EnergyValidation.Comparison> all) {
    return summary(what, all.stream().map(EnergyValidation.Comparison::powerError).toList());
  }

  private static String line(String... cells) {
    return String.format(
        Locale.ROOT, "%-20s %-6s %10s %8s %8s %12s %10s %8s  %s", (Object[]) cells);
  }

  private static String most(Map<String, Double> parts) {
    return parts.entrySet().stream()
        .filter(part -> !part.getKey().equals(Component.STATIC.label()))
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** Mean, signed mean and largest of relative errors. */
  public static String summary(String what, List<Double> errors) {
    double mean = errors.stream().mapToDouble(Math::abs).average().orElse(0);
    double signed = errors.stream().mapToDouble(e -> e).average().orElse(0);
    double most = errors.stream().mapToDouble(Math::abs).max().orElse(0);
    return String.format(
        Locale.ROOT,
        "%s: mean error %.2f %%, signed %+.2f %%, largest %.2f %%, %d rows",
        what,
        100 * mean,
        100 * signed,
        100 * most,
        errors.size());
  }

  /** Values that were fitted, and errors of each group without it. */
  public static List<String> fit(EnergyFit fit) {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-24s %12.4g W", "power.idleW", fit.idleW()));
    for (EnergyEvent event : EnergyEvent.values()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-24s %12.4g %s",
              event.field(),
              fit.values().get(event),
              event == EnergyEvent.SM ? "W" : "pJ"));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "between cards: idle %.1f %%, SM %.1f %%, L2 and device memory %.1f %%",
            100 * fit.cards().idle(),
            100 * fit.cards().sm(),
            100 * fit.cards().memory()));
    lines.add(summary("fitted to, power", fit.errors()));
    fit.groups().entrySet().stream()
        .sorted(Comparator.comparing(Map.Entry::getKey))
        .forEach(one -> lines.add(summary("  without " + one.getKey(), one.getValue())));
    lines.add(
        summary(
            "leave one group out", fit.groups().values().stream().flatMap(List::stream).toList()));
    return lines;
  }

  /** The section of a description, each value with where it comes from. */
  public static String section(EnergyFit fit, double limitW, double slope, String source) {
    StringBuilder text = new StringBuilder("energy:\n  power:\n");
    text.append(String.format(Locale.ROOT, "    idleW: %.4g # fitted: %s%n", fit.idleW(), source));
    text.append(
        String.format(
            Locale.ROOT,
            "    smW: %.4g # fitted: %s%n    limitW: %.4g%n    voltageSlope: %.3g%n",
            fit.values().get(EnergyEvent.SM),
            source,
            limitW,
            slope));
    text.append("  cards:\n");
    text.append(String.format(Locale.ROOT, CARD, "idle", fit.cards().idle(), source));
    text.append(String.format(Locale.ROOT, CARD, "sm", fit.cards().sm(), source));
    text.append(String.format(Locale.ROOT, CARD, "memory", fit.cards().memory(), source));
    String before = "";
    for (EnergyEvent event : EnergyEvent.values()) {
      String[] path = event.field().split("\\.");
      if (event != EnergyEvent.SM) {
        if (!path[0].equals(before)) {
          text.append("  ").append(path[0]).append(":\n");
          before = path[0];
        }
        text.append(
            String.format(
                Locale.ROOT,
                "    %s: %.4g # fitted: %s%n",
                path[1],
                fit.values().get(event),
                source));
      }
    }
    return text.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String percent(double error) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * error);
  }
}
