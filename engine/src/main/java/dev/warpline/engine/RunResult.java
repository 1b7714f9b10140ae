package dev.warpline.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.warpline.engine.energy.KernelEnergy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a simulation run says: the kernels, and how the simulation itself went.
 *
 * @param gpu name of the GPU description
 * @param core {@code classic}, {@code modern} or {@code gcn}; {@code functional} where AMD kernels
 *     were executed without time
 * @param coreMHz core clock, to turn cycles into time
 * @param kernels one result per launch, in launch order
 * @param activities what the GPU did for the program, copies too, in the order of completion; empty
 *     where only kernels are known
 * @param program what the whole program's time consists of; null where only kernels are known
 * @param configuration every setting of the GPU by dotted name, in the order of its description
 * @param warnings what holds for the whole run: settings that have no effect, data left out
 * @param unfinished why the run ended before its last kernel did, null if it did not
 * @param origin what the result rests on; null where nobody said
 * @param alternatives the same program on the same GPU with other settings
 * @param sampling what the program's time rests on; null if everything was simulated
 * @param sources text of the source lines that the profiles name, as it was when the run was made
 * @param simulation wall-clock facts, the only part that differs between two runs
 */
@JsonPropertyOrder({
  // Methods have no order of their own; without this two runs may differ in it.
  "gpu",
  "core",
  "coreMHz",
  "kernels",
  "activities",
  "program",
  "configuration",
  "warnings",
  "unfinished",
  "origin",
  "alternatives",
  "sampling",
  "sources",
  "simulation",
  "cycles",
  "energy"
})
public record RunResult(
    String gpu,
    String core,
    double coreMHz,
    List<KernelResult> kernels,
    List<Activity> activities,
    ProgramTime program,
    Map<String, String> configuration,
    List<String> warnings,
    String unfinished,
    Origin origin,
    List<Alternative> alternatives,
    Sampling sampling,
    List<SourceFile> sources,
    Simulation simulation) {
  /** The core of a run without time. */
  public static final String FUNCTIONAL = "functional";

  /** Results of older versions lack what they did not know of. */
  public RunResult {
    activities = activities == null ? List.of() : List.copyOf(activities);
    configuration = configuration == null ? Map.of() : configuration;
    warnings = warnings == null ? List.of() : List.copyOf(warnings);
    alternatives = alternatives == null ? List.of() : List.copyOf(alternatives);
    sources = sources == null ? List.of() : List.copyOf(sources);
  }

  /** A result that does not say how the GPU was configured. */
  public RunResult(
      String gpu, String core, double coreMHz, List<KernelResult> kernels, Simulation simulation) {
    this(
        gpu,
        core,
        coreMHz,
        kernels,
        List.of(),
        null,
        Map.of(),
        List.of(),
        null,
        null,
        List.of(),
        null,
        List.of(),
        simulation);
  }

  /** The same result with other kernels. */
  public RunResult withKernels(List<KernelResult> others) {
    return with(parts -> parts.kernels = others);
  }

  /** The same result with all that the GPU did. */
  public RunResult withActivities(List<Activity> all) {
    return with(parts -> parts.activities = all);
  }

  /** The same result with what the whole program's time consists of. */
  public RunResult withProgram(ProgramTime time) {
    return with(parts -> parts.program = time);
  }

  /** The same result with the GPU's settings. */
  public RunResult withConfiguration(Map<String, String> settings) {
    return with(parts -> parts.configuration = settings);
  }

  /** The same result with more to say about the whole run. */
  public RunResult withWarnings(List<String> more) {
    List<String> all = new ArrayList<>(warnings);
    all.addAll(more);
    return with(parts -> parts.warnings = all);
  }

  /** The same result, ended early. */
  public RunResult withUnfinished(String why) {
    return with(parts -> parts.unfinished = why);
  }

  /** The same result with what it rests on. */
  public RunResult withOrigin(Origin what) {
    return with(parts -> parts.origin = what);
  }

  /** The same result, told otherwise how fast the simulator ran. */
  public RunResult withSimulation(Simulation how) {
    return with(parts -> parts.simulation = how);
  }

  /** The same result, an estimate. */
  public RunResult withSampling(Sampling estimate) {
    return with(parts -> parts.sampling = estimate);
  }

  /** The same result with those of other settings. */
  public RunResult withAlternatives(List<Alternative> others) {
    return with(parts -> parts.alternatives = others);
  }

  /** The same result with the text of its source lines. */
  public RunResult withSources(List<SourceFile> text) {
    return with(parts -> parts.sources = text);
  }

  private RunResult with(Consumer<Parts> change) {
    Parts parts = new Parts(this);
    change.accept(parts);
    return new RunResult(
        gpu,
        core,
        coreMHz,
        parts.kernels,
        parts.activities,
        parts.program,
        parts.configuration,
        parts.warnings,
        parts.unfinished,
        parts.origin,
        parts.alternatives,
        parts.sampling,
        parts.sources,
        parts.simulation);
  }

  /** What a result may have otherwise than another. */
  private static final class Parts {
    List<KernelResult> kernels;
    List<Activity> activities;
    ProgramTime program;
    Map<String, String> configuration;
    List<String> warnings;
    String unfinished;
    Origin origin;
    List<Alternative> alternatives;
    Sampling sampling;
    List<SourceFile> sources;
    Simulation simulation;

    Parts(RunResult run) {
      kernels = run.kernels;
      activities = run.activities;
      program = run.program;
      configuration = run.configuration;
      warnings = run.warnings;
      unfinished = run.unfinished;
      origin = run.origin;
      alternatives = run.alternatives;
      sampling = run.sampling;
      sources = run.sources;
      simulation = run.simulation;
    }
  }

  /**
   * The program's time in core cycles: from the first launch to the last kernel's end, and where
   * activities are known to the last completion.
   */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public long cycles() {
    long lastEnd = kernels.stream().mapToLong(KernelResult::end).max().orElse(0);
    return Math.max(lastEnd, activities.stream().mapToLong(Activity::complete).max().orElse(0));
  }

  /** The program's energy, kernel after kernel; null unless each kernel has one. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public KernelEnergy energy() {
    List<KernelEnergy> all = new ArrayList<>();
    kernels.forEach(kernel -> all.add(kernel.energy()));
    return KernelEnergy.sum(all);
  }

  /** The program's time in microseconds. */
  public double microseconds() {
    return microseconds(cycles());
  }

  /** So many core cycles in microseconds, 0 where the clock is not known. */
  public double microseconds(long count) {
    return coreMHz == 0 ? 0 : count / coreMHz;
  }

  /** Whether time was simulated, and not only what kernels compute. */
  public boolean timed() {
    return !FUNCTIONAL.equals(core);
  }

  /**
   * The answer to "what if".
   *
   * @param settings what was set, as {@code FIELD=VALUE}
   * @param result what came of it
   */
  public record Alternative(List<String> settings, RunResult result) {}

  /** How fast the simulator ran. */
  public record Simulation(
      int threads, double wallSeconds, double warpInstructionsPerSecond, long peakMemoryBytes) {}
}
