package dev.warpline.nvidia.modern.block;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/** The barriers of an SM's blocks, sixteen each. The unit takes one warp at a time. */
public final class Barriers {
  private static final int BARRIERS = 16;

  private final ModernCoreSpec.LoadStore spec;
  private final boolean open;
  private final Warps warps;
  private final Blocks blocks;
  private final int[] arrived;
  private final int[] expected;
  private final long[] waiting;
  private final long[] last;

  /** By block place, made when one is used. */
  private final UnnamedBarriers[] unnamed;

  /** The SM takes arrivals of all its blocks one after the other: when it can take the next. */
  private long free;

  public Barriers(ModernCoreSpec spec, Warps warps, Blocks blocks) {
    this.spec = spec.loadStore();
    open = spec.ideal().barriers();
    this.warps = warps;
    this.blocks = blocks;
    int n = blocks.places() * BARRIERS;
    arrived = new int[n];
    expected = new int[n];
    waiting = new long[n];
    last = new long[n];
    unnamed = new UnnamedBarriers[blocks.places()];
  }

  public void startKernel() {
    Arrays.fill(arrived, 0);
    Arrays.fill(waiting, 0);
    free = 0;
  }

  public void startBlock(int place) {
    int from = place * BARRIERS;
    int to = from + BARRIERS;
    Arrays.fill(arrived, from, to, 0);
    Arrays.fill(waiting, from, to, 0);
    Arrays.fill(last, from, to, 0);
    if (unnamed[place] != null) {
      unnamed[place].clear();
    }
  }

  /** A warp arrives at a barrier of its block; {@code waits} unless it only arrives. */
  public void arrive(int w, CodeRow row, long now, boolean waits) {
    if (open) {
      return;
    }
    int place = warps.get(w).block;
    if (waits) {
      warps.bar(w, row.defers);
    }
    free = Math.max(free, now) + spec.barrierPerWarp();
    if (row.barrier == CodeRow.UNNAMED) {
      arriveUnnamed(w, place, row, waits);
      return;
    }
    int b = place * BARRIERS + row.barrier;
    arrived[b]++;
    last[b] = Math.max(last[b], free);
    if (waits) {
      waiting[b] |= 1L << w;
    }
    expected[b] = row.barrierWarps;
    openIfComplete(b, place);
  }

  private void arriveUnnamed(int w, int place, CodeRow row, boolean waits) {
    if (unnamed[place] == null) {
      unnamed[place] = new UnnamedBarriers();
    }
    UnnamedBarriers its = unnamed[place];
    int count = row.barrierWarps;
    if (its.arrive(warps.get(w).warpOfBlock, row.index, count, waits, free)) {
      for (int m = its.freed; m != 0; m &= m - 1) {
        int freed = blocks.warpAt(place, Integer.numberOfTrailingZeros(m));
        warps.pass(freed, its.freedAt + spec.barrierBase());
      }
    }
  }

  /** Warps that have exited are not waited for. */
  private void openIfComplete(int b, int place) {
    int need = expected[b] > 0 ? expected[b] : blocks.running(place);
    if (arrived[b] == 0 || arrived[b] < need) {
      return;
    }
    long when = last[b] + spec.barrierBase();
    long freed = waiting[b];
    waiting[b] = 0;
    arrived[b] = 0;
    for (; freed != 0; freed &= freed - 1) {
      warps.pass(Long.numberOfTrailingZeros(freed), when);
    }
  }

  /** A warp of a block issued its last instruction. */
  public void warpEnded(int place, long now) {
    for (int b = place * BARRIERS; b < (place + 1) * BARRIERS; b++) {
      if (waiting[b] != 0) {
        last[b] = Math.max(last[b], now);
        openIfComplete(b, place);
      }
    }
  }
}
