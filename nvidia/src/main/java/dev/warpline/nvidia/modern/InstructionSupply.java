package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.cache.LineCache;

/**
 * Instruction caches of an SM: a small one per sub-core with a stream buffer that runs ahead, the
 * SM's own behind it, then one more level and L2. A line is asked for when a warp crosses into it;
 * inside a line nothing is looked up.
 */
final class InstructionSupply {
  private final ModernCoreSpec.Supply spec;
  private final LineCache[] l0;
  private final LineCache l1;
  private final LineCache l15;
  private final long[] streamNext;

  private final GroupPlace place;

  /** The way to the cache that the GPC shares is longer for some SMs. */
  private final int wayCycles;

  /** Lines that were ever fetched on this SM: beyond them memory is cold. */
  private final java.util.BitSet seen = new java.util.BitSet();

  @Counter("lines asked of a sub-core's instruction cache that it did not have")
  long l0Misses;

  @Counter("lines that the SM's instruction cache did not have, prefetches included")
  long l1Misses;

  InstructionSupply(ModernCoreSpec.Supply spec, int subCores, GroupPlace place) {
    this.spec = spec;
    this.place = place;
    wayCycles = (int) Math.round(spec.hopsOf(place.sm()) * spec.lineHopCycles());
    l0 = new LineCache[subCores];
    for (int i = 0; i < subCores; i++) {
      l0[i] = new LineCache(spec.l0Lines());
    }
    l1 = new LineCache(spec.l1Lines());
    l15 = new LineCache(spec.l15Lines());
    streamNext = new long[subCores];
  }

  /** A kernel starts: all levels are invalidated. */
  void startKernel() {
    for (LineCache cache : l0) {
      cache.clear();
    }
    l1.clear();
    l15.clear();
    seen.clear();
    l0Misses = 0;
    l1Misses = 0;
    java.util.Arrays.fill(streamNext, 0);
  }

  /** Lines fetched since the kernel's start, prefetches included. */
  java.util.BitSet seen() {
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
      long turn = awaited(line, now) ? place.turn(subCore, spec.turnCycles()) : 0;
      ready = now + latency(line, now, spec.coldJumpCycles()) + turn;
      cache.add(line, ready);
      streamNext[subCore] = line + 1;
    }
    runAhead(subCore, line, now);
    return ready;
  }

  /** Whether a line comes from beyond the SM: then others of the GPC wait for it, too. */
  private boolean awaited(long line, long now) {
    int at = l1.find(line);
    return at < 0 ? !seen.get((int) line) : l1.readyAt(at) > now;
  }

  private void runAhead(int subCore, long line, long now) {
    long next = streamNext[subCore];
    long last = line + spec.prefetchLines();
    if (next <= line || next > last + 1) {
      return;
    }
    LineCache cache = l0[subCore];
    while (next <= last) {
      if (!cache.contains(next)) {
        cache.add(next, now + latency(next, now, spec.coldCycles()));
      }
      next++;
    }
    streamNext[subCore] = next;
  }

  /** Extra cycles of a line that the sub-core lacks; brings it into the levels behind. */
  private int latency(long line, long now, int cold) {
    int place = l1.find(line);
    if (place >= 0) {
      return (int) Math.max(spec.l1Cycles(), l1.readyAt(place) - now);
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
