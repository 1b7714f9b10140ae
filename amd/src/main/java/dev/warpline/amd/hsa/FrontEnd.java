package dev.warpline.amd.hsa;

import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.cu.Gpu;
import dev.warpline.amd.dispatch.DispatchTask;
import dev.warpline.amd.dispatch.Dispatcher;
import dev.warpline.amd.dispatch.GroupDemand;
import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.Dispatch;
import dev.warpline.engine.Activity;
import dev.warpline.engine.Counters;
import dev.warpline.engine.EventHeap;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Everything between a queue and the compute units: packet processor, command processor and
 * dispatcher, and the clock that drives them and the compute units, window by window.
 */
final class FrontEnd implements PacketProcessor.KernelStarter {
  static final int PROCESS_PACKET = 0;
  static final int QUANTUM = 1;
  private static final int LAUNCH = 2;
  private static final int PLACE = 3;
  private static final int COMPLETE = 4;
  static final int COMPLETE_FENCED = 5;
  private static final int TRANSFERRED = 6;

  private final AmdSpec spec;
  private final DeviceMemory memory;
  private final ClockSpec clocks;
  private final Clock clock;
  private final EventHeap events = new EventHeap();
  private final Gpu gpu;
  private final Dispatcher dispatcher;
  private final PacketProcessor packetProcessor;
  private final List<DispatchTask> tasks = new ArrayList<>();
  private final List<KernelResult> results = new ArrayList<>();
  private final Map<Long, LoadedCode> codeByKernelObject = new HashMap<>();
  private final Map<Integer, HsaQueue> queues = new HashMap<>();
  private final List<DispatchTask> running = new ArrayList<>();

  /** Queues that were ever rung for. */
  private final Set<Integer> usedQueues = new HashSet<>();

  private final List<Activity> activities = new ArrayList<>();
  private final OtherWork otherWork;

  private ProfileOptions profile;

  /** Whether results hold the counters of each compute unit too. */
  private boolean eachUnit;

  /** Counters when the last kernel ended; nothing is counted between kernels. */
  private Map<String, Number> lastStatistics;

  private int launches;

  private long now;

  FrontEnd(AmdSpec spec, ClockSpec clocks, DeviceMemory memory, int threads, int parallelFrom) {
    this.spec = spec;
    this.memory = memory;
    this.clocks = clocks;
    clock = new Clock(clocks.coreMHz());
    gpu = new Gpu(spec, clocks, memory, LaunchedKernel.WAVES, threads, parallelFrom);
    dispatcher = new Dispatcher(spec, this::start);
    packetProcessor = new PacketProcessor(spec.packetProcessor(), memory, clock, events, this);
    otherWork = new OtherWork(spec.transfers(), clock);
    lastStatistics = allStatistics();
  }

  private void start(GroupPlacement placement) {
    LaunchedKernel kernel = LaunchedKernel.of(placement.task());
    if (kernel.recorder != null) {
      kernel.recorder.placed(placement.cu());
    }
    gpu.start(placement);
  }

  static long event(int kind, int what) {
    return (long) kind << 32 | what;
  }

  Workers workers() {
    return gpu.workers();
  }

  /** Kernels launched from now on are profiled; null ends that. */
  void setProfile(ProfileOptions options) {
    profile = options;
  }

  /** Results from now on hold the counters of each compute unit too. */
  void countEachUnit() {
    eachUnit = true;
  }

  /** Counts a launch; the number of the next one, from 1. */
  int countLaunch() {
    return ++launches;
  }

  /** What packets ask for besides kernels. */
  OtherWork otherWork() {
    return otherWork;
  }

  /** What the queues had done, in the order of completion. */
  List<Activity> activities() {
    return activities;
  }

  void register(LoadedCode code) {
    for (Kernel kernel : code.object().kernels()) {
      codeByKernelObject.put(code.kernelObject(kernel), code);
    }
  }

  void register(HsaQueue queue) {
    queues.put(queue.id(), queue);
    packetProcessor.register(queue);
  }

  void doorbell(HsaQueue queue, long lastIndex) {
    usedQueues.add(queue.id());
    packetProcessor.doorbell(queue.id(), lastIndex, now);
  }

  long cycle() {
    return now;
  }

  long nanos() {
    return clock.nanos(now);
  }

  List<KernelResult> results() {
    return results;
  }

  long instructions() {
    return gpu.instructions();
  }

  long groupsFinished() {
    return tasks.stream().mapToLong(DispatchTask::groupsFinished).sum();
  }

  Map<String, Number> statistics() {
    return allStatistics();
  }

