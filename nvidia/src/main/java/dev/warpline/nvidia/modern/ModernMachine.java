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
import dev.warpline.memory.flow.FlowMemory;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.nvidia.Machine;
import dev.warpline.nvidia.OpenKernel;
import dev.warpline.nvidia.modern.memory.LaneAddresses;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.BlocksAhead;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
    boolean shared = gpu.launch() != null && gpu.launch().kernelsShareSms();
    Agenda agenda =
        shared
            ? Agenda.inStreams(program, gpu.launch().concurrentKernels())
            : Agenda.inOrder(program);
    return run(program, agenda, options, progress);
  }

  @Override
  public RunResult run(TraceSet program, Agenda agenda, RunOptions options, Progress progress)
      throws IOException {
    long began = System.nanoTime();
    List<KernelResult> results = new ArrayList<>();
    try (Workers workers = new Workers(options.threads());
        Run run = new Run(program, agenda, options, progress, workers, results)) {
      run.all();
    } catch (UnfinishedSimulationException e) {
      // What stops a kernel inside an SM leaves the kernels that ended before.
      throw e.finished().isEmpty()
          ? new UnfinishedSimulationException(e.getMessage(), inLaunchOrder(results))
          : e;
    }
    double seconds = (System.nanoTime() - began) * 1e-9;
    long instructions = results.stream().mapToLong(KernelResult::simulatedInstructions).sum();
    Runtime runtime = Runtime.getRuntime();
    return new RunResult(
        gpu.name(),
        "modern",
        gpu.clocks().coreMHz(),
        inLaunchOrder(results),
        new RunResult.Simulation(
            options.threads(),
            seconds,
            instructions / seconds,
            runtime.totalMemory() - runtime.freeMemory()));
  }

  private static List<KernelResult> inLaunchOrder(List<KernelResult> results) {
    return results.stream().sorted(Comparator.comparingInt(KernelResult::id)).toList();
  }

  /** A program's launches, started as the agenda lets them, and their results. */
  private final class Run implements Stretch.Launches, AutoCloseable {
    private final TraceSet program;
    private final List<TraceCommand.Launch> launches;
    private final Agenda agenda;
    private final RunOptions options;
    private final Progress progress;
    private final Workers workers;
    private final LaneAddresses[] lanes;
    private final List<KernelResult> results;
    private final List<KernelTrace> open = new ArrayList<>();

    /** The launch that may start next, null if none may; as the agenda said last. */
    private Agenda.Start next;

    /** The cycle before which nothing ends, as the agenda was told last. */
    private long sure;

    /** Cycle of the program at which the stretch began. */
    private long base;

    /** Until when a launch was held back although it might start: too many ran. */
    private long held;

    /** By launch that ended: when. */
    private final Map<Integer, Long> ends = new HashMap<>();

    /** Whether caches were empty at the stretch's beginning. */
    private boolean empty;

    /** A sample that was not good enough, whose kernel is simulated again; else null. */
    private Sampling poor;

    Run(
        TraceSet program,
        Agenda agenda,
        RunOptions options,
        Progress progress,
        Workers workers,
        List<KernelResult> results) {
      this.program = program;
      this.agenda = agenda;
      this.options = options;
      this.progress = progress;
      this.workers = workers;
      lanes = LaneAddresses.each(workers.count());
      this.results = results;
      launches = launches(program);
    }

    /** Asks the agenda what may start. */
    private void look(long until) {
      sure = until;
      next = agenda.next(until);
    }

    void all() throws IOException {
      if (options.checkpoints() != null && options.checkpoints().isResumed()) {
        Stretch stretch = stretch(options);
        OpenKernel.Plan plan = options.checkpoints().plan(OpenKernel.Plan.class);
        List<OpenKernel> again = OpenKernel.reopen(program, plan);
        options.checkpoints().restore(outside(again), new Object[] {this, stretch});
        stretch.tellAgain();
        held = base + stretch.goOn();
      }
      for (look(Agenda.NEVER); next != null; look(Agenda.NEVER)) {
        // The GPU has no work: the launch begins a stretch.
        base = Math.max(held, next.cycle());
        ModernKernel first = start(0);
        if (first == null) {
          continue;
        }
        empty = cold || !warm;
        warm = true;
        held = base + stretch(options).run(first, empty, next == null);
        if (poor != null) {
          RunOptions everything = options.withSample(0);
          stretch(everything).run(again(first, everything), empty, false);
        }
      }
    }

    private List<Object> outside(List<OpenKernel> kernels) {
      List<Object> all = OpenKernel.outside(gpu, options, kernels);
      all.addAll(List.of(program, options, progress, workers, lanes));
      return all;
    }

    @Override
    public void save(Stretch stretch, long cycle) throws IOException {
      List<OpenKernel> kernels = stretch.open();
      options
          .checkpoints()
          .write(cycle, OpenKernel.plan(kernels), outside(kernels), new Object[] {this, stretch});
    }

    private Stretch stretch(RunOptions with) {
      return new Stretch(
          gpu, sms, memory, groupCaches, window, workers, lanes, with, progress, this, results);
    }

    @Override
    public long nextStart(long until) {
      if (base + until > sure) {
        look(base + until);
      }
      return next == null ? Agenda.NEVER : next.cycle() - base;
    }

    @Override
    public ModernKernel start(long notBefore) throws IOException {
      Agenda.Start asked = next;
      int launch = number(launches, asked.launch());
      long cycle = Math.max(asked.cycle(), base + notBefore);
      agenda.started(asked.launch(), cycle);
      KernelTrace trace = open(launches.get(launch - 1));
      open.add(trace);
      if (!options.kernels().test(launch, trace.header().name())) {
        open.remove(trace);
        trace.close();
        agenda.ended(asked.launch(), cycle);
        look(cycle);
        return null;
      }
      look(cycle);
      ModernKernel kernel = kernel(trace, launch, asked, cycle, options);
      if (!cold) {
        kernel.found.addAll(agenda.written(cycle));
      }
      if (asked.after() != Agenda.NOBODY) {
        Long end = ends.get(asked.after());
        int hears = gpu.modern().launch().dependentCycles();
        kernel.predecessorEnd = end == null ? Warps.NEVER : Math.max(0, end - base + hears);
      }
      return kernel;
    }

    /** Other threads have the time to read blocks ahead. */
    private KernelTrace open(TraceCommand.Launch launch) throws IOException {
      KernelTrace trace = program.open(launch);
      return workers.count() == 1 ? trace : BlocksAhead.whenTold(trace, 1);
    }

    private ModernKernel again(ModernKernel kernel, RunOptions with) {
      return kernel(kernel.trace, kernel.id, kernel.asked, kernel.start, with);
    }

    private ModernKernel kernel(
        KernelTrace trace, int launch, Agenda.Start asked, long cycle, RunOptions with) {
      return new ModernKernel(
          gpu,
          trace,
          launch,
          asked,
          cycle,
          cycle - base,
          sms.topology(),
          with,
          workers.count(),
          results);
    }

    @Override
    public void released(ModernKernel kernel, long cycle) {
      agenda.released(kernel.asked.launch(), base + cycle);
      look(sure);
    }

    @Override
    public void began(ModernKernel kernel) {
      agenda.began(kernel.asked.launch(), kernel.start + kernel.waited);
    }

    @Override
    public void ended(ModernKernel kernel, KernelResult result) throws IOException {
      Sampling sampling = result.sampling();
      if (empty && sampling != null && !sampling.met()) {
        poor = sampling;
        return;
      }
      results.add(poor == null ? result : inFull(poor, result));
      poor = null;
      open.remove(kernel.trace);
      kernel.trace.close();
      ends.put(kernel.asked.launch(), result.end());
      agenda.ended(kernel.asked.launch(), result.end());
      look(sure);
    }

    @Override
    public void close() throws IOException {
      for (KernelTrace trace : open) {
        trace.close();
      }
    }
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
}
