package dev.warpline.trace;

import java.util.Arrays;

/**
 * Packs consecutive blocks of a kernel into the columns of one cache chunk; docs/trace-cache.md
 * describes them. Three things repeat in what warps do, and are written once: the path (rows, lane
 * masks), the shape of an access (stride, distances between lanes), and the way a base address
 * moves from warp to warp.
 */
final class ChunkEncoder {
  static final int BLOCKS = 0;
  static final int WARPS = 1;
  static final int REFERENCES = 2;
  static final int ROWS = 3;
  static final int MASKS = 4;
  static final int NEW_MASKS = 5;
  static final int ACCESS_COUNTS = 6;
  static final int SHAPES = 7;
  static final int NEW_SHAPES = 8;
  static final int BASES = 9;
  static final int COLUMNS = 10;

  /** References a warp's bases may be told from: none, the path's last warp, the same warp slot. */
  static final int NO_REFERENCE = 0;

  static final int LAST_WARP = 1;
  static final int SAME_SLOT = 2;

  final Column[] columns = new Column[COLUMNS];

  private final PathTable paths = new PathTable();
  private final WordTable shapes = new WordTable();
  private final WordTable masks = new WordTable();
  private final RowHistory rows = new RowHistory();

  private long previousBlock;
  private int blocks;
  private long instructions;

  private int[] accessCounts = new int[1024];
  private int[] accessRows = new int[1024];
  private long[] bases = new long[1024];
  private int[] shapeIds = new int[1024];
  private int accesses;
  private long[] words = new long[1024];

  ChunkEncoder() {
    Arrays.setAll(columns, i -> new Column());
  }

  int blocks() {
    return blocks;
  }

  long instructions() {
    return instructions;
  }

  /** Bytes of all columns, before compression. */
  long bytes() {
    long sum = 0;
    for (Column column : columns) {
      sum += column.size();
    }
    return sum;
  }

  /** Begins the next chunk. */
  void reset(long firstBlock) {
    for (Column column : columns) {
      column.clear();
    }
    paths.clear();
    shapes.clear();
    masks.clear();
    rows.clear();
    previousBlock = firstBlock;
    blocks = 0;
    instructions = 0;
  }

  void add(BlockTrace block) {
    columns[BLOCKS].put(block.blockId - previousBlock);
    columns[BLOCKS].put(block.clusterRank);
    previousBlock = block.blockId;
    blocks++;
    instructions += block.instructions;
    for (int warp = 0; warp < block.warps; warp++) {
      addWarp(block, warp);
    }
  }

  private void addWarp(BlockTrace block, int warp) {
    int count = block.count[warp];
    if (count == 0) {
      columns[WARPS].put(0);
      return;
    }
    int start = block.start[warp];
    // Shapes are numbered as they are met, so the warp's references are only known after them.
    int shapesBefore = shapes.size();
    collect(block, start, count);
    int known = paths.size();
    int path = paths.find(block.row, block.mask, accessCounts, start, count, accesses);
    if (path == known) {
      columns[WARPS].put(1);
      definePath(block, start, count);
    } else {
      columns[WARPS].put(2 + known - 1 - path);
    }
    PathTable.Warps warps = paths.warps(path);
    PathTable.Uses last = warps.last;
    PathTable.Uses slot = warps.slot(warp);
    int reference =
        last == null
            ? NO_REFERENCE
            : slot == null || cost(last, LAST_WARP) <= cost(slot, SAME_SLOT)
                ? LAST_WARP
                : SAME_SLOT;
    columns[REFERENCES].put(reference);
    PathTable.Uses from = reference == SAME_SLOT ? slot : last;
    PathTable.Uses into = warps.slotFor(warp, accesses);
    int shapesSeen = shapesBefore;
    for (int i = 0; i < accesses; i++) {
      int row = accessRows[i];
      long base = bases[i];
      int shape = shapeIds[i];
      int predicted = from == null ? rows.shape[row] : from.shapes[i];
      if (shape == predicted) {
        columns[SHAPES].put(0);
      } else if (shape == shapesSeen) {
        columns[SHAPES].put(1);
        shapesSeen++;
      } else {
        columns[SHAPES].put(2 + shapesSeen - 1 - shape);
      }
      columns[BASES].putSigned(
          base - rows.predict(row, from == null ? 0 : from.bases[i], reference));
      rows.learn(row, base, from == null ? 0 : from.bases[i], reference, shape);
      into.bases[i] = base;
      into.shapes[i] = shape;
    }
    warps.last = into;
  }

