package dev.warpline.study.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A program's time on the GPU, measured and modelled. Times in nanoseconds.
 *
 * @param name of the program
 * @param whole from the start of its first operation to the end of its last
 * @param busy the same for its busiest stretch: the most operations without an idle time that only
 *     the host can explain
 * @param overlap in that stretch: the sum of the durations less the time covered by any
 */
public record ProgramComparison(String name, Pair whole, Pair busy, Pair overlap) {
  /** An idle time of the GPU that ends a stretch. */
  private static final double IDLE_NS = 50_000;

  /**
   * When an operation ran.
   *
   * @param number of the operation
   */
  record Interval(int number, double from, double until) {}

  /**
   * One number, measured and modelled.
   *
   * @param operations that it is of
   */
  public record Pair(int operations, double measured, double modelled) {
    /** How far the model is off, relative to what was measured; positive if it takes longer. */
    public double error() {
      return measured == 0 ? 0 : modelled / measured - 1;
    }
  }

  /** Whether enough overlapped to compare it: a hundredth of the stretch. */
  public boolean overlaps() {
    return overlap.measured() > 0.01 * busy.measured();
  }

  static ProgramComparison of(String name, List<Interval> measured, List<Interval> modelled) {
    Set<Integer> stretch = busiest(measured);
    List<Interval> real = of(measured, stretch);
    List<Interval> model = of(modelled, stretch);
    return new ProgramComparison(
        name,
        pair(measured, modelled, ProgramComparison::span),
        pair(real, model, ProgramComparison::span),
        pair(real, model, ProgramComparison::overlap));
  }

  private static List<Interval> of(List<Interval> all, Set<Integer> numbers) {
    return all.stream().filter(one -> numbers.contains(one.number())).toList();
  }

  private static Pair pair(
      List<Interval> measured, List<Interval> modelled, ToDoubleFunction<List<Interval>> what) {
    return new Pair(measured.size(), what.applyAsDouble(measured), what.applyAsDouble(modelled));
  }

  private static List<Interval> byStart(List<Interval> intervals) {
    List<Interval> sorted = new ArrayList<>(intervals);
    sorted.sort(Comparator.comparingDouble(Interval::from));
    return sorted;
  }

  private static Set<Integer> busiest(List<Interval> measured) {
    Set<Integer> best = Set.of();
    Set<Integer> now = new HashSet<>();
    double until = Double.NEGATIVE_INFINITY;
    for (Interval one : byStart(measured)) {
      if (one.from() - until > IDLE_NS) {
        now = new HashSet<>();
      }
      now.add(one.number());
      best = now.size() > best.size() ? now : best;
      until = Math.max(until, one.until());
    }
    return best;
  }

  private static double span(List<Interval> intervals) {
    return intervals.stream().mapToDouble(Interval::until).max().orElse(0)
        - intervals.stream().mapToDouble(Interval::from).min().orElse(0);
  }

  private static double overlap(List<Interval> intervals) {
    double sum = 0;
    double covered = 0;
    double until = Double.NEGATIVE_INFINITY;
    for (Interval one : byStart(intervals)) {
      sum += one.until() - one.from();
      covered += Math.max(0, one.until() - Math.max(until, one.from()));
      until = Math.max(until, one.until());
    }
    return sum - covered;
  }
}
