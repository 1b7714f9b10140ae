package dev.warpline.nvidia.capture;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.nvidia.capture.CaptureEvent.Allocate;
import dev.warpline.nvidia.capture.CaptureEvent.Changed;
import dev.warpline.nvidia.capture.KernelOutcome.Result;
import dev.warpline.nvidia.emulate.EmulatedGpu;
import dev.warpline.nvidia.emulate.EmulatedKernel;
import dev.warpline.nvidia.emulate.EmulatedModule;
import dev.warpline.nvidia.emulate.EmulationException;
import dev.warpline.nvidia.emulate.KernelLaunch;
import dev.warpline.trace.ExecutedCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A captured program on an emulated GPU: goes through the capture line by line, executes its
 * launches, and compares memory with what the GPU left.
 */
final class Replay {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Contents may take this part of the heap. */
  private static final double MOST_MEMORY = 0.7;

  /** How much longer than in order a kernel may run in another order before it is given up. */
  private static final long BACKWARDS = 3;

  private final Capture capture;
  private final CaptureModules modules;
  private final Consumer<KernelOutcome> outcomes;
  private final boolean tellsRaces;
  private final EmulatedGpu gpu = new EmulatedGpu();
  private final Map<Integer, Allocate> living = new HashMap<>();
  private final TreeMap<Long, MemorySums> sums = new TreeMap<>();

  /** Launches executed since memory was compared last. */
  private final List<Executed> pending = new ArrayList<>();

  /** Why a copy of the graph could not be made, null if all were. */
  private String lost;

  private int position;
  private int launches;

  /** A launch that was executed, or not. */
  private record Executed(
      int number,
      CaptureEvent.Launch launch,
      long instructions,
      double seconds,
      boolean inputDiffered,
      String failure) {}

  /**
   * @param outcomes told of each launch after its memory was compared
   * @param tellsRaces whether kernels whose results differ are executed again in another order
   */
  Replay(
      Capture capture,
      CaptureModules modules,
      Consumer<KernelOutcome> outcomes,
      boolean tellsRaces) {
    this.capture = capture;
    this.modules = modules;
    this.outcomes = outcomes;
    this.tellsRaces = tellsRaces;
    modules.forget();
    gpu.keepBefore(tellsRaces);
  }

  EmulatedGpu gpu() {
    return gpu;
  }

  /** The line that comes next. */
  int position() {
    return position;
  }

  /** Whether nothing is left. */
  boolean ended() {
    return position == capture.events().size();
  }

  /**
   * Goes on to a line, executing the launches before it.
   *
   * @param progress told the warp instructions of the launch that is executed
   */
  void moveTo(int line, LongConsumer progress) throws IOException {
    while (position < line) {
      CaptureEvent event = capture.events().get(position);
      if (event instanceof CaptureEvent.Launch launch && launch.skipped() == null) {
        long started = 0;
        EmulatedKernel kernel = null;
        String failure = null;
        try {
          kernel = begin(launch, modules.code(launch), progress);
          started = THREADS.getCurrentThreadCpuTime();
          kernel.execute();
        } catch (EmulationException | UnfinishedSimulationException e) {
          failure = e.getMessage();
        }
        long ended = kernel == null ? 0 : THREADS.getCurrentThreadCpuTime();
        end(kernel, (ended - started) * 1e-9, failure);
      } else {
        apply(event);
        position++;
      }
    }
  }

  /** The kernel of the launch that comes next, which the caller executes. */
  EmulatedKernel begin(CaptureEvent.Launch launch, ExecutedCode rows, LongConsumer progress)
      throws IOException {
    launches++;
    if (pending.isEmpty()) {
      gpu.forgetWritten();
    }
    gpu.forgetTouched();
    return kernel(launch, KernelLaunch.STANDARD_LIMIT, rows, progress);
  }

