package dev.warpline.nvidia.modern.block;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.warp.ResidentKernel;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/** Places for blocks on an SM: which warps each has, which still run, when it ends. */
public final class Blocks {
  /** Warps that a block can have: 1,024 threads. */
  public static final int WARPS = 32;

  private final ModernCoreSpec.Launch spec;
  private final Warps warps;
  private final BlockTrace[] trace;
  private final ResidentKernel[] kernel;
  private final int[] left;
  private final int[] running;
  private final int[] slotOf;
  private final long[] arrived;
  private final long[] end;
  private int resident;

  // Blocks that ended in this window.
  private int[] endedPlace = new int[64];
  private long[] endedAt = new long[64];
  private int ended;

  // Blocks that let dependent launches go in this window, each once: by itself or as it ended.
  private final boolean[] letGo;
  private int[] letGoPlace = new int[64];
  private long[] letGoAt = new long[64];
  private int letsGo;

  @Counter(value = "an SM had a block", unit = "cycles")
  public long activeCycles;

  private long activeSince;

  public Blocks(int places, ModernCoreSpec.Launch spec, Warps warps) {
    this.spec = spec;
    this.warps = warps;
    trace = new BlockTrace[places];
    kernel = new ResidentKernel[places];
    letGo = new boolean[places];
    left = new int[places];
    running = new int[places];
    slotOf = new int[places * WARPS];
    arrived = new long[places];
    end = new long[places];
  }

  public void startKernel() {
    Arrays.fill(left, 0);
    resident = 0;
    ended = 0;
    letsGo = 0;
  }

  public int places() {
    return trace.length;
  }

  /** A trace buffer for the next block of a place. */
  public BlockTrace buffer(int place) {
    if (trace[place] == null) {
      trace[place] = new BlockTrace();
    }
    return trace[place];
  }

  /** A block that has been read into its place's buffer arrives; its number of warps. */
  public int arrive(int place, ResidentKernel its, long now) {
    kernel[place] = its;
    its.blocks++;
    letGo[place] = false;
    int count = trace[place].warps();
    left[place] = count;
    running[place] = count;
    arrived[place] = now;
    end[place] = now;
    if (resident++ == 0) {
      activeSince = now;
    }
    Arrays.fill(slotOf, place * WARPS, (place + 1) * WARPS, -1);
    return count;
  }

  /** Starts a warp of a block in the first free slot, which tells its sub-core. */
  public int startWarp(int place, int warpOfBlock, long now) {
    int slot = 0;
    while (warps.get(slot).live) {
      if (++slot == warps.slots) {
        throw new IllegalStateException("a block was placed on an SM without free warp slots");
      }
    }
    warps.start(slot, kernel[place], trace[place], warpOfBlock, place, now);
    slotOf[place * WARPS + warpOfBlock] = slot;
    return slot;
  }

  /** Slot of a block's warp, -1 if it is not there. */
  public int warpAt(int place, int warpOfBlock) {
    return slotOf[place * WARPS + warpOfBlock];
  }

  /** Warps of a block that have not issued their last instruction. */
  public int running(int place) {
    return running[place];
  }

  /** A warp issued its last instruction; it leaves if nothing of it is under way. */
  public void issuedLast(int w, long now) {
    warps.issuedLast(w, now);
    running[warps.get(w).block]--;
  }

  /** A warp that issued its last instruction has no memory instruction under way: it leaves. */
  public void leaveIfDone(int w) {
    if (!warps.get(w).ended || warps.get(w).inFlight != 0) {
      return;
    }
    int place = warps.get(w).block;
    slotOf[place * WARPS + warps.get(w).warpOfBlock] = -1;
    warps.leave(w);
    end[place] = Math.max(end[place], warps.get(w).endAt);
    if (--left[place] == 0) {
      leave(place);
    }
  }

  /** A memory instruction of a warp is over; the last one of an ended warp lets it go. */
  public void memoryEnded(int w, long when) {
    warps.memoryEnds(w);
    warps.lastsUntil(w, when);
    leaveIfDone(w);
  }

  /** As far as a block is concerned, launches that depend on its kernel may start. */
  public void letGo(int place, long now) {
    if (letGo[place]) {
      return;
    }
    letGo[place] = true;
    if (letsGo == letGoPlace.length) {
      letGoPlace = Arrays.copyOf(letGoPlace, 2 * letsGo);
      letGoAt = Arrays.copyOf(letGoAt, 2 * letsGo);
    }
    letGoPlace[letsGo] = place;
    letGoAt[letsGo++] = now;
  }

  private void leave(int place) {
    letGo(place, end[place] + spec.blockEnd());
    if (ended == endedPlace.length) {
      endedPlace = Arrays.copyOf(endedPlace, 2 * ended);
      endedAt = Arrays.copyOf(endedAt, 2 * ended);
    }
    kernel[place].blocks--;
    warps.time.block(kernel[place], arrived[place], end[place] + spec.blockEnd());
    endedPlace[ended] = place;
    endedAt[ended++] = end[place] + spec.blockEnd();
    if (--resident == 0) {
      activeCycles += end[place] + spec.blockEnd() - activeSince;
    }
  }

  public int resident() {
    return resident;
  }

  /** Blocks that ended since {@link #clearEnded}. */
  public int ended() {
    return ended;
  }

  public int endedPlace(int i) {
    return endedPlace[i];
  }

  public long endedAt(int i) {
    return endedAt[i];
  }

  /** Blocks that let dependent launches go since {@link #clearEnded}. */
  public int letsGo() {
    return letsGo;
  }

  public int letGoPlace(int i) {
    return letGoPlace[i];
  }

  public long letGoAt(int i) {
    return letGoAt[i];
  }

  public void clearEnded() {
    letsGo = 0;
    ended = 0;
  }
}
