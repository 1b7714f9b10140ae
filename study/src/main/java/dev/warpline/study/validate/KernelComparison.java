package dev.warpline.study.validate;

import dev.warpline.engine.KernelResult;

/**
 * A kernel on the hardware and in the simulation.
 *
 * @param hardware the counters
 * @param result the simulation, null if it failed
 * @param failure why it failed, null if it did not
 * @param seconds how long the simulation took
 */
public record KernelComparison(
    HardwareTable.Row hardware, KernelResult result, String failure, double seconds) {

  /** Cycles on the hardware. */
  public double hardwareCycles() {
    return hardware.number("cycles_median").orElseThrow();
  }

  /** Simulated minus measured cycles, in percent of the measured. */
  public double errorPercent() {
    return 100 * (result.cycles() - hardwareCycles()) / hardwareCycles();
  }

  /** Whether there is a result to compare. */
  public boolean ran() {
    return result != null;
  }
}
