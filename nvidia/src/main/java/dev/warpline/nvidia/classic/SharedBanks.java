package dev.warpline.nvidia.classic;

import dev.warpline.policy.LowestBit;

/**
 * Bank conflicts of a shared-memory access: how many cycles the banks need. Width is ignored, as
 * Accel-Sim does.
 */
final class SharedBanks {
  private final int banks;

  /** The bits of a word's number that are its bank's, 0 where it takes a division. */
  private final int bankMask;

  private final int parts;
  private final boolean limitedBroadcast;

  // Distinct words seen per bank in the current part, as chains in small arrays.
  private final long[] word = new long[32];
  private final int[] sharers = new int[32];
  private final int[] chain = new int[32];
  private final int[] head;
  private final int[] wordsOfBank;

  SharedBanks(int banks, int parts, boolean limitedBroadcast) {
    this.banks = banks;
    bankMask = Integer.bitCount(banks) == 1 ? banks - 1 : 0;
    this.parts = parts;
    this.limitedBroadcast = limitedBroadcast;
    head = new int[banks];
    wordsOfBank = new int[banks];
  }

  /** Whether lanes at a stride can have no conflict: one word for all, or a word each in a row. */
  boolean isFree(long stride) {
    return parts == 1 && banks >= 32 && (stride == 0 || stride == 4);
  }

  /** Cycles for an access, at least 1. */
  int cycles(long[] laneAddress, int mask) {
    int lanesPerPart = 32 / parts;
    int total = 0;
    for (int part = 0; part < parts; part++) {
      int window = lanesPerPart == 32 ? -1 : (1 << lanesPerPart) - 1 << part * lanesPerPart;
      if ((mask & window) != 0) {
        total += partCycles(laneAddress, mask & window);
      }
    }
    return Math.max(1, Math.min(32, total));
  }

  private int partCycles(long[] laneAddress, int mask) {
    java.util.Arrays.fill(head, -1);
    java.util.Arrays.fill(wordsOfBank, 0);
    int count = 0;
    int most = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      long w = laneAddress[LowestBit.of(m)] >>> 2;
      int bank = (int) (bankMask != 0 ? w & bankMask : Long.remainderUnsigned(w, banks));
      int at = head[bank];
      while (at >= 0 && word[at] != w) {
        at = chain[at];
      }
      if (at >= 0) {
        sharers[at]++;
      } else {
        word[count] = w;
        sharers[count] = 1;
        chain[count] = head[bank];
        head[bank] = count++;
        most = Math.max(most, ++wordsOfBank[bank]);
      }
    }
    return limitedBroadcast ? limited(count) : most;
  }

  /** Only the word with the most sharers is broadcast; every other lane counts for itself. */
  private int limited(int count) {
    int broadcast = 0;
    for (int i = 1; i < count; i++) {
      broadcast = sharers[i] > sharers[broadcast] ? i : broadcast;
    }
    int most = 0;
    for (int bank = 0; bank < banks; bank++) {
      int cycles = 0;
      for (int at = head[bank]; at >= 0; at = chain[at]) {
        cycles += at == broadcast ? 1 : sharers[at];
      }
      most = Math.max(most, cycles);
    }
    return most;
  }
}
