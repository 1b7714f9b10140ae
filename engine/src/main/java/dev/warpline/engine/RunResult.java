package dev.warpline.engine;

import java.util.List;
import java.util.Map;

/**
 * What a simulation run says: the kernels, and how the simulation itself went.
 *
 * @param gpu name of the GPU description
 * @param core {@code classic}, {@code modern} or {@code gcn}
 * @param coreMHz core clock, to turn cycles into time
 * @param kernels one result per launch, in launch order
 * @param configuration every setting of the GPU by dotted name, in the order of its description
 * @param simulation wall-clock facts, the only part that differs between two runs
 */
public record RunResult(
    String gpu,
    String core,
    double coreMHz,
    List<KernelResult> kernels,
    Map<String, String> configuration,
    Simulation simulation) {

  /** A result that does not say how the GPU was configured. */
  public RunResult(
      String gpu, String core, double coreMHz, List<KernelResult> kernels, Simulation simulation) {
    this(gpu, core, coreMHz, kernels, Map.of(), simulation);
  }

  /** The same result with the GPU's settings. */
  public RunResult withConfiguration(Map<String, String> settings) {
    return new RunResult(gpu, core, coreMHz, kernels, settings, simulation);
  }

  /** How fast the simulator ran. */
  public record Simulation(
      int threads, double wallSeconds, double warpInstructionsPerSecond, long peakMemoryBytes) {}
}
