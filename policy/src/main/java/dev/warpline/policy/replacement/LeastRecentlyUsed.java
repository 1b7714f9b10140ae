package dev.warpline.policy.replacement;

import dev.warpline.policy.LowestBit;
import dev.warpline.policy.Named;
import java.util.Arrays;

/**
 * LRU. The ways of a set stand in one word in the order of their last use, four bits each, the one
 * that was not used longest lowest; only sets of more ways than that need times.
 */
@Named(value = "lru", about = "the line whose last use is longest ago")
public final class LeastRecentlyUsed extends ByTime {
  private static final int BITS = 4;
  private static final int MOST = Long.SIZE / BITS;
  private static final long EACH = 0x1111111111111111L;
  private static final long HIGHEST_BITS = 0x8888888888888888L;
  private static final long FIRST_TO_LAST = 0xfedcba9876543210L;

  private int ways;

  /** Where the way that was used last stands in its word. */
  private int last;

  /** By set; null where there are too many ways. */
  private long[] order;

  @Override
  public void begin(int sets, int ways) {
    this.ways = ways;
    last = BITS * (ways - 1);
    if (ways > MOST) {
      order = null;
      super.begin(sets, ways);
      return;
    }
    if (order == null || order.length != sets) {
      order = new long[sets];
    }
    Arrays.fill(order, FIRST_TO_LAST);
  }

  @Override
  public void filled(int set, int way) {
    used(set, way);
  }

  @Override
  public void used(int set, int way) {
    if (order == null) {
      renew(set, way);
      return;
    }
    long ranks = order[set];
    if (ranks >>> last == way) {
      return;
    }
    long differs = ranks ^ way * EACH;
    // The lowest found is one that differs in nothing.
    int at = LowestBit.of(differs - EACH & ~differs & HIGHEST_BITS) & -BITS;
    long later = ranks >>> at >>> BITS << at;
    order[set] = ranks & (1L << at) - 1 | later & (1L << last) - 1 | (long) way << last;
  }

  @Override
  public int victim(int set, Lines lines) {
    if (order == null) {
      return super.victim(set, lines);
    }
    long ranks = order[set];
    for (int rank = 0; rank < ways; rank++) {
      int way = (int) ranks & MOST - 1;
      if (lines.mayLeave(set, way)) {
        return way;
      }
      ranks >>>= BITS;
    }
    return NONE;
  }
}
