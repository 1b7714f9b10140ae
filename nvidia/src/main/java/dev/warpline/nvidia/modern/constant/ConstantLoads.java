package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.cache.LineCache;
import dev.warpline.nvidia.modern.code.CodeRows;

/**
 * The unit that loads constants for LDC, one per SM, and its cache. It reads one word in a pass,
 * whether words share a line or not: a load whose lanes ask for several words goes round once for
 * each. A warp has a few loads going round at a time; the unit's port takes their passes in turn.
 */
public final class ConstantLoads {
  private final ModernCoreSpec.Constants spec;
  private final ConstantMemory memory;
  private final LineCache cache;

  /** When the loads of each warp have gone round. */
  private final double[] roundFree;

  private double portFree;
  private CodeRows code;

  /** Per warp slot: what its loads with an index read, and where the next one stands. */
  private final ConstantAddresses[] addresses;

  private final int[] next;

  public ConstantLoads(ModernCoreSpec.Constants spec, ConstantMemory memory, int warps) {
    this.spec = spec;
    this.memory = memory;
    cache = new LineCache(spec.loadLines());
    roundFree = new double[warps];
    addresses = new ConstantAddresses[warps];
    next = new int[warps];
  }

  public void startKernel(CodeRows code) {
    this.code = code;
    cache.clear();
    portFree = 0;
  }

  /** A warp begins; {@code its} is null where its block has no loads with an index. */
  public void startWarp(int w, ConstantAddresses its, int warpOfBlock) {
    addresses[w] = its;
    roundFree[w] = 0;
    next[w] = its == null ? 0 : its.first(warpOfBlock);
  }

  /** A load issues; when its result is there. */
  public long issue(int row, int w, int mask, int subCore, long now) {
    int line = code.loadLine[row];
    return line >= 0 ? immediate(line, subCore, now) : indexed(row, w, mask, subCore, now);
  }

  private long immediate(int line, int subCore, long now) {
    portFree = Math.max(now, portFree) + spec.immediateInterval();
    long done = (long) (portFree - spec.immediateInterval()) + spec.immediateCycles();
    return Math.max(done, ready(line, spec.loadMissCycles(), subCore, now));
  }

  private long indexed(int row, int w, int mask, int subCore, long now) {
    double time = now;
    int words = 1;
    int misses = 0;
    ConstantAddresses known = addresses[w];
    int at = next[w];
    if (known != null && code.indexed[row] && mask != 0 && known.has(at)) {
      words = known.words(at);
      for (int i = 0; i < known.lines(at); i++) {
        int line = known.line(at, i);
        misses += cache.contains(line) ? 0 : 1;
        // A word is waited for before the load goes round again.
        time = Math.max(time, ready(line, spec.missRoundCycles(), subCore, (long) time));
      }
      next[w] = known.next(at);
    }
    int hits = words - misses;
    time += hits * spec.roundCycles();
    double rounds = hits * spec.roundCycles() + misses * spec.missRoundCycles();
    roundFree[w] = Math.max(now, roundFree[w]) + rounds / spec.rounds();
    portFree = Math.max(now, portFree) + hits * spec.loadInterval() + misses * spec.missInterval();
    double read = Math.max(time, Math.max(roundFree[w], portFree));
    return (long) read + spec.loadCycles() - spec.roundCycles();
  }

  /** When a line is in the cache; asks for it if it is absent. */
  private long ready(int line, int missCycles, int subCore, long now) {
    int place = cache.find(line);
    if (place >= 0) {
      return cache.readyAt(place);
    }
    long ready = memory.ready(line, missCycles, subCore, now);
    cache.add(line, ready);
    return ready;
  }
}
