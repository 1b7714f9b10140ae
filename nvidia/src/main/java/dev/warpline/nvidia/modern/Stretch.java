package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counters;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.engine.state.Checkpoints;
import dev.warpline.memory.flow.FlowMemory;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.nvidia.OpenKernel;
import dev.warpline.nvidia.modern.async.AsyncUnits;
import dev.warpline.nvidia.modern.echo.Echoes;
import dev.warpline.nvidia.modern.launch.Distributor;
import dev.warpline.nvidia.modern.launch.SmRooms;
import dev.warpline.nvidia.modern.memory.LaneAddresses;
import dev.warpline.nvidia.modern.warp.ResidentKernel;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.KernelTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The GPU from when it gets work until it has none, window by window: one kernel, and those that
 * start before it ends. Cycles count from the first kernel's launch.
 */
final class Stretch {
  /** Starts kernels that may, and is told of those that ended. */
  interface Launches {
    /**
     * The cycle of the stretch from which on a kernel may start; far away if none may.
     *
     * @param until nothing that runs ends before this cycle of the stretch
     */
    long nextStart(long until);

    /** Starts that kernel, not before a cycle; null if it is left out. */
    ModernKernel start(long notBefore) throws IOException;

    /** A kernel ended, at a cycle of the stretch. */
    void ended(ModernKernel kernel, KernelResult result) throws IOException;

    /** Writes a checkpoint. */
    void save(Stretch stretch, long cycle) throws IOException;

    /** All blocks of a kernel have let dependent launches go, at a cycle of the stretch. */
    void released(ModernKernel kernel, long cycle);

    /** A kernel found no room before; its first block is placed now. */
    void began(ModernKernel kernel);
  }

  /** Requests of an SM in a window, on average, that need no other thread's time. */
  private static final int FEW = 8;

  /** Tasks beside the SMs: memory, and reading blocks ahead. */
  private static final int ASIDE = 2;

  private final GpuDescription gpu;
  private final Sms sms;
  private final FlowMemory memory;
  private final GroupCaches groupCaches;

  /** Cycles in which nobody is told anything of what was asked in them. */
  private final int window;

  private final Workers workers;

  /** By thread. */
  private final LaneAddresses[] lanes;

  private final RunOptions options;
  private final Progress progress;
  private final Launches launches;

  /** Results of the run so far; {@link Launches#ended} adds to them. */
  private final List<KernelResult> finished;

  /** Kernels that run, in the order of their launches. */
  private final List<ModernKernel> running = new ArrayList<>();

  /** Those that have blocks left, in the order in which these are placed. */
  private final List<ModernKernel> waiting = new ArrayList<>();

  private final Distributor distributor;

  /** Room on SMs that kernels share; null while one is alone. */
  private SmRooms rooms;

  /** What the whole GPU had counted when the last kernel ended, and that cycle. */
  private Map<String, Number> lastReading = Map.of();

  private long lastEnd;

  /** Warp instructions of kernels that ended before the stretch, and in it. */
  private final long instructionsBefore;

  private long instructionsEnded;
  private int started;

  /** When the first block of the kernel that started last could come. */
  private long lastFrom;

  /** Kernels that may run at once, and whether another one waits because so many do. */
  private final int most;

  private boolean full;

  private long now;
  private long limit;

  /** Whether the SMs asked for so much in the last window that they go on before it is answered. */
  private boolean busy;

  /** Cycle of the last report on levels. */
  private long reported;

  /** Of the SMs at work: whether they got to the window's end, and those that did not. */
  private final boolean[] gotThere;

  private final int[] behind;

  Stretch(
      GpuDescription gpu,
      Sms sms,
      FlowMemory memory,
      GroupCaches groupCaches,
      int window,
      Workers workers,
      LaneAddresses[] lanes,
      RunOptions options,
      Progress progress,
      Launches launches,
      List<KernelResult> finished) {
    this.gpu = gpu;
    this.sms = sms;
    this.memory = memory;
    this.groupCaches = groupCaches;
    this.window = window;
    this.workers = workers;
    this.lanes = lanes;
    this.options = options;
    this.progress = progress;
    this.launches = launches;
    this.finished = finished;
    most = gpu.launch() == null ? 1 : gpu.launch().concurrentKernels();
    distributor = new Distributor(sms.topology().sms());
    instructionsBefore = finished.stream().mapToLong(KernelResult::warpInstructions).sum();
    behind = new int[sms.topology().sms()];
    gotThere = new boolean[behind.length];
  }

