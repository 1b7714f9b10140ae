package dev.warpline.nvidia.modern.fetch;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.policy.WarpScheduler;

/**
 * Fetch and decode of a sub-core: one instruction per cycle, into the buffer of the warp that the
 * scheduler prefers among those with room, the one that issued last only if there is no other. Two
 * stages lie between fetch and issue. Fetch does not predict: when a branch has been decoded it
 * stops until the branch is resolved; what it brought from behind a branch that is taken is thrown
 * away.
 *
 * <p>Only issue makes room, so the stage catches up whenever its sub-core is looked at, cycle by
 * cycle, and needs a call of its own only while a warp's buffer is empty.
 */
public final class Fetch {
  private static final byte FETCH = (byte) StallReason.FETCH.ordinal();
  private static final byte BRANCH = (byte) StallReason.BRANCH.ordinal();
  private static final int NO_LINE = -1;
  private static final int FREE = Integer.MAX_VALUE;

  private final ModernCoreSpec.Supply spec;
  private final int index;
  private final int entries;
  private final Warps warps;
  private final InstructionCaches caches;
  private CodeRows code;
  private boolean records;

  /** Next cycle in which an instruction can be fetched. */
  private long clock;

  /** Warps whose buffers have room: those that may fetch, and those that may not yet. */
  private long room;

  private long later;

  /** Not after the cycle from which the first of the latter may. */
  private long laterAt;

  /** Warps whose buffers hold nothing of use. */
  private long starved;

  // What the buffers of its warps hold: see InstructionBuffers.
  private final int[] filled;
  private final int[] wasted;
  private final int[] expected;
  private final int[] line;
  private final long[] lineAt;
  private final int[] allowed;
  private final long[] notBefore;
  private final boolean[] branched;
  private final long[] resolvedAt;
  private final long[] availableAt;
  private final long[] fetchedAt;
  private final int[] head;

  @Counter("instructions fetched in vain behind branches")
  long wastedFetches;

  public Fetch(
      ModernCoreSpec.Supply spec,
      int index,
      Warps warps,
      InstructionCaches caches,
      InstructionBuffers buffers) {
    this.spec = spec;
    this.index = index;
    this.warps = warps;
    this.caches = caches;
    entries = spec.bufferEntries();
    filled = buffers.filled;
    wasted = buffers.wasted;
    expected = buffers.expected;
    line = buffers.line;
    lineAt = buffers.lineAt;
    allowed = buffers.allowed;
    notBefore = buffers.notBefore;
    branched = buffers.branched;
    resolvedAt = buffers.resolvedAt;
    availableAt = buffers.availableAt;
    fetchedAt = buffers.fetchedAt;
    head = buffers.head;
  }

  public void startKernel(CodeRows code) {
    this.code = code;
    records = warps.time.records();
    clock = 0;
    room = 0;
    later = 0;
    laterAt = Warps.NEVER;
    starved = 0;
  }

  /** A warp arrives; it can fetch from a cycle on. */
  public void add(int w, long from) {
    branched[w] = false;
    restart(w, from);
  }

  public void remove(int w) {
    room &= ~(1L << w);
    later &= ~(1L << w);
    starved &= ~(1L << w);
  }

  /** A warp's buffer has room; it fetches from a cycle on. */
  private void offer(int w, long from) {
    notBefore[w] = from;
    if (from <= clock) {
      room |= 1L << w;
      later &= ~(1L << w);
    } else {
      room &= ~(1L << w);
      later |= 1L << w;
      laterAt = Math.min(laterAt, from);
    }
  }

  /** Some that might not fetch yet may now. */
  private void look() {
    laterAt = Warps.NEVER;
    for (long m = later; m != 0; m &= m - 1) {
      int w = Long.numberOfTrailingZeros(m);
      if (notBefore[w] <= clock) {
        later &= ~(1L << w);
        room |= 1L << w;
      } else {
        laterAt = Math.min(laterAt, notBefore[w]);
      }
    }
  }

  /** A warp's buffer is empty; it fetches its next instruction from a cycle on. */
  private void restart(int w, long from) {
    filled[w] = 0;
    wasted[w] = 0;
    head[w] = 0;
    expected[w] = warps.at[w] < warps.end[w] ? warps.row[w].pc : 0;
    allowed[w] = FREE;
    line[w] = NO_LINE;
    offer(w, from);
    starved |= 1L << w;
    resolvedAt[w] = 0;
    warps.fetched(w, Warps.NEVER, FETCH);
    warps.wake(index, Math.max(clock, from));
  }

  /** Fetches up to and in a cycle, with what issue did before it. */
  public void run(long now, WarpScheduler scheduler) {
    while (clock <= now) {
      if (laterAt <= clock) {
        look();
      }
      if (room == 0) {
        clock = Math.min(now + 1, laterAt);
      } else {
        fetch((room & room - 1) == 0 ? Long.numberOfTrailingZeros(room) : choose(scheduler));
        clock++;
      }
    }
  }

  /** When the stage must be called because a warp has nothing to issue. */
  public long next() {
    if (starved == 0) {
      return Warps.NEVER;
    }
    return (starved & room) != 0 ? clock : Math.max(clock, earliest(starved));
  }

