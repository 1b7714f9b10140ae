package dev.warpline.amd.cu;

import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.memory.MemoryHierarchy;
import dev.warpline.engine.Counters;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.MemoryRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All compute units and the memory they share, run in windows. A window is no longer than the
 * shortest way out of a shader array and back, so the arrays run it side by side; then stores
 * happen, and requests to the shared side are served, each in an order that does not depend on
 * threads.
 */
public final class Gpu implements AutoCloseable, MemoryHierarchy.Answers {
  /** What the names of counters of single compute units begin with; number and name follow. */
  public static final String EACH_UNIT = "each.";

  /** Bits of an array's number, and of an access's among those an array keeps in a window. */
  private static final int KEPT_BITS = 20;

  private final AmdSpec spec;
  private final ShaderArray[] arrays;

  /** By compute unit: its array and its place in there. */
  private final int[] arrayOf;

  private final int[] placeOf;
  private final MemoryHierarchy memorySide;
  private final Workers workers;
  private final int parallelFrom;
  private long lastWork;
  private final int window;
  private final int lineLead;

  /** By array: the first cycle in which something happens in it. */
  private final long[] nextOf;

  /** Arrays in which something happens in a window, in their order. */
  private final int[] awake;

  private int awakeCount;

  /** Stores and atomics of a window, by cycle, array and their order in it. */
  private long[] kept = new long[64];

  private long[] ended = new long[64];
  private int endedCount;

  /**
   * @param parallelFrom compute-unit cycles in a window from which on it is worth to wake threads
   */
  public Gpu(
      AmdSpec spec,
      ClockSpec clocks,
      DeviceMemory memory,
      WaveFactory factory,
      int threads,
      int parallelFrom) {
    this.spec = spec;
    this.parallelFrom = parallelFrom;
    memorySide = new MemoryHierarchy(spec, clocks);
    workers = new Workers(threads);
    int size = Math.max(spec.cusPerSqc(), spec.cusPerScalarCache());
    arrayOf = new int[spec.computeUnits()];
    placeOf = new int[spec.computeUnits()];
    List<int[]> members = members(size);
    arrays = new ShaderArray[members.size()];
    for (int a = 0; a < arrays.length; a++) {
      int[] ids = members.get(a);
      arrays[a] = new ShaderArray(spec, ids, new Executor(memory, clocks), factory);
      for (int i = 0; i < ids.length; i++) {
        arrayOf[ids[i]] = a;
        placeOf[ids[i]] = i;
      }
    }
    nextOf = new long[arrays.length];
    Arrays.fill(nextOf, Long.MAX_VALUE);
    awake = new int[arrays.length];
    lineLead = lineLead();
    window = shortestWay();
  }

  /** Compute units by array; neighbours in an array belong to the same die. */
  private List<int[]> members(int size) {
    List<int[]> list = new ArrayList<>();
    for (int die = 0; die < spec.dies(); die++) {
      List<Integer> ofDie = new ArrayList<>();
      for (int cu = die; cu < spec.computeUnits(); cu += spec.dies()) {
        ofDie.add(cu);
      }
      for (int i = 0; i < ofDie.size(); i += size) {
        list.add(
            ofDie.subList(i, Math.min(ofDie.size(), i + size)).stream()
                .mapToInt(Integer::intValue)
                .toArray());
      }
    }
    return list;
  }

  /** Least time between sending a line request and its arrival at the TCC. */
  private int lineLead() {
    AmdSpec.MemoryPipes pipes = spec.pipes();
    int vector = pipes.memReqLatency() + spec.tcp().latency() + spec.tcp().requestLatency();
    int scalar =
        pipes.scalarMemReqLatency()
            + spec.scalarCache().latency()
            + spec.scalarCache().requestLatency();
    int fetch = spec.sqc().latency() + spec.sqc().requestLatency();
    return Math.min(vector, Math.min(scalar, fetch));
  }

  private int shortestWay() {
    AmdSpec.Tcc tcc = spec.tcc();
    int line = lineLead + tcc.tagLatency() + tcc.dataLatency() + tcc.responseLatency();
    int page = spec.translation().l2().hitLatency();
    int data = spec.pipes().memReqLatency() + spec.pipes().memRespLatency();
    int group = spec.dispatch().groupLaunchLatency();
    int shortest = Math.min(Math.min(line, page), Math.min(data, group));
    if (shortest < 1) {
      throw new IllegalArgumentException(
          "every way out of a compute unit and back must take a cycle or more: lines take "
              + line
              + ", pages "
              + page
              + ", vector data "
              + data
              + ", work-group launch "
              + group);
    }
    return shortest;
  }

