package dev.warpline.nvidia.modern;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.Sampling;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.flow.FlowMemory;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.nvidia.Machine;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A GPU with the modern core and the reserving memory side. */
public final class ModernMachine implements Machine {
  private final GpuDescription gpu;
  private final boolean cold;
  private final Sms sms;
  private final FlowMemory memory;
  private final GroupCaches groupCaches;
  private final int window;

  /** Whether it ran a kernel before. */
  private boolean warm;

  /**
   * @param gpu description with a modern core and a reserving memory side
   * @param cold whether caches are emptied before every kernel
   */
  public ModernMachine(GpuDescription gpu, boolean cold) throws DescriptionException {
    if (gpu.sm() == null || gpu.modern() == null || gpu.flowMemory() == null) {
      throw new DescriptionException(
          gpu.name() + ": the modern core needs the sections sm, modern and flowMemory");
    }
    this.gpu = gpu;
    this.cold = cold;
    Topology topology = Topology.of(gpu);
    sms = new Sms(gpu, topology);
    memory = new FlowMemory(gpu.flowMemory(), gpu.clocks(), topology);
    groupCaches = new GroupCaches(gpu.modern(), topology, memory);
    window = Math.min(gpu.flowMemory().lookAhead(gpu.clocks()), gpu.modern().launch().turnaround());
  }

  @Override
  public RunResult run(TraceSet program, RunOptions options, Progress progress) throws IOException {
    return run(program, Agenda.inOrder(program), options, progress);
  }

  @Override
  public RunResult run(TraceSet program, Agenda agenda, RunOptions options, Progress progress)
      throws IOException {
    long started = System.nanoTime();
    List<TraceCommand.Launch> launches = launches(program);
    List<KernelResult> results = new ArrayList<>();
    long instructions = 0;
    long clock = 0;
    try (Workers workers = new Workers(options.threads())) {
      for (Agenda.Start next = agenda.next(); next != null; next = agenda.next()) {
        int launch = number(launches, next.launch());
        clock = Math.max(clock, next.cycle());
        agenda.started(next.launch(), clock);
        try (KernelTrace kernel = program.open(launches.get(launch - 1))) {
          if (options.kernels().test(launch, kernel.header().name())) {
            boolean empty = cold || !warm;
            warm = true;
            KernelResult result =
                run(kernel(kernel, launch, empty, clock), workers, options, progress, results);
            if (empty && result.sampling() != null && !result.sampling().met()) {
              result =
                  inFull(
                      result.sampling(),
                      run(
                          kernel(kernel, launch, true, clock),
                          workers,
                          options.withSample(0),
                          progress,
                          results));
            }
            results.add(result);
            clock = result.end();
            instructions += result.simulatedInstructions();
          }
        }
        agenda.ended(next.launch(), clock);
      }
    }
    double seconds = (System.nanoTime() - started) * 1e-9;
    Runtime runtime = Runtime.getRuntime();
    return new RunResult(
        gpu.name(),
        "modern",
        gpu.clocks().coreMHz(),
        results,
        new RunResult.Simulation(
            options.threads(),
            seconds,
            instructions / seconds,
            runtime.totalMemory() - runtime.freeMemory()));
  }

  private static List<TraceCommand.Launch> launches(TraceSet program) {
    return program.commands().stream()
        .filter(TraceCommand.Launch.class::isInstance)
        .map(TraceCommand.Launch.class::cast)
        .toList();
  }

  /** Number of a launch from 1, by its index. */
  private static int number(List<TraceCommand.Launch> launches, int index) {
    for (int i = 0; i < launches.size(); i++) {
      // Nearly always the first guess is right.
      int at = Math.floorMod(index + i, launches.size());
      if (launches.get(at).index() == index) {
        return at + 1;
      }
    }
    throw new IllegalArgumentException("launch " + index + " is in no list of the program");
  }

  private ModernKernel kernel(KernelTrace trace, int launch, boolean empty, long clock) {
    return new ModernKernel(gpu, sms, memory, groupCaches, window, trace, launch, empty, clock);
  }

  /** A kernel whose sample was not good enough, simulated after all; both were work. */
  private static KernelResult inFull(Sampling sample, KernelResult result) {
    return result.as(
        result.id(),
        result.name(),
        result.start(),
        result.cycles(),
        new Sampling(
            sample.asked(),
            0,
            sample.simulatedInstructions() + result.warpInstructions(),
            String.format(
                Locale.ROOT, "in full, since a sample left +- %.1f %%", 100 * sample.plusMinus())));
  }

  /** What stops a kernel inside an SM leaves the kernels that ended before. */
  private static KernelResult run(
      ModernKernel kernel,
      Workers workers,
      RunOptions options,
      Progress progress,
      List<KernelResult> before)
      throws IOException {
    try {
      return kernel.run(workers, options, progress, before);
    } catch (UnfinishedSimulationException e) {
      throw e.finished().isEmpty() ? new UnfinishedSimulationException(e.getMessage(), before) : e;
    }
  }

  static Map<String, Long> stalls(Sms sms) {
    long[] sums = new long[StallReason.COUNT];
    for (Sm sm : sms) {
      long[] its = sm.warps().time.totals();
      for (int reason = 0; reason < sums.length; reason++) {
        sums[reason] += its[reason];
      }
    }
    Map<String, Long> all = new LinkedHashMap<>();
    for (StallReason reason : StallReason.values()) {
      if (sums[reason.ordinal()] != 0) {
        all.put(reason.key(), sums[reason.ordinal()]);
      }
    }
    return all;
  }
}
