package dev.warpline.nvidia.modern.fetch;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.cache.GroupPort;
import dev.warpline.nvidia.modern.cache.LineCache;
import dev.warpline.nvidia.modern.warp.ResidentKernel;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.policy.Prefetcher;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Instruction caches of an SM: a small one per sub-core with a prefetcher, the SM's own behind
 * them, then the one that the GPC shares. The sub-cores share one way to the SM's cache; what they
 * miss takes it in turn, a request per cycle.
 */
public final class InstructionCaches {
  /** Where code lies, far from all data. */
  private static final long CODE = 1L << 48;

  /** Bytes that a kernel's code may have, as a shift. */
  public static final int CODE_BITS = 24;

  /** Bytes of a line, as a shift. */
  private static final int LINE_SHIFT = 7;

  /** Of the number of a request: the sub-core that alone waits for it, or all of them. */
  private static final int WHO_BITS = 5;

  private static final int ALL = (1 << WHO_BITS) - 1;

  /** Places at which it is remembered that all lines ahead are there; a power of two. */
  private static final int PRESENT = 64;

  private final ModernCoreSpec.Supply spec;
  private final LineCache[] l0;
  private final LineCache l1;
  private final Prefetcher[] prefetcher;
  private final Present[][] present;
  private final GroupPort port;

  /** To the GPC's cache and back. */
  private final int wayCycles;

  /** So much of a kernel's code comes with its launch. */
  private final int codeBytes;

  /** Where the code of each of the SM's kernels lies. */
  private final long[] codeAt = new long[ResidentKernel.MOST];

  /** From when on the SM knows where the code lies; as long as its caches keep any. */
  private long translatedAt = Warps.NEVER;

  /** When the way from the sub-cores to the SM's cache is free. */
  private long requestFree;

  @Counter("lines asked of a sub-core's instruction cache that it did not have")
  long l0Misses;

  @Counter("lines that the SM's instruction cache did not have, prefetches included")
  long l1Misses;

  @Counter(value = "waited for the way between sub-cores and the SM's cache", unit = "cycles")
  long arbiterCycles;

  public InstructionCaches(
      ModernCoreSpec.Supply spec, int codeBytes, int subCores, GroupPort port) {
    this.spec = spec;
    this.codeBytes = codeBytes;
    this.port = port;
    wayCycles = port.way(spec.l15Cycles(), spec.lineHopCycles());
    l0 = new LineCache[subCores];
    Arrays.setAll(l0, i -> new LineCache(spec.l0Lines()));
    l1 = new LineCache(spec.l1Lines());
    Supplier<Prefetcher> maker = spec.prefetcher();
    prefetcher = new Prefetcher[subCores];
    Arrays.setAll(prefetcher, i -> maker.get());
    present = new Present[subCores][PRESENT];
  }

  /**
   * A kernel starts on an SM that was not at work, and time begins anew. Code that ran before is
   * still there: launched again, it is not fetched again.
   */
  public void startKernel() {
    for (Prefetcher its : prefetcher) {
      its.begin(spec.prefetchLines());
    }
    for (LineCache cache : l0) {
      cache.settle();
    }
    l1.settle();
    requestFree = 0;
    translatedAt = translatedAt == Warps.NEVER ? Warps.NEVER : 0;
  }

  /** What the caches hold is of no use any more. */
  public void forget() {
    for (LineCache cache : l0) {
      cache.clear();
    }
    l1.clear();
    translatedAt = Warps.NEVER;
  }

  /** When a warp that starts at a cycle can fetch: the SM's first ones wait for a translation. */
  public long fetchFrom(long start) {
    if (translatedAt == Warps.NEVER) {
      translatedAt = start + spec.firstCycles();
    }
    return start < translatedAt ? start + spec.firstCycles() : start;
  }

  /** Code of one number lies at one place. */
  public void admit(ResidentKernel kernel) {
    codeAt[kernel.firstLine >>> ResidentKernel.CODE_SHIFT] = address(kernel.program);
  }

