package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.Async;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.BlockTrace;
import java.util.function.IntFunction;

/** The asynchronous units of an SM: gives each instruction to the unit that it is for. */
public final class AsyncUnits {
  private static final byte MBARRIER = (byte) StallReason.MBARRIER.ordinal();
  private static final byte COPY = (byte) StallReason.ASYNC_COPY.ordinal();
  private static final byte MISC = (byte) StallReason.MISC.ordinal();
  private static final int SHARED_WINDOW = 0xffffff;

  private final ModernCoreSpec.Async spec;
  private final Warps warps;
  private final Clusters clusters;
  private final MbarrierUnit mbarriers;
  private final CopyUnit copies;
  private final MatrixUnit matrices;
  private final RegisterHandover registers;
  private final int fixedRead;
  private final CopyGroups groups;

  /** Whether a unit may have something to do: none has before the first instruction for one. */
  private boolean used;

  /**
   * @param fixedRead when sources of an instruction that waits for nothing are free
   */
  public AsyncUnits(
      ModernCoreSpec.Async spec,
      int fixedRead,
      Requests requests,
      Warps warps,
      Blocks blocks,
      PathPasses path,
      Counters counters) {
    this.spec = spec;
    this.fixedRead = fixedRead;
    this.warps = warps;
    clusters = new Clusters(spec, warps, blocks);
    mbarriers = new MbarrierUnit(spec, warps, blocks, clusters);
    clusters.connect(mbarriers);
    copies = new CopyUnit(spec, requests, warps, blocks, path, clusters, mbarriers);
    matrices = new MatrixUnit(spec, warps, blocks, path);
    registers = new RegisterHandover(spec.handoverCycles(), warps, blocks);
    groups = new CopyGroups(warps, mbarriers);
    counters.add("copies.", copies.engine());
  }

  public void startKernel() {
    used = false;
    clusters.startKernel();
    mbarriers.startKernel();
    copies.startKernel();
    matrices.startKernel();
  }

  /**
   * A block arrives.
   *
   * @param rank in its cluster
   * @param sms the cluster's SMs by rank, with the places of its blocks; null without a cluster
   */
  public void startBlock(int place, int count, int perThread, int rank, int[] sms, int[] places) {
    clusters.startBlock(place, rank, sms, places);
    mbarriers.startBlock(place);
    matrices.startBlock(place, count);
    registers.startBlock(place, count, perThread);
  }

  public void startWarp(int w) {
    mbarriers.startWarp(w);
    copies.startWarp(w);
    matrices.startWarp(w);
    registers.startWarp(w);
  }

  public CopyUnit copies() {
    return copies;
  }

  public Clusters clusters() {
    return clusters;
  }

  public CopyGroups groups() {
    return groups;
  }

  /** What went wrong, null as long as nothing did. */
  public String failure() {
    return mbarriers.failure() != null ? mbarriers.failure() : clusters.failure();
  }

  public long next() {
    return used
        ? Math.min(copies.next(), Math.min(mbarriers.next(), clusters.next()))
        : Warps.NEVER;
  }

  public void step(long now) {
    copies.step(now);
    mbarriers.step(now);
    clusters.step(now);
  }

  /** An instruction for one of the units issues. */
  public void execute(int w, CodeRow row, int index, long now) {
    used = true;
    BlockTrace trace = warps.get(w).trace;
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    boolean acts = mask != 0;
    switch (row.async) {
      case Async.BARRIER_INIT, Async.BARRIER_ARRIVE, Async.BARRIER_EXPECT, Async.BARRIER_BRING -> {
        tested(w, row, now);
        mbarriers.change(w, row, index, now);
      }
      case Async.BARRIER_WAIT -> {
        if (acts && payload >= 0 && mbarriers.nextPoll(w, index) < 0) {
          mbarriers.await(w, row, index, now);
        } else {
          tested(w, row, now);
        }
      }
      case Async.LOAD, Async.STORE, Async.REDUCTION, Async.PREFETCH -> {
        known(w, row, now + spec.copyCycles(), now + spec.copyCycles(), COPY, now);
        if (acts && payload >= 0) {
          copies.start(w, row, trace.data(), payload, now);
        }
      }
      case Async.FLUSH -> {
        long read = Math.max(now + warps.toAllocate, copies.storesRead(w));
        known(w, row, read, read, COPY, now);
        if (!warps.get(w).controlled) {
          warps.hold(w, read, COPY);
        }
      }
      case Async.PRODUCT -> matrices.product(w, row, now);
      case Async.GROUP_ARRIVE -> matrices.meet(w, now);
      case Async.GROUP_WAIT -> matrices.await(w, row.groups, now);
      case Async.GIVE_REGISTERS -> {
        if (acts) {
          registers.give(w, row.groups, now);
        }
        handedOver(w, row, now);
      }
      case Async.TAKE_REGISTERS -> {
        handedOver(w, row, now);
        if (acts) {
          registers.take(w, row.groups);
        }
      }
      case Async.CLUSTER_ARRIVE -> clusters.arrive(warps.get(w).block, now);
      case Async.CLUSTER_WAIT -> clusters.await(w, now);
      case Async.COPIES_ARRIVE -> {
        tested(w, row, now);
        if (acts && payload >= 0) {
          int at = mbarriers.address(trace.data(), payload, mask) & SHARED_WINDOW;
          groups.arriveAfter(w, at, Integer.bitCount(mask), now);
        }
      }
      default -> known(w, row, now + spec.barrierCycles(), now + fixedRead, MISC, now);
    }
  }

  private void tested(int w, CodeRow row, long now) {
    known(w, row, now + spec.testCycles(), now + spec.barrierCycles(), MBARRIER, now);
  }

  private void handedOver(int w, CodeRow row, long now) {
    long when = now + spec.handoverCycles();
    known(w, row, when, when, MISC, now);
  }

  private void known(int w, CodeRow row, long result, long sourcesFree, byte why, long now) {
    warps.known(w, row, result, sourcesFree, why, now);
  }

  /**
   * Where a warp's trace polls the same mbarrier again for the same phase: index of that poll, else
   * -1.
   */
  public int nextPoll(int w, int index) {
    return mbarriers.nextPoll(w, index);
  }

  /** A warp of a block issued its last instruction. */
  public void warpEnded(int place, long now) {
    clusters.blockArrivedIfComplete(place, now);
  }

  /** Hands the window's news to other SMs of clusters; between windows. */
  public void deliver(IntFunction<AsyncUnits> bySm, long limit) {
    clusters.deliver(sm -> bySm.apply(sm).toldByOthers(), limit);
  }

  private Clusters toldByOthers() {
    used = true;
    return clusters;
  }

  /** What a warp that waits for an mbarrier waits for. */
  public String describe(int w) {
    return mbarriers.describe(w);
  }
}
