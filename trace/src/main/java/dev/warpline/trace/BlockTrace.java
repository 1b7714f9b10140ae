package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Registers;
import java.util.Arrays;

/**
 * What the warps of one thread block executed, packed into arrays that are reused from block to
 * block.
 *
 * <p>A dynamic instruction is a row of the kernel's code table, a lane mask and, for instructions
 * that recorded more, a payload: an offset into {@link #data}. Warp {@code w}'s instructions are
 * {@code start(w) .. start(w) + count(w) - 1}. Warps that the trace does not mention have count 0.
 *
 * <p>An LDGSTS, which the tracer writes as two lines, is one dynamic instruction here: its payload
 * is the global addresses, followed by that of the shared addresses ({@link Payload#next}).
 */
public final class BlockTrace {
  /** {@link #payload} of an instruction that recorded neither addresses nor values. */
  public static final int NO_PAYLOAD = -1;

  private static final int[] NONE = {};

  long blockId;
  int warps;
  int[] start;
  int[] count;

  /** Lanes of each warp's instructions, -1 as long as nobody asked. */
  private long[] lanes;

  int instructions;

  /** Room that a block begins with. */
  private static final int FIRST = 256;

  int[] row = NONE;
  int[] mask = NONE;

  /** Rows, masks and slots are those of all blocks that execute the same, and are not written. */
  private boolean lent;

  /** Where each instruction's payload is in {@link #payload}, if it is lent; else at its index. */
  private int[] slot;

  private int[] payload = NONE;

  /** Of the payloads: how many there is room for and in use. */
  private int slots;

  long[] data;
  int dataSize;

  /** Whose numbers its lists have, {@link ShapeNumbers#whose}; null if they have none. */
  Object shapesOf;

  int clusterRank;

  public BlockTrace() {
    start = new int[32];
    count = new int[32];
    lanes = new long[32];
    data = new long[FIRST];
  }

  /** With the arrays of another. */
  private BlockTrace(BlockTrace other) {
    take(other);
  }

  /** Forgets everything, keeping the arrays. */
  void reset(long blockId, int warps) {
    this.blockId = blockId;
    this.warps = warps;
    if (start.length < warps) {
      start = new int[warps];
      count = new int[warps];
      lanes = new long[warps];
    }
    Arrays.fill(start, 0, warps, 0);
    Arrays.fill(count, 0, warps, 0);
    Arrays.fill(lanes, 0, warps, -1);
    if (lent) {
      row = NONE;
      mask = NONE;
      slot = null;
      lent = false;
    }
    instructions = 0;
    slots = 0;
    dataSize = 0;
    shapesOf = null;
    clusterRank = 0;
  }

  /** Makes room for a block a little larger than another, so that reading it need not grow. */
  public void makeRoomFor(BlockTrace other) {
    int length = other.instructions + other.instructions / 8;
    if (!other.lent && !lent && row.length < other.instructions) {
      row = new int[length];
      mask = new int[length];
    }
    if (payload.length < other.slots) {
      payload = new int[other.slots + other.slots / 8];
    }
    if (data.length < other.dataSize) {
      data = new long[other.dataSize + other.dataSize / 8];
    }
  }

  /** Becomes a copy of another block. */
  void copy(BlockTrace other) {
    reset(other.blockId, other.warps);
    makeRoomFor(other);
    System.arraycopy(other.start, 0, start, 0, warps);
    System.arraycopy(other.count, 0, count, 0, warps);
    instructions = other.instructions;
    if (other.lent) {
      borrow(other.row, other.mask, other.slot, other.slots);
    } else {
      System.arraycopy(other.row, 0, row, 0, instructions);
      System.arraycopy(other.mask, 0, mask, 0, instructions);
    }
    slots = other.slots;
    System.arraycopy(other.payload, 0, payload, 0, slots);
    System.arraycopy(other.data, 0, data, 0, other.dataSize);
    dataSize = other.dataSize;
    shapesOf = other.shapesOf;
    clusterRank = other.clusterRank;
  }

  /** Becomes the other block, and that one this. */
  void exchange(BlockTrace other) {
    BlockTrace mine = new BlockTrace(this);
    take(other);
    other.take(mine);
  }

  private void take(BlockTrace other) {
    blockId = other.blockId;
    warps = other.warps;
    start = other.start;
    count = other.count;
    lanes = other.lanes;
    instructions = other.instructions;
    row = other.row;
    mask = other.mask;
    lent = other.lent;
    slot = other.slot;
    payload = other.payload;
    slots = other.slots;
    data = other.data;
    dataSize = other.dataSize;
    shapesOf = other.shapesOf;
    clusterRank = other.clusterRank;
  }

