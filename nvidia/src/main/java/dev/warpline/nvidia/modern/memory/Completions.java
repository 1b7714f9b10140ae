package dev.warpline.nvidia.modern.memory;

import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.operand.WritePorts;
import dev.warpline.nvidia.modern.warp.Warps;

/** Where memory instructions end: register file, dependence counters, the warp itself. */
final class Completions {
  private final Warps warps;
  private final Blocks blocks;
  private final WritePorts[] ports;

  Completions(Warps warps, Blocks blocks, WritePorts[] ports) {
    this.warps = warps;
    this.blocks = blocks;
    this.ports = ports;
  }

  /** The result of an instruction arrives at a cycle. */
  void finish(int w, CodeRow row, long issued, long arrives, byte why) {
    long when = ports[warps.subCoreOf(w)].load(row, w, arrives);
    warps.time.completes(w, row, issued, issued + warps.toAllocate, when, true);
    warps.written(w, row, when, why);
    blocks.memoryEnded(w, when);
  }

  void finish(PathEntry access, long arrives, byte why) {
    finish(access.warp, access.row, access.issued, arrives, why);
  }

  /** The sources of an instruction are read at a cycle. */
  void read(PathEntry access, long when, byte why) {
    warps.read(access.warp, access.row, when, why);
  }

  /** An instruction without a result of its own is over. */
  void over(int w, long when) {
    blocks.memoryEnded(w, when);
  }
}
