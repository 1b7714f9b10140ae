package dev.warpline.nvidia.modern;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.Sampling;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.constant.ConstantMemory;
import dev.warpline.nvidia.modern.constant.IndexedConstants;
import dev.warpline.nvidia.modern.echo.Echoes;
import dev.warpline.nvidia.modern.energy.EnergyCount;
import dev.warpline.nvidia.modern.fetch.InstructionCaches;
import dev.warpline.nvidia.modern.launch.BlockPlacer;
import dev.warpline.nvidia.modern.launch.ClusterScheduler;
import dev.warpline.nvidia.modern.launch.Distributor;
import dev.warpline.nvidia.modern.launch.Placer;
import dev.warpline.nvidia.modern.launch.Residency;
import dev.warpline.nvidia.modern.launch.SmRooms;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One kernel from launch to end: its code, its blocks, and what is known of it by itself. */
final class ModernKernel {
  /** L1 does not grow when shared memory is set to less (measured for 0, 8 and 16 KB). */
  private static final int LEAST_SHARED_KIB = 16;

  private static final int LEAST_L1_KIB = 16;

  /** Between places of the same code; any number that no two names are apart by. */
  private static final int FRESH = 7919;

  /** Warp instructions from which on a kernel is sampled. */
  private static final long WORTH_SAMPLING = 200_000;

  private final GpuDescription gpu;
  private final Residency residency;
  private final CodeRows code;
  private final IndexedConstants indexes;
  private final RunOptions options;

  /** What its instructions cost; null if the description does not say. */
  private final EnergyCount energy;

  /** Number of its constants: launches of one code that run at a time have their own. */
  private int parameters;

  final KernelTrace trace;
  final int id;
  final KernelHeader header;

  /** What let it start, and the cycle of the program at which it did. */
  final Agenda.Start asked;

  /** What copies had written since the launch before it. */
  final List<Agenda.Written> found = new ArrayList<>();

  final long start;

  /** Null unless somebody wants to know where time goes. */
  final KernelRecorder recorder;

  /** Other kernels that ran at the same time. */
  final TreeSet<Integer> besides = new TreeSet<>();

  /** When it was launched, in cycles of the stretch. */
  long launched;

  /** How long its first block had no room; what it waits is no time of its own. */
  long waited;

  private boolean placed;

  /** Where its blocks go. */
  Placer placer;

  /** SMs that are not simulated; null if all are. */
  Echoes echoes;

  /** Blocks that ended. */
  long done;

  /** When the ends of all blocks so far are taken note of, one after the other. */
  double last;

  /** Whether all its blocks may be placed, if it needs room for all of them at once. */
  boolean begun;

  /** Time of its warps by reason on SMs that have forgotten it since. */
  final long[] gone = new long[StallReason.COUNT];

  /** When the kernel has ended that it may wait for; 0 if there is none. */
  long predecessorEnd;

  /** Blocks that let dependent launches go, and the last of them; whether all did was told. */
  private long letsGo;

  private long letGoAt;
  private boolean released;

  /** Blocks read so far, their warp instructions and those of their lanes. */
  private long blocksRead;

  private long instructionsRead;
  private long lanesRead;

  /** Where the last block was read to: the next one is likely as large. */
  private BlockTrace lastRead;

  /** Blocks read since {@link #readAhead}, and most of them ever. */
  private int needed;

  private int mostNeeded;

  // By SM: its blocks there and since when there are any; and for how long there were, in all.
  private final int[] resident;
  private final long[] residentSince;
  private long activeCycles;

  /**
   * @param id its launch's number
   * @param start cycle of the program
   * @param threads that simulate
   */
  ModernKernel(
      GpuDescription gpu,
      KernelTrace trace,
      int id,
      Agenda.Start asked,
      long start,
      long launched,
      Topology topology,
      RunOptions options,
      int threads,
      List<KernelResult> finished) {
    this.gpu = gpu;
    this.trace = trace;
    this.id = id;
    this.asked = asked;
    this.start = start;
    this.launched = launched;
    this.options = options;
    header = trace.header();
    residency = Residency.of(gpu.sm(), header);
    if (residency.blocks() == 0) {
      throw unfinished("a block needs more " + residency.limiter() + " than an SM has", finished);
    }
    code = new CodeRows(gpu.modern(), trace.code(), header.binaryVersion());
    code.update(trace.hasControlBits());
    energy = gpu.energy() == null ? null : new EnergyCount(trace.code());
    indexes = new IndexedConstants(trace.code(), header.grid(), header.block());
    parameters = program();
    resident = new int[topology.sms()];
    residentSince = new long[topology.sms()];
    last = launched + gpu.modern().launch().kernelCycles();
    if (options.profile() == null) {
      recorder = null;
    } else {
      recorder =
          new KernelRecorder(
              options.profile(),
              topology.sms(),
              gpu.sm().warps(),
              gpu.flowMemory().slices(),
              gpu.flowMemory().channels(),
              launched);
      recorder.share(threads);
    }
  }

