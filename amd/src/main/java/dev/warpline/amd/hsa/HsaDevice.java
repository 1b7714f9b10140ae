package dev.warpline.amd.hsa;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.cu.CodeImage;
import dev.warpline.amd.dispatch.Dispatcher;
import dev.warpline.amd.dispatch.GroupDemand;
import dev.warpline.amd.exec.Apertures;
import dev.warpline.amd.exec.DecodedCode;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.FunctionalDevice;
import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.state.Whole;
import dev.warpline.isa.gcn.GcnTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * A simulated AMD GPU as a program sees it: memory, code objects, queues and signals.
 *
 * <pre>
 * try (HsaDevice device = new HsaDevice(gpu.amd(), gpu.clocks(), 2)) {
 *   LoadedCode code = device.load(CodeObject.read(path));
 *   HsaQueue queue = device.createQueue(64);
 *   long buffer = device.memory().allocate(4096);
 *   Kernel kernel = code.kernel("add");
 *   Signal done = device.createSignal(1);
 *   device.dispatch(queue, code, kernel, grid, group, new KernargSegment(kernel).set(0, buffer), done);
 *   device.waitFor(done);
 * }
 * </pre>
 *
 * Simulated time passes only while the program waits.
 */
public final class HsaDevice implements AutoCloseable {
  private static final int DOORBELL_PAGE = 4096;

  private static final int DYNAMIC_STACK = 4096;

  /** About 100 microseconds of work, far more than it takes to wake a thread. */
  private static final int PARALLEL_FROM = 400;

  private final AmdSpec spec;
  private final GcnTarget target;
  private final DeviceMemory memory;
  private final FrontEnd frontEnd;
  private final long doorbells;
  private final List<HsaQueue> queues = new ArrayList<>();
  private final List<LoadedCode> codes = new ArrayList<>();

  /** Those of the host; a program that is replayed finds them at the same places. */
  private final List<Signal> signals = new ArrayList<>();

  private LongPredicate goOn = cycle -> true;

  /** How often the program has waited for the device. */
  private long waits;

  /** The wait from which on a replayed program waits in earnest, and what is to be done there. */
  private long earnestFrom;

  private Runnable restore;

  /**
   * @param clocks of compute units and memory
   * @param threads host threads; results do not depend on them
   */
  public HsaDevice(AmdSpec spec, ClockSpec clocks, int threads) {
    this(spec, clocks, threads, PARALLEL_FROM);
  }

  /** A device with memory that somebody else may see too. */
  public HsaDevice(AmdSpec spec, ClockSpec clocks, int threads, DeviceMemory memory) {
    this(spec, clocks, threads, PARALLEL_FROM, memory);
  }

  /**
   * @param parallelFrom simulated compute-unit cycles in a window from which on threads are woken;
   *     less is done faster by one
   */
  public HsaDevice(AmdSpec spec, ClockSpec clocks, int threads, int parallelFrom) {
    this(spec, clocks, threads, parallelFrom, new DeviceMemory());
  }

  private HsaDevice(
      AmdSpec spec, ClockSpec clocks, int threads, int parallelFrom, DeviceMemory memory) {
    this.spec = spec;
    this.memory = memory;
    target =
        GcnTarget.ofProcessor(spec.target())
            .orElseThrow(
                () ->
                    new HsaException(
                        "target " + spec.target() + "; expected gfx900, gfx90a or gfx942"));
    frontEnd = new FrontEnd(spec, clocks, memory, threads, parallelFrom);
    doorbells = memory.allocate(DOORBELL_PAGE);
  }

  /** Called with the current cycle after every window while waiting; false ends the wait. */
  public void setObserver(LongPredicate observer) {
    goOn = observer;
  }

  /** Kernels launched from now on are profiled; null ends that. */
  public void setProfile(ProfileOptions options) {
    frontEnd.setProfile(options);
  }

  /**
   * Results of kernels launched from now on hold the counters of each compute unit too, under
   * {@code each.NUMBER.}
   */
  public void countEachUnit() {
    frontEnd.countEachUnit();
  }

  public DeviceMemory memory() {
    return memory;
  }

  /** The instruction set it runs. */
  public GcnTarget target() {
    return target;
  }

  /** Copies a code object into device memory. */
  public LoadedCode load(CodeObject object) throws CodeObjectException {
    if (object.target() != target) {
      throw new HsaException(
          object.file()
              + ": found code for "
              + object.target().processor()
              + ", expected code for "
              + target.processor()
              + ", which this GPU runs");
    }
    long base = memory.allocateVisible(object.imageBytes());
    memory.copyIn(base, object.image(base));
    int bytes = object.imageBytes() & ~3;
    DecodedCode program = DecodedCode.load(target, memory, base, bytes);
    LoadedCode code =
        new LoadedCode(object, base, program, new CodeImage(spec, program, base, bytes));
    frontEnd.register(code);
    codes.add(code);
    return code;
  }

