package dev.warpline.engine;

import java.util.List;

/**
 * What a simulation run says: the kernels, and how the simulation itself went.
 *
 * @param gpu name of the GPU description
 * @param core {@code classic}, {@code modern} or {@code gcn}
 * @param coreMHz core clock, to turn cycles into time
 * @param kernels one result per launch, in launch order
 * @param simulation wall-clock facts, the only part that differs between two runs
 */
public record RunResult(
    String gpu, String core, double coreMHz, List<KernelResult> kernels, Simulation simulation) {

  /** How fast the simulator ran. */
  public record Simulation(
      int threads, double wallSeconds, double warpInstructionsPerSecond, long peakMemoryBytes) {}
}
