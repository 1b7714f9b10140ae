package dev.warpline.trace;

import static dev.warpline.trace.ChunkEncoder.ACCESS_COUNTS;
import static dev.warpline.trace.ChunkEncoder.BASES;
import static dev.warpline.trace.ChunkEncoder.BLOCKS;
import static dev.warpline.trace.ChunkEncoder.COLUMNS;
import static dev.warpline.trace.ChunkEncoder.MASKS;
import static dev.warpline.trace.ChunkEncoder.NEW_MASKS;
import static dev.warpline.trace.ChunkEncoder.NEW_SHAPES;
import static dev.warpline.trace.ChunkEncoder.NO_REFERENCE;
import static dev.warpline.trace.ChunkEncoder.REFERENCES;
import static dev.warpline.trace.ChunkEncoder.ROWS;
import static dev.warpline.trace.ChunkEncoder.SAME_SLOT;
import static dev.warpline.trace.ChunkEncoder.SHAPES;
import static dev.warpline.trace.ChunkEncoder.WARPS;

import java.util.Arrays;

/** Unpacks the blocks of one cache chunk, first to last. See {@link ChunkEncoder}. */
final class ChunkDecoder {
  /** More than any warp executed in any chunk; a guard against damage. */
  private static final int MOST = 1 << 28;

  /** Words of a stretch of shapes, unless a single one has more. */
  private static final int STRETCH_BITS = 11;

  private static final int STRETCH = 1 << STRETCH_BITS;

  final ColumnReader[] columns = new ColumnReader[COLUMNS];

  private final int codeRows;
  private final int warpsPerBlock;
  private final PathTable paths = new PathTable();
  private final RowHistory rows = new RowHistory();

  private int[] masks = new int[64];
  private int maskCount;

  /** Words of shapes in stretches, so that they need not be copied when there are more. */
  private long[][] words = new long[16][];

  private int wordCount;

  /** By shape: where its words are, all in one stretch, and how many. */
  private int[] shapeStart = new int[64];

  private int[] shapeSize = new int[64];
  private int shapeCount;

  /** Number of a shape that is no list, or too short a one to share. */
  private static final int NOT_SHARED = -1;

  /** By shape: its number; of a list the block that has it last, and where. */
  private int[] shapeNumber = new int[64];

  private int[] shapeIn = new int[64];
  private int[] shapeAt = new int[64];

  private final ShapeNumbers numbers = new ShapeNumbers();

  /** Blocks read. */
  private int blocks;

  private long block;

  /** By warp of the block that is being read: its path, null if it has none. */
  private final PathTable.Path[] taken;

  /** Blocks whose warps take the same paths have the same rows and masks. */
  private final BlockPaths alike = new BlockPaths();

  /**
   * Payload words of the block that is being read grow here; it gets as many as it needs, since
   * hundreds of blocks are resident at once.
   */
  private long[] growing = new long[1024];

  ChunkDecoder(int codeRows, int warpsPerBlock) {
    this.codeRows = codeRows;
    this.warpsPerBlock = warpsPerBlock;
    taken = new PathTable.Path[warpsPerBlock];
    rows.room(codeRows);
    Arrays.setAll(columns, i -> new ColumnReader());
  }

  /** Begins a chunk whose columns were just set. */
  void reset(long firstBlock) {
    paths.clear();
    rows.clear();
    maskCount = 0;
    shapeCount = 0;
    wordCount = 0;
    block = firstBlock;
  }

  /** Reads the next block. */
  void next(BlockTrace into) {
    block += columns[BLOCKS].next();
    into.reset(block, warpsPerBlock);
    blocks++;
    // A block that could not be read to its end last time still has it.
    long[] own = into.data == growing ? new long[0] : into.data;
    into.data = growing;
    into.clusterRank = columns[BLOCKS].nextInt(MOST);
    int instructions = 0;
    for (int warp = 0; warp < warpsPerBlock; warp++) {
      long choice = columns[WARPS].next();
      taken[warp] = choice == 0 ? null : path(choice);
      instructions += choice == 0 ? 0 : taken[warp].rows.length;
    }
    alike.lend(taken, instructions, into);
    into.makeRoomFor(instructions);
    for (int warp = 0; warp < warpsPerBlock; warp++) {
      if (taken[warp] != null) {
        warp(taken[warp], warp, into);
      }
    }
    growing = into.data;
    into.data = own.length < into.dataSize ? new long[into.dataSize] : own;
    System.arraycopy(growing, 0, into.data, 0, into.dataSize);
    into.shapesOf = numbers.whose;
  }

  private PathTable.Path path(long choice) {
    if (choice == 1) {
      paths.add(newPath());
    }
    long id = choice == 1 ? paths.size() - 1 : paths.size() + 1 - choice;
    if (id < 0 || id >= paths.size()) {
      throw new IllegalStateException("a path that is not there");
    }
    return paths.get((int) id);
  }

  private void warp(PathTable.Path path, int warp, BlockTrace into) {
    int reference = columns[REFERENCES].nextInt(SAME_SLOT);
    PathTable.Uses from =
        reference == NO_REFERENCE
            ? null
            : reference == SAME_SLOT ? path.warps.slot(warp) : path.warps.last;
    if (reference != NO_REFERENCE && from == null) {
      throw new IllegalStateException("a reference to a warp that is not there");
    }
    PathTable.Uses uses = path.warps.slotFor(warp, path.accesses);
    int first = into.addWarp(warp, path.rows, path.masks, path.lanes);
    int access = 0;
    for (int i : path.withAccesses) {
      into.beginPayload(first + i);
      int last = 0;
      for (int part = path.accessCounts[i]; part > 0; part--) {
        last = into.dataSize;
        access(path.rows[i], access++, from, reference, uses, into);
        into.data[last] |= Payload.HAS_NEXT;
      }
      into.data[last] &= ~Payload.HAS_NEXT;
    }
    path.warps.last = uses;
  }