  /**
   * A new queue.
   *
   * @param size packets it holds, a power of two
   */
  public HsaQueue createQueue(int size) {
    int id = queues.size();
    if (8L * (id + 1) > DOORBELL_PAGE) {
      throw new HsaException("more than " + DOORBELL_PAGE / 8 + " queues");
    }
    HsaQueue queue = new HsaQueue(memory, id, size, doorbells + 8L * id);
    queues.add(queue);
    frontEnd.register(queue);
    return queue;
  }

  public Signal createSignal(long value) {
    Signal signal = Signal.create(memory, value);
    signals.add(signal);
    return signal;
  }

  /** Puts a packet into a queue, waiting for room, and rings the doorbell; returns its index. */
  public long submit(HsaQueue queue, AqlPacket packet) {
    if (queue.isFull()) {
      run(() -> !queue.isFull(), "room in queue " + queue.id());
    }
    long index = queue.write(packet);
    ring(queue, index);
    return index;
  }

  /**
   * Does something of the host's in a queue: after all its earlier packets, before the later ones.
   *
   * @param done decremented when it is complete, or null
   */
  public void submit(HsaQueue queue, DeviceTask task, Signal done) {
    submit(
        queue,
        new AqlPacket.Vendor(
            true, frontEnd.otherWork().add(task), done == null ? 0 : done.address()));
  }

  /** Writes a queue's doorbell: packets up to {@code lastIndex} are there. */
  public void ring(HsaQueue queue, long lastIndex) {
    memory.writeLong(queue.doorbell(), lastIndex);
    frontEnd.doorbell(queue, lastIndex);
  }

  /**
   * Launches a kernel after all earlier packets of the queue.
   *
   * @param done decremented when the kernel is complete, or null
   */
  public long dispatch(
      HsaQueue queue,
      LoadedCode code,
      Kernel kernel,
      int[] grid,
      int[] group,
      KernargSegment arguments,
      Signal done) {
    return dispatch(
        queue,
        code,
        kernel,
        grid,
        group,
        arguments,
        done,
        true,
        FenceScope.AGENT,
        FenceScope.AGENT);
  }

  /** Launches a kernel; without {@code barrier} earlier packets of the queue may still run. */
  public long dispatch(
      HsaQueue queue,
      LoadedCode code,
      Kernel kernel,
      int[] grid,
      int[] group,
      KernargSegment arguments,
      Signal done,
      boolean barrier,
      FenceScope acquire,
      FenceScope release) {
    byte[] segment =
        arguments.bytes(
            new KernargSegment.Launch(
                grid,
                group,
                grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1,
                Apertures.SHARED_BASE,
                Apertures.PRIVATE_BASE,
                queue.address()));
    long kernarg = memory.allocate(Math.max(16, segment.length));
    memory.copyIn(kernarg, segment);
    return submit(
        queue,
        new AqlPacket.KernelDispatch(
            barrier,
            acquire,
            release,
            grid,
            group,
            privateBytes(kernel),
            arguments.groupSegmentBytes(),
            code.kernelObject(kernel),
            kernarg,
            done == null ? 0 : done.address(),
            frontEnd.countLaunch()));
  }

  /**
   * Copies or fills after all earlier packets of the queue; the data move when it ends.
   *
   * @param done decremented when it is complete, or null
   */
  public long transfer(HsaQueue queue, Transfer transfer, Signal done) {
    return transfer(queue, transfer, done, true);
  }

  /** Copies or fills; without {@code barrier} earlier packets of the queue may still run. */
  public long transfer(HsaQueue queue, Transfer transfer, Signal done, boolean barrier) {
    return submit(
        queue,
        new AqlPacket.Vendor(
            barrier, frontEnd.otherWork().add(transfer), done == null ? 0 : done.address()));
  }

  /**
   * Executes a kernel without time in a queue, after all its earlier packets: it changes memory,
   * but no cache and no counter, and has no result. Later kernels are numbered as if it had been
   * dispatched.
   *
   * @param watched told now and then how many instructions it has executed; may end it by throwing
   * @param done decremented when it is complete, or null
   */
  public void execute(
      HsaQueue queue,
      LoadedCode code,
      Kernel kernel,
      int[] grid,
      int[] group,
      KernargSegment arguments,
      LongConsumer watched,
      Signal done) {
    countLaunch();
    submit(
        queue,
        nanos -> {
          executeNow(code, kernel, grid, group, arguments, false, watched);
          return nanos;
        },
        done);
  }

