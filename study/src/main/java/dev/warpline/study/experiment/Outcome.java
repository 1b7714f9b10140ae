package dev.warpline.study.experiment;

import java.util.Locale;

/**
 * What a change did to a kernel.
 *
 * @param before time on the machine as it is, in microseconds
 * @param after time on the changed machine
 */
public record Outcome(Rule rule, ExperimentKernel kernel, double before, double after) {
  /** How much faster the changed machine is, to three digits as it is shown. */
  public double speedUp() {
    return Math.rint(1000 * before / after) / 1000;
  }

  /** Whether it is what the rule says. */
  public boolean holds() {
    return speedUp() >= rule.least() && speedUp() <= rule.most();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s on %s: %.2f us instead of %.2f, %.3f times as fast, expected %s to %s: %s",
        rule.title(),
        kernel.name(),
        after,
        before,
        speedUp(),
        rule.least(),
        rule.most(),
        rule.why());
  }
}
