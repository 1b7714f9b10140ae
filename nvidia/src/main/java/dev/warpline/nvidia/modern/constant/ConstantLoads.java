package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.cache.MissTable;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.cache.LineCache;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/**
 * The unit that loads constants for LDC, one per SM, and its cache. It reads one word in a pass,
 * whether words share a line or not: a load whose lanes ask for several words goes round once for
 * each. A warp has a few loads going round at a time; the unit's port takes their passes in turn.
 */
public final class ConstantLoads {
  private final ModernCoreSpec.Constants spec;
  private final ConstantMemory memory;
  private final Warps warps;
  private final LineCache cache;

  /** When the loads of each warp have gone round. */
  private final double[] roundFree;

  private double portFree;

  /** By sub-core: when the last instructions of its queue were served, a ring, and its place. */
  private final long[][] served;

  private final int[] newest;

  /** Per warp slot: what its loads with an index read, and where the next one stands. */
  private final ConstantAddresses[] addresses;

  private final int[] next;

  /** Lines that were asked for since the last {@link #settle}, and when they were expected. */
  private final MissTable asked = MissTable.besideTags();

  private long[] expected = new long[16];

  /** Loads that wait for such lines, when their results were said to come, how much later. */
  private int[] waitingWarp = new int[16];

  private CodeRow[] waitingRow = new CodeRow[16];
  private long[] said = new long[16];
  private long[] late = new long[16];
  private int waiting;

  /** Whether the load that is being issued needs such a line. */
  private boolean waits;

  /**
   * @param queue instructions that a sub-core may have waiting for the port
   */
  public ConstantLoads(
      ModernCoreSpec.Constants spec, int queue, ConstantMemory memory, Warps warps) {
    this.spec = spec;
    served = new long[warps.wakeAt.length][queue];
    newest = new int[served.length];
    this.memory = memory;
    this.warps = warps;
    cache = new LineCache(spec.loadLines());
    roundFree = new double[warps.slots];
    addresses = new ConstantAddresses[warps.slots];
    next = new int[warps.slots];
  }

  /** What the cache holds is of no use any more. */
  public void forget() {
    cache.clear();
  }

  public void startKernel() {
    forget();
    portFree = 0;
    for (long[] ring : served) {
      Arrays.fill(ring, 0);
    }
    asked.clear();
    waiting = 0;
  }

  /** A warp begins; {@code its} is null where its block has no loads with an index. */
  public void startWarp(int w, ConstantAddresses its, int warpOfBlock) {
    addresses[w] = its;
    roundFree[w] = 0;
    next[w] = its == null ? 0 : its.first(warpOfBlock);
  }

  /** When a sub-core's queue takes one more. */
  public long roomAt(int subCore) {
    int oldest = newest[subCore] + 1;
    return served[subCore][oldest == served[subCore].length ? 0 : oldest];
  }

  /** An instruction of a sub-core takes the port; when. */
  private double port(int w, double cycles, long now) {
    double begins = Math.max(now, portFree);
    portFree = begins + cycles;
    int subCore = warps.subCoreOf(w);
    int next = newest[subCore] + 1;
    next = next == served[subCore].length ? 0 : next;
    newest[subCore] = next;
    served[subCore][next] = (long) begins;
    return begins;
  }

  /** A special register of the block is read; when the port is free for it. */
  public long special(int w, long now) {
    return (long) port(w, spec.immediateInterval(), now);
  }

  /** A load issues; when its result is there, or could be if a line's arrival is not known yet. */
  public long issue(CodeRow row, int w, int mask, long now) {
    int line = row.loadLine;
    waits = false;
    long done =
        line >= 0
            ? immediate(line | warps.get(w).kernel.constants, w, now)
            : indexed(row, w, mask, now);
    if (waits) {
      wait(w, row, done);
    }
    return done;
  }

  private void wait(int w, CodeRow row, long done) {
    if (waiting == said.length) {
      waitingWarp = Arrays.copyOf(waitingWarp, 2 * waiting);
      waitingRow = Arrays.copyOf(waitingRow, 2 * waiting);
      said = Arrays.copyOf(said, 2 * waiting);
      late = Arrays.copyOf(late, 2 * waiting);
    }
    late[waiting] = 0;
    waitingWarp[waiting] = w;
    waitingRow[waiting] = row;
    said[waiting++] = done;
  }

  private long immediate(int line, int w, long now) {
    long done = (long) port(w, spec.immediateInterval(), now) + spec.immediateCycles();
    return Math.max(done, ready(line, spec.loadMissCycles(), now));
  }

  private long indexed(CodeRow row, int w, int mask, long now) {
    double time = now;
    int words = 1;
    int misses = 0;
    ConstantAddresses known = addresses[w];
    int at = next[w];
    if (known != null && row.indexed && mask != 0 && known.has(at)) {
      words = known.words(at);
      for (int i = 0; i < known.lines(at); i++) {
        int line = known.line(at, i) | warps.get(w).kernel.constants;
        misses += cache.contains(line) ? 0 : 1;
        // A word is waited for before the load goes round again.
        time = Math.max(time, ready(line, spec.missRoundCycles(), (long) time));
      }
      next[w] = known.next(at);
    }
    int hits = words - misses;
    time += hits * spec.roundCycles();
    double rounds = hits * spec.roundCycles() + misses * spec.missRoundCycles();
    roundFree[w] = Math.max(now, roundFree[w]) + rounds / spec.rounds();
    port(w, hits * spec.loadInterval() + misses * spec.missInterval(), now);
    double read = Math.max(time, Math.max(roundFree[w], portFree));
    return (long) read + spec.loadCycles() - spec.roundCycles();
  }

  /** When a line is in the cache, at the earliest; asks for it if it is absent. */
  private long ready(int line, int missCycles, long now) {
    int place = cache.find(line);
    if (place >= 0) {
      for (int i = 0; i < asked.size(); i++) {
        if (asked.line(i) == line) {
          need(i);
        }
      }
      return cache.readyAt(place);
    }
    int miss = asked.add(line);
    if (miss == expected.length) {
      expected = Arrays.copyOf(expected, 2 * miss);
    }
    long ready = memory.ask(line, missCycles, Requests.CONSTANT_LOADS, miss, now);
    expected[miss] = ready;
    need(miss);
    cache.add(line, ready);
    return ready;
  }

  /** The load that is being issued needs a line that was asked for. */
  private void need(int miss) {
    asked.await(miss, waiting);
    waits = true;
  }

  /** A line that was asked for comes at a cycle. */
  public void answered(int number, long when) {
    long after = Math.max(0, when - expected[number]);
    while (asked.hasWaiter(number)) {
      int load = (int) asked.take(number);
      late[load] = Math.max(late[load], after);
    }
    cache.arrives((int) asked.line(number), when);
  }

  /** All lines that were asked for have been answered: results come as much later as they do. */
  public void settle() {
    for (int load = 0; load < waiting; load++) {
      if (late[load] > 0) {
        warps.delay(waitingWarp[load], waitingRow[load], said[load], said[load] + late[load]);
      }
    }
    asked.clear();
    waiting = 0;
  }
}
