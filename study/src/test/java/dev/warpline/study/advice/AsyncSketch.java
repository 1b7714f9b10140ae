package dev.warpline.study.advice;

import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryTrace;
import dev.warpline.trace.TraceSet;

/** Small kernels of Hopper's asynchronous units: a block for each SM of a cluster. */
final class AsyncSketch implements Twins.Kernel {
  private static final int BARRIER = 0x400;
  private static final String INIT_ONE = "Val 1 0x1ffffe 1 0x7ffff800";

  private final int blocks;
  private final KernelBuilder kernel;
  private int pc;

  AsyncSketch(int blocks) {
    this.blocks = blocks;
    kernel =
        new KernelBuilder("sketch")
            .tracerVersion(6)
            .registers(64)
            .sharedBytes(40_000)
            .grid(blocks, 1, 1)
            .cluster(blocks, 1, 1)
            .windows(0x7f00_0000_0000L, 0x7f80_0000_0000L);
  }

  private AsyncSketch line(String text, Object... values) {
    kernel.line(String.format("%04x ", pc) + String.format(text, values));
    pc += 16;
    return this;
  }

  private void begin(int block, int warp) {
    kernel.warp(block, warp);
    pc = 0;
  }

  private void arithmetic(int count) {
    for (int i = 0; i < count; i++) {
      line("ffffffff 1 R4 FFMA 3 R4 R5 R6 0 0 0 NoVal");
    }
  }

  private AsyncSketch end() {
    return line("ffffffff 0 EXIT 0 0 0 0 NoVal");
  }

  /** Bulk copies into shared memory, arithmetic behind the start of each. */
  AsyncSketch copies(int count, int bytes, int meanwhile) {
    begin(0, 0);
    line("00000001 0 SYNCS.EXCH.64 0 8 2 0x%x 0 0 " + INIT_ONE, BARRIER);
    for (int i = 0; i < count; i++) {
      line(
          "00000001 1 R255 SYNCS.ARRIVE.TRANS64 1 R2 4 2 0x%x 0 0 Val 1 0x%x 1 0x0",
          BARRIER, bytes);
      line(
          "00000001 0 UBLKCP.S.G 0 32 0x%x 0 %d 0 4 0x7f1000000000 %d%s 0 0 NoVal",
          BARRIER, bytes, bytes / 32, " 32".repeat(bytes / 32 - 1));
      arithmetic(meanwhile);
      line(
          "ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R6 R3 4 1 0x%x 0 0 0 Val 1 0x%x 1 0x0",
          BARRIER, (i & 1) << 31);
    }
    return end();
  }

  /** Products of a warpgroup, arithmetic, and the wait for them. */
  AsyncSketch products(int count, int meanwhile) {
    kernel.block(128, 1, 1);
    for (int warp = 0; warp < 4; warp++) {
      begin(0, warp);
      line("ffffffff 0 WARPGROUP.ARRIVE 0 0 0 0 NoVal");
      for (int i = 1; i <= count; i++) {
        line("ffffffff 1 R24 HGMMA.64x128x16.F32 1 R24 %d 0 0 0 NoVal", i == count ? 1 : 0);
      }
      arithmetic(meanwhile);
      line("ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 0 0 NoVal");
      end();
    }
    return this;
  }

  /** Loads from the shared memory of the block that is so much further on. */
  AsyncSketch loads(int count, int further) {
    for (int block = 0; block < blocks; block++) {
      begin(block, 0);
      long base = 0x7f00_0000_0400L + 0x0100_0000L * ((block + further) % blocks);
      for (int i = 0; i < count; i++) {
        line("ffffffff 1 R4 LD.E 1 R2 4 1 0x%x 4 0 0 NoVal", base);
        line("ffffffff 1 R5 FADD 2 R4 R5 0 0 0 NoVal");
      }
      end();
    }
    return this;
  }

  /** A warp that waits for registers, and one that gives them up before or behind its work. */
  AsyncSketch handover(boolean early) {
    kernel.block(64, 1, 1).registers(168);
    begin(0, 0);
    line("ffffffff 0 USETMAXREG.TRY_ALLOC.CTAPOOL 0 0 240 0 NoVal");
    arithmetic(600);
    end();
    kernel.warp(0, 1);
    if (early) {
      line("ffffffff 0 USETMAXREG.DEALLOC.CTAPOOL 0 0 40 0 NoVal");
    }
    arithmetic(600);
    if (!early) {
      line("ffffffff 0 USETMAXREG.DEALLOC.CTAPOOL 0 0 40 0 NoVal");
    }
    return end();
  }

  @Override
  public TraceSet trace() {
    return new MemoryTrace("sketch").launch(kernel.build());
  }
}
