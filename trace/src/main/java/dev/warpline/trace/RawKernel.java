package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A kernel as the tracer writes it, {@code .trace}: lines of all blocks and warps in the order they
 * were executed, each with the block and warp it belongs to. The lines are sorted by block into a
 * {@link BlockSpool} when the first block is asked for.
 */
final class RawKernel implements KernelTrace {
  private final KernelSource source;
  private final Diagnostics diagnostics;
  private final KernelHeader header;
  private final KernelCode code;
  private final CodeTable table = new CodeTable();
  private final BlockAssembler assembler;
  private final InputStream in;
  private final LineReader lines;
  private BlockSpool spool;

  private int[] recordAt = new int[1024];

  RawKernel(KernelSource source, CodeFiles codes, Diagnostics diagnostics) throws IOException {
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
    assembler = new BlockAssembler(source.title(), false, header, code, table, diagnostics);
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
    if (spool == null) {
      spool = new BlockSpool();
      sort();
    }
    ByteBuffer records = spool.read(blockId);
    if (records == null) {
      return false;
    }
    assembler.beginBlock(into, blockId, header.warpsPerBlock());
    into.clusterRank = spool.clusterRank(blockId);
    int[] firstOfWarp = byWarp(records);
    for (int warp = 0; warp < header.warpsPerBlock(); warp++) {
      if (firstOfWarp[warp] == firstOfWarp[warp + 1]) {
        continue;
      }
      assembler.beginWarp(warp);
      for (int i = firstOfWarp[warp]; i < firstOfWarp[warp + 1]; i++) {
        int at = recordAt[i];
        int text = at + BlockSpool.RECORD_HEADER;
        int core = records.getInt(at + 12);
        int end = text + records.getInt(at + 16);
        assembler.line(records.array(), text, text + core, end, records.getLong(at + 4));
      }
      assembler.endWarp();
    }
    return true;
  }

  /** Orders a block's records by warp, stably; returns where each warp's begin. */
  private int[] byWarp(ByteBuffer records) {
    int warps = header.warpsPerBlock();
    int[] begin = new int[warps + 2];
    int count = 0;
    for (int at = 0; at < records.limit(); at = BlockSpool.next(records, at)) {
      begin[records.getInt(at) + 2]++;
      count++;
    }
    for (int i = 2; i < begin.length; i++) {
      begin[i] += begin[i - 1];
    }
    if (recordAt.length < count) {
      recordAt = new int[Math.max(count, recordAt.length * 2)];
    }
    for (int at = 0; at < records.limit(); at = BlockSpool.next(records, at)) {
      recordAt[begin[records.getInt(at) + 1]++] = at;
    }
    return begin;
  }

  private void sort() throws IOException {
    LinePrefix prefix = null;
    while (nextLine()) {
      byte[] b = lines.bytes();
      int from = lines.start();
      if (lines.isBlank() || b[from] == '#') {
        continue;
      }
      if (prefix == null) {
        prefix = LinePrefix.of(lines.text(), header.lineInfo());
      }
      int core = prefix == null ? -1 : prefix.read(b, from, lines.end());
      long block = core < 0 ? -1 : prefix.block(header.grid());
      if (block < 0 || prefix.warp() >= header.warpsPerBlock()) {
        diagnostics.report(
            new Problem(
                source.title(),
                lines.number(),
                1,
                Quote.of(lines.text()),
                "block x y z inside the grid "
                    + header.grid()
                    + ", a warp below "
                    + header.warpsPerBlock()
                    + ", then an instruction",
                Skipped.INSTRUCTION));
        continue;
      }
      spool.add(
          block, prefix.clusterRank(), prefix.warp(), lines.number(), b, from, core, lines.end());
    }
    GridCheck.reportMissing(
        source.title(), header, spool.blocks(), spool.firstMissing(), diagnostics);
  }

  private boolean nextLine() throws IOException {
    try {
      return lines.next();
    } catch (IOException e) {
      diagnostics.report(lines.damage(source.title(), e, Skipped.NOTHING));
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
    if (spool != null) {
      spool.close();
    }
  }
}
