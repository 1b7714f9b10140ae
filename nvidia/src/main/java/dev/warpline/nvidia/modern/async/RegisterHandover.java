package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.hopper.RegisterPool;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.warp.Warps;

/** USETMAXREG: warps of a block give registers away and wait for those they want. */
final class RegisterHandover {
  private static final byte MISC = (byte) StallReason.MISC.ordinal();

  /** Between a release or a request that can be met and the warp's going on. */
  private final int cycles;

  private final Warps warps;
  private final Blocks blocks;
  private final RegisterPool[] pools;
  private final int[] blockWarps;

  /** By warp; 0 if it does not wait. */
  private final int[] wanted;

  RegisterHandover(int cycles, Warps warps, Blocks blocks) {
    this.cycles = cycles;
    this.warps = warps;
    this.blocks = blocks;
    pools = new RegisterPool[blocks.places()];
    blockWarps = new int[blocks.places()];
    wanted = new int[warps.slots];
  }

  void startBlock(int place, int count, int registers) {
    pools[place] = new RegisterPool(count, registers);
    blockWarps[place] = count;
  }

  void startWarp(int w) {
    wanted[w] = 0;
  }

  void give(int w, int registers, long now) {
    int place = warps.get(w).block;
    pools[place].release(warps.get(w).warpOfBlock, registers);
    for (int i = 0; i < blockWarps[place]; i++) {
      int other = blocks.warpAt(place, i);
      if (other >= 0 && wanted[other] > 0 && pools[place].request(i, wanted[other])) {
        wanted[other] = 0;
        warps.free(other, now + cycles);
      }
    }
  }

  void take(int w, int registers) {
    if (!pools[warps.get(w).block].request(warps.get(w).warpOfBlock, registers)) {
      wanted[w] = registers;
      warps.hold(w, Warps.NEVER, MISC);
    }
  }
}
