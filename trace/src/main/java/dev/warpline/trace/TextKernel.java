package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.io.InputStream;

/**
 * A kernel in the text format after post-processing, {@code .traceg}: blocks, warps, lines. Read
 * forwards as long as blocks are asked for in the file's order; an index of the whole file is made
 * for the first block that is not.
 */
final class TextKernel implements KernelTrace {
  /** Below this tracer version each line of a .traceg still begins with block and warp. */
  /** A plain file is read over such a distance rather than opened anew. */
  private static final int SHORT_SKIP = 1 << 20;

  private final KernelSource source;
  private final Diagnostics diagnostics;
  private final KernelHeader header;
  private final KernelCode code;
  private final CodeTable table = new CodeTable();
  private final BlockAssembler assembler;
  private final SharedShapes shapes = new SharedShapes();
  private final CommonRows common = new CommonRows();
  private final LinePrefix prefix;
  private final long bodyOffset;
  private final long bodyLine;

  private InputStream in;
  private LineReader lines;
  private boolean atEnd;

  /** The block whose {@code thread block} line was read last and whose warps come next, or -1. */
  private long pending = -1;

  /** Where that block begins: bytes and lines before it. */
  private long blockOffset;

  private long blockLine;

  /** The greatest block id met, and whether ids only grew, while there was no index. */
  private long passed = -1;

  private boolean ascending = true;
  private BlockIndex index;

  /** Blocks met while there was no index, and the first id that was jumped over, or -1. */
  private long found;

  private long firstGap = -1;
  private boolean ended;

  /** The last block of the grid. */
  private final long last;

  /** Lines before this one have had their structure checked: problems there are known. */
  private long checkedLines;

  private boolean endReported;

