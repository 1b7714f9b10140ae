package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counters;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.Sampling;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.memory.flow.FlowMemory;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.nvidia.emulate.ConstantIndexProbe;
import dev.warpline.nvidia.modern.async.AsyncUnits;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.echo.Echoes;
import dev.warpline.nvidia.modern.energy.EnergyCount;
import dev.warpline.nvidia.modern.launch.BlockPlacer;
import dev.warpline.nvidia.modern.launch.ClusterScheduler;
import dev.warpline.nvidia.modern.launch.Placer;
import dev.warpline.nvidia.modern.launch.Residency;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One kernel from launch to end, window by window. */
final class ModernKernel {
  /** L1 does not grow when shared memory is set to less (measured for 0, 8 and 16 KB). */
  private static final int LEAST_SHARED_KIB = 16;

  /** Warp instructions from which on a kernel is sampled. */
  private static final long WORTH_SAMPLING = 200_000;

  private final GpuDescription gpu;
  private final Sms sms;
  private final FlowMemory memory;
  private final GroupCaches groupCaches;
  private final int window;
  private final KernelTrace kernel;
  private final int id;
  private final boolean cold;
  private final long start;
  private KernelRecorder recorder;
  private ConstantIndexProbe indexes;

  /** What its instructions cost; null if the description does not say. */
  private EnergyCount energy;

  ModernKernel(
      GpuDescription gpu,
      Sms sms,
      FlowMemory memory,
      GroupCaches groupCaches,
      int window,
      KernelTrace kernel,
      int id,
      boolean cold,
      long start) {
    this.gpu = gpu;
    this.sms = sms;
    this.memory = memory;
    this.groupCaches = groupCaches;
    this.window = window;
    this.kernel = kernel;
    this.id = id;
    this.cold = cold;
    this.start = start;
  }

  KernelResult run(
      Workers workers, RunOptions options, Progress progress, List<KernelResult> finished)
      throws IOException {
    KernelHeader header = kernel.header();
    Residency residency = Residency.of(gpu.sm(), header);
    if (residency.blocks() == 0) {
      throw new UnfinishedSimulationException(
          "kernel "
              + id
              + " ("
              + header.name()
              + "): a block needs more "
              + residency.limiter()
              + " than an SM has",
          finished);
    }
    CodeRows code = new CodeRows(gpu.modern(), kernel.code(), header.binaryVersion());
    code.update(kernel.hasControlBits());
    energy = gpu.energy() == null ? null : new EnergyCount(kernel.code());
    indexes = new ConstantIndexProbe(kernel.code(), header.grid(), header.block());
    int l1KiB =
        gpu.sm().l1().sizeKiB()
            - Math.max(residency.sharedKiB(), LEAST_SHARED_KIB)
            - gpu.modern().loadStore().l1OverheadKiB();
    if (options.profile() != null) {
      recorder =
          new KernelRecorder(
              options.profile(),
              sms.topology().sms(),
              gpu.sm().warps(),
              gpu.flowMemory().slices(),
              gpu.flowMemory().channels(),
              0);
      recorder.share(workers.count());
    }
    sms.startKernel(code, header, Math.max(16, l1KiB) << 10, recorder);
    memory.startKernel(cold);
    memory.record(recorder == null ? null : recorder.memory());
    memory.follow(recorder == null ? null : recorder.trail());
    groupCaches.startKernel();
    long blocks = header.grid().count();
    progress.kernelStarted(id, header.name(), blocks);
    Placer scheduler = placer(header, residency.blocks(), finished);
    echoes = echoes(options, header, residency.blocks(), finished);
    // News between the SMs of a cluster travel faster than replies from memory.
    boolean clusters = header.cluster().count() > 1 && gpu.modern().async() != null;
    int step =
        clusters
            ? Math.min(
                window,
                Math.min(
                    gpu.modern().async().remoteCycles(),
                    gpu.modern().async().clusterBarrierCycles()))
            : window;
    Workers.Step every = this::runSm;
    Workers.Step waiting = i -> runSm(behind[i]);
    behind = new int[sms.topology().sms()];
    gotThere = new boolean[behind.length];
    long instructionsBefore = finished.stream().mapToLong(KernelResult::warpInstructions).sum();
    done = 0;
    last = gpu.modern().launch().kernelCycles();
    long now = Math.min(scheduler.nextTime(), (long) last);
    long nextReport = System.nanoTime() + progress.pauseNanos();
    while (true) {
      options.stop().check();
      limit = now + step;
      placeBlocks(scheduler, code, limit);
      workers.run(sms.size(), every);
      serveLines();
      for (int n = behind(); n > 0; n = behind()) {
        workers.run(n, waiting);
        serveLines();
      }
      exchange(finished);
      serveMemory();
      takeEnds(scheduler, now);
      if (done == blocks) {
        break;
      }
      now = soonest(scheduler, limit, finished, done, blocks);
      if (options.maxCycles() > 0 && start + now > options.maxCycles()) {
        throw new UnfinishedSimulationException(
            "stopped at the limit of " + options.maxCycles() + " cycles", finished);
      }
      if (options.maxInstructions() > 0
          && instructionsBefore + instructions() >= options.maxInstructions()) {
        throw new UnfinishedSimulationException(
            "stopped at the limit of " + options.maxInstructions() + " warp instructions",
            finished);
      }
      if (progress != Progress.NONE && System.nanoTime() > nextReport) {
        nextReport = System.nanoTime() + progress.pauseNanos();
        report(progress, now);
      }
    }
    KernelTrace.requireInstructions(header, instructions());
    double later = echoes == null ? 0 : echoes.later();
    long cycles =
        Math.max((long) (last + later), memory.quietAt()) + gpu.modern().launch().drainCycles();
    KernelResult result = result(header, residency, code, cycles, options.sample());
    progress.kernelFinished(result);
    return result;
  }

