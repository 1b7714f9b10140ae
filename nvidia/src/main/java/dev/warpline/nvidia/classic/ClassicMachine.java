package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counters;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.state.Checkpoints;
import dev.warpline.memory.detailed.MemorySide;
import dev.warpline.nvidia.Machine;
import dev.warpline.nvidia.OpenKernel;
import dev.warpline.trace.BlocksAhead;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A GPU of classic SMs and the detailed memory side. Time runs in windows that are shorter than any
 * way from an SM to an L2 slice, so that SMs run through a window on their own, in parallel.
 */
public final class ClassicMachine implements Machine {
  /** Core cycles of a window; results do not depend on threads, only a little on this. */
  private static final int WINDOW = 32;

  /** Bytes of a copy between two looks at whether to stop; a multiple of a sector. */
  private static final long COPY_PIECE = 1 << 26;

  /** Cycles without a completed instruction after which nothing is expected to move any more. */
  private static final long WATCHDOG_CYCLES = 1_000_000;

  /** Lines about waiting SMs and warps in a report of a deadlock. */
  private static final int DUMPED_LINES = 16;

  private final GpuDescription gpu;
  private final MemorySide memory;
  private final Cluster[] clusters;
  private final List<ClassicSm> sms = new ArrayList<>();
  private final ClassicStatistics counted;
  private final BlockDealer dealer;
  private final List<ClassicKernel> running = new ArrayList<>();
  private final List<KernelResult> results = new ArrayList<>();

  /** Commands of the program taken so far, and launches that wait for others. */
  private int taken;

  private final List<ClassicKernel> waiting = new ArrayList<>();
  private Map<String, Number> lastReading = Map.of();
  private long now;
  private long kernelsEnd;
  private long windowEnd;

  /** What to write down and who does it, null unless a run asked for a profile. */
  private ProfileOptions record;

  private ClassicProfile profile;

  /**
   * @throws DescriptionException if the description lacks what this core needs
   */
  public ClassicMachine(GpuDescription gpu) throws DescriptionException {
    if (gpu.classic() == null || gpu.detailedMemory() == null || gpu.sm() == null) {
      throw new DescriptionException(
          gpu.name() + ": the classic core needs the sections sm, classic and detailedMemory");
    }
    this.gpu = gpu;
    int ports = gpu.sm().count() / gpu.classic().smsPerCluster();
    int window = Math.min(WINDOW, gpu.detailedMemory().l2().latency() - 1);
    memory = new MemorySide(gpu.detailedMemory(), gpu.clocks(), ports, window);
    clusters = new Cluster[ports];
    for (int i = 0; i < ports; i++) {
      clusters[i] = new Cluster(gpu, i, memory);
      sms.addAll(List.of(clusters[i].sms));
    }
    counted = new ClassicStatistics(sms, memory);
    dealer =
        new BlockDealer(
            sms,
            gpu.classic().smsPerCluster(),
            gpu.launch().kernelsShareSms(),
            gpu.launch().blockScheduler().get());
  }