  TextKernel(KernelSource source, CodeFiles codes, Diagnostics diagnostics) throws IOException {
    this.source = source;
    this.diagnostics = diagnostics;
    in = source.open(0);
    lines = new LineReader(in, 0, 0);
    try {
      KernelHeader read = new HeaderReader(source.title(), diagnostics).read(lines);
      code = codes.find(read.name());
      header = read.withClusterOf(code);
      source.checkGrid(header);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
    bodyOffset = lines.nextOffset();
    bodyLine = Math.max(0, lines.number() - 1);
    assembler = new BlockAssembler(source.title(), false, header, code, table, diagnostics);
    prefix = header.dialect().namesWarpInLine() ? new LinePrefix(4) : null;
    last = header.grid().count() - 1;
  }

  @Override
  public KernelHeader header() {
    return header;
  }

  @Override
  public CodeTable code() {
    return table;
  }

  @Override
  public boolean hasControlBits() {
    return CodeFiles.hasControlBits(code);
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) throws IOException {
    if (index == null && blockId > passed) {
      while (pending >= 0 || findBlock()) {
        if (pending >= blockId || !ascending) {
          break;
        }
        skipBlock();
      }
      if (pending == blockId && ascending) {
        readBody(into);
        if (blockId == last) {
          readToTheEnd();
        }
        return true;
      }
      if (pending < 0 && ascending) {
        end();
        return false;
      }
    }
    if (index == null) {
      index = buildIndex();
    }
    int entry = index.find(blockId);
    if (entry < 0) {
      return false;
    }
    moveTo(index.offset(entry), index.line(entry));
    if (!findBlock() || pending != blockId) {
      throw new IOException(source.title() + " changed while it was read");
    }
    readBody(into);
    return true;
  }

  /** Looks at what follows the last block of the grid: nothing should. */
  private void readToTheEnd() throws IOException {
    while (findBlock()) {
      if (!ascending) {
        index = buildIndex();
        return;
      }
      skipBlock();
    }
    end();
  }

  /** All of the file was read in the order of block ids. */
  private void end() throws IOException {
    if (!ended) {
      ended = true;
      long missing = firstGap >= 0 ? firstGap : passed + 1;
      GridCheck.reportMissing(source.title(), header, found, missing, diagnostics);
    }
  }

  private BlockIndex buildIndex() throws IOException {
    BlockIndex built = new BlockIndex();
    reopen(bodyOffset, bodyLine);
    while (findBlock()) {
      built.add(pending, blockOffset, blockLine);
      skipBlock();
    }
    for (int entry : built.sort()) {
      diagnostics.report(
          new Problem(
              source.title(),
              built.line(entry) + 1,
              1,
              "thread block " + built.id(entry) + " for the second time",
              "each thread block once",
              Skipped.BLOCK));
    }
    if (!ended) {
      ended = true;
      GridCheck.reportMissing(
          source.title(), header, built.blocks(), built.firstMissing(), diagnostics);
    }
    return built;
  }

  private void moveTo(long offset, long line) throws IOException {
    long distance = offset - lines.nextOffset();
    if (atEnd || distance < 0 || distance > SHORT_SKIP && source.canSeek()) {
      reopen(offset, line);
      return;
    }
    pending = -1;
    while (lines.nextOffset() < offset && nextLine()) {
      // Over the blocks between.
    }
  }

  private void reopen(long offset, long line) throws IOException {
    in.close();
    in = source.open(offset);
    lines = new LineReader(in, offset, line);
    pending = -1;
    atEnd = false;
  }

  /** Moves over {@code #BEGIN_TB} and {@code thread block = x,y,z}; false at the end. */
  private boolean findBlock() throws IOException {
    blockOffset = lines.nextOffset();
    blockLine = lines.number();
    while (nextLine()) {
      if (lines.isBlank()) {
        continue;
      }
      boolean known = lines.number() <= checkedLines;
      checkedLines = Math.max(checkedLines, lines.number());
      if (lines.startsWith("#BEGIN_TB")) {
        blockOffset = lines.offset();
        blockLine = lines.number() - 1;
      } else if (lines.startsWith("thread block")) {
        long id = blockId();
        if (id >= 0) {
          if (index == null) {
            ascending &= id > passed;
            found++;
            if (firstGap < 0 && id > passed + 1) {
              firstGap = passed + 1;
            }
          }
          pending = id;
          return true;
        }
        if (!known) {
          report(
              lines.text(), "thread block = x,y,z inside the grid " + header.grid(), Skipped.BLOCK);
        }
        skipBlock();
      } else if (lines.bytes()[lines.start()] != '#' && !known) {
        report(lines.text(), "#BEGIN_TB or the end of the file", Skipped.INSTRUCTION);
      }
    }
    return false;
  }

  private void skipBlock() throws IOException {
    passed = Math.max(passed, pending);
    pending = -1;
    while (nextLine()) {
      if (lines.bytes()[lines.start()] == '#') {
        if (lines.startsWith("#END_TB")) {
          return;
        }
        if (lines.startsWith("#BEGIN_TB")) {
          lines.again();
          return;
        }
      }
    }
    reportEnd();
  }

  /** Reads the block whose {@code thread block} line was read last. */
  private void readBody(BlockTrace into) throws IOException {
    shapes.begin(into);
    common.begin(into);
    readLines(into);
    shapes.end(into);
    common.end(into);
  }

  private void readLines(BlockTrace into) throws IOException {
    long id = pending;
    long firstLine = lines.number();
    passed = Math.max(passed, id);
    pending = -1;
    assembler.beginBlock(into, id, header.warpsPerBlock());
    while (nextLine()) {
      byte[] b = lines.bytes();
      int from = lines.start();
      byte first = b[from];
      // "cluster ..." also begins with a hexadecimal digit.
      if (first >= '0' && first <= '9' || first >= 'a' && first <= 'f' && b[from + 1] != 'l') {
        instruction(b, from, id);
      } else if (lines.isBlank()) {
        continue;
      } else if (first == 'i' && lines.startsWith("insts")) {
        assembler.expectLines(numberAfterEquals(), lines.number());
      } else if (first == 'w' && lines.startsWith("warp")) {
        assembler.beginWarp(numberAfterEquals(), lines.text(), lines.number());
      } else if (lines.startsWith("#END_TB")) {
        assembler.endBlock();
        return;
      } else if (lines.startsWith("#BEGIN_TB")) {
        assembler.endBlock();
        report(
            "#BEGIN_TB",
            "#END_TB of the thread block that began on line " + firstLine,
            Skipped.NOTHING);
        lines.again();
        return;
      } else if (lines.startsWith("cluster rank")) {
        clusterRank(into);
      } else if (first != '#' && !lines.startsWith("cluster")) {
        report(lines.text(), "an instruction, warp =, insts = or #END_TB", Skipped.INSTRUCTION);
      }
    }
    assembler.endBlock();
    reportEnd();
  }

  private void clusterRank(BlockTrace into) throws IOException {
    long rank = numberAfterEquals();
    if (rank >= 0 && rank <= Integer.MAX_VALUE) {
      into.clusterRank = (int) rank;
    } else {
      report(lines.text(), "cluster rank = <number>", Skipped.NOTHING);
    }
  }

  private void instruction(byte[] b, int from, long blockId) throws IOException {
    int core = from;
    if (prefix != null) {
      core = prefix.read(b, from, lines.end());
      if (core < 0 || prefix.block(header.grid()) != blockId || prefix.warp() != assembler.warp()) {
        report(lines.text(), "block and warp of the lines above, then a PC", Skipped.INSTRUCTION);
        return;
      }
    }
    assembler.line(b, from, core, lines.end(), lines.number());
  }

  private long numberAfterEquals() {
    byte[] b = lines.bytes();
    int at = lines.start();
    int end = lines.end();
    while (at < end && b[at] != '=') {
      at++;
    }
    at++;
    while (at < end && (b[at] == ' ' || b[at] == '\t')) {
      at++;
    }
    long value = 0;
    int first = at;
    while (at < end && b[at] >= '0' && b[at] <= '9' && at - first < 18) {
      value = value * 10 + b[at++] - '0';
    }
    return at == first || at != end ? -1 : value;
  }

  private long blockId() {
    String text = lines.text();
    String[] parts = text.substring(text.indexOf('=') + 1).strip().split(",", -1);
    try {
      return parts.length != 3
          ? -1
          : LinePrefix.block(
              header.grid(),
              Integer.parseInt(parts[0].strip()),
              Integer.parseInt(parts[1].strip()),
              Integer.parseInt(parts[2].strip()));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private boolean nextLine() throws IOException {
    if (atEnd) {
      return false;
    }
    try {
      if (lines.next()) {
        return true;
      }
    } catch (IOException e) {
      // A damaged compressed stream: what came before it has been read and stands.
      endReported = true;
      diagnostics.report(lines.damage(source.title(), e, Skipped.NOTHING));
    }
    atEnd = true;
    return false;
  }

  private void reportEnd() throws IOException {
    if (!endReported) {
      endReported = true;
      report("the end of the file at byte " + lines.nextOffset(), "#END_TB", Skipped.NOTHING);
    }
  }

  private void report(String found, String expected, Skipped skipped) throws IOException {
    String shown = found.startsWith("the end") || found.startsWith("#") ? found : Quote.of(found);
    diagnostics.report(new Problem(source.title(), lines.number(), 1, shown, expected, skipped));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