  /**
   * Runs until no kernel is left.
   *
   * @param cold whether caches are emptied first
   * @param sampled whether the first kernel may be sampled: no other starts before it ends
   * @return until when a kernel was held back because no more may run at once; 0 if none was
   */
  long run(ModernKernel first, boolean cold, boolean sampled) throws IOException {
    sms.start(cold);
    memory.startKernel(cold);
    join(first);
    groupCaches.startKernel(cold);
    if (first.asked.fresh()) {
      first.tellWhatItBrings(groupCaches);
    }
    if (sampled && rooms == null) {
      first.sample(sms.topology(), finished);
    }
    now = startOthers(Math.min(first.placer.nextTime(), (long) first.last));
    return goOn();
  }

  /** Runs on from the beginning of a window; returns what {@link #run} does. */
  long goOn() throws IOException {
    Workers.Step all = this::runOne;
    Workers.Step others = i -> runSm(behind[i]);
    long nextReport = System.nanoTime() + progress.pauseNanos();
    Checkpoints checkpoints = options.checkpoints();
    while (true) {
      if (checkpoints != null && checkpoints.isDue(cycle(), options.stop())) {
        launches.save(this, cycle());
      }
      options.stop().check();
      limit = now + step();
      placeBlocks();
      together(ASIDE + sms.size(), all);
      serveLines();
      for (int n = behind(); n > 0; n = behind()) {
        together(n, others);
        serveLines();
      }
      exchange();
      send();
      takeEnds();
      endKernels();
      if (running.isEmpty()) {
        return full ? lastEnd : 0;
      }
      now = startOthers(soonest());
      checkLimits();
      if (progress != Progress.NONE && System.nanoTime() > nextReport) {
        nextReport = System.nanoTime() + progress.pauseNanos();
        report();
      }
    }
  }

  /**
   * Cycles until the window's end. What is asked in two windows is answered no earlier than after
   * both of them where there is much of it. News between the SMs of a cluster travel faster than
   * replies from memory.
   */
  private int step() {
    int most = busy ? window / 2 : window;
    for (ModernKernel kernel : running) {
      if (kernel.hasClusters()) {
        return Math.min(
            most,
            Math.min(
                gpu.modern().async().remoteCycles(), gpu.modern().async().clusterBarrierCycles()));
      }
    }
    return most;
  }

  /** A kernel starts. */
  private void join(ModernKernel kernel) {
    if (!running.isEmpty()) {
      serveMemory();
    }
    kernel.placeFrom(sms.topology(), distributor, firstBlock(kernel), finished);
    for (ModernKernel other : running) {
      other.besides.add(kernel.id);
      kernel.besides.add(other.id);
    }
    if (started++ > 0) {
      kernel.haveOwnParameters(started);
      groupCaches.launch(kernel.launched);
      kernel.tellWhatItBrings(groupCaches);
    }
    kernel.found.forEach(one -> memory.put(one.address(), one.bytes()));
    running.add(kernel);
    waiting.add(kernel);
    // As they came, those of higher priority first.
    waiting.sort(Comparator.comparingInt(one -> one.asked.priority()));
    if (rooms != null) {
      kernel.placer.share(rooms, kernel.need(), kernel.sms());
    } else if (running.size() > 1 || !kernel.asked.sms().isEmpty()) {
      rooms = new SmRooms(gpu.sm(), sms.topology().sms(), gpu.modern().launch().turnaround());
      for (ModernKernel one : running) {
        one.placer.share(rooms, one.need(), one.sms());
      }
      waiting.removeIf(one -> !one.placer.hasBlocks());
    }
    checkWhole(kernel);
    record();
    progress.kernelStarted(kernel.id, kernel.header.name(), kernel.blocks());
  }

  /** When the first block of a kernel can come. */
  private long firstBlock(ModernKernel kernel) {
    ModernCoreSpec.Launch launch = gpu.modern().launch();
    boolean dependent = kernel.asked.after() != Agenda.NOBODY;
    long from = kernel.launched + (dependent ? launch.dependentCycles() : launch.kernelCycles());
    if (started > 0) {
      from = Math.max(from, lastFrom + launch.kernelInterval());
    }
    lastFrom = from;
    return Math.max(from, limit);
  }

