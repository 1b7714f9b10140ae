package dev.warpline.nvidia.modern.fetch;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.cache.LineCache;
import dev.warpline.nvidia.modern.launch.GroupPlace;
import dev.warpline.policy.Prefetcher;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * Instruction caches of an SM: a small one per sub-core with a prefetcher, the SM's own behind
 * them, then the one that the GPC shares and L2. The sub-cores share one way to the SM's cache;
 * what they miss takes it in turn, a request per cycle.
 */
public final class InstructionCaches {
  private final ModernCoreSpec.Supply spec;
  private final LineCache[] l0;
  private final LineCache l1;
  private final LineCache l15;
  private final Prefetcher[] prefetcher;
  private final GroupPlace place;

  /** The way to the cache that the GPC shares is longer for some SMs. */
  private final int wayCycles;

  /** Lines that were ever fetched on this SM: beyond them memory is cold. */
  private final BitSet seen = new BitSet();

  /** When the way from the sub-cores to the SM's cache is free. */
  private long requestFree;

  @Counter("lines asked of a sub-core's instruction cache that it did not have")
  long l0Misses;

  @Counter("lines that the SM's instruction cache did not have, prefetches included")
  long l1Misses;

  @Counter(value = "waited for the way between sub-cores and the SM's cache", unit = "cycles")
  long arbiterCycles;

  public InstructionCaches(ModernCoreSpec.Supply spec, int subCores, GroupPlace place) {
    this.spec = spec;
    this.place = place;
    wayCycles = (int) Math.round(place.hops() * spec.lineHopCycles());
    l0 = new LineCache[subCores];
    Arrays.setAll(l0, i -> new LineCache(spec.l0Lines()));
    l1 = new LineCache(spec.l1Lines());
    l15 = new LineCache(spec.l15Lines());
    Supplier<Prefetcher> maker = spec.prefetcher();
    prefetcher = new Prefetcher[subCores];
    Arrays.setAll(prefetcher, i -> maker.get());
  }

  /** A kernel starts: all levels are invalidated. */
  public void startKernel() {
    for (int s = 0; s < l0.length; s++) {
      l0[s].clear();
      prefetcher[s].begin(spec.prefetchLines());
    }
    l1.clear();
    l15.clear();
    seen.clear();
    requestFree = 0;
  }

  /** Lines fetched since the kernel's start, prefetches included. */
  public BitSet seen() {
    return seen;
  }

  /** When a warp of a sub-core that moves into a line at a cycle can have its instructions. */
  long lineReady(int subCore, long line, long now) {
    LineCache cache = l0[subCore];
    int at = cache.find(line);
    long ready;
    if (at >= 0) {
      ready = Math.max(now, cache.readyAt(at));
    } else {
      l0Misses++;
      long asked = Math.max(now, requestFree);
      requestFree = asked + 1;
      arbiterCycles += asked - now;
      long turn = awaited(line, asked) ? place.turn(subCore, spec.turnCycles()) : 0;
      ready = asked + latency(line, asked, spec.coldJumpCycles()) + turn;
      cache.add(line, ready);
    }
    runAhead(subCore, line, at < 0, now);
    return ready;
  }

  /** Whether a line comes from beyond the SM: then others of the GPC wait for it, too. */
  private boolean awaited(long line, long now) {
    int at = l1.find(line);
    return at < 0 ? !seen.get((int) line) : l1.readyAt(at) > now;
  }

  /** Prefetches use the way to the SM's cache when nobody else does. */
  private void runAhead(int subCore, long line, boolean missed, long now) {
    Prefetcher ahead = prefetcher[subCore];
    ahead.moved(line, missed);
    LineCache cache = l0[subCore];
    for (long next = ahead.first(); next <= ahead.last(); next++) {
      if (!cache.contains(next)) {
        cache.add(next, now + latency(next, now, spec.coldCycles()));
      }
    }
  }

  /** Extra cycles of a line that the sub-core lacks; brings it into the levels behind. */
  private int latency(long line, long now, int cold) {
    int found = l1.find(line);
    if (found >= 0) {
      return (int) Math.max(spec.l1Cycles(), l1.readyAt(found) - now);
    }
    l1Misses++;
    int cycles;
    if (!seen.get((int) line)) {
      seen.set((int) line);
      cycles = cold + wayCycles;
      l15.add(line, now + cycles);
    } else {
      int second = l15.find(line);
      if (second >= 0) {
        cycles = spec.l15Cycles() + wayCycles;
      } else {
        cycles = spec.l2Cycles();
        l15.add(line, now + cycles);
      }
    }
    l1.add(line, now + cycles);
    return cycles;
  }
}