  private EmulatedKernel kernel(
      CaptureEvent.Launch launch, long limit, ExecutedCode rows, LongConsumer progress)
      throws IOException {
    EmulatedModule module = modules.load(launch, gpu);
    return gpu.launch(
        module,
        modules.launch(launch, launches).withLimit(limit),
        modules.constants(launch.module()),
        rows,
        progress);
  }

  /** The launch that comes next was executed as far as it could be. */
  void end(EmulatedKernel kernel, double seconds, String failure) throws IOException {
    CaptureEvent.Launch launch = (CaptureEvent.Launch) capture.events().get(position++);
    boolean differed = false;
    for (MemorySums memory : sums.values()) {
      for (int page = memory.wrong.nextSetBit(0);
          page >= 0 && !differed;
          page = memory.wrong.nextSetBit(page + 1)) {
        differed = gpu.touched(address(memory, page), 1);
      }
    }
    pending.add(
        new Executed(
            launches,
            launch,
            kernel == null ? 0 : kernel.instructions(),
            seconds,
            differed,
            failure));
  }

  private static long address(MemorySums memory, int page) {
    return memory.memory.address() + (long) page * Sums.PAGE;
  }

  private void apply(CaptureEvent event) throws IOException {
    if (event instanceof Allocate memory) {
      allocate(memory);
    } else if (event instanceof CaptureEvent.Global global) {
      allocate(global.memory());
      modules.variable(global);
    } else if (event instanceof CaptureEvent.Free free) {
      Allocate memory = living.remove(free.allocation());
      gpu.free(memory.address());
      sums.remove(memory.address());
    } else if (event instanceof CaptureEvent.Pages pages) {
      load(pages);
    } else if (event instanceof CaptureEvent.Wrote wrote) {
      compare(wrote);
    } else if (event instanceof CaptureEvent.Copy copy) {
      if (copy.place().graph() != 0) {
        if (!copy.kind().equals("DtoH") || holds(copy.to())) {
          node(copy.n(), () -> copy(copy));
        }
      } else if (copy.replay()) {
        copy(copy);
        settle();
      }
    } else if (event instanceof CaptureEvent.Fill fill) {
      if (fill.place().graph() != 0) {
        node(fill.n(), () -> fill(fill));
      } else if (fill.replay()) {
        fill(fill);
        settle();
      }
    }
  }

  /** Whether an address is the GPU's; else it is the host's, which is not here. */
  private boolean holds(long address) {
    MemorySums memory = first(address);
    return memory != null && memory.memory.address() <= address;
  }

  /** What was written is there before the next launch, so it is none of its results. */
  private void settle() {
    written();
    gpu.forgetWritten();
  }

  private void allocate(Allocate memory) throws IOException {
    gpu.allocate("allocation " + memory.allocation(), memory.address(), memory.bytes());
    living.put(memory.allocation(), memory);
    sums.put(memory.address(), new MemorySums(memory));
  }

  private void load(CaptureEvent.Pages pages) throws IOException {
    long most = (long) (Runtime.getRuntime().maxMemory() * MOST_MEMORY);
    if (gpu.held() + pages.bytes() > most) {
      throw new CaptureException(
          capture.name(),
          pages.line(),
          (gpu.held() + pages.bytes() >> 20) + " MiB of contents",
          "at most " + (most >> 20) + " MiB with this heap (java -Xmx makes it larger)");
    }
    byte[] content = capture.contents(pages);
    Allocate memory = living.get(pages.allocation());
    MemorySums its = sums.get(memory.address());
    gpu.write(memory.address() + pages.first() * Sums.PAGE, content, 0, content.length);
    for (int page = (int) pages.first(); page < pages.first() + pages.count(); page++) {
      its.update(page, gpu);
      its.wrong.clear(page);
    }
    if (its.wrong.isEmpty()) {
      its.apart = 0;
    }
  }

  /** A copy or fill inside of a graph. */
  private interface Node {
    void execute() throws IOException;
  }