  private void access(
      int row,
      int access,
      PathTable.Uses from,
      int reference,
      PathTable.Uses uses,
      BlockTrace into) {
    long choice = columns[SHAPES].next();
    int shape;
    if (choice == 0) {
      shape = from == null ? rows.shape[row] : from.shapes[access];
    } else if (choice == 1) {
      shape = newShape();
    } else {
      shape = (int) (shapeCount + 1 - choice);
    }
    long referenceBase = from == null ? 0 : from.bases[access];
    long base = rows.predict(row, referenceBase, reference) + columns[BASES].nextSigned();
    rows.learn(row, base, referenceBase, reference, shape);
    uses.bases[access] = base;
    uses.shapes[access] = shape;
    into.dataSize += give(shape, base, into);
  }

  /** Writes a payload; returns its words. A list that the block has had already is two. */
  private int give(int shape, long base, BlockTrace into) {
    int size = shapeSize[shape];
    int at = into.dataSize;
    long[] data = into.room(size + 1);
    if (shapeIn[shape] == blocks) {
      Payload.putShared(data, at, base, shapeAt[shape], 0);
      return Payload.SHARED_WORDS;
    }
    int start = shapeStart[shape];
    int words =
        Shape.give(this.words[start >>> STRETCH_BITS], start & STRETCH - 1, size, base, data, at);
    if (shapeNumber[shape] != NOT_SHARED) {
      Payload.putShape(data, at, shapeNumber[shape]);
      if (at <= Payload.MOST_SHARED_OFFSET) {
        shapeIn[shape] = blocks;
        shapeAt[shape] = at;
      }
    }
    return words;
  }

  private int newShape() {
    ColumnReader column = columns[NEW_SHAPES];
    int size = column.nextInt(column.remaining() + 2);
    int kind = column.nextInt(Payload.VALUES);
    if (size < (kind == Payload.STRIDE ? 2 : kind == Payload.BULK ? 5 : 1)) {
      throw new IllegalStateException("a shape of " + size + " words");
    }
    if (shapeCount == shapeStart.length) {
      shapeStart = Arrays.copyOf(shapeStart, 2 * shapeCount);
      shapeSize = Arrays.copyOf(shapeSize, 2 * shapeCount);
      shapeNumber = Arrays.copyOf(shapeNumber, 2 * shapeCount);
      shapeIn = Arrays.copyOf(shapeIn, 2 * shapeCount);
      shapeAt = Arrays.copyOf(shapeAt, 2 * shapeCount);
    }
    if ((wordCount & STRETCH - 1) + size > STRETCH) {
      wordCount = Math.addExact(wordCount, STRETCH) & -STRETCH;
    }
    shapeStart[shapeCount] = wordCount;
    shapeSize[shapeCount] = size;
    int at = wordCount & STRETCH - 1;
    long[] stretch = stretchFor(size);
    wordCount = Math.addExact(wordCount, size);
    boolean differences = kind == Payload.LIST;
    stretch[at] = kind;
    long previous = 0;
    int first = 1;
    if (differences && size > 1) {
      stretch[at + 1] = 0;
      first = 2;
    }
    for (int i = first; i < size; i++) {
      long word = column.nextSigned() + previous;
      stretch[at + i] = word;
      previous = differences ? word : 0;
    }
    shapeIn[shapeCount] = 0;
    shapeNumber[shapeCount] =
        differences && size >= Payload.LEAST_SHARED_WORDS
            ? numbers.of(stretch, at + 1, size - 1)
            : NOT_SHARED;
    return shapeCount++;
  }

  /** The stretch that the next words go to. */
  private long[] stretchFor(int size) {
    int number = wordCount >>> STRETCH_BITS;
    if (number >= words.length) {
      words = Arrays.copyOf(words, Math.max(2 * words.length, number + 1));
    }
    if (words[number] == null || words[number].length < size) {
      words[number] = new long[Math.max(STRETCH, size)];
    }
    return words[number];
  }

  private PathTable.Path newPath() {
    ColumnReader rowColumn = columns[ROWS];
    int count = rowColumn.nextInt(rowColumn.remaining());
    int[] pathRows = new int[count];
    int[] pathMasks = new int[count];
    int[] counts = new int[count];
    int accesses = 0;
    int previousRow = -1;
    int previousMask = -1;
    for (int i = 0; i < count; i++) {
      long row = previousRow + 1 + rowColumn.nextSigned();
      if (row < 0 || row >= codeRows) {
        throw new IllegalStateException("row " + row + " of a code table of " + codeRows);
      }
      pathRows[i] = previousRow = (int) row;
      pathMasks[i] = previousMask = mask(previousMask);
      int code = columns[ACCESS_COUNTS].nextInt(MOST);
      int parts = code == 0 ? rows.accessCount(previousRow) : code - 1;
      rows.accessCount(previousRow, parts);
      counts[i] = parts;
      accesses = Math.addExact(accesses, parts);
    }
    return new PathTable.Path(pathRows, pathMasks, counts, accesses, 0);
  }

  private int mask(int previous) {
    long choice = columns[MASKS].next();
    if (choice == 0) {
      return previous;
    }
    if (choice == 1) {
      if (maskCount == masks.length) {
        masks = Arrays.copyOf(masks, maskCount * 2);
      }
      masks[maskCount] = (int) columns[NEW_MASKS].next();
      return masks[maskCount++];
    }
    return masks[(int) (maskCount + 1 - choice)];
  }
}