  /** What stops the run because of this kernel. */
  UnfinishedSimulationException unfinished(String why, List<KernelResult> finished) {
    return new UnfinishedSimulationException(
        "kernel " + id + " (" + header.name() + "): " + why, finished);
  }

  /**
   * Number of its code: code of one number lies at one place. That of a launch that finds none in
   * caches lies where none did.
   */
  private int program() {
    return header.name().hashCode() + (asked.fresh() ? id * FRESH : 0);
  }

  /** Its constants are not those of another launch of the same code that runs now. */
  void haveOwnParameters(int number) {
    parameters = program() + number;
  }

  /** Code and constants come with its launch, sooner or later. */
  void tellWhatItBrings(GroupCaches caches) {
    long when = launched + (asked.fresh() ? gpu.modern().launch().freshCycles() : 0);
    caches.brings(InstructionCaches.address(program()), 1L << InstructionCaches.CODE_BITS, when);
    caches.brings(ConstantMemory.address(parameters), 1L << ConstantMemory.KERNEL_BITS, when);
  }

  /** What L1 has on an SM whose array is divided for this kernel. */
  int l1Bytes() {
    int kib =
        gpu.sm().l1().sizeKiB()
            - Math.max(residency.sharedKiB(), LEAST_SHARED_KIB)
            - gpu.modern().loadStore().l1OverheadKiB();
    return Math.max(LEAST_L1_KIB, kib) << 10;
  }

  SmRecorder recorder(int sm) {
    return recorder == null ? null : recorder.sm(sm);
  }

  /** An SM's next blocks are its. */
  void admitTo(Sm sm) {
    sm.admit(id, program(), parameters, code, header, recorder(sm.index()), gone).predecessorEnd =
        predecessorEnd;
  }

  /** Makes its placer: blocks come through a distributor, not before a cycle. */
  void placeFrom(Topology topology, Distributor distributor, long from, List<KernelResult> others) {
    placer = placer(topology, distributor, from, others);
  }

  private Placer placer(
      Topology topology, Distributor distributor, long from, List<KernelResult> finished) {
    ModernCoreSpec.Launch launch = gpu.modern().launch();
    if (!hasClusters()) {
      return new BlockPlacer(
          launch.blockScheduler().get(),
          launch,
          topology,
          residency.blocks(),
          header.warpsPerBlock(),
          blocks(),
          distributor,
          from);
    }
    try {
      return new ClusterScheduler(
          launch, topology, residency.blocks(), header.grid(), header.cluster(), distributor, from);
    } catch (IllegalArgumentException e) {
      throw unfinished(e.getMessage(), finished);
    }
  }

  /** Whether its blocks come in clusters that talk to each other. */
  boolean hasClusters() {
    return header.cluster().count() > 1 && gpu.modern().async() != null;
  }

  long blocks() {
    return header.grid().count();
  }

  /** What a block of it takes of an SM. */
  SmRooms.Need need() {
    return SmRooms.Need.of(id, gpu.sm(), header, residency);
  }

  /** The SMs that it may use; empty for all. */
  BitSet sms() {
    BitSet its = new BitSet();
    asked.sms().forEach(its::set);
    return its;
  }

  /** Whether two kernels may meet on an SM. */
  boolean meets(ModernKernel other) {
    return asked.sms().isEmpty() || other.asked.sms().isEmpty() || sms().intersects(other.sms());
  }

  /** Leaves SMs out of the simulation if the run allows that, and some are alike. */
  void sample(Topology topology, List<KernelResult> finished) {
    if (options.sample() < Echoes.BEST || header.cluster().count() > 1) {
      return;
    }
    int[] first = new int[topology.sms()];
    Placer trial = placer(topology, new Distributor(topology.sms()), placer.from, finished);
    while (trial.next(Warps.NEVER)) {
      first[trial.sm]++;
    }
    Echoes some = new Echoes(topology, first, blocks(), trace.code());
    echoes = some.leaveOutSome() ? some : null;
  }

  /** Whether its first block, which is placed at a cycle, had to wait for room. */
  boolean hadNoRoom(long cycle) {
    if (placed || cycle <= placer.from) {
      return false;
    }
    waited = cycle - placer.from;
    return true;
  }

  /** Brings the block that its placer placed to an SM; the first block tells whether to sample. */
  void place(Sms sms) throws IOException {
    placed = true;
    boolean echo = echoes != null && !echoes.simulates(placer.sm);
    BlockTrace buffer = read(sms, echo);
    if (echoes != null && placer.block == 0 && isSmall(buffer)) {
      echoes = null;
      buffer = echo ? read(sms, false) : buffer;
      echo = false;
    }
    code.update(trace.hasControlBits());
    if (energy != null) {
      energy.add(buffer);
    }
    if (echoes != null) {
      echoes.place(placer, buffer);
    }
    if (echo) {
      return;
    }
    Sm sm = sms.forBlock(placer.sm, this);
    sm.readConstants(placer.place, code.hasIndexed ? indexes : null);
    if (recorder != null) {
      recorder.placed(placer.sm);
    }
    if (resident[placer.sm]++ == 0) {
      residentSince[placer.sm] = placer.time;
    }
    sm.place(placer.place, placer.time, placer);
  }

