package dev.warpline.nvidia.modern.async;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.warp.Warps;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * An SM's part in clusters of blocks: where the other blocks are, the barrier of the cluster, and
 * news for other SMs, which are exchanged between windows.
 */
public final class Clusters {
  private static final byte BARRIER = (byte) StallReason.BARRIER.ordinal();

  // News: those of mbarriers, whose kinds their unit knows, are below.
  static final int BLOCK_ARRIVED = 16;
  static final int OPEN = 17;

  private final ModernCoreSpec.Async spec;
  private final Warps warps;
  private final Blocks blocks;
  private MbarrierUnit mbarriers;

  // By block place.
  private final int[] rank;
  private final int[][] sm;
  private final int[][] place;
  private final int[] arrived;
  private final int[] phase;
  private final int[] opened;
  private final long[] waiting;
  private final int[] blocksArrived;

  private final Events events = new Events();

  // News for other SMs, until the window's end.
  private int messages;
  private int[] messageSm = new int[16];
  private int[] messageKind = new int[16];
  private int[] messagePlace = new int[16];
  private int[] messageAddress = new int[16];
  private int[] messageCount = new int[16];
  private long[] messageBytes = new long[16];
  private long[] messageTime = new long[16];

  /** What went wrong, null as long as nothing did. */
  private String failure;

  Clusters(ModernCoreSpec.Async spec, Warps warps, Blocks blocks) {
    this.spec = spec;
    this.warps = warps;
    this.blocks = blocks;
    int places = blocks.places();
    rank = new int[places];
    sm = new int[places][];
    place = new int[places][];
    arrived = new int[places];
    phase = new int[places];
    opened = new int[places];
    waiting = new long[places];
    blocksArrived = new int[places];
  }

  /** The unit that news of mbarriers are for. */
  void connect(MbarrierUnit unit) {
    mbarriers = unit;
  }

  void startKernel() {
    events.clear();
    messages = 0;
    failure = null;
  }

  /** A block arrives, alone (null) or as a member of a cluster. */
  void startBlock(int at, int itsRank, int[] sms, int[] places) {
    rank[at] = itsRank;
    sm[at] = sms;
    place[at] = places;
    arrived[at] = 0;
    phase[at] = 0;
    opened[at] = 0;
    waiting[at] = 0;
    blocksArrived[at] = 0;
  }

  String failure() {
    return failure;
  }

  /** Whether an offset in the cluster's shared window belongs to another block. */
  public boolean isRemote(int at, long offset) {
    return sm[at] != null && offset >>> 24 != rank[at];
  }

  /** Whether a rank is the block itself. */
  boolean isHere(int at, int itsRank) {
    return sm[at] == null || itsRank == rank[at];
  }

  private int size(int at) {
    return sm[at] == null ? 1 : sm[at].length;
  }

  long next() {
    return events.next(Warps.NEVER);
  }

  void step(long now) {
    while (events.next(Warps.NEVER) <= now) {
      int e = events.take();
      happen(events.kind[e], events.place[e], events.time);
    }
  }

  private void happen(int kind, int at, long time) {
    if (kind == BLOCK_ARRIVED) {
      if (++blocksArrived[at] == size(at)) {
        blocksArrived[at] = 0;
        for (int r = 0; r < size(at); r++) {
          send(at, r, time + spec.clusterBarrierCycles(), OPEN, 0, 0, 0);
        }
      }
    } else {
      opened[at]++;
      for (long m = waiting[at]; m != 0; m &= m - 1) {
        warps.free(blocks.warpAt(at, Long.numberOfTrailingZeros(m)), time);
      }
      waiting[at] = 0;
    }
  }

  void arrive(int at, long now) {
    arrived[at]++;
    blockArrivedIfComplete(at, now);
  }

  /** The first block of a cluster counts for all; a warp that ends is not waited for. */
  void blockArrivedIfComplete(int at, long now) {
    if (arrived[at] > 0 && arrived[at] >= blocks.running(at)) {
      arrived[at] = 0;
      phase[at]++;
      send(at, 0, now + spec.clusterBarrierCycles(), BLOCK_ARRIVED, 0, 0, 0);
    }
  }

  void await(int w, long now) {
    int at = warps.get(w).block;
    if (arrived[at] != 0 || opened[at] < phase[at]) {
      waiting[at] |= 1L << warps.get(w).warpOfBlock;
      warps.hold(w, Warps.NEVER, BARRIER);
    } else {
      warps.hold(w, now + 1, BARRIER);
    }
  }

  /** News for a block of the same cluster by rank; at once where it is this one. */
  void send(int at, int toRank, long when, int kind, int address, int count, long bytes) {
    if (isHere(at, toRank)) {
      take(when, kind, at, address, count, bytes);
      return;
    }
    if (toRank >= sm[at].length) {
      failure = "an instruction names block " + toRank + " of a cluster of " + sm[at].length;
      return;
    }
    if (messages == messageSm.length) {
      int n = 2 * messages;
      messageSm = Arrays.copyOf(messageSm, n);
      messageKind = Arrays.copyOf(messageKind, n);
      messagePlace = Arrays.copyOf(messagePlace, n);
      messageAddress = Arrays.copyOf(messageAddress, n);
      messageCount = Arrays.copyOf(messageCount, n);
      messageBytes = Arrays.copyOf(messageBytes, n);
      messageTime = Arrays.copyOf(messageTime, n);
    }
    messageSm[messages] = sm[at][toRank];
    messageKind[messages] = kind;
    messagePlace[messages] = place[at][toRank];
    messageAddress[messages] = address;
    messageCount[messages] = count;
    messageBytes[messages] = bytes;
    messageTime[messages++] = when;
  }

  private void take(long when, int kind, int at, int address, int count, long bytes) {
    if (kind >= BLOCK_ARRIVED) {
      events.add(when, kind, at, address, count, bytes);
    } else {
      mbarriers.later(when, kind, at, address, count, bytes);
    }
  }

  /** Hands the window's news to their SMs; between windows. */
  void deliver(IntFunction<Clusters> bySm, long limit) {
    for (int i = 0; i < messages; i++) {
      bySm.apply(messageSm[i])
          .take(
              Math.max(limit, messageTime[i]),
              messageKind[i],
              messagePlace[i],
              messageAddress[i],
              messageCount[i],
              messageBytes[i]);
    }
    messages = 0;
  }
}
