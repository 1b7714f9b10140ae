package dev.warpline.nvidia.modern.fetch;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.ResidentWarp;
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

  /** Bytes of a line of code, as a shift. */
  private static final int LINE_SHIFT = 7;

  private final int index;
  private final int decodeCycles;
  private final int branchCycles;
  private final Warps warps;
  private final InstructionCaches caches;
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

  /** By slot, those of its own warps only. */
  private final InstructionBuffer[] buffers;

  @Counter("instructions fetched in vain behind branches")
  long wastedFetches;

  public Fetch(ModernCoreSpec.Supply spec, int index, Warps warps, InstructionCaches caches) {
    this.index = index;
    this.warps = warps;
    this.caches = caches;
    decodeCycles = spec.decodeCycles();
    branchCycles = spec.branchCycles();
    buffers = new InstructionBuffer[warps.slots];
    for (int w = index; w < warps.slots; w += warps.wakeAt.length) {
      buffers[w] = new InstructionBuffer(spec.bufferEntries());
    }
  }

  public void startKernel() {
    records = warps.time.records();
    clock = 0;
    room = 0;
    later = 0;
    laterAt = Warps.NEVER;
    starved = 0;
  }

  /** A warp arrives; it can fetch from a cycle on. */
  public void add(int w, long from) {
    buffers[w].branched = false;
    restart(warps.get(w), buffers[w], from);
  }

  public void remove(int w) {
    room &= ~(1L << w);
    later &= ~(1L << w);
    starved &= ~(1L << w);
  }

  /** A warp's buffer has room; it fetches from a cycle on. */
  private void offer(int w, InstructionBuffer buffer, long from) {
    buffer.notBefore = from;
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
      long from = buffers[w].notBefore;
      if (from <= clock) {
        later &= ~(1L << w);
        room |= 1L << w;
      } else {
        laterAt = Math.min(laterAt, from);
      }
    }
  }

  /** A warp's buffer is empty; it fetches its next instruction from a cycle on. */
  private void restart(ResidentWarp warp, InstructionBuffer buffer, long from) {
    buffer.clear(warp.at < warp.end ? warp.row.pc : 0);
    offer(warp.slot, buffer, from);
    starved |= 1L << warp.slot;
    warps.fetched(warp, Warps.NEVER, FETCH);
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
      soonest = Math.min(soonest, buffers[Long.numberOfTrailingZeros(m)].notBefore);
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
    ResidentWarp warp = warps.get(w);
    InstructionBuffer buffer = buffers[w];
    if (buffer.allowed != InstructionBuffer.FREE) {
      buffer.allowed--;
    }
    int i = warp.at + buffer.filled;
    CodeRow row = i < warp.end ? warp.rowAt(i) : null;
    if (row == null || row.pc != buffer.expected) {
      // A straight line leads away from what the warp will execute.
      buffer.wasted++;
      wastedFetches++;
    } else {
      store(warp, buffer, row, clock);
    }
    if (buffer.full() || buffer.allowed == 0) {
      room &= ~(1L << w);
    }
  }

  private void store(ResidentWarp warp, InstructionBuffer buffer, CodeRow row, long now) {
    int pc = row.pc;
    buffer.expected = pc + 16;
    if (row.branches) {
      buffer.allowed = decodeCycles - 1;
    }
    int line = warp.firstLine + (pc >> LINE_SHIFT);
    if (line != buffer.line) {
      buffer.line = line;
      buffer.lineAt = caches.lineReady(index, buffer.line, now);
    }
    long decoded = Math.max(now, buffer.lineAt) + decodeCycles;
    boolean first = buffer.filled == 0;
    buffer.add(decoded);
    if (records) {
      buffer.note(now);
      warps.time.log(now, LogEvent.FETCH, warp.slot, row);
      warps.time.log(decoded - 1, LogEvent.DECODE, warp.slot, row);
    }
    if (first) {
      starved &= ~(1L << warp.slot);
      long resolved = buffer.resolvedAt;
      boolean branch =
          buffer.branched && decoded - buffer.notBefore <= branchCycles || resolved > decoded;
      warps.fetched(warp, Math.max(decoded, resolved), branch ? BRANCH : FETCH);
      warps.reschedule(warp.slot);
    }
  }

  /** A line that was expected as early as could be comes at a cycle. */
  void arrives(int line, long when) {
    for (int w = index; w < buffers.length; w += warps.wakeAt.length) {
      ResidentWarp warp = warps.get(w);
      InstructionBuffer buffer = buffers[w];
      if (!warp.live || warp.ended) {
        continue;
      }
      if (buffer.line == line) {
        buffer.lineAt = Math.max(buffer.lineAt, when);
      }
      for (int i = 0; i < buffer.filled; i++) {
        long available = buffer.availableAt(i);
        boolean waits = available - decodeCycles >= clock;
        if (waits && lineOf(warp, warp.at + i) == line) {
          available = Math.max(available, when + decodeCycles);
          buffer.setAvailable(i, available);
          if (i == 0) {
            warps.fetched(warp, Math.max(available, buffer.resolvedAt), FETCH);
            warps.schedule(warp);
          }
        }
      }
    }
  }

  /** The line of code that an instruction of a warp's trace lies in. */
  private static int lineOf(ResidentWarp warp, int index) {
    return warp.firstLine + (warp.rowAt(index).pc >> LINE_SHIFT);
  }

  /** When a warp's next instruction was asked for. */
  public long fetchedAt(int w) {
    return buffers[w].fetchedAt();
  }

  /** When it could issue for the first time. */
  public long decodedAt(int w) {
    return buffers[w].availableAt(0);
  }

  /**
   * A warp issued an instruction, and stands at the next one.
   *
   * @param row the one it issued
   */
  public void issued(ResidentWarp warp, CodeRow row, long now) {
    InstructionBuffer buffer = buffers[warp.slot];
    if (warp.row.pc != row.pc + 16) {
      buffer.branched = true;
      restart(warp, buffer, now + (row.branches ? row.jump : branchCycles));
      return;
    }
    buffer.removeFirst();
    long resolved = 0;
    if (row.branches) {
      buffer.allowed = InstructionBuffer.FREE;
      resolved = now + row.fallThrough;
      offer(warp.slot, buffer, resolved - decodeCycles);
    } else if (buffer.notBefore <= now) {
      buffer.notBefore = 0;
      room |= buffer.allowed != 0 ? 1L << warp.slot : 0;
    } else if (buffer.allowed != 0) {
      offer(warp.slot, buffer, buffer.notBefore);
    }
    buffer.resolvedAt = resolved;
    if (buffer.filled == 0) {
      starved |= 1L << warp.slot;
      buffer.branched = false;
      warps.fetched(warp, Warps.NEVER, FETCH);
    } else {
      long ready = buffer.availableAt(0);
      warps.fetched(warp, Math.max(ready, resolved), resolved > ready ? BRANCH : FETCH);
    }
  }

  /** The next instruction of a warp lies elsewhere in its trace, and comes at once. */
  public void skipped(ResidentWarp warp, long now) {
    InstructionBuffer buffer = buffers[warp.slot];
    buffer.branched = false;
    restart(warp, buffer, now + 1);
  }
}
