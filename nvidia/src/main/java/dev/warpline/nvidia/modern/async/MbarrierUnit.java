package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.hopper.Mbarriers;
import dev.warpline.nvidia.hopper.UninitialisedBarrierException;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.Async;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Payload;

/** The mbarriers of an SM's blocks: arrivals, announced and brought bytes, and who waits. */
public final class MbarrierUnit {
  // News, all below those of clusters.
  private static final int ARRIVE = 0;
  private static final int EXPECT = 1;
  static final int BRING = 2;
  private static final int TEST = 3;

  private static final byte MBARRIER = (byte) StallReason.MBARRIER.ordinal();
  private static final int SHARED_WINDOW = 0xffffff;

  /** Instructions of a polling loop, at most. */
  private static final int POLL_LOOP = 12;

  private final ModernCoreSpec.Async spec;
  private final Warps warps;
  private final Blocks blocks;
  private final Clusters clusters;
  private final Mbarriers[] barriers;
  private final Events events = new Events();
  private final long[] lanes = new long[32];
  private String failure;

  // By warp: barriers it still waits for, the counter that says so, the last barrier tested.
  private final int[] waitsFor;
  private final int[] waitCounter;
  private final int[] waitAddress;

  MbarrierUnit(ModernCoreSpec.Async spec, Warps warps, Blocks blocks, Clusters clusters) {
    this.spec = spec;
    this.warps = warps;
    this.blocks = blocks;
    this.clusters = clusters;
    barriers = new Mbarriers[blocks.places()];
    waitsFor = new int[warps.slots];
    waitCounter = new int[warps.slots];
    waitAddress = new int[warps.slots];
  }

  void startKernel() {
    events.clear();
    failure = null;
  }

  void startBlock(int place) {
    if (barriers[place] != null) {
      barriers[place].clear();
    }
  }

  void startWarp(int w) {
    waitsFor[w] = 0;
  }

  /** Those of a block; most have none. */
  private Mbarriers of(int place) {
    if (barriers[place] == null) {
      barriers[place] = new Mbarriers();
    }
    return barriers[place];
  }

  String failure() {
    return failure;
  }

  long next() {
    return events.next(Warps.NEVER);
  }

  void step(long now) {
    while (events.next(Warps.NEVER) <= now) {
      int e = events.take();
      try {
        happen(
            events.kind[e],
            events.place[e],
            events.address[e],
            events.count[e],
            events.bytes[e],
            events.time);
      } catch (UninitialisedBarrierException problem) {
        failure = "block at place " + events.place[e] + ": " + problem.getMessage();
      }
    }
  }

  private void happen(int kind, int place, int at, int count, long bytes, long time) {
    switch (kind) {
      case ARRIVE -> release(place, of(place).arrive(at, count, bytes), time + spec.wakeCycles());
      case EXPECT -> of(place).expect(at, bytes);
      case BRING -> release(place, of(place).bring(at, bytes), time + spec.wakeCycles());
      default -> {
        waitAddress[count] = at;
        // The code keeps the parity in the top bit.
        if (of(place).passed(at, (int) bytes >>> 31)) {
          passed(count, time + spec.testCycles() - spec.barrierCycles());
        } else {
          of(place).await(at, warps.get(count).warpOfBlock);
        }
      }
    }
  }

  private void release(int place, long freed, long when) {
    // Waiters are kept by warp of the block.
    for (long m = freed; m != 0; m &= m - 1) {
      passed(blocks.warpAt(place, Long.numberOfTrailingZeros(m)), when);
    }
  }

  private void passed(int w, long when) {
    if (--waitsFor[w] > 0) {
      return;
    }
    if (waitCounter[w] != ControlBits.NO_BARRIER) {
      warps.close(w, waitCounter[w], when, MBARRIER);
    } else {
      warps.free(w, when);
    }
  }

  /** News for a barrier of a block on this SM. */
  void later(long when, int kind, int place, int at, int count, long bytes) {
    events.add(when, kind, place, at, count, bytes);
  }

  /** Arrivals at a cycle. */
  public void arriveLater(long when, int place, int at, int count) {
    later(when, ARRIVE, place, at, count, 0);
  }

  /** An instruction that changes a barrier, and goes on. */
  void change(int w, CodeRow row, int index, long now) {
    BlockTrace trace = warps.get(w).trace;
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    if (mask == 0 || payload < 0) {
      return;
    }
    long[] data = trace.data();
    int what = row.async;
    int at = address(data, payload, mask);
    int lane = Integer.numberOfTrailingZeros(mask);
    if (what == Async.BARRIER_INIT) {
      of(warps.get(w).block)
          .init(
              at & SHARED_WINDOW,
              Mbarriers.expectedArrivals(value(data, payload, lane)),
              (int) (secondValue(data, payload) >>> 31) & 1);
      return;
    }
    long bytes = row.announces ? value(data, payload, lane) & 0xffffffffL : 0;
    int count = what == Async.BARRIER_ARRIVE ? Integer.bitCount(mask) : 0;
    int kind = what == Async.BARRIER_BRING ? BRING : what == Async.BARRIER_EXPECT ? EXPECT : ARRIVE;
    int last = 31 - Integer.numberOfLeadingZeros(mask);
    boolean anyRank = row.clusterAddress;
    if (Integer.bitCount(mask) == 1 || lanes[lane] == lanes[last]) {
      tell(w, anyRank, kind, at, count, bytes, now);
      return;
    }
    for (int m = mask; m != 0; m &= m - 1) {
      int one = Integer.numberOfTrailingZeros(m);
      tell(w, anyRank, kind, (int) lanes[one], Math.min(1, count), bytes, now);
    }
  }

