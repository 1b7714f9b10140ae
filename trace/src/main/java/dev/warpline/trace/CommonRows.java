package dev.warpline.trace;

import java.util.Arrays;

/**
 * Keeps what blocks execute once where several execute the same: rows, masks, and which
 * instructions have payloads. A reader of texts has one; its blocks grow here and are lent what
 * they share with others, since hundreds of them are resident at once. (A cache says itself which
 * blocks are alike: {@link BlockPaths}.)
 */
final class CommonRows {
  private static final int PLACES = 8;

  private record Common(int[] start, int[] count, int[] rows, int[] masks, int[] slots, int used) {
    boolean isThatOf(BlockTrace block) {
      int n = rows.length;
      return n == block.instructions
          && start.length == block.warps
          && Arrays.equals(start, 0, start.length, block.start, 0, start.length)
          && Arrays.equals(count, 0, start.length, block.count, 0, start.length)
          && Arrays.equals(rows, 0, n, block.row, 0, n)
          && Arrays.equals(masks, 0, n, block.mask, 0, n)
          && hasPayloadsLike(block);
    }

    private boolean hasPayloadsLike(BlockTrace block) {
      for (int i = 0; i < slots.length; i++) {
        if (slots[i] < 0 != block.payloads()[i] < 0) {
          return false;
        }
      }
      return true;
    }
  }

  private final Common[] common = new Common[PLACES];

  private int[] rows = new int[1024];
  private int[] masks = new int[1024];
  private int[] payloads = new int[1024];
  private int[] own;

  /** What is read into a block from now on grows here. */
  void begin(BlockTrace into) {
    own = into.growIn(rows, masks, payloads);
  }

  /** The block has been read. */
  void end(BlockTrace into) {
    rows = into.row;
    masks = into.mask;
    payloads = into.payloads();
    int hash = into.instructions;
    for (int w = 0; w < into.warps; w++) {
      hash = 31 * hash + into.count[w];
    }
    int place = (hash ^ hash >>> 16) & PLACES - 1;
    if (common[place] == null || !common[place].isThatOf(into)) {
      common[place] = of(into);
    }
    Common its = common[place];
    int[] left = own.length < its.used ? new int[its.used] : own;
    for (int i = 0; i < its.slots.length; i++) {
      if (its.slots[i] >= 0) {
        left[its.slots[i]] = payloads[i];
      }
    }
    into.borrow(its.rows, its.masks, its.slots, its.used, left);
    own = null;
  }

  private static Common of(BlockTrace block) {
    int n = block.instructions;
    int[] slots = new int[n];
    int used = 0;
    for (int i = 0; i < n; i++) {
      slots[i] = block.payloads()[i] < 0 ? BlockTrace.NO_PAYLOAD : used++;
    }
    return new Common(
        Arrays.copyOf(block.start, block.warps),
        Arrays.copyOf(block.count, block.warps),
        Arrays.copyOf(block.row, n),
        Arrays.copyOf(block.mask, n),
        slots,
        used);
  }
}
