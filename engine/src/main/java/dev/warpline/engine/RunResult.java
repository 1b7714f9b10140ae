package dev.warpline.engine;

import java.util.ArrayList;
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
 * @param warnings what holds for the whole run: settings that have no effect, data left out
 * @param unfinished why the run ended before its last kernel did, null if it did not
 * @param origin what the result rests on; null where nobody said
 * @param simulation wall-clock facts, the only part that differs between two runs
 */
public record RunResult(
    String gpu,
    String core,
    double coreMHz,
    List<KernelResult> kernels,
    Map<String, String> configuration,
    List<String> warnings,
    String unfinished,
    Origin origin,
    Simulation simulation) {

  /** Results of older versions lack what they did not know of. */
  public RunResult {
    configuration = configuration == null ? Map.of() : configuration;
    warnings = warnings == null ? List.of() : List.copyOf(warnings);
  }

  /** A result that does not say how the GPU was configured. */
  public RunResult(
      String gpu, String core, double coreMHz, List<KernelResult> kernels, Simulation simulation) {
    this(gpu, core, coreMHz, kernels, Map.of(), List.of(), null, null, simulation);
  }

  /** The same result with other kernels. */
  public RunResult withKernels(List<KernelResult> others) {
    return new RunResult(
        gpu, core, coreMHz, others, configuration, warnings, unfinished, origin, simulation);
  }

  /** The same result with the GPU's settings. */
  public RunResult withConfiguration(Map<String, String> settings) {
    return new RunResult(
        gpu, core, coreMHz, kernels, settings, warnings, unfinished, origin, simulation);
  }

  /** The same result with more to say about the whole run. */
  public RunResult withWarnings(List<String> more) {
    List<String> all = new ArrayList<>(warnings);
    all.addAll(more);
    return new RunResult(
        gpu, core, coreMHz, kernels, configuration, all, unfinished, origin, simulation);
  }

  /** The same result, ended early. */
  public RunResult withUnfinished(String why) {
    return new RunResult(
        gpu, core, coreMHz, kernels, configuration, warnings, why, origin, simulation);
  }

  /** The same result with what it rests on. */
  public RunResult withOrigin(Origin what) {
    return new RunResult(
        gpu, core, coreMHz, kernels, configuration, warnings, unfinished, what, simulation);
  }

  /** The program's time in core cycles: from the first launch to the last kernel's end. */
  public long cycles() {
    return kernels.stream().mapToLong(KernelResult::end).max().orElse(0);
  }

  /** How fast the simulator ran. */
  public record Simulation(
      int threads, double wallSeconds, double warpInstructionsPerSecond, long peakMemoryBytes) {}
}