  /** Writes the traffic behind the first level down from now on; null writes nothing. */
  public void record(MemoryRecorder recorder) {
    memorySide.record(recorder);
  }

  public Workers workers() {
    return workers;
  }

  /** Cycles of a window. */
  public int window() {
    return window;
  }

  /** A work-group will start, no earlier than the next window. */
  public void start(GroupPlacement placement) {
    int array = arrayOf[placement.cu()];
    arrays[array].start(placement, placeOf[placement.cu()]);
    wake(array, placement.cycle());
  }

  /** First-level caches are emptied at {@code cycle}, no earlier than the next window. */
  public void invalidate(long cycle) {
    for (int a = 0; a < arrays.length; a++) {
      arrays[a].invalidate(cycle);
      wake(a, cycle);
    }
  }

  private void wake(int array, long cycle) {
    nextOf[array] = Math.min(nextOf[array], cycle);
  }

  /** Writes the second-level caches back and empties them; returns when that is done. */
  public long invalidateTcc(long cycle) {
    return memorySide.invalidate(cycle);
  }

  /** When the command processor has read the line of an address, through the TCC of its die. */
  public long read(long address, long cycle) {
    return memorySide.read(address, cycle);
  }

  /** Writes the second-level caches back; returns when that is done. */
  public long release(long cycle) {
    return memorySide.release(cycle);
  }

  /** First cycle in which something happens, or {@code Long.MAX_VALUE}. */
  public long nextCycle() {
    long next = memorySide.nextArrival();
    for (long cycle : nextOf) {
      next = Math.min(next, cycle);
    }
    return next;
  }

  /** Runs everything before {@code end}, which is at most a window after {@link #nextCycle}. */
  public void run(long end) {
    awakeCount = 0;
    for (int a = 0; a < arrays.length; a++) {
      if (nextOf[a] < end) {
        awake[awakeCount++] = a;
      }
    }
    if (lastWork >= parallelFrom) {
      workers.run(awakeCount, i -> run(awake[i], end));
    } else {
      for (int i = 0; i < awakeCount; i++) {
        run(awake[i], end);
      }
    }
    performKept(end);
    endedCount = 0;
    lastWork = 0;
    for (int i = 0; i < awakeCount; i++) {
      ShaderArray array = arrays[awake[i]];
      lastWork += array.takeWork();
      memorySide.accept(array.outbox);
      if (ended.length < endedCount + array.endedCount()) {
        ended = Arrays.copyOf(ended, 2 * (endedCount + array.endedCount()));
      }
      endedCount = array.drainEnded(ended, endedCount);
    }
    Arrays.sort(ended, 0, endedCount);
    memorySide.serve(end, end + lineLead, this);
  }

  private void run(int array, long end) {
    arrays[array].run(end);
    nextOf[array] = arrays[array].nextCycle();
  }

  @Override
  public void answer(MemoryRequest reply) {
    int array = arrayOf[reply.port];
    wake(array, reply.ready);
    arrays[array].answer(reply, placeOf[reply.port]);
  }

  /** Performs the stores and atomics of the window by cycle, those of a cycle by array. */
  private void performKept(long end) {
    int count = 0;
    for (int i = 0; i < awakeCount; i++) {
      Executor executor = arrays[awake[i]].executor;
      int of = executor.keptCount();
      if (kept.length < count + of) {
        kept = Arrays.copyOf(kept, 2 * (count + of));
      }
      for (int k = 0; k < of; k++) {
        // All of them are of the window, so their cycles are few bits when counted from its end.
        kept[count++] = (executor.keptAt(k) - end << KEPT_BITS | i) << KEPT_BITS | k;
      }
    }
    Arrays.sort(kept, 0, count);
    for (int k = 0; k < count; k++) {
      int i = (int) (kept[k] >>> KEPT_BITS) & (1 << KEPT_BITS) - 1;
      arrays[awake[i]].executor.performKept((int) kept[k] & (1 << KEPT_BITS) - 1);
    }
    for (int i = 0; i < awakeCount; i++) {
      arrays[awake[i]].executor.nextWindow();
    }
  }