  /**
   * Runs until {@code done}.
   *
   * @param goOn asked with the current cycle after every window; false stops
   * @param restore puts another state here before anything runs, or null
   * @return whether {@code done} was reached; false when stopped or when nothing can happen any
   *     more
   */
  boolean runUntil(BooleanSupplier done, LongPredicate goOn, Runnable restore) {
    packetProcessor.lookAgain(now);
    if (restore != null) {
      restore.run();
    }
    while (!done.getAsBoolean()) {
      long next = Math.min(events.nextTime(), gpu.nextCycle());
      if (next == Long.MAX_VALUE) {
        return false;
      }
      now = Math.max(now, next);
      long end = now + gpu.window();
      gpu.run(end);
      advance(end);
      now = end;
      if (!goOn.test(now)) {
        return false;
      }
    }
    return true;
  }

  String waiting() {
    return packetProcessor.waiting() + System.lineSeparator() + gpu.describeWaves();
  }

  /** Takes in the waves that ended in the window and all events before its end, by time. */
  private void advance(long end) {
    int wave = 0;
    while (true) {
      long waveEnd = wave < gpu.endedWaves() ? gpu.endedCycle(wave) : Long.MAX_VALUE;
      long event = events.nextTime();
      if (waveEnd <= event && waveEnd != Long.MAX_VALUE) {
        DispatchTask finished =
            dispatcher.waveEnded(gpu.endedCu(wave), gpu.endedSlot(wave), waveEnd);
        wave++;
        if (finished != null) {
          finish(finished, waveEnd);
        }
      } else if (event < end) {
        handle(events.remove(), event);
      } else {
        return;
      }
    }
  }

  private void handle(long event, long cycle) {
    int what = (int) event;
    switch ((int) (event >>> 32)) {
      case PROCESS_PACKET -> packetProcessor.process(what, cycle);
      case QUANTUM -> packetProcessor.quantum(cycle);
      case LAUNCH -> launch(tasks.get(what), cycle);
      case PLACE -> dispatcher.submit(tasks.get(what), cycle);
      case COMPLETE -> complete(tasks.get(what), cycle);
      case TRANSFERRED -> transferred(otherWork.end(what), cycle);
      case COMPLETE_FENCED -> packetProcessor.completeFenced(what, cycle);
      default -> throw new IllegalStateException("event " + event);
    }
  }

  @Override
  public void start(int queueId, long packetIndex, long slot, long cycle) {
    HsaQueue queue = queues.get(queueId);
    long kernelObject = memory.readLong(slot + 32);
    LoadedCode code = codeByKernelObject.get(kernelObject);
    if (code == null) {
      throw new HsaException(
          String.format(
              "queue %d, packet %d: kernel object 0x%x is no kernel descriptor of a loaded code"
                  + " object",
              queueId, packetIndex, kernelObject));
    }
    Kernel kernel =
        code.object().kernels().stream()
            .filter(k -> code.kernelObject(k) == kernelObject)
            .findFirst()
            .orElseThrow();
    int[] grid = new int[3];
    int[] group = new int[3];
    for (int d = 0; d < 3; d++) {
      group[d] = memory.readShort(slot + 4 + 2L * d);
      grid[d] = memory.readInt(slot + 12 + 4L * d);
    }
    checkShape(kernel, grid, group);
    int ldsBytes = memory.readInt(slot + 28);
    GroupDemand demand =
        new GroupDemand(
            kernel.descriptor().vgprs(code.object().target()),
            kernel.descriptor().sgprs(),
            ldsBytes);
    int id = tasks.size();
    int privateBytes = memory.readInt(slot + 24);
    long waveBytes = (privateBytes * 64L + 1023) & ~1023L;
    int slots = spec.computeUnits() * spec.waves().simds() * spec.waves().slotsPerSimd();
    long groups = 1;
    for (int d = 0; d < 3; d++) {
      groups *= (grid[d] + (long) group[d] - 1) / group[d];
    }
    long waves = groups * ((group[0] * group[1] * group[2] + 63) / 64);
    long scratchBytes = waveBytes * Math.min(slots, waves);
    long scratch = scratchBytes == 0 ? 0 : memory.allocate(scratchBytes);
    Dispatch dispatch;
    try {
      dispatch =
          new Dispatch(
              code.object().target(),
              kernel.name(),
              kernel.descriptor(),
              code.base() + kernel.entryAddress(),
              grid,
              group,
              ldsBytes,
              privateBytes,
              memory.readLong(slot + 40),
              slot,
              queue.address(),
              packetIndex,
              scratch);
    } catch (IllegalArgumentException e) {
      throw new HsaException(e.getMessage());
    }
    int number = memory.readInt(slot + AqlPacket.KernelDispatch.NUMBER);
    LaunchedKernel launched =
        new LaunchedKernel(
            number > 0 ? number : countLaunch(),
            kernel,
            code.image(),
            dispatch,
            memory,
            memory.readLong(slot + AqlPacket.COMPLETION_SIGNAL),
            scratchBytes,
            acquireScope(memory.readShort(slot)),
            releaseScope(memory.readShort(slot)),
            gpu.window());
    DispatchTask task = new DispatchTask(id, queueId, packetIndex, launched, grid, group, demand);
    String misfit = dispatcher.misfit(task);
    if (misfit != null) {
      throw new HsaException("kernel " + kernel.name() + ": " + misfit);
    }
    tasks.add(task);
    // The command processor reads the packet, which says where the descriptor is.
    long read = gpu.read(kernelObject, gpu.read(slot, cycle));
    events.add(read + clock.cycles(spec.packetProcessor().launchNs()), event(LAUNCH, id));
  }

