package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A kernel in the text format after post-processing, {@code .traceg}: blocks, warps, lines. */
final class TextKernel implements KernelTrace {
  private final KernelSource source;
  private final Diagnostics diagnostics;
  private final KernelHeader header;
  private final KernelCode code;
  private final CodeTable table = new CodeTable();
  private final BlockAssembler assembler;
  private final long bodyOffset;
  private final long bodyLine;

  private InputStream in;
  private LineReader lines;

  /** Id of the block whose first lines were just read, or -1. */
  private long pending = -1;

  /**
   * The greatest block id passed since the beginning, and whether all ids came in ascending order.
   */
  private long passed = -1;

  private boolean atEnd;
  private BlockIndex index;

  TextKernel(KernelSource source, CodeFiles codes, Diagnostics diagnostics) throws IOException {
    this.source = source;
    this.diagnostics = diagnostics;
    in = source.open(0);
    lines = new LineReader(in, 0, 0);
    try {
      KernelHeader read = new HeaderReader(source.title(), diagnostics).read(lines);
      code = codes.find(read.name());
      header = read.withClusterOf(code);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
    bodyOffset = lines.nextOffset();
    bodyLine = lines.number() - 1;
    assembler = new BlockAssembler(source.title(), header, code, table, diagnostics);
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
    return code != null && code.control(0) != dev.warpline.isa.ControlBits.ABSENT;
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) throws IOException {
    if (index == null && blockId > passed) {
      while (pending >= 0 || findBlock()) {
        if (pending >= blockId) {
          break;
        }
        skipBlock();
      }
      if (pending == blockId) {
        readBody(into);
        return true;
      }
      if (pending < 0 && passed < blockId && ascending) {
        return false;
      }
    }
    return readIndexed(blockId, into);
  }

  private boolean ascending = true;

  /** Reads a block that is not the next one: by an index of the whole file. */
  private boolean readIndexed(long blockId, BlockTrace into) throws IOException {
    if (index == null) {
      index = buildIndex();
    }
    int entry = index.find(blockId);
    if (entry < 0) {
      return false;
    }
    seek(index.offset(entry), index.line(entry));
    if (!findBlock() || pending != blockId) {
      throw new IOException(source.title() + " changed while it was read");
    }
    readBody(into);
    return true;
  }

  private BlockIndex buildIndex() throws IOException {
    BlockIndex built = new BlockIndex();
    seek(bodyOffset, bodyLine);
    while (findBlock()) {
      built.add(pending, blockOffset, blockLine);
      skipBlock();
    }
    built.sort();
    return built;
  }

  private long blockOffset;
  private long blockLine;

  private void seek(long offset, long line) throws IOException {
    in.close();
    in = source.open(offset);
    lines = new LineReader(in, offset, line);
    pending = -1;
    atEnd = false;
  }

  /** Moves over {@code #BEGIN_TB} and {@code thread block = x,y,z}; sets {@link #pending}. */
  private boolean findBlock() throws IOException {
    while (nextLine()) {
      if (lines.startsWith("#BEGIN_TB")) {
        blockOffset = lines.offset();
        blockLine = lines.number() - 1;
      } else if (lines.startsWith("thread block")) {
        long id = blockId();
        if (id >= 0) {
          if (id <= passed && index == null) {
            ascending = false;
          }
          pending = id;
          return true;
        }
        skipBlock();
      } else if (lines.start() != lines.end() && lines.bytes()[lines.start()] != '#') {
        report(lines.text(), "#BEGIN_TB", Skipped.INSTRUCTION);
      }
    }
    return false;
  }

  private void skipBlock() throws IOException {
    passed = Math.max(passed, pending);
    pending = -1;
    while (nextLine()) {
      if (lines.start() < lines.end() && lines.bytes()[lines.start()] == '#') {
        if (lines.startsWith("#END_TB")) {
          return;
        }
        if (lines.startsWith("#BEGIN_TB")) {
          lines.again();
          return;
        }
      }
    }
  }

  /** Reads the block whose {@code thread block} line was just read. */
  private void readBody(BlockTrace into) throws IOException {
    int warps = header.warpsPerBlock();
    assembler.beginBlock(into, pending, warps);
    passed = Math.max(passed, pending);
    pending = -1;
    int warp = -1;
    long expected = -1;
    long found = 0;
    boolean skipWarp = true;
    while (true) {
      if (!nextLine()) {
        assembler.endWarp();
        return;
      }
      byte[] b = lines.bytes();
      int from = lines.start();
      int to = lines.end();
      if (from == to) {
        continue;
      }
      byte first = b[from];
      if (first >= '0' && first <= '9' || first >= 'a' && first <= 'f' && b[from + 1] != 'l') {
        found++;
        if (!skipWarp) {
          assembler.line(b, from, to, lines.number());
        }
        continue;
      }
      if (first == 'i' && lines.startsWith("insts")) {
        expected = number();
      } else if (first == 'w' && lines.startsWith("warp")) {
        assembler.endWarp();
        warp = (int) number();
        found = 0;
        skipWarp = warp < 0 || warp >= warps;
        if (!skipWarp) {
          assembler.beginWarp(warp);
        }
      } else if (lines.startsWith("#END_TB")) {
        assembler.endWarp();
        return;
      } else if (lines.startsWith("#BEGIN_TB")) {
        assembler.endWarp();
        lines.again();
        return;
      }
    }
  }

  private long number() {
    String text = lines.text();
    int equals = text.indexOf('=');
    try {
      return Long.parseLong(text.substring(equals + 1).strip());
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private long blockId() throws IOException {
    String text = lines.text();
    String[] parts = text.substring(text.indexOf('=') + 1).strip().split(",", -1);
    try {
      if (parts.length == 3) {
        int x = Integer.parseInt(parts[0].strip());
        int y = Integer.parseInt(parts[1].strip());
        int z = Integer.parseInt(parts[2].strip());
        Dim3 grid = header.grid();
        if (x >= 0 && y >= 0 && z >= 0 && x < grid.x() && y < grid.y() && z < grid.z()) {
          return grid.linear(x, y, z);
        }
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    report(text, "thread block = x,y,z inside the grid " + header.grid(), Skipped.BLOCK);
    return -1;
  }

  private boolean nextLine() throws IOException {
    if (atEnd) {
      return false;
    }
    if (lines.next()) {
      return true;
    }
    atEnd = true;
    return false;
  }

  private void report(String found, String expected, Skipped skipped) throws IOException {
    diagnostics.report(
        new Problem(source.title(), lines.number(), 1, Quote.of(found), expected, skipped));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
