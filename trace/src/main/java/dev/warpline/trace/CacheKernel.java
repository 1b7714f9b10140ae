package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.OpcodeTable;
import dev.warpline.isa.SourcePlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A kernel read from a trace cache. Its code table is complete from the start. */
final class CacheKernel implements KernelTrace {
  private static final int MOST_DIMENSION = Integer.MAX_VALUE;

  private final CacheFile file;
  private final Diagnostics diagnostics;
  private final KernelHeader header;
  private final CodeTable code = new CodeTable();
  private final boolean controlBits;
  private final long[] chunkOffset;
  private final long[] chunkFirst;
  private final int[] chunkBlocks;
  private final int[] chunkBytes;
  private final ChunkDecoder decoder;
  private final BlockTrace skipped = new BlockTrace();

  /** The chunk that is being read, its block ids, and how many of them were read. */
  private int chunk = -1;

  /** The chunk that was found damaged last; its other blocks are passed over in silence. */
  private int damaged = -1;

  private long[] ids = new long[0];
  private int read;

  CacheKernel(CacheFile file, long section, Diagnostics diagnostics) throws IOException {
    this.file = file;
    this.diagnostics = diagnostics;
    ColumnReader in = file.section(section);
    try {
      header = header(in);
      List<Instruction> rows = rows(in, header.binaryVersion());
      controlBits = in.next() != 0;
      int chunks = in.nextInt(in.remaining());
      ColumnReader index = new ColumnReader(in.nextBytes());
      chunkOffset = new long[chunks];
      chunkFirst = new long[chunks];
      chunkBlocks = new int[chunks];
      chunkBytes = new int[chunks];
      long offset = 0;
      for (int i = 0; i < chunks; i++) {
        offset += index.next();
        chunkOffset[i] = offset;
        chunkFirst[i] = index.next();
        chunkBlocks[i] = index.nextInt(Integer.MAX_VALUE);
        chunkBytes[i] = index.nextInt(Integer.MAX_VALUE);
      }
      // Caches of the first releases end here.
      if (in.remaining() > 0) {
        for (int row = 0; row < rows.size(); row++) {
          ConstantOperand constant = constant(in);
          if (constant != null) {
            rows.set(row, rows.get(row).withConstant(constant));
          }
        }
      }
      // So do those of the next.
      if (in.remaining() > 0) {
        SourceColumn.read(rows, in);
      }
      rows.forEach(code::add);
    } catch (RuntimeException e) {
      throw file.damaged("a kernel section with " + e.getMessage());
    }
    long blocks = 0;
    for (int inChunk : chunkBlocks) {
      blocks += inChunk;
    }
    GridCheck.refuseBeyond(file.name(), header, blocks);
    decoder = new ChunkDecoder(code.size(), header.warpsPerBlock());
  }

  @Override
  public KernelHeader header() {
    return header;
  }

  @Override
  public CodeTable code() {
    return code;
  }

  @Override
  public boolean hasControlBits() {
    return controlBits;
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) throws IOException {
    int wanted = Arrays.binarySearch(chunkFirst, blockId);
    wanted = wanted < 0 ? -wanted - 2 : wanted;
    if (wanted < 0) {
      return false;
    }
    if (wanted == damaged || chunk != wanted && !load(wanted)) {
      return false;
    }
    int position = Arrays.binarySearch(ids, blockId);
    if (position < 0) {
      return false;
    }
    if (position < read && !load(wanted)) {
      return false;
    }
    try {
      while (read < position) {
        decoder.next(skipped);
        read++;
      }
      decoder.next(into);
      read++;
      return true;
    } catch (RuntimeException e) {
      chunk = -1;
      damaged = wanted;
      diagnostics.report(
          file.damaged("the chunk at byte " + chunkOffset[wanted] + " with " + e.getMessage())
              .problem());
      return false;
    }
  }

  private boolean load(int wanted) throws IOException {
    chunk = -1;
    byte[][] columns;
    try {
      columns = file.chunk(chunkOffset[wanted], chunkBytes[wanted]);
    } catch (TraceFormatException e) {
      diagnostics.report(e.problem());
      damaged = wanted;
      return false;
    }
    for (int i = 0; i < columns.length; i++) {
      decoder.columns[i].reset(columns[i], columns[i].length);
    }
    decoder.reset(chunkFirst[wanted]);
    ids = ids(columns[ChunkEncoder.BLOCKS], chunkFirst[wanted], chunkBlocks[wanted]);
    read = 0;
    chunk = wanted;
    return true;
  }

  private long[] ids(byte[] column, long first, int blocks) throws IOException {
    // Two numbers of at least a byte for each.
    if (blocks > column.length / 2) {
      throw file.damaged("a chunk of " + blocks + " blocks in " + column.length + " bytes");
    }
    try {
      ColumnReader in = new ColumnReader(column);
      long[] found = new long[blocks];
      long id = first;
      for (int i = 0; i < blocks; i++) {
        id += in.next();
        in.next();
        found[i] = id;
      }
      return found;
    } catch (RuntimeException e) {
      throw file.damaged("a chunk with " + e.getMessage());
    }
  }

  private static KernelHeader header(ColumnReader in) {
    return new KernelHeader(
        in.nextText(),
        (int) in.next(),
        dim(in),
        dim(in),
        (int) in.next(),
        (int) in.next(),
        (int) in.next(),
        in.next(),
        in.next(),
        in.next(),
        in.nextText(),
        (int) in.next(),
        in.next() != 0,
        dim(in),
        extra(in));
  }

  private static Dim3 dim(ColumnReader in) {
    return new Dim3(
        in.nextInt(MOST_DIMENSION), in.nextInt(MOST_DIMENSION), in.nextInt(MOST_DIMENSION));
  }

  private static Map<String, String> extra(ColumnReader in) {
    Map<String, String> extra = new LinkedHashMap<>();
    for (int i = in.nextInt(in.remaining()); i > 0; i--) {
      String key = in.nextText();
      extra.put(key, in.nextText());
    }
    return extra;
  }

  private static ConstantOperand constant(ColumnReader in) {
    return switch (in.nextInt(2)) {
      case 0 -> null;
      case 1 -> ConstantOperand.NONE;
      default -> new ConstantOperand((int) in.next(), (int) in.nextSigned(), (int) in.nextSigned());
    };
  }

  private static List<Instruction> rows(ColumnReader in, int binaryVersion) {
    OpcodeTable opcodes = OpcodeTable.forBinaryVersion(binaryVersion);
    List<Instruction> rows = new ArrayList<>();
    int count = in.nextInt(in.remaining());
    for (int row = 0; row < count; row++) {
      int pc = (int) in.next();
      SourcePlace place = SourcePlace.ofLine((int) in.next());
      String text = in.nextText();
      rows.add(
          new Instruction(
              row,
              pc,
              () -> place,
              text,
              opcodes.lookup(text),
              registers(in),
              registers(in),
              (int) in.next(),
              in.nextSigned(),
              in.nextSigned(),
              in.next() != 0,
              (int) in.nextSigned(),
              in.next(),
              in.next(),
              in.nextText(),
              null));
    }
    return rows;
  }

  private static int[] registers(ColumnReader in) {
    int[] registers = new int[in.nextInt(in.remaining())];
    Arrays.setAll(registers, i -> (int) in.next());
    return registers;
  }

  @Override
  public void close() {}
}