  /** News for a barrier of this block or, where the address may name another, of its cluster. */
  private void tell(int w, boolean anyRank, int kind, int at, int count, long bytes, long now) {
    int place = warps.get(w).block;
    int target = at >>> 24;
    if (!anyRank || clusters.isHere(place, target)) {
      later(now + spec.barrierCycles(), kind, place, at & SHARED_WINDOW, count, bytes);
    } else {
      long when = now + spec.remoteCycles();
      clusters.send(place, target, when, kind, at & SHARED_WINDOW, count, bytes);
    }
  }

  /** A warp waits for a phase to end. */
  void await(int w, CodeRow row, int index, long now) {
    BlockTrace trace = warps.get(w).trace;
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    long[] data = trace.data();
    Payload.addresses(data, payload, mask, lanes);
    int wb = row.writeBarrier;
    waitCounter[w] = wb;
    waitsFor[w] = 0;
    if (wb != ControlBits.NO_BARRIER) {
      warps.counters.open(w, wb, MBARRIER, now);
    } else {
      warps.hold(w, Warps.NEVER, MBARRIER);
    }
    int rb = row.readBarrier;
    if (rb != ControlBits.NO_BARRIER) {
      warps.counters.open(w, rb, MBARRIER, now);
      warps.close(w, rb, now + spec.barrierCycles(), MBARRIER);
    }
    int before = -1;
    int known = mask;
    if (!everyLaneHasAValue(data, payload)) {
      // The one value is the first lane's; the trace shows again which of the others had to wait.
      known = Integer.lowestOneBit(mask);
    }
    for (int m = known; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      int at = (int) lanes[lane] & SHARED_WINDOW;
      if (at != before) {
        waitsFor[w]++;
        long when = now + spec.barrierCycles();
        later(when, TEST, warps.get(w).block, at, w, value(data, payload, lane));
        before = at;
      }
    }
  }

  /**
   * Where the trace polls the same barrier again for the same phase, with nothing but branches
   * between: index of that poll, else -1. The last poll of such a row is the one that waits.
   */
  int nextPoll(int w, int index) {
    BlockTrace trace = warps.get(w).trace;
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    if (mask == 0 || payload < 0) {
      return -1;
    }
    int lane = Integer.numberOfTrailingZeros(mask);
    int at = address(trace.data(), payload, mask);
    long parity = value(trace.data(), payload, lane) >>> 31 & 1;
    for (int i = index + 1; i < Math.min(warps.get(w).end, index + POLL_LOOP); i++) {
      CodeRow row = warps.get(w).code.get(trace.row(i));
      if (trace.mask(i) == 0 || row.unit == CodeRow.UNIT_BRANCH) {
        continue;
      }
      boolean same =
          row.action == CodeRow.ASYNC
              && row.async == Async.BARRIER_WAIT
              && trace.mask(i) == mask
              && trace.payload(i) >= 0
              && address(trace.data(), trace.payload(i), mask) == at
              && (value(trace.data(), trace.payload(i), lane) >>> 31 & 1) == parity;
      return same ? i : -1;
    }
    return -1;
  }

  /** Address of an instruction's first lane. */
  int address(long[] data, int payload, int mask) {
    Payload.addresses(data, payload, mask, lanes);
    return (int) lanes[Integer.numberOfTrailingZeros(mask)];
  }

  private static long value(long[] data, int payload, int lane) {
    int at = Payload.find(data, payload, Payload.VALUES);
    if (at < 0) {
      return 0;
    }
    return data[at + 1] == 1 ? data[at + 2] : data[at + 2 + lane];
  }

  private static boolean everyLaneHasAValue(long[] data, int payload) {
    int at = Payload.find(data, payload, Payload.VALUES);
    return at >= 0 && data[at + 1] > 1;
  }

  private static long secondValue(long[] data, int payload) {
    int at = Payload.find(data, payload, Payload.VALUES);
    int second = at < 0 ? 0 : at + 2 + (int) data[at + 1];
    return at >= 0 && second + 1 < at + Payload.length(data, at) ? data[second + 1] : 0;
  }

  /** What a warp that waits for an mbarrier waits for. */
  String describe(int w) {
    return of(warps.get(w).block).describe(waitAddress[w]);
  }
}