  private void node(long n, Node node) throws IOException {
    try {
      node.execute();
    } catch (EmulationException e) {
      lost = "operation " + n + ", a copy of the graph: " + e.getMessage();
    }
  }

  private void copy(CaptureEvent.Copy copy) throws IOException {
    byte[] row = new byte[Math.toIntExact(copy.bytes() / copy.rows())];
    for (long i = 0; i < copy.rows(); i++) {
      gpu.load(copy.from() + i * copy.fromPitch(), row, row.length);
      gpu.store(copy.to() + i * copy.toPitch(), row, row.length);
    }
  }

  private void fill(CaptureEvent.Fill fill) throws IOException {
    byte[] row = new byte[Math.toIntExact(fill.bytes() / fill.rows())];
    for (int i = 0; i < row.length; i++) {
      row[i] = (byte) (fill.value() >> 8 * (i % fill.width()));
    }
    for (long i = 0; i < fill.rows(); i++) {
      gpu.store(fill.to() + i * fill.toPitch(), row, row.length);
    }
  }

  /** Compares memory after a launch, or after all launches of a graph. */
  private void compare(CaptureEvent.Wrote wrote) throws IOException {
    Map<MemorySums, BitSet> ours = written();
    List<String> details = new ArrayList<>();
    List<Changed> differing = new ArrayList<>();
    for (Changed changed : wrote.allocations()) {
      MemorySums memory = sums.get(living.get(changed.allocation()).address());
      BitSet pages = ours.remove(memory);
      compare(changed, memory, pages == null ? new BitSet() : pages, details, differing);
    }
    ours.forEach(
        (memory, pages) -> {
          if (!pages.isEmpty()) {
            memory.wrong.or(pages);
            details.add(
                title(memory) + ": changed here (pages " + runs(pages) + "), not on the GPU");
          }
        });
    if (lost != null && !details.isEmpty()) {
      details.add(lost);
    }
    lost = null;
    Result result = details.isEmpty() ? Result.EXACT : Result.DIFFERS;
    if (!details.isEmpty() && pending.size() == 1 && pending.get(0).failure() == null) {
      result = order(pending.get(0), differing, details);
    }
    for (Executed one : pending) {
      List<String> its = new ArrayList<>(one.failure() == null ? details : List.of(one.failure()));
      if (pending.size() > 1 && one.failure() == null && !details.isEmpty()) {
        its.add(0, "one of the " + pending.size() + " launches of a graph, compared at its end");
      }
      outcomes.accept(
          new KernelOutcome(
              one.number(),
              one.launch().n(),
              one.launch().kernel(),
              one.failure() == null ? result : Result.FAILED,
              one.instructions(),
              one.seconds(),
              one.inputDiffered(),
              List.copyOf(its)));
    }
    pending.clear();
    gpu.forgetWritten();
  }

  /** The pages that were changed since memory was compared last. */
  private Map<MemorySums, BitSet> written() {
    Map<MemorySums, BitSet> found = new HashMap<>();
    for (long address : gpu.written()) {
      MemorySums memory = first(address);
      while (memory != null && memory.memory.address() < address + EmulatedGpu.PAGE) {
        long from = Math.max(0, address - memory.memory.address());
        long to =
            Math.min(memory.memory.bytes(), address + EmulatedGpu.PAGE - memory.memory.address());
        BitSet pages = found.computeIfAbsent(memory, key -> new BitSet());
        for (int page = (int) (from / Sums.PAGE); (long) page * Sums.PAGE < to; page++) {
          if (memory.update(page, gpu)) {
            pages.set(page);
          }
        }
        Map.Entry<Long, MemorySums> next = sums.higherEntry(memory.memory.address());
        memory = next == null ? null : next.getValue();
      }
    }
    return found;
  }