  /**
   * Executes a kernel without time, as {@link #execute} does, at once; for tasks of a queue.
   *
   * @param cooperative whether its groups may wait for each other
   * @return instructions executed
   */
  public long executeNow(
      LoadedCode code,
      Kernel kernel,
      int[] grid,
      int[] group,
      KernargSegment arguments,
      boolean cooperative,
      LongConsumer watched) {
    FunctionalDevice functional = new FunctionalDevice(memory);
    functional.setObserver(watched);
    functional.launch(
        new FunctionalDevice.LoadedCode(code.object(), code.base(), code.program()),
        kernel,
        grid,
        group,
        arguments,
        cooperative);
    return functional.instructions();
  }

  /** Groups of a kernel that a compute unit has room for at a time. */
  public int occupancy(LoadedCode code, Kernel kernel, int items, int dynamicLds) {
    GroupDemand demand =
        new GroupDemand(
            kernel.descriptor().vgprs(code.object().target()),
            kernel.descriptor().sgprs(),
            kernel.descriptor().groupSegmentBytes() + dynamicLds);
    return Dispatcher.occupancy(spec, demand, (items + 63) / 64);
  }

  public int computeUnits() {
    return spec.computeUnits();
  }

  /** Counts a launch that {@link #executeNow} does, among those that are dispatched. */
  public int countLaunch() {
    return frontEnd.countLaunch();
  }

  /** Scratch per work-item; what recursive functions need more is not known, so they get plenty. */
  private static int privateBytes(Kernel kernel) {
    int fixed = kernel.descriptor().privateSegmentBytes();
    return kernel.descriptor().usesDynamicStack() ? Math.max(fixed, DYNAMIC_STACK) : fixed;
  }

  /** Lets time pass until a signal is complete. */
  public void waitFor(Signal signal) {
    run(signal::isComplete, String.format("signal 0x%x", signal.address()));
  }

  /** Lets time pass until all packets of all queues are complete. */
  public void drain() {
    run(
        () -> queues.stream().allMatch(q -> q.readIndex() == q.writeIndex()),
        "the end of all packets");
  }

  /** Lets so much time pass, or less if there is nothing more to do. */
  public void letTimePass(double nanos) {
    double end = nanos() + nanos;
    waits++;
    frontEnd.runUntil(() -> nanos() >= end, goOn, null);
  }

  /** Lets time pass until all packets of a queue are complete. */
  public void drain(HsaQueue queue) {
    run(() -> queue.readIndex() == queue.writeIndex(), "the end of queue " + queue.id());
  }

  private void run(java.util.function.BooleanSupplier done, String what) {
    waits++;
    if (replays()) {
      return;
    }
    Runnable first = restore;
    restore = null;
    boolean stopped = !frontEnd.runUntil(done, goOn, first);
    if (stopped && !done.getAsBoolean()) {
      throw new HsaStopped(what, frontEnd.waiting(), frontEnd.cycle());
    }
  }

  /** How often the program has waited for the device. */
  public long waits() {
    return waits;
  }

  /**
   * The program was run before, up to a checkpoint, and is now run again: it does not wait until
   * the wait in which that was.
   *
   * @param wait its number, from 1
   * @param action puts the state of the checkpoint into the device
   */
  public void replay(long wait, Runnable action) {
    earnestFrom = wait;
    restore = action;
  }

  /** Whether the program does again what it did before a checkpoint. */
  public boolean replays() {
    return waits < earnestFrom;
  }

  /** By loaded code: words decoded for execution and for the pipeline. */
  public List<List<Integer>> decoded() {
    return codes.stream()
        .flatMap(code -> Stream.of(code.program().decoded(), code.image().decoded()))
        .toList();
  }

  /** Decodes what was decoded once before. */
  public void decode(List<List<Integer>> words) {
    for (int i = 0; i < codes.size(); i++) {
      codes.get(i).program().decode(words.get(2 * i));
      codes.get(i).image().decode(words.get(2 * i + 1));
    }
  }

  /** What a checkpoint need not hold of the device. */
  public List<Object> outside() {
    List<Object> all = new ArrayList<>(List.of(spec, frontEnd.workers()));
    codes.forEach(code -> all.add(new Whole(code)));
    return all;
  }

  /** Current cycle. */
  public long cycle() {
    return frontEnd.cycle();
  }

  /** Device time in nanoseconds. */
  public long nanos() {
    return frontEnd.nanos();
  }

  /** Wave instructions executed so far. */
  public long instructions() {
    return frontEnd.instructions();
  }

  /** Work-groups that have ended so far. */
  public long groupsFinished() {
    return frontEnd.groupsFinished();
  }

  /** What is known of each kernel that is complete, in the order they completed. */
  public List<KernelResult> results() {
    return frontEnd.results();
  }

  /**
   * What kernels, copies, fills and barriers are complete, in that order, with their times: the
   * whole program's, from its first packet to its last completion.
   */
  public List<Activity> activities() {
    return frontEnd.activities();
  }

  /** All counters so far. */
  public Map<String, Number> statistics() {
    return frontEnd.statistics();
  }

  @Override
  public void close() {
    frontEnd.close();
  }
}