  /** Waves that ended in the last window, by cycle and compute unit. */
  public int endedWaves() {
    return endedCount;
  }

  public long endedCycle(int i) {
    return ended[i] >>> ShaderArray.CU_BITS + ShaderArray.SLOT_BITS;
  }

  public int endedCu(int i) {
    return (int) (ended[i] >>> ShaderArray.SLOT_BITS) & (1 << ShaderArray.CU_BITS) - 1;
  }

  public int endedSlot(int i) {
    return (int) ended[i] & ShaderArray.SLOT_MASK;
  }

  /** Wave instructions executed so far. */
  public long instructions() {
    long sum = 0;
    for (ShaderArray array : arrays) {
      for (ComputeUnit cu : array.cus) {
        sum += cu.instructions;
      }
    }
    return sum;
  }

  /** Counters of all compute units and the shared side so far, by dotted name. */
  public Map<String, Number> statistics(boolean eachUnit) {
    List<ComputeUnit> cus = new ArrayList<>();
    List<ComputeUnit> used = new ArrayList<>();
    List<SharedCache> sqcs = new ArrayList<>();
    List<SharedCache> scalarCaches = new ArrayList<>();
    for (ShaderArray array : arrays) {
      for (ComputeUnit cu : array.cus) {
        cus.add(cu);
        if (cu.used) {
          used.add(cu);
        }
      }
      sqcs.addAll(List.of(array.sqcs));
      scalarCaches.addAll(List.of(array.scalarCaches));
    }
    // What never had a wave has counted nothing.
    Map<String, Number> all = units(used.isEmpty() ? cus.subList(0, 1) : used);
    add(all, "sqc.", sqcs);
    add(all, "scalarCache.", scalarCaches);
    all.putAll(memorySide.statistics());
    if (eachUnit) {
      for (ComputeUnit cu : cus) {
        units(List.of(cu)).forEach((name, value) -> all.put(EACH_UNIT + cu.id + "." + name, value));
      }
    }
    return all;
  }

  /** What is counted in compute units, added up over some of them. */
  private static Map<String, Number> units(List<ComputeUnit> cus) {
    Map<String, Number> all = new LinkedHashMap<>();
    add(all, "cu.", cus);
    for (Stall stall : Stall.values()) {
      long sum = cus.stream().mapToLong(cu -> cu.time.stalls[stall.ordinal()]).sum();
      all.put("scoreboard." + stall.reason.gem5(), sum);
    }
    add(all, "fetch.", cus.stream().map(cu -> cu.fetch).toList());
    List<ScheduleStage> schedules = cus.stream().map(cu -> cu.schedule).toList();
    add(all, "schedule.", schedules);
    ScheduleStage.putCounts(schedules, all);
    add(all, "vmem.", cus.stream().map(cu -> cu.global).toList());
    add(all, "lds.", cus.stream().map(cu -> cu.lds).toList());
    add(all, "smem.", cus.stream().map(cu -> cu.scalar).toList());
    List<RegisterCache> registerCaches = new ArrayList<>();
    cus.forEach(cu -> registerCaches.addAll(List.of(cu.registerCaches)));
    add(all, "rfc.", registerCaches);
    for (int i = 0; i < cus.get(0).distributions.length; i++) {
      int which = i;
      Distribution.putSum(cus.stream().map(cu -> cu.distributions[which]).toList(), all);
    }
    return all;
  }

  private static void add(Map<String, Number> all, String prefix, List<?> components) {
    Counters.sum(components).forEach((name, value) -> all.put(prefix + name, value));
  }

  /** Wave-cycles so far by {@link StallReason}. */
  public long[] stalls() {
    long[] sums = new long[StallReason.COUNT];
    for (ShaderArray array : arrays) {
      for (ComputeUnit cu : array.cus) {
        for (int reason = 0; reason < sums.length; reason++) {
          sums[reason] += cu.time.reasons[reason];
        }
      }
    }
    return sums;
  }

  @Override
  public void close() {
    workers.close();
  }

  /** In words: the resident waves and what each waits for. */
  public String describeWaves() {
    StringBuilder text = new StringBuilder();
    for (ShaderArray array : arrays) {
      for (ComputeUnit cu : array.cus) {
        cu.describe(text);
      }
    }
    return text.toString();
  }
}
