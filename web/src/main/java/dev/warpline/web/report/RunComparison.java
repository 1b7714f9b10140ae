package dev.warpline.web.report;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.Demangler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two runs side by side: kernels paired by launch number and name, and for each pair the
 * differences that matter, largest effect first.
 *
 * @param first the run compared against
 * @param second the run compared
 * @param settings settings that differ
 * @param kernels pairs of kernels
 * @param unmatched kernels without a counterpart, in words
 */
public record RunComparison(
    Side first,
    Side second,
    List<Setting> settings,
    List<KernelPair> kernels,
    List<String> unmatched) {

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

  /**
   * One static instruction in both runs.
   *
   * @param pc where it is in the second run, else in the first
   * @param firstPc where it is in the first run, -1 if it is not there
   * @param secondPc where it is in the second run, -1 if it is not there
   * @param text of the second run, else of the first
   * @param first warp-cycles spent there in the first run
   * @param second the same of the second
   */
  public record LinePair(int pc, int firstPc, int secondPc, String text, long first, long second) {}

  /**
   * How the instructions of two kernels were matched.
   *
   * @param how in words
   * @param onlyFirst instructions of the first without a counterpart
   * @param onlySecond instructions of the second without a counterpart
   */
  public record Matching(String how, int onlyFirst, int onlySecond) {}

  /**
   * One kernel in both runs.
   *
   * @param id launch number in the second run
   * @param otherId launch number in the first run
   * @param matching how instructions were matched; null where a run has no profile
   * @param states warp-cycles by reason, largest change first
   * @param lines instructions whose time changed most
   * @param statistics counters, largest relative change first, equal ones left out
   */
  public record KernelPair(
      int id,
      int otherId,
      String name,
      Quantity cycles,
      Matching matching,
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
    Counterparts counterparts = Counterparts.of(first.kernels(), second.kernels());
    List<KernelPair> pairs = new ArrayList<>();
    counterparts.pairs().forEach(both -> pairs.add(pair(both.first(), both.second())));
    pairs.sort(Comparator.comparingDouble(pair -> -Math.abs(pair.cycles().change())));
    return new RunComparison(side(first), side(second), settings, pairs, counterparts.unmatched());
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
    boolean profiles = a.profile() != null && b.profile() != null;
    Alignment alignment = profiles ? Alignment.of(a.profile().lines(), b.profile().lines()) : null;
    return new KernelPair(
        b.id(),
        a.id(),
        Demangler.shortName(b.name()),
        new Quantity("cycles", a.cycles(), b.cycles()),
        profiles ? alignment.matching() : null,
        states,
        profiles ? lines(a.profile(), b.profile(), alignment) : List.of(),
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
    Map<String, Long> stalls = new LinkedHashMap<>();
    if (kernel.profile() == null) {
      kernel.stalls().forEach((key, cycles) -> stalls.put(StallReason.labelOf(key), cycles));
      return stalls;
    }
    for (Map.Entry<StallReason, Long> entry : kernel.profile().stalls().entrySet()) {
      stalls.put(entry.getKey().label(), entry.getValue());
    }
    return stalls;
  }

  private static List<LinePair> lines(KernelProfile a, KernelProfile b, Alignment alignment) {
    List<LinePair> pairs = new ArrayList<>();
    boolean[] there = new boolean[a.lines().size()];
    for (int i = 0; i < b.lines().size(); i++) {
      KernelProfile.Line line = b.lines().get(i);
      int old = alignment.first()[i];
      long before = old < 0 ? 0 : a.lines().get(old).warpCycles();
      int oldPc = old < 0 ? -1 : a.lines().get(old).pc();
      pairs.add(new LinePair(line.pc(), oldPc, line.pc(), line.text(), before, line.warpCycles()));
      if (old >= 0) {
        there[old] = true;
      }
    }
    for (int i = 0; i < there.length; i++) {
      if (!there[i]) {
        KernelProfile.Line line = a.lines().get(i);
        pairs.add(new LinePair(line.pc(), line.pc(), -1, line.text(), line.warpCycles(), 0));
      }
    }
    return pairs.stream()
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
