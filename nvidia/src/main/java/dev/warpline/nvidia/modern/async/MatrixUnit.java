package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.hopper.WarpgroupProducts;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;

/** Warpgroup matrix products of an SM: four warps meet, issue together and wait for groups. */
final class MatrixUnit {
  private static final byte GMMA = (byte) StallReason.GMMA.ordinal();
  private static final int MEMBERS = 4;

  private final ModernCoreSpec.Async spec;
  private final Warps warps;
  private final Blocks blocks;
  private final PathPasses path;

  /** Made, as the arrivals are, when a warp first meets others. */
  private WarpgroupProducts products;

  /** By warp: groups that may be left when it goes on, -1 if it does not wait. */
  private final int[] allowedGroups;

  // By block place and warp of the block.
  private long[] arrivals;
  private final int[] blockWarps;

  MatrixUnit(ModernCoreSpec.Async spec, Warps warps, Blocks blocks, PathPasses path) {
    this.spec = spec;
    this.warps = warps;
    this.blocks = blocks;
    this.path = path;
    allowedGroups = new int[warps.slots];
    blockWarps = new int[blocks.places()];
  }

  void startKernel() {
    if (products != null) {
      products.startKernel();
    }
  }

  private void need() {
    if (products == null) {
      int n = blocks.places() * Blocks.WARPS;
      products = new WarpgroupProducts(spec, n);
      arrivals = new long[n];
    }
  }

  void startBlock(int place, int count) {
    blockWarps[place] = count;
    if (products == null) {
      return;
    }
    Arrays.fill(arrivals, place * Blocks.WARPS, (place + 1) * Blocks.WARPS, 0);
    int groups = Blocks.WARPS / MEMBERS;
    for (int g = 0; g < groups; g++) {
      products.start(place * groups + g);
    }
  }

  void startWarp(int w) {
    allowedGroups[w] = -1;
  }

  private int member(int w) {
    return warps.get(w).block * Blocks.WARPS + warps.get(w).warpOfBlock;
  }

  /** Number in the block of the first warp of a warp's group. */
  private int firstMember(int w) {
    return warps.get(w).warpOfBlock / MEMBERS * MEMBERS;
  }

  /** A warp issues its part of a product. */
  void product(int w, CodeRow row, long now) {
    need();
    long end = products.issue(member(w), now, row.columns, row.sharedOperand, row.commitsGroup);
    if (end < 0) {
      return;
    }
    path.steal((int) (row.operandLines * spec.operandShare()));
    for (int i = 0; i < MEMBERS; i++) {
      int sibling = blocks.warpAt(warps.get(w).block, firstMember(w) + i);
      if (sibling >= 0) {
        // A warp does not end before its products.
        warps.lastsUntil(sibling, end);
        if (sibling != w && allowedGroups[sibling] >= 0) {
          waitForGroups(sibling, now);
          warps.reschedule(sibling);
        }
      }
    }
  }

  /** WARPGROUP.DEPBAR: waits until so many groups are left. */
  void await(int w, int groups, long now) {
    need();
    allowedGroups[w] = groups;
    waitForGroups(w, now);
  }

  private void waitForGroups(int w, long now) {
    if (!products.inStep(member(w))) {
      warps.hold(w, Warps.NEVER, GMMA);
      return;
    }
    if (!warps.get(w).code.commitsKnown) {
      products.commit(member(w));
    }
    warps.hold(w, Math.max(now, products.readyAt(member(w), allowedGroups[w])), GMMA);
    allowedGroups[w] = -1;
  }

  /** WARPGROUP.ARRIVE: the four warps meet. */
  void meet(int w, long now) {
    need();
    int place = warps.get(w).block;
    int first = firstMember(w);
    int base = place * Blocks.WARPS + first;
    long mine = ++arrivals[member(w)];
    int members = Math.min(MEMBERS, blockWarps[place] - first);
    for (int i = 0; i < members; i++) {
      if (arrivals[base + i] < mine) {
        warps.hold(w, Warps.NEVER, GMMA);
        return;
      }
    }
    for (int i = 0; i < members; i++) {
      int sibling = blocks.warpAt(place, first + i);
      if (sibling == w) {
        warps.hold(w, now + spec.rendezvousCycles(), GMMA);
      } else if (sibling >= 0 && arrivals[base + i] == mine) {
        warps.free(sibling, now + spec.rendezvousCycles());
      }
    }
  }
}
