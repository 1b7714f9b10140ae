package dev.warpline.study.sample;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.Sampling;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.nvidia.Machine;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * A program of which some launches are simulated, and the others are taken to be like these. More
 * are simulated, where that helps most, until the program's time is known as well as was asked.
 *
 * <p>A launch finds in L2 what the launch before it left; one that is simulated out of turn has the
 * launch before it simulated first, unless the last one simulated did the same work.
 */
public final class SampledRun {
  /** A kernel of its own for each launch is cheaper than finding out which are alike. */
  private static final int FEW = 2;

  /**
   * The error at which a launch is reused: the first of a kind, which may be cold, is not enough.
   */
  private static final double REUSED = 0.02;

  /** Whether all blocks of a launch are simulated. */
  private final boolean wholeKernels;

  private final Machine machine;
  private final boolean cold;
  private final TraceSet program;
  private final RunOptions options;
  private final Progress progress;

  private final List<TraceCommand.Launch> launches = new ArrayList<>();
  private final List<Integer> numbers = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  /** By launch: which launches do the same work. */
  private final List<Integer> kinds = new ArrayList<>();

  private final Map<Long, Stratum> strata = new LinkedHashMap<>();
  private final List<Stratum> stratumOf = new ArrayList<>();
  private RunResult last;
  private int lastKind = -1;
  private long simulatedInstructions;
  private int simulatedLaunches;
  private double seconds;

  /**
   * @param machine runs launches one after the other and keeps caches from call to call
   * @param cold whether it empties them before every launch
   * @param options with the error that is asked for
   */
  SampledRun(
      Machine machine, boolean cold, TraceSet program, RunOptions options, Progress progress) {
    this(machine, cold, program, options, progress, false);
  }

