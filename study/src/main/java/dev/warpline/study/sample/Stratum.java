package dev.warpline.study.sample;

import dev.warpline.engine.KernelResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Launches that do the same work after the same work. The first of them is apart: it may find
 * caches that the others do not, and stands for itself alone.
 */
final class Stratum {
  /** By how much launches after the first are taken to differ from it, before one was simulated. */
  private static final double UNKNOWN = 0.15;

  /** By how much they are taken to differ from each other while only one was simulated. */
  private static final double ONE_SEEN = 0.01;

  /** Student's t of 95 % for 1, 2, ... degrees of freedom; then as for infinitely many. */
  private static final double[] STUDENT = {
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23
  };

  static final double NORMAL = 1.96;

  /** Numbers of the launches, in order. */
  final List<Integer> launches = new ArrayList<>();

  /** Those that were simulated. */
  private final Map<Integer, KernelResult> simulated = new TreeMap<>();

  void add(int launch, KernelResult result) {
    simulated.put(launch, result);
  }

  KernelResult simulated(int launch) {
    return simulated.get(launch);
  }

  /** Numbers of the launches that were simulated. */
  List<Integer> seen() {
    return List.copyOf(simulated.keySet());
  }

  boolean complete() {
    return simulated.size() == launches.size();
  }

  /** A simulated launch that stands for one that was not. */
  KernelResult typical() {
    KernelResult last = null;
    for (KernelResult one : simulated.values()) {
      last = one;
    }
    return last;
  }

  private List<KernelResult> afterFirst() {
    List<KernelResult> results = new ArrayList<>(simulated.values());
    if (simulated.containsKey(launches.get(0))) {
      results.remove(0);
    }
    return results;
  }

  /** Cycles of a launch after the first, on average. */
  double mean() {
    return afterFirst().stream()
        .mapToLong(KernelResult::cycles)
        .average()
        .orElseGet(() -> typical().cycles());
  }

  private int unseen() {
    return launches.size() - simulated.size();
  }

  /** Cycles of all launches. */
  double total() {
    return simulated.values().stream().mapToLong(KernelResult::cycles).sum() + unseen() * mean();
  }

  /**
   * Half of the 95 % interval of {@link #total}, as far as it comes from launches not simulated.
   */
  double uncertainty() {
    int unseen = unseen();
    if (unseen == 0) {
      return 0;
    }
    List<KernelResult> steady = afterFirst();
    int n = steady.size();
    double mean = mean();
    if (n == 0) {
      return NORMAL * unseen * UNKNOWN * mean;
    }
    if (n == 1) {
      return NORMAL * unseen * ONE_SEEN * mean * Math.sqrt(2);
    }
    double squares =
        steady.stream().mapToDouble(k -> (k.cycles() - mean) * (k.cycles() - mean)).sum();
    double deviation = Math.sqrt(squares / (n - 1));
    double t = n - 2 < STUDENT.length ? STUDENT[n - 2] : NORMAL;
    // The mean of those not seen differs from that of those seen.
    return t * deviation * unseen * Math.sqrt(1.0 / n + 1.0 / unseen);
  }

  /** Half of the 95 % interval of {@link #total} that comes from sampling inside of kernels. */
  double insideKernels() {
    return simulated.values().stream()
            .mapToDouble(k -> k.sampling() == null ? 0 : k.sampling().plusMinus())
            .max()
            .orElse(0)
        * total();
  }
}