  private void report(Progress progress, long now) {
    progress.advanced(now, done, instructions(), expectedInstructions());
    if (recorder != null && progress.watchesSms()) {
      progress.sms(now, recorder.activity(sms::residentBlocks));
      progress.levels(now, recorder.levels(sms::residentBlocks, reported, now));
      reported = now;
    }
    if (progress.asksWhoWaits()) {
      progress.waiting(waiting());
    }
    progress.reported();
  }

  /** Cycle of the last report on levels. */
  private long reported;

  private long limit;

  /** Blocks read so far, and their warp instructions. */
  private long blocksRead;

  private long instructionsRead;

  /** Blocks that ended. */
  private long done;

  /** When the ends of all blocks so far are taken note of, one after the other. */
  private double last;

  /** SMs that are not simulated; null if all are. */
  private Echoes echoes;

  private Echoes echoes(
      RunOptions options, KernelHeader header, int places, List<KernelResult> finished) {
    if (options.sample() < Echoes.BEST || header.cluster().count() > 1) {
      return null;
    }
    int[] first = new int[sms.topology().sms()];
    Placer trial = placer(header, places, finished);
    while (trial.next(Warps.NEVER)) {
      first[trial.sm]++;
    }
    Echoes some = new Echoes(sms.topology(), first, header.grid().count(), kernel.code());
    return some.leaveOutSome() ? some : null;
  }

  private void serveLines() {
    if (echoes == null) {
      groupCaches.serve(sms.requests(), sms.size());
      return;
    }
    echoes.askLines(sms.requests(), sms.size());
    groupCaches.serve(echoes.requests(), echoes.requests().length);
    echoes.clearReplies();
  }

  private void serveMemory() {
    if (echoes == null) {
      memory.serve(sms.requests(), sms.size());
      return;
    }
    echoes.ask(sms.requests(), sms.size());
    memory.serve(echoes.requests(), echoes.requests().length);
    echoes.clearReplies();
  }

  /** Takes note of the blocks that ended in a window. */
  private void takeEnds(Placer scheduler, long now) {
    for (int i = 0; i < sms.size(); i++) {
      Sm sm = sms.get(i);
      for (int k = 0; k < sm.blocks().ended(); k++) {
        int place = sm.blocks().endedPlace(k);
        long when = sm.blocks().endedAt(k);
        takeEnd(scheduler, sm.index(), place, when);
        if (echoes != null) {
          echoes.ended(sm.index(), place, when);
        }
      }
      sm.blocks().clearEnded();
    }
    if (echoes != null) {
      echoes.takeEnds(now, limit, (sm, place, when) -> takeEnd(scheduler, sm, place, when));
    }
  }