  /** Reads the block that the placer placed, for an SM that is simulated or for an echo. */
  private BlockTrace read(Sms sms, boolean echo) throws IOException {
    BlockTrace buffer = echo ? echoes.buffer() : sms.forBlock(placer.sm, this).buffer(placer.place);
    if (lastRead != null) {
      buffer.makeRoomFor(lastRead);
    }
    trace.requireBlock(placer.block, buffer);
    if (gpu.modern().ideal().lanes()) {
      buffer.followLanes(trace.code());
    }
    lastRead = buffer;
    blocksRead++;
    needed++;
    instructionsRead += buffer.instructions();
    for (int warp = 0; warp < buffer.warps(); warp++) {
      lanesRead += buffer.lanes(warp);
    }
    return buffer;
  }

  /** Has as many blocks ready as ever were needed since the last time. */
  void readAhead() {
    mostNeeded = Math.max(mostNeeded, needed);
    needed = 0;
    trace.readAhead(mostNeeded);
  }

  /** Whether a kernel with such blocks is simulated as fast as it is sampled. */
  private boolean isSmall(BlockTrace block) {
    return block.instructions() * blocks() < WORTH_SAMPLING;
  }

  /** A block ended, in a place by the placer's number. */
  void blockEnded(int sm, int place, long when) {
    placer.release(sm, place, when);
    last = Math.max(last, when) + gpu.modern().launch().blockInterval();
    done++;
    if (--resident[sm] == 0) {
      activeCycles += when - residentSince[sm];
    }
  }

  /** A block let dependent launches go. */
  void letGo(long when) {
    letsGo++;
    letGoAt = Math.max(letGoAt, when);
  }

  /** Whether all blocks have let dependent launches go; true once. */
  boolean isReleased() {
    boolean now = !released && (letsGo == blocks() || done == blocks());
    released |= now;
    return now;
  }

  /** When the last block did. */
  long releasedAt() {
    return letGoAt;
  }

  /** Warp instructions of all blocks, if those to come are like those read; 0 where some echo. */
  long expectedInstructions() {
    return blocksRead == 0 || echoes != null
        ? 0
        : Math.round((double) instructionsRead / blocksRead * blocks());
  }

  /** Blocks read from the trace so far. */
  long blocksRead() {
    return blocksRead;
  }

  /** Warp instructions of the blocks read so far. */
  long instructionsRead() {
    return instructionsRead;
  }

  /**
   * Its result.
   *
   * @param statistics what the whole GPU counted
   * @param stalls where its warps waited
   * @param simulated warp instructions that were simulated of it
   * @param threads the same, of its lanes
   * @param charged cycles whose static energy is its
   */
  KernelResult result(
      long cycles,
      Map<String, Number> statistics,
      Map<String, Long> stalls,
      long simulated,
      long threads,
      long charged) {
    long inAll = stalls.values().stream().mapToLong(Long::longValue).sum();
    long active = statistics.get("sm.activeCycles").longValue();
    double occupancy = active == 0 ? 0 : (double) inAll / active / gpu.sm().warps();
    KernelProfile profile =
        recorder == null
            ? null
            : ModernProfile.of(recorder, gpu, trace, residency, code, statistics);
    return new KernelResult(
        id,
        header.name(),
        start + waited,
        cycles,
        echoes == null ? simulated : echoes.instructions(),
        threads,
        occupancy,
        residency.limiter(),
        statistics,
        stalls,
        warnings(),
        profile,
        echoes == null ? null : sampling(cycles, simulated),
        energy == null ? null : energy.of(gpu, statistics, charged, profile));
  }

  private Sampling sampling(long cycles, long simulated) {
    return new Sampling(options.sample(), echoes.plusMinus(cycles), simulated, echoes.toString());
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>(code.notModelled());
    if (!code.controlled) {
      warnings.add(
          (trace.hasControlBits() ? "control bits ignored" : "no control bits")
              + ": dependences are tracked by scoreboards");
    }
    if (!besides.isEmpty()) {
      warnings.add(
          "ran beside kernel "
              + besides.stream().map(String::valueOf).collect(Collectors.joining(", "))
              + ": cycles, instructions, stalls and occupancy are its own; the other counters are"
              + " those of the whole GPU since the last kernel that ended before it");
    }
    return warnings;
  }

  /** How it was launched. */
  void putLaunch(Map<String, Number> statistics) {
    statistics.put("l1.sharedKiB", residency.sharedKiB());
    statistics.put("launch.blocks", blocks());
    statistics.put("launch.stream", header.stream());
  }

  /** Puts what it counted itself in the place of what the whole GPU did. */
  void putOwn(Map<String, Number> statistics) {
    statistics.put("sm.activeCycles", activeCycles);
    statistics.put("issue.warpInstructions", instructionsRead);
    statistics.put("issue.threadInstructions", lanesRead);
  }

  long lanesRead() {
    return lanesRead;
  }
}
