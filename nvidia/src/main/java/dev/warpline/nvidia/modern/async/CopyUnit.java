package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.hopper.CopyEngine;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.Async;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;

/** Bulk and tensor copies of an SM: hands commands to the engine and tells mbarriers what came. */
public final class CopyUnit {
  private static final int SHARED_WINDOW = 0xffffff;

  private final Warps warps;
  private final Blocks blocks;
  private final PathPasses path;
  private final Clusters clusters;
  private final MbarrierUnit mbarriers;
  private final CopyEngine engine;

  /** By warp: when its copies out of shared memory have read their sources. */
  private final long[] storesRead;

  CopyUnit(
      ModernCoreSpec.Async spec,
      Requests requests,
      Warps warps,
      Blocks blocks,
      PathPasses path,
      Clusters clusters,
      MbarrierUnit mbarriers) {
    this.warps = warps;
    this.blocks = blocks;
    this.path = path;
    this.clusters = clusters;
    this.mbarriers = mbarriers;
    engine = new CopyEngine(spec, requests);
    storesRead = new long[warps.slots];
  }

  void startKernel() {
    engine.startKernel();
  }

  void startWarp(int w) {
    storesRead[w] = 0;
  }

  /** The part that counts. */
  CopyEngine engine() {
    return engine;
  }

  long next() {
    return engine.next();
  }

  void step(long now) {
    if (engine.next() <= now) {
      engine.step(now);
    }
  }

  /** When a warp's copies out of shared memory have read their sources. */
  long storesRead(int w) {
    return storesRead[w];
  }

  void start(int w, CodeRow row, long[] data, int payload, long now) {
    CopyEngine.Kind kind =
        switch (row.async) {
          case Async.LOAD -> CopyEngine.Kind.LOAD;
          case Async.STORE -> CopyEngine.Kind.STORE;
          case Async.REDUCTION -> CopyEngine.Kind.REDUCTION;
          default -> CopyEngine.Kind.PREFETCH;
        };
    int copy = engine.submit(kind, w, row.tensorMap, data, payload, now);
    if (kind == CopyEngine.Kind.STORE || kind == CopyEngine.Kind.REDUCTION) {
      storesRead[w] = Math.max(storesRead[w], engine.landed(copy));
    }
    // The block lives until its copies are over.
    warps.memoryBegins(w);
    if (engine.lines(copy) == 0) {
      landed(copy);
    }
  }

  /** A request of a copy was answered. */
  public void answered(int copy, long when) {
    if (engine.answered(copy, when)) {
      landed(copy);
    }
  }

  private void landed(int copy) {
    int w = engine.owner(copy);
    int place = warps.get(w).block;
    long when = engine.landed(copy);
    if (engine.kind(copy) == CopyEngine.Kind.LOAD) {
      int at = engine.barrier(copy) & SHARED_WINDOW;
      int targets = engine.targets(copy);
      long bytes = engine.bytes(copy);
      path.steal(engine.lines(copy));
      if (targets == 0) {
        mbarriers.later(when, MbarrierUnit.BRING, place, at, 0, bytes);
      } else {
        for (int m = targets; m != 0; m &= m - 1) {
          int rank = Integer.numberOfTrailingZeros(m);
          clusters.send(place, rank, when, MbarrierUnit.BRING, at, 0, bytes);
        }
      }
    }
    engine.forget(copy);
    blocks.memoryEnded(w, when);
  }
}
