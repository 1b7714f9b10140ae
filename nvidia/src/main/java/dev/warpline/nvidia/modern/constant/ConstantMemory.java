package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.launch.GroupPlace;
import java.util.Arrays;

/**
 * Constants beyond the first-level caches of an SM: the cache that the GPC shares, and device
 * memory behind it. Bank 0 comes with the launch; the other banks wait in memory and come in larger
 * pieces.
 */
public final class ConstantMemory {
  private final ModernCoreSpec.Constants spec;
  private final GroupPlace place;
  private final double turnCycles;
  private final int way;

  // When each piece that this SM ever asked for came to the level behind; few, so a list.
  private int[] pieces = new int[16];
  private long[] arrivals = new long[16];
  private int count;

  public ConstantMemory(ModernCoreSpec spec, GroupPlace place) {
    this.spec = spec.constants();
    this.place = place;
    turnCycles = spec.supply().turnCycles();
    way = (int) Math.round(place.hops() * spec.supply().constantHopCycles());
  }

  public void startKernel() {
    count = 0;
  }

  /** When a line that a first-level cache lacks is there. */
  long ready(int line, int missCycles, int subCore, long now) {
    boolean parameters = line >>> 16 == 0;
    int piece = parameters ? line : line - line % spec.tableLines();
    int at = 0;
    while (at < count && pieces[at] != piece) {
      at++;
    }
    if (at == count) {
      int cold = parameters ? spec.coldCycles() : spec.coldTableCycles();
      add(piece, now + Math.max(missCycles, cold) + way);
    }
    long arrival = arrivals[at];
    if (arrival > now) {
      // At a kernel's start the sub-cores of a GPC wait for the same parameters and take turns.
      return arrival + (parameters ? place.turn(subCore, turnCycles) : 0);
    }
    return now + missCycles + way;
  }

  private void add(int piece, long arrival) {
    if (count == pieces.length) {
      pieces = Arrays.copyOf(pieces, 2 * count);
      arrivals = Arrays.copyOf(arrivals, 2 * count);
    }
    pieces[count] = piece;
    arrivals[count++] = arrival;
  }
}