  /** Becomes the block whose warps executed this. */
  public void gather(long block, int rank, WarpTrace[] executed) {
    reset(block, executed.length);
    clusterRank = rank;
    int all = 0;
    int words = 0;
    for (WarpTrace warp : executed) {
      all += warp.instructions;
      words += warp.dataSize;
    }
    if (row.length < all) {
      row = new int[all];
      mask = new int[all];
    }
    if (payload.length < all) {
      payload = new int[all];
    }
    if (data.length < words) {
      data = new long[words];
    }
    for (int w = 0; w < executed.length; w++) {
      WarpTrace warp = executed[w];
      int from = instructions;
      int count = warp.instructions;
      start[w] = from;
      this.count[w] = count;
      System.arraycopy(warp.row, 0, row, from, count);
      System.arraycopy(warp.mask, 0, mask, from, count);
      for (int i = 0; i < count; i++) {
        int at = warp.payload[i];
        payload[from + i] = at < 0 ? NO_PAYLOAD : at + dataSize;
      }
      System.arraycopy(warp.data, 0, data, dataSize, warp.dataSize);
      dataSize += warp.dataSize;
      instructions += count;
    }
    slots = instructions;
  }

  /** The instructions added from now on are a warp's. */
  void beginWarp(int warp) {
    start[warp] = instructions;
    count[warp] = 0;
  }

  /** The warp that was begun has all its instructions. */
  void endWarp(int warp) {
    count[warp] = instructions - start[warp];
  }

  /** Adds a dynamic instruction. */
  void add(int codeRow, int laneMask, int payloadOffset) {
    int i = instructions;
    if (i == row.length) {
      int longer = Math.max(FIRST, i * 2);
      row = Arrays.copyOf(row, longer);
      mask = Arrays.copyOf(mask, longer);
    }
    if (i >= payload.length) {
      payload = Arrays.copyOf(payload, row.length);
    }
    row[i] = codeRow;
    mask[i] = laneMask;
    payload[i] = payloadOffset;
    instructions = i + 1;
    slots = instructions;
  }

  /**
   * The block, which is new, executes what others do, too.
   *
   * @param rows of all its warps, one after the other: nobody writes them any more
   * @param slotOf by instruction: the how manieth of those with a payload it is, or {@link
   *     #NO_PAYLOAD}
   * @param payloads how many these are
   */
  void borrow(int[] rows, int[] masks, int[] slotOf, int payloads) {
    row = rows;
    mask = masks;
    slot = slotOf;
    slots = payloads;
    lent = true;
  }

  /** The same, with the places of these payloads. */
  void borrow(int[] rows, int[] masks, int[] slotOf, int payloads, int[] places) {
    borrow(rows, masks, slotOf, payloads);
    payload = places;
  }

  /**
   * What is added to the block from now on, which forgets what it has, goes to these arrays or to
   * longer ones, until it is to {@link #borrow}.
   *
   * @return its own array of payloads
   */
  int[] growIn(int[] rows, int[] masks, int[] payloads) {
    reset(blockId, warps);
    // A block that could not be read to its end last time still has the reader's.
    int[] own = payload == payloads ? NONE : payload;
    row = rows;
    mask = masks;
    payload = payloads;
    return own;
  }

  /** Makes room for a number of instructions, none of which has a payload yet. */
  void makeRoomFor(int count) {
    if (!lent) {
      slots = count;
      if (row.length < count) {
        row = new int[count];
        mask = new int[count];
      }
    }
    if (payload.length < slots) {
      payload = new int[slots];
    }
    Arrays.fill(payload, 0, slots, NO_PAYLOAD);
  }

  /** An instruction's payload begins where the next word of data goes. */
  void beginPayload(int index) {
    payload[lent ? slot[index] : index] = dataSize;
  }

  /** Places of payloads in the order of their instructions; some may be {@link #NO_PAYLOAD}. */
  int[] payloads() {
    return payload;
  }

  /** How many places these are. */
  int payloadCount() {
    return slots;
  }

  /** What a warp executes, for which there is room; returns the index of the first instruction. */
  int addWarp(int warp, int[] codeRows, int[] laneMasks, long itsLanes) {
    int first = instructions;
    if (!lent) {
      System.arraycopy(codeRows, 0, row, first, codeRows.length);
      System.arraycopy(laneMasks, 0, mask, first, codeRows.length);
    }
    start[warp] = first;
    count[warp] = codeRows.length;
    lanes[warp] = itsLanes;
    instructions = first + codeRows.length;
    return first;
  }

