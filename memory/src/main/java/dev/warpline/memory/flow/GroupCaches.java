package dev.warpline.memory.flow;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.Topology;
import java.util.Arrays;
import java.util.Map;

/**
 * The caches of the GPCs for instructions and constants (L1.5), each behind those of its SMs and in
 * front of L2. Requests come as messages between the steps of the SMs and are taken in the order of
 * their time, then SM.
 *
 * <p>A launch brings a kernel's code and parameters here before its blocks. Which lines a kernel
 * has is seen when they are first asked for, so that is when they are fetched; they count as asked
 * for at the launch.
 */
public final class GroupCaches {
  /** Where constants lie, behind all code. */
  public static final long CONSTANTS = 1L << 49;

  /** Where launches are described, far from code and data. */
  private static final long LAUNCH = 1L << 50;

  private static final int LINE = 128;

  private final FlowMemory memory;
  private final int[] gpcOf;
  private final int[] sideOf;
  private final GroupCache[] caches;
  private final int missCycles;
  private final int launchBytes;

  private final Counters counters = new Counters().add("l15.", this);
  private long[] order = new long[64];

  // What later launches bring: where that lies, and when they were.
  private long[] launchedFrom = new long[8];
  private long[] launchedTo = new long[8];
  private long[] launchedAt = new long[8];
  private int launches;

  @Counter("lines asked of the GPCs' caches")
  long requests;

  @Counter("lines that were not there yet")
  long waits;

  @Counter("lines that a GPC's cache asked L2 for, those of the launch included")
  long fills;

  public GroupCaches(ModernCoreSpec spec, Topology topology, FlowMemory memory) {
    this.memory = memory;
    launchBytes = spec.launch().readBytes();
    missCycles = spec.supply().l15MissCycles();
    int gpcs = topology.groups().size();
    gpcOf = new int[topology.sms()];
    sideOf = new int[gpcs];
    caches = new GroupCache[gpcs];
    for (int g = 0; g < gpcs; g++) {
      for (int sm : topology.groups().get(g)) {
        gpcOf[sm] = g;
      }
      sideOf[g] = topology.sides().get(g);
      caches[g] = new GroupCache(spec.supply(), memory.past());
    }
  }

  /**
   * A kernel starts, and time begins anew: the launch reads what describes it. Code that the caches
   * have stays, unless they start cold; constants come anew.
   */
  public void startKernel(boolean cold) {
    for (GroupCache cache : caches) {
      if (cold) {
        cache.clear();
      } else {
        cache.launch();
      }
    }
    counters.reset();
    launches = 0;
    describe(0);
  }

  /**
   * Another kernel starts while one runs; the caches keep what they have.
   *
   * @param now the cycle of its launch
   */
  public void launch(long now) {
    describe(now);
  }

  /** What lies from an address on comes with a launch at a cycle. */
  public void brings(long from, long bytes, long now) {
    if (launches == launchedFrom.length) {
      launchedFrom = Arrays.copyOf(launchedFrom, 2 * launches);
      launchedTo = Arrays.copyOf(launchedTo, 2 * launches);
      launchedAt = Arrays.copyOf(launchedAt, 2 * launches);
    }
    launchedFrom[launches] = from;
    launchedTo[launches] = from + bytes;
    launchedAt[launches++] = now;
  }

  private void describe(long now) {
    for (int i = 0; i < launchBytes; i += LINE) {
      memory.line(0, sideOf[0], now, LAUNCH + i);
    }
  }

  /** When the last launch was that a line comes with: at cycle 0 unless somebody said. */
  private long launchedAt(long line) {
    for (int i = launches - 1; i >= 0; i--) {
      if (launchedFrom[i] <= line && line < launchedTo[i]) {
        return launchedAt[i];
      }
    }
    return 0;
  }

  /** Counters of the kernel, by dotted name. */
  public Map<String, Number> statistics() {
    return counters.read();
  }

  /** Answers the requests for lines of the first {@code count} SMs of a list by number. */
  public void serve(Requests[] sms, int count) {
    int n = 0;
    for (int at = 0; at < count; at++) {
      Requests from = sms[at];
      if (n + from.lines > order.length) {
        order = Arrays.copyOf(order, 2 * (n + from.lines));
      }
      for (int i = 0; i < from.lines; i++) {
        order[n++] = from.lineTime[i] << 28 | (long) at << 18 | i;
      }
    }
    Arrays.sort(order, 0, n);
    for (int k = 0; k < n; k++) {
      Requests from = sms[(int) (order[k] >>> 18) & 0x3ff];
      int i = (int) order[k] & 0x3ffff;
      double half = from.lineWay[i] * 0.5;
      double time = from.lineTime[i] + half;
      double answer = answer(gpcOf[from.sm], time, from.lineAddress[i], from.lineCount[i]);
      from.lineReplies.add((long) (answer + half), from.lineTag[i], Requests.FROM_L2);
    }
    for (int k = 0; k < count; k++) {
      sms[k].lines = 0;
    }
  }

  /** When a line leaves a GPC's cache that is asked for it at a time. */
  private double answer(int gpc, double time, long line, int count) {
    requests++;
    GroupCache cache = caches[gpc];
    int place = cache.find(line);
    if (place < 0) {
      place = cache.add(line, fill(gpc, time, line, count));
    }
    if (cache.readyAt(place) > time) {
      waits++;
    }
    return cache.send(place, time);
  }

  private double fill(int gpc, double time, long line, int count) {
    boolean launched = caches[gpc].first(line, time) && count == Requests.LAUNCHED;
    double there = 0;
    for (int i = 0; i < Math.max(1, count); i++) {
      fills++;
      there = Math.max(there, memory.line(gpc, sideOf[gpc], time, line + (long) LINE * i));
    }
    return launched ? there - time + launchedAt(line) : there + missCycles;
  }
}