  @Override
  public boolean perform(int queue, long packetIndex, long task, long cycle) {
    if (task == 0) {
      return false;
    }
    long end = otherWork.start(task, queue, packetIndex, cycle);
    events.add(end, event(TRANSFERRED, (int) task - 1));
    return true;
  }

  private void transferred(OtherWork.Piece piece, long cycle) {
    done(
        piece.kind(),
        0,
        piece.name(),
        piece.bytes(),
        piece.queue(),
        piece.packetIndex(),
        piece.start(),
        cycle,
        cycle);
    packetProcessor.workComplete(piece.queue(), piece.packetIndex(), cycle);
  }

  @Override
  public void passed(int queue, long packetIndex, long end, long cycle) {
    long taken = packetProcessor.taken(queue, packetIndex);
    done(Activity.Kind.BARRIER, 0, "barrier", 0, queue, packetIndex, taken, end, cycle);
  }

  private void done(
      Activity.Kind kind,
      int kernel,
      String name,
      long bytes,
      int queue,
      long packetIndex,
      long start,
      long end,
      long complete) {
    activities.add(
        new Activity(
            kind,
            kernel,
            name,
            queue,
            bytes,
            packetProcessor.submitted(queue, packetIndex),
            packetProcessor.taken(queue, packetIndex),
            start,
            end,
            complete));
  }

  private static void checkShape(Kernel kernel, int[] grid, int[] group) {
    long items = 1;
    for (int d = 0; d < 3; d++) {
      if (grid[d] < 1 || group[d] < 1) {
        throw new HsaException(
            String.format(
                "kernel %s: grid %d x %d x %d in groups of %d x %d x %d; expected at least 1 each",
                kernel.name(), grid[0], grid[1], grid[2], group[0], group[1], group[2]));
      }
      items *= group[d];
    }
    if (items > kernel.maxGroupSize()) {
      throw new HsaException(
          String.format(
              "kernel %s: a work-group of %d work-items; it was compiled for at most %d",
              kernel.name(), items, kernel.maxGroupSize()));
    }
  }

  @Override
  public long signalOf(long task) {
    if (task < 0 || task >= tasks.size()) {
      throw new HsaException("agent dispatch asks for task " + task + " of " + tasks.size());
    }
    return LaunchedKernel.of(tasks.get((int) task)).signal;
  }

  private void launch(DispatchTask task, long cycle) {
    LaunchedKernel kernel = LaunchedKernel.of(task);
    kernel.statisticsBefore = running.isEmpty() ? lastStatistics : allStatistics();
    kernel.stallsBefore = gpu.stalls();
    kernel.launchCycle = cycle;
    kernel.profiled = profile != null;
    if (kernel.profiled) {
      kernel.recorder = LaunchProfile.recorder(profile, spec, cycle);
      gpu.record(kernel.recorder.memory());
    } else if (mayOverlap(task)) {
      kernel.recorder = LaunchProfile.recorder(ProfileOptions.NO_TIMELINE, spec, cycle);
    }
    for (DispatchTask other : running) {
      LaunchedKernel.of(other).shared = true;
      kernel.shared = true;
    }
    running.add(task);
    events.add(acquire(kernel.acquire, cycle), event(PLACE, task.id()));
  }

  /** Whether another kernel may run beside it, so that it needs counters of its own. */
  private boolean mayOverlap(DispatchTask task) {
    long slot = queues.get(task.queue()).slot(task.packetIndex());
    boolean barrier = (memory.readShort(slot) & AqlPacket.BARRIER_BIT) != 0;
    return !barrier || usedQueues.size() > 1;
  }

  /** The scope that counts: the packet's, or what gem5's switch says for all of them. */
  private FenceScope acquireScope(int header) {
    if (spec.dispatch().packetFences()) {
      return FenceScope.acquire(header);
    }
    return spec.dispatch().launchAcquire() ? FenceScope.AGENT : FenceScope.NONE;
  }