  /** Where code of a number begins. */
  public static long address(int program) {
    return CODE + ((program & 0xfffffL) << CODE_BITS);
  }

  /**
   * When a warp of a sub-core that moves into a line at a cycle can have its instructions; the
   * earliest cycle if that is not known yet, see {@link Fetch#arrives}.
   */
  long lineReady(int subCore, long line, long now) {
    LineCache cache = l0[subCore];
    int at = cache.find(place(line));
    long ready;
    if (at >= 0) {
      ready = Math.max(now, cache.readyAt(at));
    } else {
      l0Misses++;
      long asked = Math.max(now, requestFree);
      requestFree = asked + 1;
      arbiterCycles += asked - now;
      ready = demand(subCore, line, asked);
      cache.add(place(line), ready);
    }
    runAhead(subCore, line, at < 0, now);
    return ready;
  }

  /** A line that a warp waits for: each sub-core asks for it until the SM's cache has it. */
  private long demand(int subCore, long line, long now) {
    int found = l1.find(place(line));
    if (found < 0 || l1.readyAt(found) <= now) {
      return ready(line, now);
    }
    return Math.max(l1.readyAt(found), ask(line, subCore, now));
  }

  /** Prefetches go one per cycle, and do not hold up what warps wait for. */
  private void runAhead(int subCore, long line, boolean missed, long now) {
    Prefetcher ahead = prefetcher[subCore];
    ahead.moved(line, missed);
    long first = ahead.first();
    long last = ahead.last();
    if (first > last) {
      return;
    }
    LineCache cache = l0[subCore];
    long from = place(first);
    long lines = last - first + 1;
    int at = (int) from & PRESENT - 1;
    Present known = present[subCore][at];
    if (known != null
        && known.from == from
        && known.lines == lines
        && known.changes == cache.changes()) {
      return;
    }
    long when = now;
    for (long next = first; next <= last; next++) {
      if (!cache.contains(place(next))) {
        cache.add(place(next), ready(next, ++when));
      }
    }
    if (when == now) {
      if (known == null) {
        known = new Present();
        present[subCore][at] = known;
      }
      known.from = from;
      known.lines = lines;
      known.changes = cache.changes();
    }
  }

  /** Lines of which a sub-core's cache had all when it last changed. */
  private static final class Present {
    long from;
    long lines;
    int changes;
  }

  /** When a line that the sub-core lacks is there; brings it into the SM's cache. */
  private long ready(long line, long now) {
    int found = l1.find(place(line));
    if (found >= 0) {
      return Math.max(now + spec.l1Cycles(), l1.readyAt(found));
    }
    l1Misses++;
    long ready = ask(line, ALL, now);
    l1.add(place(line), ready);
    return ready;
  }

  /** Where a line lies, in lines: the same for all launches of its code. */
  private long place(long line) {
    return (codeAt[(int) line >>> ResidentKernel.CODE_SHIFT] >>> LINE_SHIFT)
        + (line & (1 << ResidentKernel.CODE_SHIFT) - 1);
  }

  private long ask(long line, int who, long now) {
    int number = (int) line << WHO_BITS | who;
    long offset = (line & (1 << ResidentKernel.CODE_SHIFT) - 1) << LINE_SHIFT;
    int count = offset < codeBytes ? Requests.LAUNCHED : 1;
    return port.ask(
        now, place(line) << LINE_SHIFT, count, wayCycles, Requests.INSTRUCTIONS, number);
  }

  /** A line that was asked for comes at a cycle. */
  public void answered(int number, long when, Fetch[] fetchers) {
    int line = number >>> WHO_BITS;
    int who = number & ALL;
    if (who == ALL) {
      l1.arrives(place(line), when);
    }
    for (int s = who == ALL ? 0 : who; s < (who == ALL ? l0.length : who + 1); s++) {
      l0[s].arrives(place(line), when);
      fetchers[s].arrives(line, when);
    }
  }
}
