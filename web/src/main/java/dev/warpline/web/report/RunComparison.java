package dev.warpline.web.report;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two runs side by side: kernels paired by launch number, and for each pair the differences that
 * matter, largest effect first.
 *
 * @param first the run compared against
 * @param second the run compared
 * @param settings settings that differ
 * @param kernels pairs of kernels
 */
public record RunComparison(
    Side first, Side second, List<Setting> settings, List<KernelPair> kernels) {

  /** What ran where, and how long. */
  public record Side(String gpu, String core, long cycles, double microseconds) {}

  /** A setting with different values; null where a run lacks it. */
  public record Setting(String name, String first, String second) {}

  /** A quantity in both runs. */
  public record Quantity(String name, double first, double second) {
    double change() {
      return second - first;
    }

    /** Change against the larger of the two, so that 0 to 1 and 1 to 0 weigh the same. */
    double relative() {
      double larger = Math.max(Math.abs(first), Math.abs(second));
      return larger == 0 ? 0 : Math.abs(change()) / larger;
    }
  }

  /** One static instruction in both runs: warp-cycles spent there. */
  public record LinePair(int pc, String text, long first, long second) {}

  /**
   * One kernel in both runs.
   *
   * @param states warp-cycles by reason, largest change first
   * @param lines instructions whose time changed most
   * @param statistics counters, largest relative change first, equal ones left out
   */
  public record KernelPair(
      int id,
      String name,
      Quantity cycles,
      List<Quantity> states,
      List<LinePair> lines,
      List<Quantity> statistics) {}

  private static final int LINES = 40;

  /** Compares two runs. */
  public static RunComparison of(RunResult first, RunResult second) {
    List<Setting> settings = new ArrayList<>();
    for (String name : union(first.configuration().keySet(), second.configuration().keySet())) {
      String a = first.configuration().get(name);
      String b = second.configuration().get(name);
      if (a == null || !a.equals(b)) {
        settings.add(new Setting(name, a, b));
      }
    }
    Map<Integer, KernelResult> others = new HashMap<>();
    second.kernels().forEach(kernel -> others.put(kernel.id(), kernel));
    List<KernelPair> pairs = new ArrayList<>();
    for (KernelResult kernel : first.kernels()) {
      KernelResult other = others.get(kernel.id());
      if (other != null) {
        pairs.add(pair(kernel, other));
      }
    }
    pairs.sort(Comparator.comparingDouble(pair -> -Math.abs(pair.cycles().change())));
    return new RunComparison(side(first), side(second), settings, pairs);
  }

  private static Side side(RunResult run) {
    return new Side(run.gpu(), run.core(), run.cycles(), run.microseconds());
  }

  private static KernelPair pair(KernelResult a, KernelResult b) {
    List<Quantity> states = new ArrayList<>();
    Map<String, Long> stallsA = stalls(a);
    Map<String, Long> stallsB = stalls(b);
    for (String reason : union(stallsA.keySet(), stallsB.keySet())) {
      states.add(
          new Quantity(reason, stallsA.getOrDefault(reason, 0L), stallsB.getOrDefault(reason, 0L)));
    }
    states.sort(Comparator.comparingDouble(q -> -Math.abs(q.change())));
    List<Quantity> statistics = new ArrayList<>();
    Map<String, Number> all = statistics(a);
    Map<String, Number> others = statistics(b);
    for (String name : union(all.keySet(), others.keySet())) {
      Quantity quantity = new Quantity(name, number(all, name), number(others, name));
      if (quantity.change() != 0) {
        statistics.add(quantity);
      }
    }
    statistics.sort(Comparator.comparingDouble(q -> -q.relative()));
    return new KernelPair(
        a.id(),
        a.name(),
        new Quantity("cycles", a.cycles(), b.cycles()),
        states,
        lines(a.profile(), b.profile()),
        statistics);
  }

  /** A kernel's counters, and its energies where it has any. */
  private static Map<String, Number> statistics(KernelResult kernel) {
    Map<String, Number> all = new LinkedHashMap<>(kernel.statistics());
    if (kernel.energy() != null) {
      kernel.energy().columns().forEach((name, value) -> all.put(name, (Number) value));
    }
    return all;
  }

  private static Map<String, Long> stalls(KernelResult kernel) {
    if (kernel.profile() == null) {
      return kernel.stalls();
    }
    Map<String, Long> stalls = new LinkedHashMap<>();
    for (Map.Entry<StallReason, Long> entry : kernel.profile().stalls().entrySet()) {
      stalls.put(entry.getKey().label(), entry.getValue());
    }
    return stalls;
  }

  private static List<LinePair> lines(KernelProfile a, KernelProfile b) {
    if (a == null || b == null) {
      return List.of();
    }
    Map<Integer, LinePair> byPc = new HashMap<>();
    for (KernelProfile.Line line : a.lines()) {
      byPc.put(line.pc(), new LinePair(line.pc(), line.text(), line.warpCycles(), 0));
    }
    for (KernelProfile.Line line : b.lines()) {
      LinePair old = byPc.get(line.pc());
      byPc.put(
          line.pc(),
          new LinePair(line.pc(), line.text(), old == null ? 0 : old.first(), line.warpCycles()));
    }
    return byPc.values().stream()
        .filter(line -> line.first() != line.second())
        .sorted(
            Comparator.comparingLong((LinePair line) -> -Math.abs(line.second() - line.first()))
                .thenComparingInt(LinePair::pc))
        .limit(LINES)
        .toList();
  }

  private static double number(Map<String, Number> statistics, String name) {
    Number value = statistics.get(name);
    return value == null ? 0 : value.doubleValue();
  }

  private static Set<String> union(Set<String> a, Set<String> b) {
    Set<String> all = new LinkedHashSet<>(a);
    all.addAll(b);
    return all;
  }
}