  /** A cooperative grid that never fits is an error. */
  private void checkWhole(ModernKernel kernel) {
    int its = kernel.asked.sms().isEmpty() ? sms.topology().sms() : kernel.asked.sms().size();
    long most = (long) its * kernel.need().most();
    if (kernel.asked.whole() && kernel.blocks() > most) {
      throw kernel.unfinished(
          "a cooperative launch of "
              + kernel.blocks()
              + " blocks, expected at most "
              + most
              + ", which can be resident at once",
          finished);
    }
  }

  /** The memory side writes its traffic down with the kernel that runs longest. */
  private void record() {
    ModernKernel oldest = running.get(0);
    memory.record(oldest.recorder == null ? null : oldest.recorder.memory());
    memory.follow(oldest.recorder == null ? null : oldest.recorder.trail());
  }

  private void placeBlocks() throws IOException {
    if (rooms == null) {
      ModernKernel only = running.get(0);
      while (only.placer.next(limit)) {
        only.place(sms);
      }
      return;
    }
    for (ModernKernel kernel : waiting) {
      kernel.placer.notBefore(now);
    }
    for (ModernKernel kernel = nextToPlace(); kernel != null; kernel = nextToPlace()) {
      if (kernel.hadNoRoom(kernel.placer.nextTime())) {
        launches.began(kernel);
      }
      if (!kernel.placer.next(limit)) {
        throw new IllegalStateException("kernel " + kernel.id + " has no place for a block");
      }
      kernel.place(sms);
      if (!kernel.placer.hasBlocks()) {
        waiting.remove(kernel);
      }
    }
  }

  /**
   * The kernel that places the next block before the window's end, null if none does. A kernel
   * whose blocks come first is not overtaken by others that might meet them, fit or not.
   */
  private ModernKernel nextToPlace() {
    ModernKernel first = null;
    long soonest = limit;
    for (int i = 0; i < waiting.size(); i++) {
      ModernKernel kernel = waiting.get(i);
      long when = kernel.placer.nextTime();
      if (when < soonest && mayBegin(kernel) && !isHeldBack(i, when)) {
        first = kernel;
        soonest = when;
      }
    }
    return first;
  }

