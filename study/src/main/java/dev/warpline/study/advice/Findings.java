package dev.warpline.study.advice;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says in words why the kernels of a run take their time. The first finding of a kernel is what
 * gains most where reliefs were simulated, else its bottleneck: a part of the machine near its
 * peak, or what its warps wait for.
 */
public final class Findings {
  /** Less of the program's time is not worth a simulation. */
  private static final double WORTH_SIMULATING = 0.02;

  private Findings() {}

  /**
   * What there is to say of a kernel of a run, with the gains that the run's alternatives tell.
   * Empty without a profile.
   */
  public static List<Finding> of(RunResult run, KernelResult kernel) {
    if (kernel.profile() == null) {
      return List.of();
    }
    boolean modern = run.core().equals("modern");
    boolean amd = run.core().equals("gcn");
    KernelEvidence evidence =
        new KernelEvidence(kernel, amd ? StallReason::gem5 : StallReason::nsight);
    List<Finding> found = new ArrayList<>();
    for (Finding finding : look(evidence)) {
      Relief relief = modern ? finding.relief() : Relief.NONE;
      found.add(gained(finding.withRelief(relief), run, kernel));
    }
    // Gains first, the largest first; what was not simulated stays in the order of its weight.
    found.sort(Comparator.comparingDouble(f -> f.gain() == null ? 1 : -1 - Math.max(0, f.gain())));
    return List.copyOf(found);
  }

  private static long order(Finding finding) {
    return finding.gain() == null ? 1 : Math.round(-100 * Math.max(0, finding.gain()));
  }

  /** The bottleneck, then everything else by its weight. */
  private static List<Finding> look(KernelEvidence kernel) {
    List<Finding> parts = new ArrayList<>();
    List<Finding> others = new ArrayList<>();
    AdviceRules.PARTS.forEach(rule -> add(rule, kernel, parts));
    AdviceRules.WAITS.forEach(rule -> add(rule, kernel, others));
    AdviceRules.PATTERNS.forEach(rule -> add(rule, kernel, others));
    parts.sort(Comparator.comparingDouble(Finding::weight).reversed());
    WaitRule wait =
        AdviceRules.WAITS.stream()
            .max(Comparator.comparingDouble(rule -> kernel.share(rule.reasons())))
            .orElseThrow();
    Finding first = wait.describe(kernel);
    if (parts.isEmpty() || parts.get(0).weight() < PartRule.BOUND) {
      others.removeIf(finding -> finding.rule().equals(wait.name()));
      first = first.as(first.title().replace("Warps wait: ", "Limited by latency: "));
    } else {
      first = parts.remove(0);
    }
    others.addAll(parts);
    others.sort(Comparator.comparingDouble(Finding::weight).reversed());
    others.add(0, first);
    return others;
  }

  private static void add(AdviceRule rule, KernelEvidence kernel, List<Finding> found) {
    Finding finding = rule.look(kernel);
    if (finding != null) {
      found.add(finding);
    }
  }

  private static Finding gained(Finding finding, RunResult run, KernelResult kernel) {
    for (RunResult.Alternative alternative : run.alternatives()) {
      if (alternative.settings().equals(finding.relief().settings())) {
        for (KernelResult same : alternative.result().kernels()) {
          if (same.id() == kernel.id()) {
            return finding.withGain(finding.relief().gain(kernel.cycles(), same.cycles()));
          }
        }
      }
    }
    return finding;
  }

  /**
   * The reliefs that are worth a simulation of the program, as settings, the most important first:
   * by how much of the program's time their findings concern.
   *
   * @param most how many at most
   */
  public static List<List<String>> reliefs(RunResult run, int most) {
    Map<List<String>, Double> weights = new LinkedHashMap<>();
    double all = run.kernels().stream().mapToLong(KernelResult::cycles).sum();
    for (KernelResult kernel : run.kernels()) {
      double share = kernel.cycles() / Math.max(1, all);
      boolean first = true;
      for (Finding finding : of(run, kernel)) {
        if (finding.relief().exists() && finding.gain() == null) {
          // The first is the bottleneck, whatever its weight.
          double weight = share * (first ? 1 + finding.weight() : finding.weight());
          weights.merge(finding.relief().settings(), weight, Double::sum);
          first = false;
        }
      }
    }
    return weights.entrySet().stream()
        .filter(entry -> entry.getValue() > WORTH_SIMULATING)
        .sorted(Map.Entry.<List<String>, Double>comparingByValue().reversed())
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }
}