  private long earliest(long set) {
    long soonest = Warps.NEVER;
    for (long m = set; m != 0; m &= m - 1) {
      soonest = Math.min(soonest, notBefore[Long.numberOfTrailingZeros(m)]);
    }
    return soonest;
  }

  /** The warp that issued last has instructions in its buffer, most likely: it comes last. */
  private int choose(WarpScheduler scheduler) {
    int favourite = scheduler.favourite();
    long others = favourite >= 0 ? room & ~(1L << favourite) : room;
    if ((others & others - 1) == 0) {
      return Long.numberOfTrailingZeros(others);
    }
    int w = scheduler.choose(others, 0, 0);
    return w >= 0 && (others >>> w & 1) != 0 ? w : Long.numberOfTrailingZeros(others);
  }

  private void fetch(int w) {
    if (allowed[w] != FREE) {
      allowed[w]--;
    }
    int i = warps.at[w] + filled[w];
    CodeRow row = i < warps.end[w] ? code.get(warps.trace[w].row(i)) : null;
    if (row == null || row.pc != expected[w]) {
      // A straight line leads away from what the warp will execute.
      wasted[w]++;
      wastedFetches++;
    } else {
      store(w, row, clock);
    }
    if (filled[w] + wasted[w] == entries || allowed[w] == 0) {
      room &= ~(1L << w);
    }
  }

  private void store(int w, CodeRow row, long now) {
    int pc = row.pc;
    expected[w] = pc + 16;
    if (row.branches) {
      allowed[w] = spec.decodeCycles() - 1;
    }
    if (pc >> 7 != line[w]) {
      line[w] = pc >> 7;
      lineAt[w] = caches.lineReady(index, line[w], now);
    }
    long decoded = Math.max(now, lineAt[w]) + spec.decodeCycles();
    int at = head[w] + filled[w];
    at = w * entries + (at >= entries ? at - entries : at);
    availableAt[at] = decoded;
    if (records) {
      fetchedAt[at] = now;
      warps.time.log(now, LogEvent.FETCH, w, row);
      warps.time.log(decoded - 1, LogEvent.DECODE, w, row);
    }
    if (filled[w]++ == 0) {
      starved &= ~(1L << w);
      boolean branch =
          branched[w] && decoded - notBefore[w] <= spec.branchCycles() || resolvedAt[w] > decoded;
      warps.fetched(w, Math.max(decoded, resolvedAt[w]), branch ? BRANCH : FETCH);
      warps.reschedule(w);
    }
  }

  /** A line that was expected as early as could be comes at a cycle. */
  void arrives(int theLine, long when) {
    for (int w = index; w < warps.slots; w += warps.wakeAt.length) {
      if (!warps.live[w] || warps.ended[w]) {
        continue;
      }
      if (line[w] == theLine) {
        lineAt[w] = Math.max(lineAt[w], when);
      }
      for (int i = 0; i < filled[w]; i++) {
        int at = head[w] + i;
        at = w * entries + (at >= entries ? at - entries : at);
        boolean waits = availableAt[at] - spec.decodeCycles() >= clock;
        if (waits && code.get(warps.trace[w].row(warps.at[w] + i)).pc >> 7 == theLine) {
          availableAt[at] = Math.max(availableAt[at], when + spec.decodeCycles());
          if (i == 0) {
            warps.fetched(w, Math.max(availableAt[at], resolvedAt[w]), FETCH);
            warps.schedule(w);
          }
        }
      }
    }
  }

  /** When a warp's next instruction was asked for. */
  public long fetchedAt(int w) {
    return fetchedAt[w * entries + head[w]];
  }

  /** When it could issue for the first time. */
  public long decodedAt(int w) {
    return availableAt[w * entries + head[w]];
  }

  /**
   * A warp issued an instruction, and stands at the next one.
   *
   * @param row the one it issued
   */
  public void issued(int w, CodeRow row, long now) {
    long resolved = now + spec.branchCycles();
    if (warps.row[w].pc != row.pc + 16) {
      branched[w] = true;
      restart(w, resolved);
      return;
    }
    boolean branch = row.branches;
    filled[w]--;
    head[w] = head[w] + 1 == entries ? 0 : head[w] + 1;
    if (branch) {
      allowed[w] = FREE;
    }
    resolvedAt[w] = branch ? resolved : 0;
    long from = branch ? resolved : notBefore[w] > now ? notBefore[w] : 0;
    if (allowed[w] != 0) {
      offer(w, from);
    } else {
      notBefore[w] = from;
    }
    if (filled[w] == 0) {
      starved |= 1L << w;
      branched[w] = false;
      warps.fetched(w, Warps.NEVER, FETCH);
    } else {
      long ready = availableAt[w * entries + head[w]];
      warps.fetched(w, Math.max(ready, resolvedAt[w]), resolvedAt[w] > ready ? BRANCH : FETCH);
    }
  }

  /** The next instruction of a warp lies elsewhere in its trace, and comes at once. */
  public void skipped(int w, long now) {
    branched[w] = false;
    restart(w, now + 1);
  }
}
