package dev.warpline.memory.detailed;

import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.DetailedMemorySpec;

/**
 * Clocks of the interconnect, the L2 and the DRAM in terms of core cycles, by exact ratios: edge n
 * of a domain falls into core cycle {@code floor(n * core / domain)}.
 *
 * @param coreKHz core clock
 * @param icntKHz steps of the crossbar
 * @param l2KHz steps of the L2
 * @param dramKHz DRAM command clock
 */
record ClockDomains(long coreKHz, long icntKHz, long l2KHz, long dramKHz) {
  static ClockDomains of(ClockSpec clocks, DetailedMemorySpec spec) {
    return new ClockDomains(
        Math.round(clocks.coreMHz() * 1000),
        Math.round(clocks.interconnectMHz() * spec.interconnectSteps() * 1000),
        Math.round(clocks.l2MHz() * spec.l2Steps() * 1000),
        Math.round(clocks.dramMHz() * 1000));
  }

  /** Crossbar edges before a core cycle. */
  long icntEdges(long cycle) {
    return edges(cycle, icntKHz);
  }

  /** L2 edges before a core cycle. */
  long l2Edges(long cycle) {
    return edges(cycle, l2KHz);
  }

  /** DRAM edges before a core cycle. */
  long dramEdges(long cycle) {
    return edges(cycle, dramKHz);
  }

  private long edges(long cycle, long kHz) {
    if (kHz == coreKHz) {
      return cycle;
    }
    // ceil(cycle * kHz / coreKHz), split so that it cannot overflow.
    long whole = cycle / coreKHz * kHz;
    long part = cycle % coreKHz * kHz;
    return whole + (part + coreKHz - 1) / coreKHz;
  }
}