  @Override
  public RunResult run(TraceSet program, RunOptions options, Progress progress) throws IOException {
    if (options.sample() > 0) {
      throw new IllegalArgumentException("the classic core does not sample");
    }
    long began = System.nanoTime();
    PeakMemory peak = new PeakMemory();
    if (options.profile() != null) {
      record = options.profile();
      profile = new ClassicProfile(gpu, memory);
      sms.forEach(ClassicSm::profile);
    }
    try (Workers workers = new Workers(options.threads())) {
      runAll(program, options, progress, workers, peak);
    } catch (UnfinishedSimulationException e) {
      throw new UnfinishedSimulationException(e.getMessage(), inLaunchOrder());
    } finally {
      for (OpenKernel kernel : open()) {
        kernel.trace().close();
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    long instructions = results.stream().mapToLong(KernelResult::warpInstructions).sum();
    return new RunResult(
        gpu.name(),
        "classic",
        gpu.clocks().coreMHz(),
        inLaunchOrder(),
        new RunResult.Simulation(options.threads(), seconds, instructions / seconds, peak.bytes()));
  }

  private List<KernelResult> inLaunchOrder() {
    return results.stream().sorted(Comparator.comparingInt(KernelResult::id)).toList();
  }

  private void runAll(
      TraceSet program, RunOptions options, Progress progress, Workers workers, PeakMemory peak)
      throws IOException {
    int atOnce = gpu.launch().kernelsShareSms() ? gpu.launch().concurrentKernels() : 1;
    List<TraceCommand> commands = program.commands();
    if (options.checkpoints() != null && options.checkpoints().isResumed()) {
      resume(program, options, progress);
    }
    while (true) {
      while (waiting.size() + running.size() < atOnce && taken < commands.size()) {
        TraceCommand command = commands.get(taken++);
        if (command instanceof TraceCommand.MemcpyHtoD copy) {
          if (gpu.detailedMemory().l2().filledByCopies()) {
            int bits = gpu.detailedMemory().l2().copyAddressBits();
            long kept = bits >= Long.SIZE ? -1L : (1L << bits) - 1;
            preload(copy.address() & kept, copy.bytes(), options);
          }
        } else if (command instanceof TraceCommand.Launch launch) {
          KernelTrace trace = program.open(launch);
          if (options.kernels().test(launch.index() + 1, trace.header().name())) {
            KernelTrace ahead = BlocksAhead.onOwnThread(trace, atOnce);
            waiting.add(new ClassicKernel(launch.index() + 1, ahead, gpu));
          } else {
            trace.close();
          }
        }
      }
      launchWaiting(progress);
      if (running.isEmpty()) {
        return;
      }
      advance(options, progress, workers, peak);
    }
  }

  /** Kernels that are open, those that run before those that wait. */
  private List<OpenKernel> open() {
    return Stream.concat(running.stream(), waiting.stream())
        .map(kernel -> new OpenKernel(kernel.id - 1, kernel.nextBlock, kernel.trace))
        .toList();
  }

  private void resume(TraceSet program, RunOptions options, Progress progress) throws IOException {
    Checkpoints checkpoints = options.checkpoints();
    List<OpenKernel> open = OpenKernel.reopen(program, checkpoints.plan(OpenKernel.Plan.class));
    checkpoints.restore(OpenKernel.outside(gpu, options, open), this);
    OpenKernel.tellAgain(results, options, progress);
    for (ClassicKernel kernel : running) {
      progress.kernelStarted(kernel.id, kernel.header.name(), kernel.blocks);
    }
  }

  /** Fills the L2 as a copy does, in pieces, because somebody may not want to wait for all. */
  private void preload(long address, long bytes, RunOptions options) {
    long end = address + bytes;
    for (long from = address; from < end; from = (from & -COPY_PIECE) + COPY_PIECE) {
      options.stop().check();
      memory.preload(from, Math.min(end, (from & -COPY_PIECE) + COPY_PIECE) - from);
    }
  }

  /** Launches what no earlier kernel of the same stream holds back. */
  private void launchWaiting(Progress progress) {
    for (Iterator<ClassicKernel> i = waiting.iterator(); i.hasNext(); ) {
      ClassicKernel kernel = i.next();
      boolean held = false;
      for (ClassicKernel other : running) {
        held |= other.header.stream() == kernel.header.stream();
      }
      if (!held && running.size() < gpu.launch().concurrentKernels()) {
        i.remove();
        kernel.launchAt(Math.max(kernelsEnd, running.isEmpty() ? 0 : now));
        if (profile != null) {
          kernel.recorder =
              new KernelRecorder(
                  record,
                  sms.size(),
                  gpu.sm().warps(),
                  profile.slices(),
                  profile.channels(),
                  kernel.launched());
        }
        for (ClassicKernel other : running) {
          other.besides.add(kernel.id);
          kernel.besides.add(other.id);
        }
        running.add(kernel);
        progress.kernelStarted(kernel.id, kernel.header.name(), kernel.blocks);
      }
    }
  }

  /** Runs windows until a kernel ends. */
  private void advance(RunOptions options, Progress progress, Workers workers, PeakMemory peak)
      throws IOException {
    long lastProgress = System.nanoTime();
    long lastMoved = now;
    long lastCount = -1;
    Checkpoints checkpoints = options.checkpoints();
    while (true) {
      if (checkpoints != null && checkpoints.isDue(now, options.stop())) {
        List<OpenKernel> open = open();
        checkpoints.write(now, OpenKernel.plan(open), OpenKernel.outside(gpu, options, open), this);
      }
      options.stop().check();
      checkLimits(options, instructions());
      dealer.deal(running, now, memory.window());
      runWindow(workers);
      dealer.collect();
      if (profile != null) {
        profile.sample(running.get(0).recorder.memory(), now, running.get(0).isDone());
      }
      if (endKernels(options, progress)) {
        return;
      }
      long count = instructions();
      if (count != lastCount) {
        lastCount = count;
        lastMoved = now;
      }
      // Time in which nothing was to happen is no standing still.
      lastMoved += skipIdleTime(lastMoved);
      long time = System.nanoTime();
      if (time - lastProgress > progress.pauseNanos()) {
        lastProgress = time;
        peak.sample();
        ClassicKernel first = running.get(0);
        progress.advanced(
            now - first.launched(),
            first.blocksDone,
            count - finishedInstructions(),
            first.expectedInstructions());
        if (first.recorder != null && progress.watchesSms()) {
          progress.sms(
              now - first.launched(), first.recorder.activity(sm -> sms.get(sm).residentBlocks()));
        }
        progress.reported();
      }
    }
  }

  private void runWindow(Workers workers) {
    windowEnd = now + memory.window();
    memory.runChannels(now, windowEnd, workers);
    workers.run(clusters.length, c -> clusters[c].run(now, windowEnd));
    memory.takeRequests();
    memory.takeDropped(request -> clusters[request.port].port.pool.giveBack(request));
    now = windowEnd;
  }

  /** Ends the kernels whose last block has ended, in the order of their ends. */
  private boolean endKernels(RunOptions options, Progress progress) throws IOException {
    List<ClassicKernel> done = new ArrayList<>();
    for (ClassicKernel kernel : running) {
      if (kernel.isDone()) {
        done.add(kernel);
      }
    }
    done.sort(Comparator.comparingLong(kernel -> kernel.lastEnd));
    for (ClassicKernel kernel : done) {
      if (options.maxCycles() > 0 && kernel.lastEnd >= options.maxCycles()) {
        throw cycleLimit(options);
      }
      KernelTrace.requireInstructions(kernel.header, kernel.tracedInstructions);
      running.remove(kernel);
      KernelResult result = result(kernel);
      results.add(result);
      kernelsEnd = kernel.lastEnd + 1;
      kernel.trace.close();
      progress.kernelFinished(result);
    }
    if (!done.isEmpty() && running.isEmpty() && gpu.detailedMemory().l2().flush()) {
      memory.dropModified();
    }
    return !done.isEmpty();
  }

  private KernelResult result(ClassicKernel kernel) {
    Map<String, Number> reading = counted.read();
    Map<String, Number> statistics = ClassicStatistics.difference(lastReading, reading);
    lastReading = reading;
    statistics.put("launch.stream", kernel.header.stream());
    statistics.put("launch.blocks", kernel.blocks);
    statistics.put("launch.blocksPerSm", kernel.occupancy.blocks());
    statistics.put("launch.sms", sms.size());
    statistics.put("launch.slices", memory.caches().size());
    long active = statistics.get("sm.activeCycles").longValue();
    double occupancy =
        active == 0
            ? 0
            : statistics.get("sm.warpCycles").doubleValue() / ((double) active * gpu.sm().warps());
    List<String> warnings = new ArrayList<>(kernel.code.warnings());
    boolean alone = kernel.besides.isEmpty();
    if (!alone) {
      warnings.add(
          "ran beside kernel "
              + kernel.besides.stream().map(String::valueOf).collect(Collectors.joining(", "))
              + ": cycles and instructions are its own; the other counters are those of the whole"
              + " GPU since the last kernel that ended before it");
    }
    return new KernelResult(
        kernel.id,
        kernel.header.name(),
        kernel.launched(),
        kernel.lastEnd + 1 - kernel.launched(),
        alone ? statistics.get("sm.warpInstructions").longValue() : kernel.tracedInstructions,
        alone ? statistics.get("sm.threadInstructions").longValue() : kernel.threadInstructions,
        occupancy,
        kernel.occupancy.limiter(),
        statistics,
        // What single warps wait for, only a recorder sees here; Accel-Sim's schedulers are
        // counted.
        Map.of(),
        List.copyOf(warnings),
        kernel.recorder == null ? null : ClassicProfile.of(kernel, gpu, sms.size()));
  }

  private long instructions() {
    long sum = 0;
    for (ClassicSm sm : sms) {
      sum += sm.warpInstructions;
    }
    return sum;
  }

  private long finishedInstructions() {
    return results.stream().mapToLong(KernelResult::warpInstructions).sum();
  }

  private void checkLimits(RunOptions options, long instructions) {
    if (options.maxCycles() > 0 && now >= options.maxCycles()) {
      throw cycleLimit(options);
    }
    if (options.maxInstructions() > 0 && instructions >= options.maxInstructions()) {
      throw new UnfinishedSimulationException(
          "stopped at the limit of " + options.maxInstructions() + " warp instructions");
    }
  }

  private static UnfinishedSimulationException cycleLimit(RunOptions options) {
    return new UnfinishedSimulationException(
        "stopped at the limit of " + options.maxCycles() + " cycles");
  }

  /** Goes on to the next window in which anything happens; returns the cycles skipped. */
  private long skipIdleTime(long lastMoved) {
    long wake = memory.wakeAt(now);
    for (Cluster cluster : clusters) {
      wake = Math.min(wake, cluster.wakeAt(now));
    }
    for (ClassicKernel kernel : running) {
      if (kernel.nextBlock == 0) {
        wake = Math.min(wake, kernel.startCycle());
      }
    }
    if (wake == Long.MAX_VALUE || now - lastMoved > WATCHDOG_CYCLES) {
      throw new UnfinishedSimulationException(deadlock());
    }
    long skipped = Math.max(0, wake - now);
    if (skipped > 0) {
      for (ClassicSm sm : sms) {
        sm.skip(now, skipped);
      }
      now = wake;
    }
    return skipped;
  }

  private String deadlock() {
    StringBuilder text = new StringBuilder("deadlock: nothing moves since cycle " + now);
    for (ClassicKernel kernel : running) {
      text.append("\nkernel ")
          .append(kernel.id)
          .append(' ')
          .append(kernel.header.name())
          .append(": ")
          .append(kernel.blocksDone)
          .append(" of ")
          .append(kernel.blocks)
          .append(" blocks done");
    }
    text.append("\nmemory side: ").append(memory.isDrained() ? "empty" : "busy");
    List<String> waiting = new ArrayList<>();
    for (ClassicSm sm : sms) {
      if (!sm.isDrained()) {
        waiting.addAll(sm.describe().lines().toList());
      }
    }
    for (String line : waiting.subList(0, Math.min(waiting.size(), DUMPED_LINES))) {
      text.append('\n').append(line);
    }
    if (waiting.size() > DUMPED_LINES) {
      text.append("\nand ").append(waiting.size() - DUMPED_LINES).append(" more lines like these");
    }
    return text.toString();
  }

  /** Lets what is under way after the last kernel come to its end. */
  void drain() {
    try (Workers workers = new Workers(1)) {
      for (int i = 0; i < 10_000 && !isDrained(); i++) {
        runWindow(workers);
      }
    }
  }

  /** Who counts. */
  Counters counters() {
    return counted.counters();
  }

  /** Whether every request was answered and every instruction has completed. */
  boolean isDrained() {
    for (Cluster cluster : clusters) {
      if (!cluster.isDrained()) {
        return false;
      }
    }
    return memory.isDrained();
  }
}
