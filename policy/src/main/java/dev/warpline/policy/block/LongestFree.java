package dev.warpline.policy.block;

import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * As on an H200. The first blocks go round by round, one to every SM, group after group, each round
 * from another group on; later ones to where room came free first. An SM whose turn comes while it
 * is still taking another block lines up anew; one that has more blocks of other kernels than the
 * round would give it waits for a later round.
 */
@Named(
    value = "longest-free",
    about = "where room came free first; at first a block for every SM, GPC after GPC")
public final class LongestFree implements BlockScheduler {
  private static final int SM_BITS = 10;
  private static final int TURN_BITS = 18;

  private Sms sms;
  private int places;
  private long start;
  private int rounds;

  /** By SM: its place in the first round. */
  private int[] rank;

  /** Since when there is room, then its turn among those of the same cycle, then SM. */
  private final PriorityQueue<Long> free = new PriorityQueue<>();

  /** Who was chosen last and has not got the block; negative: nobody. */
  private long offered = -1;

  private final List<Long> passedOver = new ArrayList<>();

  @Override
  public void begin(Sms sms, int places, long now) {
    this.sms = sms;
    this.places = places;
    start = now;
    int count = 0;
    for (int[] group : sms.groups()) {
      count += group.length;
    }
    rank = new int[count];
    int next = 0;
    for (int[] group : sms.groups()) {
      for (int sm : group) {
        rank[sm] = next++;
      }
    }
  }

  /** A round is listed when the one before it is used up: most grids are smaller than the GPU. */
  private void listRounds() {
    while (rounds < places && (free.isEmpty() || since(free.peek()) > start)) {
      int[][] groups = sms.groups();
      int others = groups.length - sms.ahead();
      int next = rounds * rank.length;
      for (int i = 0; i < groups.length; i++) {
        int at = i < sms.ahead() ? i : sms.ahead() + (i - sms.ahead() + rounds) % others;
        for (int sm : groups[at]) {
          free.add(key(start, next++, sm));
        }
      }
      rounds++;
    }
  }

  private static long key(long since, int turn, int sm) {
    return (since << TURN_BITS | turn) << SM_BITS | sm;
  }

  private static long since(long key) {
    return key >>> TURN_BITS + SM_BITS;
  }

  @Override
  public void freed(int sm, long when) {
    free.add(key(when, rank[sm], sm));
  }

  @Override
  public int choose(long now) {
    int chosen = NONE;
    long fuller = -1;
    if (offered >= 0) {
      free.add(offered);
      offered = -1;
    }
    listRounds();
    while (chosen == NONE && !free.isEmpty() && since(free.peek()) <= now) {
      long key = free.remove();
      int sm = (int) key & (1 << SM_BITS) - 1;
      long busy = sms.busyUntil(sm);
      if (busy > now) {
        free.add(key(busy, (int) (key >>> SM_BITS) & (1 << TURN_BITS) - 1, sm));
        listRounds();
      } else if (!sms.hasRoom(sm)) {
        passedOver.add(key);
        listRounds();
      } else if (since(key) == start && sms.blocks(sm) > round(key)) {
        fuller = fuller < 0 ? key : fuller;
        passedOver.add(key);
        listRounds();
      } else {
        chosen = sm;
        offered = key;
      }
    }
    if (chosen == NONE && fuller >= 0) {
      chosen = (int) fuller & (1 << SM_BITS) - 1;
      offered = fuller;
      passedOver.remove((Long) fuller);
    }
    free.addAll(passedOver);
    passedOver.clear();
    return chosen;
  }

  private int round(long key) {
    return ((int) (key >>> SM_BITS) & (1 << TURN_BITS) - 1) / rank.length;
  }

  @Override
  public void given(int sm) {
    offered = -1;
  }
}