  /** How many bytes the bases take when told from a reference. */
  private long cost(PathTable.Uses from, int reference) {
    long cost = 0;
    rows.beginTrial(reference);
    for (int i = 0; i < accesses; i++) {
      long difference = bases[i] - from.bases[i];
      long residual = difference - rows.trial(accessRows[i], difference);
      if (residual != 0) {
        cost += Column.signedSize(residual);
      }
    }
    return cost;
  }

  private void definePath(BlockTrace block, int start, int count) {
    columns[ROWS].put(count);
    int previousRow = -1;
    int previousMask = -1;
    for (int i = 0; i < count; i++) {
      int row = block.row[start + i];
      columns[ROWS].putSigned(row - previousRow - 1);
      previousRow = row;
      int mask = block.mask[start + i];
      if (mask == previousMask) {
        columns[MASKS].put(0);
      } else {
        words[0] = mask;
        int known = masks.size();
        int id = masks.find(words, 1);
        if (id == known) {
          columns[MASKS].put(1);
          columns[NEW_MASKS].put(Integer.toUnsignedLong(mask));
        } else {
          columns[MASKS].put(2 + known - 1 - id);
        }
        previousMask = mask;
      }
      int count1 = accessCounts[i];
      columns[ACCESS_COUNTS].put(count1 == rows.accessCount(row) ? 0 : 1 + count1);
      rows.accessCount(row, count1);
    }
  }

  /** Lists the accesses of a warp: row, base and shape of each payload. */
  private void collect(BlockTrace block, int start, int count) {
    accesses = 0;
    if (accessCounts.length < count) {
      accessCounts = new int[Math.max(count, accessCounts.length * 2)];
    }
    long[] data = block.data;
    for (int i = 0; i < count; i++) {
      int at = block.payload(start + i);
      int parts = 0;
      while (at >= 0) {
        if (accesses == bases.length) {
          bases = Arrays.copyOf(bases, accesses * 2);
          shapeIds = Arrays.copyOf(shapeIds, accesses * 2);
          accessRows = Arrays.copyOf(accessRows, accesses * 2);
        }
        int length =
            Payload.kind(data, at) == Payload.LIST
                ? 1 + Payload.listed(data, at)
                : Payload.length(data, at);
        if (words.length < length) {
          words = new long[length * 2];
        }
        long base = Shape.base(data, at);
        int size = Shape.take(data, at, base, words);
        int known = shapes.size();
        int shape = shapes.find(words, size);
        if (shape == known) {
          defineShape(size);
        }
        bases[accesses] = base;
        shapeIds[accesses] = shape;
        accessRows[accesses] = block.row[start + i];
        rows.room(block.row[start + i]);
        accesses++;
        parts++;
        at = Payload.next(data, at);
      }
      accessCounts[i] = parts;
      rows.room(block.row[start + i]);
    }
  }

  private void defineShape(int size) {
    Column column = columns[NEW_SHAPES];
    column.put(size);
    column.put(words[0]);
    long previous = 0;
    boolean differences = words[0] == Payload.LIST;
    // The first distance of a list is always 0.
    for (int i = differences ? 2 : 1; i < size; i++) {
      column.putSigned(words[i] - previous);
      previous = differences ? words[i] : 0;
    }
  }
}
