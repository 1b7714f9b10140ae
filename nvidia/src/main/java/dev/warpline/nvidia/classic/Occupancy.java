package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.gpu.SmSpec;
import dev.warpline.trace.KernelHeader;

/**
 * How many blocks of a kernel an SM holds, why not more, and what is left for the L1.
 *
 * @param blocks resident blocks per SM
 * @param limiter threads, shared memory, registers, blocks or grid
 * @param l1Ways ways of the L1 once shared memory has its part
 */
record Occupancy(int blocks, String limiter, int l1Ways) {
  static Occupancy of(KernelHeader kernel, SmSpec sm, ClassicCoreSpec core) {
    int padded = kernel.warpsPerBlock() * 32;
    int blocks = sm.warps() * 32 / padded;
    String limiter = "threads";
    if (kernel.sharedBytes() > 0) {
      int byShared = sm.l1().sharedBytes() / kernel.sharedBytes();
      if (byShared < blocks) {
        blocks = byShared;
        limiter = "shared memory";
      }
    }
    int registers = registers(kernel);
    if (registers > 0 && sm.registers() / registers < blocks) {
      blocks = sm.registers() / registers;
      limiter = "registers";
    }
    if (sm.blocks() < blocks) {
      blocks = sm.blocks();
      limiter = "blocks";
    }
    if (blocks < 1) {
      // A kernel of a larger GPU: run it all the same, one block at a time.
      blocks = 1;
    }
    long sms = sm.count();
    long grid = kernel.grid().count();
    if (grid < blocks * sms) {
      blocks = (int) Math.max(1, (grid + sms - 1) / sms);
      limiter = "grid";
    }
    return new Occupancy(blocks, limiter, ways(kernel, sm, core, blocks));
  }

  /** Registers of a block. */
  static int registers(KernelHeader kernel) {
    return kernel.warpsPerBlock() * 32 * (kernel.registers() + 3 & ~3);
  }

  /** The most ways that the L1 can have. */
  static int maxWays(SmSpec sm, ClassicCoreSpec core) {
    if (!sm.l1().unified()) {
      return core.l1().cache().ways();
    }
    return (int)
        (core.l1().cache().ways() * (sm.l1().sizeKiB() * 1024L) / core.l1().cache().bytes());
  }

  private static int ways(KernelHeader kernel, SmSpec sm, ClassicCoreSpec core, int blocks) {
    int most = maxWays(sm, core);
    if (!sm.l1().unified()) {
      return most;
    }
    long total = (long) kernel.sharedBytes() * blocks;
    int chosen = 0;
    for (int option : sm.l1().sharedOptionsKiB()) {
      chosen = option;
      if (option * 1024L >= total) {
        break;
      }
    }
    return Math.max(1, (int) Math.round(most * (1 - (double) chosen / sm.l1().sizeKiB())));
  }
}