  private boolean isHeldBack(int i, long when) {
    for (int k = 0; k < i; k++) {
      ModernKernel ahead = waiting.get(k);
      if (ahead.placer.from <= when && ahead.meets(waiting.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBegin(ModernKernel kernel) {
    kernel.begun |=
        !kernel.asked.whole() || rooms.holds(kernel.placer, kernel.need(), kernel.blocks(), limit);
    return kernel.begun;
  }

  /**
   * Runs tasks of a window. One SM has so little to do that to tell another thread takes longer.
   */
  private void together(int tasks, Workers.Step step) {
    if (sms.size() > 1) {
      workers.run(tasks, step);
      return;
    }
    for (int i = 0; i < tasks; i++) {
      step.run(i);
    }
  }

  /** An SM, or before the first of them what is done aside while memory has much to answer. */
  private void runOne(int i) {
    if (i >= ASIDE) {
      runSm(i - ASIDE);
    } else if (busy) {
      runAside(i);
    }
  }

  /** Memory, with what the SMs asked in the window before; or blocks, read ahead. */
  private void runAside(int i) {
    if (i == 0) {
      serveMemory();
      return;
    }
    for (int k = 0; k < running.size(); k++) {
      running.get(k).readAhead();
    }
  }

  private void runSm(int i) {
    Sm sm = sms.get(i);
    for (int k = 0; k < running.size(); k++) {
      if (running.get(k).recorder != null) {
        running.get(k).recorder.enter(sm.index());
      }
    }
    sm.takeReplies();
    sm.use(lanes[Workers.current()]);
    gotThere[i] = sm.run(limit);
    sm.use(null);
    memory.locate(sm.requests());
  }

  /** SMs that had to be told first when a line of code comes. */
  private int behind() {
    int n = 0;
    for (int i = 0; i < sms.size(); i++) {
      if (!gotThere[i]) {
        behind[n++] = i;
      }
    }
    return n;
  }

  private void serveLines() {
    ModernKernel first = running.get(0);
    if (first.echoes == null) {
      groupCaches.serve(sms.requests(), sms.size());
      return;
    }
    first.echoes.askLines(sms.requests(), sms.size());
    groupCaches.serve(first.echoes.requests(), first.echoes.requests().length);
    first.echoes.clearLineReplies();
  }

  /**
   * What the SMs asked in the window is on its way to memory. If it is much, it is answered while
   * they are in the next window; else at once, and the next window may be twice as long.
   */
  private void send() {
    Echoes echoes = running.get(0).echoes;
    if (echoes != null) {
      echoes.ask(sms.requests(), sms.size(), limit);
    }
    int asked = 0;
    for (int i = 0; i < sms.size(); i++) {
      asked += sms.get(i).requests().send(limit);
    }
    busy = asked > FEW * sms.size();
    if (busy && limit - now <= window / 2) {
      return;
    }
    together(ASIDE, this::runAside);
    for (int i = 0; i < sms.size(); i++) {
      sms.get(i).requests().deliver();
    }
  }

  /** Memory answers what is on its way. */
  private void serveMemory() {
    Echoes echoes = running.get(0).echoes;
    if (echoes == null) {
      memory.serve(sms.requests(), sms.size());
    } else {
      memory.serve(echoes.requests(), echoes.requests().length);
    }
  }

  /** Memory answers everything that was asked, also what has not left its SM. */
  private void serveAll() {
    serveMemory();
    swapRequests();
    serveMemory();
    swapRequests();
  }

  private void swapRequests() {
    for (int i = 0; i < sms.size(); i++) {
      sms.get(i).requests().swap();
    }
  }

  /** Messages between the SMs of clusters, in the order of their senders. */
  private void exchange() {
    if (gpu.modern().async() == null) {
      return;
    }
    for (int i = 0; i < sms.size(); i++) {
      AsyncUnits async = sms.get(i).async();
      if (async.failure() != null) {
        throw new UnfinishedSimulationException(
            names() + ", SM " + sms.get(i).index() + ", " + async.failure(), finished);
      }
      async.deliver(sm -> sms.numbered(sm).async(), limit);
    }
  }

  /** Takes note of the blocks that ended in the window. */
  private void takeEnds() {
    ModernKernel first = running.get(0);
    for (int i = 0; i < sms.size(); i++) {
      Sm sm = sms.get(i);
      for (int k = 0; k < sm.blocks().ended(); k++) {
        int place = sm.blocks().endedPlace(k);
        long when = sm.blocks().endedAt(k);
        if (rooms == null) {
          first.blockEnded(sm.index(), place, when);
        } else {
          ModernKernel kernel = launched(rooms.launch(sm.index(), place));
          kernel.blockEnded(sm.index(), rooms.release(sm.index(), place, when), when);
        }
        if (first.echoes != null) {
          first.echoes.ended(sm.index(), place, when);
        }
      }
      for (int k = 0; k < sm.blocks().letsGo(); k++) {
        int place = sm.blocks().letGoPlace(k);
        (rooms == null ? first : launched(rooms.launch(sm.index(), place)))
            .letGo(sm.blocks().letGoAt(k));
      }
      sm.blocks().clearEnded();
    }
    if (first.echoes != null) {
      first.echoes.takeEnds(now, limit, first::blockEnded);
    }
  }

  private ModernKernel launched(int id) {
    for (ModernKernel kernel : running) {
      if (kernel.id == id) {
        return kernel;
      }
    }
    throw new IllegalStateException("a block of kernel " + id + " ended, which does not run");
  }

  /** Ends the kernels whose last block has ended, in the order of their ends. */
  private void endKernels() throws IOException {
    for (ModernKernel kernel : running) {
      if (kernel.isReleased()) {
        launches.released(kernel, kernel.releasedAt());
      }
    }
    for (ModernKernel kernel = firstDone(); kernel != null; kernel = firstDone()) {
      serveAll();
      KernelTrace.requireInstructions(kernel.header, kernel.instructionsRead());
      long end = end(kernel);
      KernelResult result =
          started == 1 ? resultAlone(kernel, end) : resultAmongOthers(kernel, end);
      running.remove(kernel);
      instructionsEnded += kernel.instructionsRead();
      lastEnd = end;
      tellDependents(kernel, end);
      if (!running.isEmpty()) {
        record();
      }
      launches.ended(kernel, result);
      progress.kernelFinished(result);
    }
  }

  /** Some time after its last block; if there were writes, also after the last of them. */
  private long end(ModernKernel kernel) {
    ModernCoreSpec.Launch launch = gpu.modern().launch();
    long last = (long) (kernel.last + (kernel.echoes == null ? 0 : kernel.echoes.later()));
    long stored = memory.storedAt();
    if (stored > kernel.launched) {
      last = Math.max(last + launch.writtenCycles(), stored - launch.overlapCycles());
    }
    return last + launch.drainCycles();
  }

  private void tellDependents(ModernKernel ended, long end) {
    long heard = Math.max(limit, end + gpu.modern().launch().dependentCycles());
    for (ModernKernel kernel : running) {
      if (kernel.asked.after() == ended.asked.launch()) {
        kernel.predecessorEnd = heard;
        for (Sm sm : sms) {
          sm.predecessorEnded(kernel.id, heard);
        }
      }
    }
  }

  private ModernKernel firstDone() {
    ModernKernel first = null;
    for (ModernKernel kernel : running) {
      if (kernel.done == kernel.blocks() && (first == null || kernel.last < first.last)) {
        first = kernel;
      }
    }
    return first;
  }

  private KernelResult resultAlone(ModernKernel kernel, long end) {
    long simulated = instructions();
    // Echoes count nothing of their own: they are taken to do what the simulated SMs do.
    double share = kernel.echoes == null ? 1 : (double) kernel.echoes.instructions() / simulated;
    long threads = 0;
    for (Sm sm : sms) {
      for (SubCore subCore : sm.subCores()) {
        threads += subCore.threadInstructions;
      }
    }
    Map<String, Number> statistics = new LinkedHashMap<>();
    smCounters().forEach((name, value) -> statistics.put(name, scaled(value, share)));
    statistics.put("sm.activeCyclesMost", longest());
    kernel.putLaunch(statistics);
    statistics.putAll(memory.statistics());
    statistics.putAll(groupCaches.statistics());
    Map<String, Long> stalls = stalls(kernel);
    stalls.replaceAll((reason, waited) -> scaled(waited, share).longValue());
    return kernel.result(
        end, statistics, stalls, simulated, scaled(threads, share).longValue(), end);
  }

  /** What is counted by kernel is its own; the rest is the whole GPU's since the last end. */
  private KernelResult resultAmongOthers(ModernKernel kernel, long end) {
    Map<String, Number> reading = new LinkedHashMap<>(smCounters());
    reading.putAll(memory.statistics());
    reading.putAll(groupCaches.statistics());
    Map<String, Number> before = lastReading;
    lastReading = reading;
    Map<String, Number> statistics = new LinkedHashMap<>();
    // In the same order as for a kernel alone.
    smCounters().keySet().forEach(name -> statistics.put(name, 0L));
    statistics.put("sm.activeCyclesMost", longest());
    kernel.putLaunch(statistics);
    reading.forEach(
        (name, value) -> statistics.put(name, minus(value, before.getOrDefault(name, 0L))));
    kernel.putOwn(statistics);
    return kernel.result(
        end - kernel.launched - kernel.waited,
        statistics,
        stalls(kernel),
        kernel.instructionsRead(),
        kernel.lanesRead(),
        Math.max(0, end - Math.max(kernel.launched, lastEnd)));
  }

  private Map<String, Number> smCounters() {
    Counters counters = new Counters();
    for (Sm sm : sms) {
      counters.addAll(sm.counters());
    }
    return counters.read();
  }

  private long longest() {
    long longest = 0;
    for (Sm sm : sms) {
      longest = Math.max(longest, sm.blocks().activeCycles);
    }
    return longest;
  }

  private Map<String, Long> stalls(ModernKernel kernel) {
    long[] sums = kernel.gone.clone();
    for (Sm sm : sms) {
      ResidentKernel its = sm.kernel(kernel.id);
      long[] waited = its == null ? sums : its.stalls();
      for (int reason = 0; its != null && reason < sums.length; reason++) {
        sums[reason] += waited[reason];
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

  private static Number scaled(Number value, double share) {
    if (share == 1) {
      return value;
    }
    return value instanceof Double
        ? (Number) (value.doubleValue() * share)
        : (Number) Math.round(value.doubleValue() * share);
  }

  private static Number minus(Number a, Number b) {
    return a instanceof Double
        ? (Number) (a.doubleValue() - b.doubleValue())
        : (Number) (a.longValue() - b.longValue());
  }

  /** When something can happen next, as far as the kernels that run are concerned. */
  private long soonest() {
    long next = Warps.NEVER;
    for (ModernKernel kernel : running) {
      next = Math.min(next, rooms == null ? kernel.placer.nextTime() : Warps.NEVER);
      if (kernel.echoes != null) {
        next = Math.min(next, kernel.echoes.nextEnd());
      }
    }
    for (int i = 0; rooms != null && i < waiting.size(); i++) {
      long when = waiting.get(i).placer.nextTime();
      next = isHeldBack(i, when) ? next : Math.min(next, when);
    }
    for (int i = 0; i < sms.size(); i++) {
      Sm sm = sms.get(i);
      next = Math.min(next, sm.requests().awaitsReplies() ? limit : sm.next());
    }
    return Math.max(next, limit);
  }

  /**
   * Starts the kernels that may start before anything else happens, or before the window's end.
   *
   * @return when something happens
   */
  private long startOthers(long soonest) throws IOException {
    long next = soonest;
    while (launches.nextStart(next) < next && running.size() < most) {
      ModernKernel kernel = launches.start(full ? Math.max(now, lastEnd) : now);
      if (kernel != null) {
        join(kernel);
        next = Math.max(limit, Math.min(next, kernel.placer.nextTime()));
      }
    }
    full = launches.nextStart(next) < next;
    if (next >= Warps.NEVER) {
      ModernKernel first = running.get(0);
      throw new UnfinishedSimulationException(
          names()
              + (running.size() > 1 ? " stand" : " stands")
              + " still at cycle "
              + limit
              + " with "
              + first.done
              + " of "
              + first.blocks()
              + " blocks done: "
              + waitingWarps(),
          finished);
    }
    return next;
  }

  private String names() {
    StringBuilder names = new StringBuilder(running.size() > 1 ? "kernels" : "kernel");
    running.forEach(kernel -> names.append(' ').append(kernel.id));
    return names.toString();
  }

  /** The program's cycle. */
  private long cycle() {
    ModernKernel first = running.get(0);
    return first.start - first.launched + now;
  }

  /** Kernels that run, with how much of their traces is read. */
  List<OpenKernel> open() {
    return running.stream()
        .map(one -> new OpenKernel(one.asked.launch(), one.blocksRead(), one.trace))
        .toList();
  }

  /** Tells of the kernels that run, after they were put here by a checkpoint. */
  void tellAgain() {
    OpenKernel.tellAgain(finished, options, progress);
    for (ModernKernel kernel : running) {
      if (options.kernels().test(kernel.id, kernel.header.name())) {
        progress.kernelStarted(kernel.id, kernel.header.name(), kernel.blocks());
      }
    }
  }

  private void checkLimits() {
    if (options.maxCycles() > 0 && cycle() > options.maxCycles()) {
      throw new UnfinishedSimulationException(
          "stopped at the limit of " + options.maxCycles() + " cycles", finished);
    }
    if (options.maxInstructions() > 0
        && instructionsBefore + instructions() >= options.maxInstructions()) {
      throw new UnfinishedSimulationException(
          "stopped at the limit of " + options.maxInstructions() + " warp instructions", finished);
    }
  }

  private void report() {
    ModernKernel first = running.get(0);
    long cycles = now - first.launched;
    progress.advanced(
        cycles, first.done, instructions() - instructionsEnded, first.expectedInstructions());
    if (first.recorder != null && progress.watchesSms()) {
      progress.sms(cycles, first.recorder.activity(sms::residentBlocks));
      progress.levels(cycles, first.recorder.levels(sms::residentBlocks, reported, now));
      reported = now;
    }
    if (progress.asksWhoWaits()) {
      progress.waiting(waitingWarps());
    }
    progress.reported();
  }

  private String waitingWarps() {
    List<String> who = new ArrayList<>();
    for (int i = 0; i < sms.size() && who.size() < 4; i++) {
      String one = sms.get(i).waiting();
      if (!one.isEmpty()) {
        who.add("SM " + sms.get(i).index() + ": " + one);
      }
    }
    return String.join("; ", who);
  }

  /** Warp instructions that issued in the stretch. */
  private long instructions() {
    long sum = 0;
    for (Sm sm : sms) {
      for (SubCore subCore : sm.subCores()) {
        sum += subCore.warpInstructions;
      }
    }
    return sum;
  }
}