  /** The first allocation that has something at or after an address. */
  private MemorySums first(long address) {
    Map.Entry<Long, MemorySums> entry = sums.floorEntry(address);
    if (entry != null
        && entry.getValue().memory.address() + entry.getValue().memory.bytes() > address) {
      return entry.getValue();
    }
    entry = sums.higherEntry(address);
    return entry == null ? null : entry.getValue();
  }

  private void compare(
      Changed changed,
      MemorySums memory,
      BitSet ours,
      List<String> details,
      List<Changed> differing) {
    long total = memory.total();
    long apart = changed.sum() - total;
    BitSet theirs = new BitSet();
    for (long[] run : changed.pages()) {
      theirs.set((int) run[0], (int) (run[0] + run[1]));
    }
    if (apart == 0) {
      memory.wrong.clear();
      memory.apart = 0;
      return;
    }
    BitSet both = (BitSet) ours.clone();
    both.or(theirs);
    // What was wrong before and was not touched is still wrong by the same amount.
    if (apart == memory.apart && !both.intersects(memory.wrong)) {
      return;
    }
    memory.apart = apart;
    memory.wrong.or(both);
    differing.add(changed);
    details.add(
        String.format(
            Locale.ROOT,
            "%s: sum 0x%x, expected 0x%x; changed here: pages %s, on the GPU: pages %s",
            title(memory),
            total,
            changed.sum(),
            runs(ours),
            runs(theirs)));
  }

  /** Whether another order of the blocks gives another result. */
  private Result order(Executed one, List<Changed> differing, List<String> details)
      throws IOException {
    boolean adds = modules.load(one.launch(), gpu).addsRealNumbers(one.launch().kernel());
    if (adds) {
      details.add("floating-point atomics make the order matter");
    }
    if (!tellsRaces || one.launch().cooperative() || differing.isEmpty()) {
      return adds ? Result.ORDER : Result.DIFFERS;
    }
    List<Long> forwards = totals(differing);
    gpu.swapBefore();
    boolean other;
    try {
      // Blocks that wait for those before them do so for ever then.
      long limit = BACKWARDS * one.instructions() + BACKWARDS * 10_000;
      kernel(one.launch(), limit, modules.code(one.launch()), done -> {}).executeBackwards();
      written();
      List<Long> backwards = totals(differing);
      other = !backwards.equals(forwards);
      boolean same = true;
      for (int i = 0; i < differing.size(); i++) {
        same &= backwards.get(i) == differing.get(i).sum();
      }
      if (same) {
        details.add("with its blocks in the opposite order it gives the GPU's results");
      } else if (other) {
        details.add("with its blocks in the opposite order it gives other results: they race");
      } else {
        details.add("the order of its blocks does not matter to what comes out");
      }
    } catch (EmulationException | UnfinishedSimulationException e) {
      other = true;
      details.add("with its blocks in the opposite order it cannot be executed");
    }
    gpu.swapBefore();
    written();
    return other ? Result.ORDER : Result.DIFFERS;
  }

  private List<Long> totals(List<Changed> allocations) {
    List<Long> totals = new ArrayList<>();
    for (Changed changed : allocations) {
      totals.add(sums.get(living.get(changed.allocation()).address()).total());
    }
    return totals;
  }

  private static String title(MemorySums memory) {
    return String.format(
        "allocation %d (0x%x, %d bytes)",
        memory.memory.allocation(), memory.memory.address(), memory.memory.bytes());
  }

  /** Pages as runs, e.g. {@code 0-3,7}. */
  private static String runs(BitSet pages) {
    StringBuilder text = new StringBuilder();
    int runs = 0;
    for (int from = pages.nextSetBit(0); from >= 0; ) {
      int to = pages.nextClearBit(from);
      if (++runs > 8) {
        return text + ",... (" + pages.cardinality() + " in all)";
      }
      text.append(text.isEmpty() ? "" : ",").append(from);
      if (to - from > 1) {
        text.append('-').append(to - 1);
      }
      from = pages.nextSetBit(to);
    }
    return text.isEmpty() ? "none" : text.toString();
  }
}
