package dev.warpline.nvidia.modern.launch;

import dev.warpline.engine.gpu.SmSpec;
import dev.warpline.trace.KernelHeader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many blocks of a kernel fit on an SM, what limits them, and how the driver divides the array
 * between L1 and shared memory for it.
 *
 * @param blocks resident blocks of an SM
 * @param limiter what allows no more
 * @param sharedKiB shared part of the array
 * @param limits blocks that each of the limits would allow
 */
public record Residency(int blocks, String limiter, int sharedKiB, Map<String, Integer> limits) {

  private static final int WARP = 32;

  public static Residency of(SmSpec sm, KernelHeader kernel) {
    int warps = kernel.warpsPerBlock();
    int byWarps = sm.warps() / warps;
    int perWarp = registersPerWarp(sm, kernel);
    // Registers are divided between the sub-cores, whole warps each.
    int warpsByRegisters =
        perWarp == 0 ? sm.warps() : sm.registers() / sm.subCores() / perWarp * sm.subCores();
    int byRegisters = warpsByRegisters / warps;
    int perBlock = kernel.sharedBytes() + sm.l1().reservedSharedBytesPerBlock();
    int byShared = perBlock == 0 ? sm.blocks() : sm.l1().sharedBytes() / perBlock;
    int blocks = Math.min(Math.min(byWarps, byRegisters), Math.min(byShared, sm.blocks()));
    String limiter =
        blocks == byWarps
            ? "threads"
            : blocks == byRegisters ? "registers" : blocks == byShared ? "shared memory" : "blocks";
    int byGrid = (int) Math.min(sm.blocks(), (kernel.grid().count() + sm.count() - 1) / sm.count());
    if (byGrid < blocks) {
      limiter = "grid";
    }
    Map<String, Integer> limits = new LinkedHashMap<>();
    limits.put("threads", byWarps);
    limits.put("registers", byRegisters);
    limits.put("shared memory", byShared);
    limits.put("blocks", sm.blocks());
    limits.put("grid", byGrid);
    int wanted = Math.min(Math.min(byWarps, byRegisters), sm.blocks());
    return new Residency(
        blocks, limiter, carveOut(sm.l1(), wanted, kernel.sharedBytes(), perBlock), limits);
  }

  /** Registers that a warp takes. */
  static int registersPerWarp(SmSpec sm, KernelHeader kernel) {
    return roundUp(kernel.registers() * WARP, sm.registerUnit());
  }

  private static int roundUp(int value, int unit) {
    return (value + unit - 1) / unit * unit;
  }

  /**
   * The driver's choice, as seen on an H200: a kernel without shared memory gets a little for each
   * block that could run, up to a limit; one with it gets one size more than its blocks need, until
   * that would cost L1 most of its room.
   */
  private static int carveOut(SmSpec.L1Spec l1, int blocks, int shared, int perBlock) {
    List<Integer> sizes = l1.sharedOptionsKiB();
    if (!l1.unified() || sizes.isEmpty()) {
      return l1.sharedBytes() >> 10;
    }
    if (shared == 0) {
      int unused = Math.min(l1.mostUnusedSharedKiB(), l1.unusedSharedKiB() * blocks);
      return fit(sizes, Math.max(blocks * (perBlock >> 10), unused));
    }
    int needed =
        (int) Math.min(sizes.get(sizes.size() - 1), ((long) blocks * perBlock + 1023) >> 10);
    int size = fit(sizes, needed);
    int at = sizes.indexOf(size);
    boolean roomLeft = 2 * size < l1.sizeKiB();
    return roomLeft && at + 1 < sizes.size() ? sizes.get(at + 1) : size;
  }

  private static int fit(List<Integer> sizes, int needed) {
    for (int size : sizes) {
      if (size >= needed) {
        return size;
      }
    }
    return sizes.get(sizes.size() - 1);
  }
}