  private FenceScope releaseScope(int header) {
    if (spec.dispatch().packetFences()) {
      return FenceScope.release(header);
    }
    return spec.dispatch().endRelease() ? FenceScope.SYSTEM : FenceScope.NONE;
  }

  private long acquire(FenceScope scope, long cycle) {
    if (scope == FenceScope.NONE) {
      return cycle;
    }
    gpu.invalidate(cycle + gpu.window());
    int lines = spec.tcp().bytes() / spec.tcp().lineBytes();
    int perCycle = spec.dispatch().invalidatesPerCycle();
    long done = cycle + (lines + perCycle - 1) / perCycle;
    boolean empties = scope == FenceScope.SYSTEM && !spec.tcc().probes();
    return empties ? Math.max(done, gpu.invalidateTcc(cycle)) : done;
  }

  /** TCCs of several dies are written back for each other, that of a single die for the host. */
  private long release(FenceScope scope, long cycle) {
    boolean reaches = scope == FenceScope.SYSTEM || scope == FenceScope.AGENT && spec.dies() > 1;
    return reaches ? gpu.release(cycle) : cycle;
  }

  @Override
  public long fence(FenceScope acquire, FenceScope release, long cycle) {
    if (!spec.dispatch().packetFences()) {
      return cycle;
    }
    return Math.max(acquire(acquire, cycle), release(release, cycle));
  }

  private void finish(DispatchTask task, long cycle) {
    long released = release(LaunchedKernel.of(task).release, cycle);
    events.add(
        released + clock.cycles(spec.packetProcessor().completeNs()), event(COMPLETE, task.id()));
  }

  private void complete(DispatchTask task, long cycle) {
    LaunchedKernel kernel = LaunchedKernel.of(task);
    running.remove(task);
    results.add(result(task, kernel));
    if (kernel.scratchBytes > 0) {
      memory.free(kernel.dispatch.scratch(), kernel.scratchBytes);
    }
    done(
        Activity.Kind.KERNEL,
        kernel.number,
        kernel.kernel.name(),
        0,
        task.queue(),
        task.packetIndex(),
        kernel.launchCycle,
        task.endCycle(),
        cycle);
    packetProcessor.workComplete(task.queue(), task.packetIndex(), cycle);
  }

  private Map<String, Number> allStatistics() {
    Map<String, Number> all = new LinkedHashMap<>(gpu.statistics(eachUnit));
    dispatcher.statistics().forEach((name, value) -> all.put("dispatcher." + name, value));
    Counters.of(packetProcessor).forEach((name, value) -> all.put("queues." + name, value));
    return all;
  }

  private KernelResult result(DispatchTask task, LaunchedKernel kernel) {
    Map<String, Number> statistics = new LinkedHashMap<>();
    lastStatistics = allStatistics();
    lastStatistics.forEach(
        (name, value) ->
            statistics.put(
                name,
                value.longValue() - kernel.statisticsBefore.getOrDefault(name, 0).longValue()));
    Map<String, Long> stalls = new LinkedHashMap<>();
    long[] stallsNow = gpu.stalls();
    for (StallReason reason : StallReason.values()) {
      int i = reason.ordinal();
      if (stallsNow[i] != kernel.stallsBefore[i]) {
        stalls.put(reason.key(), stallsNow[i] - kernel.stallsBefore[i]);
      }
    }
    List<String> warnings = new ArrayList<>();
    KernelProfile own =
        kernel.recorder == null ? null : LaunchProfile.of(kernel, task, spec, clocks, statistics);
    if (kernel.shared && own != null) {
      OwnCounters.put(own, statistics, stalls);
      warnings.add(
          "another kernel ran at the same time; instructions, waves, stalls and the counters"
              + " kernel.* are each kernel's own, the others hold both");
    } else if (kernel.shared) {
      warnings.add("another kernel ran at the same time; the counters hold both");
    }
    long active = statistics.get("cu.activeCycles").longValue();
    int slots = spec.waves().simds() * spec.waves().slotsPerSimd();
    double occupancy =
        active == 0 ? 0 : statistics.get("cu.waveCycles").doubleValue() / active / slots;
    return new KernelResult(
        kernel.number,
        kernel.kernel.name(),
        kernel.launchCycle,
        task.endCycle() - kernel.launchCycle,
        statistics.get("cu.instructions").longValue(),
        statistics.get("cu.laneInstructions").longValue(),
        occupancy,
        dispatcher.limiter(task),
        statistics,
        stalls,
        warnings,
        kernel.profiled ? own : null);
  }

  void close() {
    gpu.close();
  }
}