  private SampledRun(
      Machine machine,
      boolean cold,
      TraceSet program,
      RunOptions options,
      Progress progress,
      boolean wholeKernels) {
    this.wholeKernels = wholeKernels;
    this.machine = machine;
    this.cold = cold;
    this.program = program;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs a program, sampled if the options say so.
   *
   * @param cold whether the machine empties its caches before every launch
   */
  public static RunResult of(
      Machine machine, boolean cold, TraceSet program, RunOptions options, Progress progress)
      throws IOException {
    return options.sample() == 0
        ? machine.run(program, options, progress)
        : new SampledRun(machine, cold, program, options, progress).run();
  }

  /**
   * Runs a program in which of launches that do the same work after the same work a first and a
   * warm one are simulated, all blocks of them, and the others are taken to be like the latter.
   */
  public static RunResult reusing(
      Machine machine, boolean cold, TraceSet program, RunOptions options, Progress progress)
      throws IOException {
    return new SampledRun(machine, cold, program, options.withSample(REUSED), progress, true).run();
  }

  /** Simulates as much as is needed. */
  RunResult run() throws IOException {
    List<TraceCommand> commands = program.commands();
    long count = commands.stream().filter(TraceCommand.Launch.class::isInstance).count();
    if (count <= FEW) {
      return whole(machine.run(program, kernelOptions(), progress));
    }
    findKinds(commands);
    if (launches.isEmpty()) {
      return machine.run(program, kernelOptions(), progress);
    }
    for (int i = 0; i < launches.size(); i++) {
      if (stratumOf.get(i).launches.get(0) == i) {
        simulate(i);
      }
    }
    SplittableRandom random = new SplittableRandom(launches.size());
    while (moreLaunchesHelp()) {
      simulate(choose(mostUncertain(), random));
    }
    return result();
  }

  /** How a launch is simulated that is. */
  private RunOptions kernelOptions() {
    return wholeKernels ? options.withSample(0) : options;
  }

  /** A program that was simulated launch by launch, each perhaps in part. */
  private RunResult whole(RunResult run) {
    if (run.kernels().stream().allMatch(kernel -> kernel.sampling() == null)) {
      return run;
    }
    double squares = 0;
    long simulated = 0;
    for (KernelResult kernel : run.kernels()) {
      double half = kernel.sampling() == null ? 0 : kernel.sampling().plusMinus();
      squares += half * kernel.cycles() * half * kernel.cycles();
      simulated += kernel.simulatedInstructions();
    }
    return said(
        run.withSampling(
            new Sampling(
                options.sample(),
                Math.sqrt(squares) / run.cycles(),
                simulated,
                "every launch, some of their blocks")));
  }

  private void findKinds(List<TraceCommand> commands) throws IOException {
    Map<String, LaunchFeatures> byFile = new HashMap<>();
    List<LaunchFeatures> known = new ArrayList<>();
    Map<String, String> nameOf = new HashMap<>();
    int number = 0;
    for (TraceCommand command : commands) {
      if (!(command instanceof TraceCommand.Launch launch)) {
        continue;
      }
      number++;
      options.stop().check();
      LaunchFeatures features = byFile.get(launch.file());
      if (features == null) {
        try (KernelTrace kernel = program.open(launch)) {
          features = LaunchFeatures.of(kernel);
          nameOf.put(launch.file(), kernel.header().name());
        }
        byFile.put(launch.file(), features);
      }
      String name = nameOf.get(launch.file());
      if (!options.kernels().test(number, name)) {
        continue;
      }
      int kind = 0;
      while (kind < known.size() && !known.get(kind).alike(features)) {
        kind++;
      }
      if (kind == known.size()) {
        known.add(features);
      }
      int before = cold || kinds.isEmpty() ? -1 : kinds.get(kinds.size() - 1);
      Stratum stratum = strata.computeIfAbsent((long) before << 32 | kind, key -> new Stratum());
      stratum.launches.add(launches.size());
      stratumOf.add(stratum);
      launches.add(launch);
      numbers.add(number);
      names.add(name);
      kinds.add(kind);
    }
  }

  /** Simulates a launch, after the one before it where caches have to be like that. */
  private void simulate(int i) throws IOException {
    List<TraceCommand> some = new ArrayList<>();
    if (!cold && i > 0 && lastKind != kinds.get(i - 1)) {
      some.add(launches.get(i - 1));
    }
    some.add(launches.get(i));
    // Of a warm-up nothing is told: the watcher counts launches that are results.
    RunResult run =
        machine.run(
            new SomeLaunches(program, some),
            kernelOptions().withKernels((id, name) -> true),
            some.size() == 1 ? new Forwarded(numbers.get(i)) : Progress.NONE);
    lastKind = kinds.get(i);
    last = run;
    seconds += run.simulation().wallSeconds();
    for (KernelResult kernel : run.kernels()) {
      simulatedInstructions += kernel.simulatedInstructions();
      simulatedLaunches++;
    }
    KernelResult own = run.kernels().get(run.kernels().size() - 1);
    stratumOf.get(i).add(i, own);
  }

  /** Tells how one launch is getting on under its number in the program. */
  private final class Forwarded implements Progress {
    private final int number;

    Forwarded(int number) {
      this.number = number;
    }

    @Override
    public void kernelStarted(int id, String name, long blocks) {
      progress.kernelStarted(number, name, blocks);
    }

    @Override
    public void advanced(
        long cycles, long blocksDone, long warpInstructions, long expectedInstructions) {
      progress.advanced(cycles, blocksDone, warpInstructions, expectedInstructions);
    }

    @Override
    public void reported() {
      progress.reported();
    }

    @Override
    public long pauseNanos() {
      return progress.pauseNanos();
    }
  }

  private double cycles() {
    return strata.values().stream().mapToDouble(Stratum::total).sum();
  }

  /** Half of the 95 % interval of the program's cycles. */
  private double plusMinus() {
    return Math.hypot(together(Stratum::uncertainty), together(Stratum::insideKernels));
  }

  private double together(ToDoubleFunction<Stratum> half) {
    return Math.sqrt(
        strata.values().stream()
            .mapToDouble(stratum -> half.applyAsDouble(stratum) * half.applyAsDouble(stratum))
            .sum());
  }

  /** What is not known of the inside of kernels, no further launch tells. */
  private boolean moreLaunchesHelp() {
    double asked = options.sample() * cycles();
    double inside = together(Stratum::insideKernels);
    double between = together(Stratum::uncertainty);
    return between > Math.max(asked / 2, Math.sqrt(Math.max(0, asked * asked - inside * inside)));
  }

  /** The stratum whose next sample takes most uncertainty away for its work. */
  private Stratum mostUncertain() {
    Stratum best = null;
    double most = 0;
    for (Stratum stratum : strata.values()) {
      double gain =
          stratum.uncertainty()
              * stratum.uncertainty()
              / Math.max(1, stratum.typical().simulatedInstructions());
      if (gain > most) {
        most = gain;
        best = stratum;
      }
    }
    return best;
  }

  private static int choose(Stratum stratum, SplittableRandom random) {
    List<Integer> open =
        stratum.launches.stream().filter(i -> stratum.simulated(i) == null).toList();
    return open.get(random.nextInt(open.size()));
  }

  private RunResult result() {
    List<KernelResult> results = new ArrayList<>();
    long clock = 0;
    for (int i = 0; i < launches.size(); i++) {
      Stratum stratum = stratumOf.get(i);
      KernelResult own = stratum.simulated(i);
      KernelResult typical = own == null ? stratum.typical() : own;
      long cycles = own == null ? Math.round(stratum.mean()) : own.cycles();
      Sampling sampling = own == null ? like(stratum) : own.sampling();
      KernelResult result = typical.as(numbers.get(i), names.get(i), clock, cycles, sampling);
      results.add(result);
      clock = result.end();
    }
    if (options.maxCycles() > 0 && clock > options.maxCycles()) {
      throw new UnfinishedSimulationException(
          "stopped at the limit of " + options.maxCycles() + " cycles", results);
    }
    return said(
        last.withKernels(results)
            .withSimulation(
                new RunResult.Simulation(
                    options.threads(),
                    seconds,
                    simulatedInstructions / seconds,
                    last.simulation().peakMemoryBytes()))
            .withSampling(
                new Sampling(
                    options.sample(),
                    plusMinus() / cycles(),
                    simulatedInstructions,
                    String.format(
                        Locale.ROOT,
                        "%,d of %,d launches simulated, for %,d groups of alike ones",
                        simulatedLaunches,
                        launches.size(),
                        strata.size()))));
  }

  /** What a launch that was not simulated rests on. */
  private Sampling like(Stratum stratum) {
    int unseen = stratum.launches.size() - stratum.seen().size();
    double each = stratum.uncertainty() / unseen / stratum.mean();
    return new Sampling(
        options.sample(),
        each + stratum.insideKernels() / stratum.total(),
        0,
        "like launch " + numbers.get(stratum.seen().get(stratum.seen().size() - 1)));
  }

  /** Nobody who reads a result overlooks that it is an estimate. */
  private RunResult said(RunResult run) {
    Sampling sampling = run.sampling();
    return run.withWarnings(
        List.of(
            String.format(
                Locale.ROOT,
                "sampled: %,d cycles +- %.2f %% (95 %% interval%s); %s, %,d of %,d warp instructions",
                run.cycles(),
                100 * sampling.plusMinus(),
                sampling.met()
                    ? ""
                    : String.format(Locale.ROOT, "; asked for %.2f %%", 100 * sampling.asked()),
                sampling.how(),
                sampling.simulatedInstructions(),
                run.kernels().stream().mapToLong(KernelResult::warpInstructions).sum())));
  }
}