  /**
   * Whether it is known to execute the same instructions with the same lanes as this array says.
   */
  public boolean executes(int[] others) {
    return lent && row == others;
  }

  /** What {@link #executes} knows other blocks by; null if it has nothing in common with any. */
  public int[] common() {
    return lent ? row : null;
  }

  /**
   * Leaves of every warp what one of its lanes executes, another one for each warp, and what
   * accesses global memory: lanes that part do so no longer, and all data are still asked for. What
   * has a guard stays with the instruction in front of it, because a guard is no branch.
   */
  public void followLanes(CodeTable code) {
    if (lent) {
      int[] all = new int[instructions];
      Arrays.setAll(all, this::payload);
      payload = all;
      slots = instructions;
      row = row.clone();
      mask = mask.clone();
      slot = null;
      lent = false;
    }
    for (int w = 0; w < warps; w++) {
      if (count[w] == 0) {
        continue;
      }
      int from = start[w];
      int end = from + count[w];
      int lane = lane(mask[from], blockId * warps + w);
      int left = from;
      int lastPc = 0;
      boolean lastKept = false;
      for (int i = from; i < end; i++) {
        Instruction in = code.get(row[i]);
        boolean follows = in.guard() != Registers.PT && lastKept && in.pc() == lastPc + 16;
        boolean its = follows || (mask[i] >>> lane & 1) != 0;
        lastKept = its;
        lastPc = in.pc();
        if (its || i == end - 1 || payload[i] != NO_PAYLOAD && isGlobal(in)) {
          row[left] = row[i];
          mask[left] = mask[i];
          payload[left++] = payload[i];
        }
      }
      count[w] = left - from;
      lanes[w] = -1;
    }
  }

  private static boolean isGlobal(Instruction in) {
    return in.opcode().space() == MemorySpace.GLOBAL || in.opcode().space() == MemorySpace.GENERIC;
  }

  /** One of the lanes of a mask, another one for each number. */
  private static int lane(int lanes, long number) {
    int nth = (int) Math.floorMod(number * 13, (long) Math.max(1, Integer.bitCount(lanes)));
    int rest = lanes;
    for (int i = 0; i < nth; i++) {
      rest &= rest - 1;
    }
    return rest == 0 ? 0 : Integer.numberOfTrailingZeros(rest);
  }

  /** Makes room for payload words at {@link #dataSize}, without taking them. */
  long[] room(int words) {
    if (data.length - dataSize < words) {
      data = Arrays.copyOf(data, Math.max(data.length * 2, dataSize + words));
    }
    return data;
  }

  /** Linear block id: {@code (z * gridY + y) * gridX + x}. */
  public long blockId() {
    return blockId;
  }

  /** Warps of the block, those without instructions included. */
  public int warps() {
    return warps;
  }

  /** Index of a warp's first dynamic instruction. */
  public int start(int warp) {
    return start[warp];
  }

  /** How many dynamic instructions a warp has. */
  public int count(int warp) {
    return count[warp];
  }

  /** Lanes of all the dynamic instructions of a warp. */
  public long lanes(int warp) {
    if (lanes[warp] < 0) {
      long sum = 0;
      for (int i = start[warp]; i < start[warp] + count[warp]; i++) {
        sum += Integer.bitCount(mask[i]);
      }
      lanes[warp] = sum;
    }
    return lanes[warp];
  }

  /** Dynamic instructions of all warps. */
  public int instructions() {
    return instructions;
  }

  /** Code-table row of a dynamic instruction. */
  public int row(int index) {
    return row[index];
  }

  /** Code-table rows by index, until the block is read into again; for reading only. */
  public int[] rows() {
    return row;
  }

  /** Lanes that executed a dynamic instruction: active and not predicated off. */
  public int mask(int index) {
    return mask[index];
  }

  /** Offset of a dynamic instruction's payload in {@link #data()}, or {@link #NO_PAYLOAD}. */
  public int payload(int index) {
    if (!lent) {
      return payload[index];
    }
    int at = slot[index];
    return at < 0 ? NO_PAYLOAD : payload[at];
  }

  /** The payload words; see {@link Payload}. Valid until the block is read into again. */
  public long[] data() {
    return data;
  }

  /**
   * What {@link Payload#shape} numbers of this block mean: they are the same in all blocks with the
   * same; null if its lists have none.
   */
  public Object shapesOf() {
    return shapesOf;
  }

  /** Rank of the block in its cluster, where the trace says so. */
  public int clusterRank() {
    return clusterRank;
  }
}