  private void takeEnd(Placer scheduler, int sm, int place, long when) {
    scheduler.release(sm, place, when);
    last = Math.max(last, when) + gpu.modern().launch().blockInterval();
    done++;
  }

  /** Where the last block was read to: the next one is likely as large. */
  private BlockTrace lastRead;

  /** Of the SMs at work: whether they got to the window's end, and those that did not. */
  private boolean[] gotThere;

  private int[] behind;

  private void runSm(int i) {
    Sm sm = sms.get(i);
    if (recorder != null) {
      recorder.enter(sm.index());
    }
    sm.takeReplies();
    gotThere[i] = sm.run(limit);
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

  private Placer placer(KernelHeader header, int places, List<KernelResult> finished) {
    ModernCoreSpec.Launch launch = gpu.modern().launch();
    if (header.cluster().count() <= 1 || gpu.modern().async() == null) {
      return new BlockPlacer(
          launch.blockScheduler().get(),
          launch,
          sms.topology(),
          places,
          header.warpsPerBlock(),
          header.grid().count());
    }
    try {
      return new ClusterScheduler(launch, sms.topology(), places, header.grid(), header.cluster());
    } catch (IllegalArgumentException e) {
      throw new UnfinishedSimulationException(
          "kernel " + id + " (" + header.name() + "): " + e.getMessage(), finished);
    }
  }

  /** Messages between the SMs of clusters, in the order of their senders. */
  private void exchange(List<KernelResult> finished) {
    if (gpu.modern().async() == null) {
      return;
    }
    for (int i = 0; i < sms.size(); i++) {
      AsyncUnits async = sms.get(i).async();
      if (async.failure() != null) {
        throw new UnfinishedSimulationException(
            "kernel " + id + ", SM " + sms.get(i).index() + ", " + async.failure(), finished);
      }
      async.deliver(sm -> sms.numbered(sm).async(), limit);
    }
  }

  private void placeBlocks(Placer scheduler, CodeRows code, long until) throws IOException {
    while (scheduler.next(until)) {
      boolean echo = echoes != null && !echoes.simulates(scheduler.sm);
      BlockTrace buffer = read(scheduler, echo);
      if (echoes != null && scheduler.block == 0 && isSmall(buffer)) {
        echoes = null;
        buffer = echo ? read(scheduler, false) : buffer;
        echo = false;
      }
      code.update(kernel.hasControlBits());
      if (energy != null) {
        energy.add(buffer);
      }
      if (echoes != null) {
        echoes.place(scheduler, buffer);
      }
      if (echo) {
        continue;
      }
      Sm sm = sms.numbered(scheduler.sm);
      sm.readConstants(scheduler.place, code.hasIndexed ? indexes : null);
      if (recorder != null) {
        recorder.placed(scheduler.sm);
      }
      sm.place(scheduler.place, scheduler.time, scheduler);
    }
  }

  /** Reads the block that a placer placed, for an SM that is simulated or for an echo. */
  private BlockTrace read(Placer scheduler, boolean echo) throws IOException {
    BlockTrace buffer = echo ? echoes.buffer() : sms.numbered(scheduler.sm).buffer(scheduler.place);
    if (lastRead != null) {
      buffer.makeRoomFor(lastRead);
    }
    kernel.requireBlock(scheduler.block, buffer);
    if (gpu.modern().ideal().lanes()) {
      buffer.followLanes(kernel.code());
    }
    lastRead = buffer;
    blocksRead++;
    instructionsRead += buffer.instructions();
    return buffer;
  }

  /** Warp instructions of all blocks, if those to come are like those read; 0 where some echo. */
  private long expectedInstructions() {
    long blocks = kernel.header().grid().count();
    return blocksRead == 0 || echoes != null
        ? 0
        : Math.round((double) instructionsRead / blocksRead * blocks);
  }

  /** Whether a kernel with such blocks is simulated as fast as it is sampled. */
  private boolean isSmall(BlockTrace block) {
    return block.instructions() * kernel.header().grid().count() < WORTH_SAMPLING;
  }

  private long soonest(
      Placer scheduler, long limit, List<KernelResult> finished, long done, long blocks) {
    long next = scheduler.nextTime();
    if (echoes != null) {
      next = Math.min(next, echoes.nextEnd());
    }
    for (int i = 0; i < sms.size(); i++) {
      Sm sm = sms.get(i);
      next = Math.min(next, sm.requests().replies() > 0 ? limit : sm.next());
    }
    if (next >= Warps.NEVER) {
      throw new UnfinishedSimulationException(
          "kernel "
              + id
              + " stands still at cycle "
              + limit
              + " with "
              + done
              + " of "
              + blocks
              + " blocks done: "
              + waiting(),
          finished);
    }
    return Math.max(next, limit);
  }

  private String waiting() {
    List<String> who = new ArrayList<>();
    for (int i = 0; i < sms.size() && who.size() < 4; i++) {
      String one = sms.get(i).waiting();
      if (!one.isEmpty()) {
        who.add("SM " + sms.get(i).index() + ": " + one);
      }
    }
    return String.join("; ", who);
  }

  private long instructions() {
    long sum = 0;
    for (Sm sm : sms) {
      for (SubCore subCore : sm.subCores()) {
        sum += subCore.warpInstructions;
      }
    }
    return sum;
  }

  private static Number scaled(Number value, double share) {
    if (share == 1) {
      return value;
    }
    return value instanceof Double
        ? (Number) (value.doubleValue() * share)
        : (Number) Math.round(value.doubleValue() * share);
  }

  private Sampling sampling(double asked, long cycles) {
    return new Sampling(asked, echoes.plusMinus(cycles), instructions(), echoes.toString());
  }

  private KernelResult result(
      KernelHeader header, Residency residency, CodeRows code, long cycles, double asked) {
    Map<String, Number> statistics = new LinkedHashMap<>();
    long threads = 0;
    long longest = 0;
    Counters counters = new Counters();
    for (Sm sm : sms) {
      for (SubCore subCore : sm.subCores()) {
        threads += subCore.threadInstructions;
      }
      counters.addAll(sm.counters());
      longest = Math.max(longest, sm.blocks().activeCycles);
    }
    // Echoes count nothing of their own: they are taken to do what the simulated SMs do.
    double share = echoes == null ? 1 : (double) echoes.instructions() / instructions();
    counters.read().forEach((name, value) -> statistics.put(name, scaled(value, share)));
    statistics.put("sm.activeCyclesMost", longest);
    statistics.put("l1.sharedKiB", residency.sharedKiB());
    statistics.put("launch.blocks", header.grid().count());
    statistics.put("launch.stream", header.stream());
    statistics.putAll(memory.statistics());
    statistics.putAll(groupCaches.statistics());
    Map<String, Long> stalls = ModernMachine.stalls(sms);
    stalls.replaceAll((reason, waited) -> scaled(waited, share).longValue());
    long resident = stalls.values().stream().mapToLong(Long::longValue).sum();
    long active = statistics.get("sm.activeCycles").longValue();
    double occupancy = active == 0 ? 0 : (double) resident / active / gpu.sm().warps();
    List<String> warnings = new ArrayList<>(code.notModelled());
    if (!code.controlled) {
      warnings.add(
          (kernel.hasControlBits() ? "control bits ignored" : "no control bits")
              + ": dependences are tracked by scoreboards");
    }
    KernelProfile profile =
        recorder == null
            ? null
            : ModernProfile.of(recorder, gpu, kernel, residency, code, statistics);
    return new KernelResult(
        id,
        header.name(),
        start,
        cycles,
        echoes == null ? instructions() : echoes.instructions(),
        scaled(threads, share).longValue(),
        occupancy,
        residency.limiter(),
        statistics,
        stalls,
        warnings,
        profile,
        echoes == null ? null : sampling(asked, cycles),
        energy == null ? null : energy.of(gpu, statistics, cycles, profile));
  }
}
