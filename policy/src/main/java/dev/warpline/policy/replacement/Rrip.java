package dev.warpline.policy.replacement;

import dev.warpline.policy.Named;
import dev.warpline.policy.Replacement;
import java.util.Arrays;

/**
 * Static re-reference interval prediction with two bits: a line that comes is expected to be used
 * late, one that was used again soon. So a stream of lines that are used once passes by those that
 * are used again.
 */
@Named(
    value = "srrip",
    about = "a line expected to be used late: new ones before those used again (SRRIP, 2 bits)")
public final class Rrip implements Replacement {
  /** Expected never, as it were. */
  private static final byte DISTANT = 3;

  private static final byte LATE = 2;

  private int ways;
  private byte[] expected = new byte[0];

  @Override
  public void begin(int sets, int ways) {
    this.ways = ways;
    if (expected.length != sets * ways) {
      expected = new byte[sets * ways];
    }
    Arrays.fill(expected, DISTANT);
  }

  @Override
  public void filled(int set, int way) {
    int first = set * ways;
    int older = DISTANT - expected[first + way];
    if (older > 0) {
      // All have grown older until the one that left was distant.
      for (int i = first; i < first + ways; i++) {
        expected[i] = (byte) Math.min(DISTANT, expected[i] + older);
      }
    }
    expected[first + way] = LATE;
  }

  @Override
  public void used(int set, int way) {
    expected[set * ways + way] = 0;
  }

  @Override
  public void emptied(int set, int way) {
    expected[set * ways + way] = DISTANT;
  }

  @Override
  public int victim(int set, Lines lines) {
    int first = set * ways;
    int latest = -1;
    int victim = NONE;
    for (int way = 0; way < ways; way++) {
      if (expected[first + way] > latest && lines.mayLeave(set, way)) {
        latest = expected[first + way];
        victim = way;
      }
    }
    return victim;
  }
}
