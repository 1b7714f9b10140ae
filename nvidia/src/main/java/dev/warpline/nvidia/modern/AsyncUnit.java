package dev.warpline.nvidia.modern;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.hopper.CopyEngine;
import dev.warpline.nvidia.hopper.Mbarriers;
import dev.warpline.nvidia.hopper.RegisterPool;
import dev.warpline.nvidia.hopper.UninitialisedBarrierException;
import dev.warpline.nvidia.hopper.WarpgroupProducts;
import dev.warpline.nvidia.modern.code.Async;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Payload;
import java.util.Arrays;

/**
 * What an SM does asynchronously: the copy engine, the mbarriers of its blocks, warpgroup matrix
 * products, register hand-over and the SM's part in clusters. Acts at times of its own; messages to
 * other SMs of a cluster are exchanged between windows.
 */
final class AsyncUnit {
  // Events: what, then block place, address, arrivals or warp, bytes.
  private static final int ARRIVE = 0;
  private static final int EXPECT = 1;
  private static final int BRING = 2;
  private static final int TEST = 3;
  private static final int BLOCK_ARRIVED = 4;
  private static final int CLUSTER_OPEN = 5;

  private static final byte MBARRIER = (byte) StallReason.MBARRIER.ordinal();
  private static final byte BARRIER = (byte) StallReason.BARRIER.ordinal();
  private static final byte GMMA = (byte) StallReason.GMMA.ordinal();
  private static final byte COPY = (byte) StallReason.ASYNC_COPY.ordinal();
  private static final byte MISC = (byte) StallReason.MISC.ordinal();
  private static final int WARPS_OF_BLOCK = 32;
  private static final int SHARED_WINDOW = 0xffffff;
  private static final int WARPS_OF_GROUP = 4;

  /** Instructions of a polling loop, at most. */
  private static final int POLL_LOOP = 12;

  private final ModernCoreSpec.Async spec;
  private final SmCore core;
  private final Warps warps;
  private final CopyEngine engine;
  private final WarpgroupProducts products;
  private final Mbarriers[] barriers;
  private final RegisterPool[] pools;
  private final long[] lanes = new long[32];
  private CodeRows code;

  // Per warp.
  private final int[] waitsFor;
  private final int[] waitCounter;
  private final int[] waitAddress;
  private final int[] wantedRegisters;
  private final int[] allowedGroups;
  private final long[] arrivals;
  private final long[] storesRead;

  // Per block place: the cluster.
  private final int[] rank;
  private final int[][] clusterSm;
  private final int[][] clusterPlace;
  private final int[] blockWarps;
  private final int[] clusterArrived;
  private final int[] clusterPhase;
  private final int[] clusterOpened;
  private final long[] clusterWaiting;
  private final int[] blocksArrived;

  // Events.
  private final LongHeap events = new LongHeap();
  private int[] eventKind = new int[64];
  private int[] eventPlace = new int[64];
  private int[] eventAddress = new int[64];
  private int[] eventCount = new int[64];
  private long[] eventBytes = new long[64];
  private int[] eventFree = new int[64];
  private int freeEvents;
  private int eventSlots;

  // Messages to other SMs, until the window's end.
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

  AsyncUnit(ModernCoreSpec.Async spec, SmCore core, Warps warps, Requests requests, int places) {
    this.spec = spec;
    this.core = core;
    this.warps = warps;
    engine = new CopyEngine(spec, requests);
    products = new WarpgroupProducts(spec, places * WARPS_OF_BLOCK);
    barriers = new Mbarriers[places];
    Arrays.setAll(barriers, i -> new Mbarriers());
    pools = new RegisterPool[places];
    int slots = warps.slots;
    waitsFor = new int[slots];
    waitCounter = new int[slots];
    waitAddress = new int[slots];
    wantedRegisters = new int[slots];
    allowedGroups = new int[slots];
    arrivals = new long[places * WARPS_OF_BLOCK];
    storesRead = new long[slots];
    rank = new int[places];
    clusterSm = new int[places][];
    clusterPlace = new int[places][];
    blockWarps = new int[places];
    clusterArrived = new int[places];
    clusterPhase = new int[places];
    clusterOpened = new int[places];
    clusterWaiting = new long[places];
    blocksArrived = new int[places];
  }

  void startKernel(CodeRows code) {
    this.code = code;
    engine.startKernel();
    events.clear();
    freeEvents = 0;
    eventSlots = 0;
    messages = 0;
    failure = null;
  }

  /** A block arrives, alone or as a member of a cluster. */
  void startBlock(int place, int count, int registers, int itsRank, int[] sms, int[] places) {
    barriers[place].clear();
    pools[place] = new RegisterPool(count, registers);
    rank[place] = itsRank;
    clusterSm[place] = sms;
    clusterPlace[place] = places;
    blockWarps[place] = count;
    clusterArrived[place] = 0;
    clusterPhase[place] = 0;
    clusterOpened[place] = 0;
    clusterWaiting[place] = 0;
    blocksArrived[place] = 0;
    Arrays.fill(arrivals, place * WARPS_OF_BLOCK, (place + 1) * WARPS_OF_BLOCK, 0);
    for (int g = 0; g < WARPS_OF_BLOCK / WARPS_OF_GROUP; g++) {
      products.start(place * (WARPS_OF_BLOCK / WARPS_OF_GROUP) + g);
    }
  }

  void startWarp(int w) {
    waitsFor[w] = 0;
    wantedRegisters[w] = 0;
    allowedGroups[w] = -1;
    storesRead[w] = 0;
  }

  CopyEngine engine() {
    return engine;
  }

  String failure() {
    return failure;
  }

  long next() {
    long soonest = engine.next();
    return events.isEmpty() ? soonest : Math.min(soonest, events.first() >>> 16);
  }

  void step(long now) {
    if (engine.next() <= now) {
      engine.step(now);
    }
    while (!events.isEmpty() && events.first() >>> 16 <= now) {
      long first = events.remove();
      int e = (int) first & 0xffff;
      long time = first >>> 16;
      eventFree[freeEvents++] = e;
      try {
        happen(eventKind[e], eventPlace[e], eventAddress[e], eventCount[e], eventBytes[e], time);
      } catch (UninitialisedBarrierException problem) {
        failure = "block at place " + eventPlace[e] + ": " + problem.getMessage();
      }
    }
  }

  /** An instruction for this unit issues. */
  void execute(int w, int row, int index, long now) {
    int wb = code.writeBarrier[row];
    int rb = code.readBarrier[row];
    BlockTrace trace = warps.trace[w];
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    boolean acts = mask != 0;
    int what = code.async[row];
    switch (what) {
      case Async.BARRIER_INIT, Async.BARRIER_ARRIVE, Async.BARRIER_EXPECT, Async.BARRIER_BRING -> {
        known(w, wb, rb, now + spec.testCycles(), now + spec.barrierCycles(), MBARRIER, now);
        if (acts && payload >= 0) {
          barrierInstruction(w, row, what, mask, trace.data(), payload, now);
        }
      }
      case Async.BARRIER_WAIT -> {
        if (acts && payload >= 0 && nextPoll(w, index) < 0) {
          await(w, row, mask, trace.data(), payload, now);
        } else {
          known(w, wb, rb, now + spec.testCycles(), now + spec.barrierCycles(), MBARRIER, now);
        }
      }
      case Async.LOAD, Async.STORE, Async.REDUCTION, Async.PREFETCH -> {
        known(w, wb, rb, now + spec.copyCycles(), now + spec.copyCycles(), COPY, now);
        if (acts && payload >= 0) {
          copy(w, row, what, trace.data(), payload, now);
        }
      }
      case Async.FLUSH -> {
        long read = Math.max(now + 2, storesRead[w]);
        known(w, wb, rb, read, read, COPY, now);
        if (!code.controlled) {
          hold(w, read, COPY);
        }
      }
      case Async.PRODUCT -> product(w, row, now);
      case Async.GROUP_ARRIVE -> rendezvous(w, now);
      case Async.GROUP_WAIT -> {
        allowedGroups[w] = code.groups[row];
        waitForGroups(w, now);
      }
      case Async.GIVE_REGISTERS -> {
        if (acts) {
          pools[warps.block[w]].release(warps.warpOfBlock[w], code.groups[row]);
          serveRegisters(warps.block[w], now);
        }
        known(w, wb, rb, now + 2, now + 2, MISC, now);
      }
      case Async.TAKE_REGISTERS -> {
        known(w, wb, rb, now + 2, now + 2, MISC, now);
        if (acts && !pools[warps.block[w]].request(warps.warpOfBlock[w], code.groups[row])) {
          wantedRegisters[w] = code.groups[row];
          hold(w, Warps.NEVER, MISC);
        }
      }
      case Async.CLUSTER_ARRIVE -> clusterArrive(warps.block[w], now);
      case Async.CLUSTER_WAIT -> clusterWait(w, now);
      case Async.COPIES_ARRIVE -> {
        known(w, wb, rb, now + spec.testCycles(), now + spec.barrierCycles(), MBARRIER, now);
        if (acts && payload >= 0) {
          int at = address(trace.data(), payload, mask);
          int count = Integer.bitCount(mask);
          core.loadStore().afterCopies(w, at & SHARED_WINDOW, count, now);
        }
      }
      default -> known(w, wb, rb, now + spec.barrierCycles(), now + 5, MISC, now);
    }
  }

  private void known(int w, int wb, int rb, long result, long sourcesFree, byte why, long now) {
    if (wb != ControlBits.NO_BARRIER) {
      warps.open(w, wb, why, now);
      warps.close(w, wb, result, why);
    }
    if (rb != ControlBits.NO_BARRIER) {
      warps.open(w, rb, why, now);
      warps.close(w, rb, sourcesFree, why);
    }
  }

  private void hold(int w, long until, byte why) {
    warps.heldUntil[w] = until;
    warps.heldReason[w] = why;
  }

  private void free(int w, long when) {
    warps.heldUntil[w] = when;
    core.reschedule(w);
  }

  private int address(long[] data, int payload, int mask) {
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

  private void barrierInstruction(
      int w, int row, int what, int mask, long[] data, int payload, long now) {
    int at = address(data, payload, mask);
    int place = warps.block[w];
    int lane = Integer.numberOfTrailingZeros(mask);
    if (what == Async.BARRIER_INIT) {
      barriers[place].init(
          at & SHARED_WINDOW,
          Mbarriers.expectedArrivals(value(data, payload, lane)),
          (int) (secondValue(data, payload) >>> 31) & 1);
      return;
    }
    long bytes = code.announces[row] ? value(data, payload, lane) & 0xffffffffL : 0;
    int count = what == Async.BARRIER_ARRIVE ? Integer.bitCount(mask) : 0;
    int kind = what == Async.BARRIER_BRING ? BRING : what == Async.BARRIER_EXPECT ? EXPECT : ARRIVE;
    boolean everyLane = Integer.bitCount(mask) == 1 || lanes[lane] == lanes[last(mask)];
    if (everyLane) {
      tell(w, code.clusterAddress[row], kind, at, count, bytes, now);
      return;
    }
    for (int m = mask; m != 0; m &= m - 1) {
      int one = Integer.numberOfTrailingZeros(m);
      tell(w, code.clusterAddress[row], kind, (int) lanes[one], Math.min(1, count), bytes, now);
    }
  }

  private static int last(int mask) {
    return 31 - Integer.numberOfLeadingZeros(mask);
  }

  /** News for a barrier of this block or, where the address may name another, of its cluster. */
  private void tell(int w, boolean anyRank, int kind, int at, int count, long bytes, long now) {
    int place = warps.block[w];
    int target = at >>> 24;
    if (!anyRank || clusterSm[place] == null || target == rank[place]) {
      event(now + spec.barrierCycles(), kind, place, at & SHARED_WINDOW, count, bytes);
    } else {
      send(place, target, now + spec.remoteCycles(), kind, at & SHARED_WINDOW, count, bytes);
    }
  }

  private void await(int w, int row, int mask, long[] data, int payload, long now) {
    Payload.addresses(data, payload, mask, lanes);
    int wb = code.writeBarrier[row];
    waitCounter[w] = wb;
    waitsFor[w] = 0;
    if (wb != ControlBits.NO_BARRIER) {
      warps.open(w, wb, MBARRIER, now);
    } else {
      hold(w, Warps.NEVER, MBARRIER);
    }
    int rb = code.readBarrier[row];
    if (rb != ControlBits.NO_BARRIER) {
      warps.open(w, rb, MBARRIER, now);
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
        event(now + spec.barrierCycles(), TEST, warps.block[w], at, w, value(data, payload, lane));
        before = at;
      }
    }
  }

  /**
   * Where the trace polls the same barrier again for the same phase, with nothing but branches
   * between: index of that poll, else -1. The last poll of such a row is the one that waits.
   */
  int nextPoll(int w, int index) {
    BlockTrace trace = warps.trace[w];
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    if (mask == 0 || payload < 0) {
      return -1;
    }
    int lane = Integer.numberOfTrailingZeros(mask);
    int at = address(trace.data(), payload, mask);
    long parity = value(trace.data(), payload, lane) >>> 31 & 1;
    for (int i = index + 1; i < Math.min(warps.end[w], index + POLL_LOOP); i++) {
      int row = trace.row(i);
      if (trace.mask(i) == 0 || code.unit[row] == CodeRows.UNIT_BRANCH) {
        continue;
      }
      boolean same =
          code.action[row] == CodeRows.ASYNC
              && code.async[row] == Async.BARRIER_WAIT
              && trace.mask(i) == mask
              && trace.payload(i) >= 0
              && address(trace.data(), trace.payload(i), mask) == at
              && (value(trace.data(), trace.payload(i), lane) >>> 31 & 1) == parity;
      return same ? i : -1;
    }
    return -1;
  }

  private void passedOne(int w, long when) {
    if (--waitsFor[w] > 0) {
      return;
    }
    if (waitCounter[w] != ControlBits.NO_BARRIER) {
      warps.close(w, waitCounter[w], when, MBARRIER);
      core.reschedule(w);
    } else {
      free(w, when);
    }
  }

  private void release(int place, long freed, long when) {
    // Waiters are kept by warp of the block.
    for (long m = freed; m != 0; m &= m - 1) {
      int w = core.warpAt(place, Long.numberOfTrailingZeros(m));
      passedOne(w, when);
    }
  }

  private void happen(int kind, int place, int at, int count, long bytes, long time) {
    switch (kind) {
      case ARRIVE ->
          release(place, barriers[place].arrive(at, count, bytes), time + spec.wakeCycles());
      case EXPECT -> barriers[place].expect(at, bytes);
      case BRING -> release(place, barriers[place].bring(at, bytes), time + spec.wakeCycles());
      case TEST -> {
        waitAddress[count] = at;
        // The code keeps the parity in the top bit.
        if (barriers[place].passed(at, (int) bytes >>> 31)) {
          passedOne(count, time + spec.testCycles() - spec.barrierCycles());
        } else {
          barriers[place].await(at, warps.warpOfBlock[count]);
        }
      }
      case BLOCK_ARRIVED -> {
        if (++blocksArrived[place] == clusterSize(place)) {
          blocksArrived[place] = 0;
          for (int r = 0; r < clusterSize(place); r++) {
            send(place, r, time + spec.clusterBarrierCycles(), CLUSTER_OPEN, 0, 0, 0);
          }
        }
      }
      default -> {
        clusterOpened[place]++;
        for (long m = clusterWaiting[place]; m != 0; m &= m - 1) {
          free(core.warpAt(place, Long.numberOfTrailingZeros(m)), time);
        }
        clusterWaiting[place] = 0;
      }
    }
  }

  private void copy(int w, int row, int what, long[] data, int payload, long now) {
    CopyEngine.Kind kind =
        switch (what) {
          case Async.LOAD -> CopyEngine.Kind.LOAD;
          case Async.STORE -> CopyEngine.Kind.STORE;
          case Async.REDUCTION -> CopyEngine.Kind.REDUCTION;
          default -> CopyEngine.Kind.PREFETCH;
        };
    int tag = engine.submit(kind, w, code.tensorMap[row], data, payload, now);
    if (kind == CopyEngine.Kind.STORE || kind == CopyEngine.Kind.REDUCTION) {
      storesRead[w] = Math.max(storesRead[w], engine.landed(tag));
    }
    // The block lives until its copies are over.
    warps.inFlight[w]++;
    if (engine.lines(tag) == 0) {
      copyLanded(tag);
    }
  }

  /** A request of the copy engine was answered. */
  void answered(int tag, long when) {
    if (engine.answered(tag, when)) {
      copyLanded(tag);
    }
  }

  private void copyLanded(int tag) {
    int w = engine.owner(tag);
    int place = warps.block[w];
    long when = engine.landed(tag);
    if (engine.kind(tag) == CopyEngine.Kind.LOAD) {
      int at = engine.barrier(tag) & SHARED_WINDOW;
      int targets = engine.targets(tag);
      long bytes = engine.bytes(tag);
      core.loadStore().steal(engine.lines(tag));
      if (targets == 0 || clusterSm[place] == null) {
        event(when, BRING, place, at, 0, bytes);
      } else {
        for (int m = targets; m != 0; m &= m - 1) {
          send(place, Integer.numberOfTrailingZeros(m), when, BRING, at, 0, bytes);
        }
      }
    }
    engine.forget(tag);
    warps.inFlight[w]--;
    core.memoryEnded(w, when);
  }

  private int groupWarp(int w) {
    return warps.block[w] * WARPS_OF_BLOCK + warps.warpOfBlock[w];
  }

  private void product(int w, int row, long now) {
    boolean sharedA = code.sharedOperand[row];
    long end =
        products.issue(groupWarp(w), now, code.columns[row], sharedA, code.commitsGroup[row]);
    if (end < 0) {
      return;
    }
    core.loadStore().steal((int) (code.operandLines[row] * spec.operandShare()));
    for (int i = 0; i < WARPS_OF_GROUP; i++) {
      int sibling =
          core.warpAt(warps.block[w], warps.warpOfBlock[w] / WARPS_OF_GROUP * WARPS_OF_GROUP + i);
      if (sibling >= 0) {
        // A warp does not end before its products.
        warps.endAt[sibling] = Math.max(warps.endAt[sibling], end);
        if (sibling != w && allowedGroups[sibling] >= 0) {
          waitForGroups(sibling, now);
          core.reschedule(sibling);
        }
      }
    }
  }

  private void waitForGroups(int w, long now) {
    if (!products.inStep(groupWarp(w))) {
      hold(w, Warps.NEVER, GMMA);
      return;
    }
    if (!code.commitsKnown) {
      products.commit(groupWarp(w));
    }
    hold(w, Math.max(now, products.readyAt(groupWarp(w), allowedGroups[w])), GMMA);
    allowedGroups[w] = -1;
  }

  /** WARPGROUP.ARRIVE: the four warps meet. */
  private void rendezvous(int w, long now) {
    int place = warps.block[w];
    int first = warps.warpOfBlock[w] / WARPS_OF_GROUP * WARPS_OF_GROUP;
    long mine = ++arrivals[groupWarp(w)];
    int members = Math.min(WARPS_OF_GROUP, blockWarps[place] - first);
    for (int i = 0; i < members; i++) {
      if (arrivals[place * WARPS_OF_BLOCK + first + i] < mine) {
        hold(w, Warps.NEVER, GMMA);
        return;
      }
    }
    for (int i = 0; i < members; i++) {
      int sibling = core.warpAt(place, first + i);
      if (sibling == w) {
        hold(w, now + spec.rendezvousCycles(), GMMA);
      } else if (sibling >= 0 && arrivals[place * WARPS_OF_BLOCK + first + i] == mine) {
        free(sibling, now + spec.rendezvousCycles());
      }
    }
  }

  private void serveRegisters(int place, long now) {
    for (int i = 0; i < blockWarps[place]; i++) {
      int w = core.warpAt(place, i);
      if (w >= 0 && wantedRegisters[w] > 0 && pools[place].request(i, wantedRegisters[w])) {
        wantedRegisters[w] = 0;
        free(w, now + 2);
      }
    }
  }

  /** Whether an offset in the cluster's shared window belongs to another block. */
  boolean isRemote(int place, long offset) {
    return clusterSm[place] != null && offset >>> 24 != rank[place];
  }

  private int clusterSize(int place) {
    return clusterSm[place] == null ? 1 : clusterSm[place].length;
  }

  private void clusterArrive(int place, long now) {
    clusterArrived[place]++;
    blockArrivedIfComplete(place, now);
  }

  /** The first block of a cluster counts for all. */
  private void blockArrivedIfComplete(int place, long now) {
    if (clusterArrived[place] > 0 && clusterArrived[place] >= core.runningWarps(place)) {
      clusterArrived[place] = 0;
      clusterPhase[place]++;
      send(place, 0, now + spec.clusterBarrierCycles(), BLOCK_ARRIVED, 0, 0, 0);
    }
  }

  /** A warp that ends is not waited for. */
  void warpEnded(int place, long now) {
    blockArrivedIfComplete(place, now);
  }

  private void clusterWait(int w, long now) {
    int place = warps.block[w];
    boolean complete = clusterArrived[place] == 0;
    if (!complete || clusterOpened[place] < clusterPhase[place]) {
      clusterWaiting[place] |= 1L << warps.warpOfBlock[w];
      hold(w, Warps.NEVER, BARRIER);
    } else {
      hold(w, now + 1, BARRIER);
    }
  }

  /** To a block of the same cluster by rank; at once where it is this one. */
  private void send(int place, int toRank, long when, int kind, int at, int count, long bytes) {
    if (clusterSm[place] == null || toRank == rank[place]) {
      event(when, kind, place, at, count, bytes);
      return;
    }
    if (toRank >= clusterSm[place].length) {
      failure =
          "an instruction names block " + toRank + " of a cluster of " + clusterSm[place].length;
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
    messageSm[messages] = clusterSm[place][toRank];
    messageKind[messages] = kind;
    messagePlace[messages] = clusterPlace[place][toRank];
    messageAddress[messages] = at;
    messageCount[messages] = count;
    messageBytes[messages] = bytes;
    messageTime[messages++] = when;
  }

  /** Hands the window's messages to their SMs; between windows. */
  void deliver(Sms sms, long limit) {
    for (int i = 0; i < messages; i++) {
      sms.numbered(messageSm[i])
          .async()
          .event(
              Math.max(limit, messageTime[i]),
              messageKind[i],
              messagePlace[i],
              messageAddress[i],
              messageCount[i],
              messageBytes[i]);
    }
    messages = 0;
  }

  void arriveLater(long when, int place, int at, int count) {
    event(when, ARRIVE, place, at, count, 0);
  }

  private void event(long when, int kind, int place, int at, int count, long bytes) {
    int e;
    if (freeEvents > 0) {
      e = eventFree[--freeEvents];
    } else {
      e = eventSlots++;
      if (e == eventKind.length) {
        int n = 2 * e;
        eventKind = Arrays.copyOf(eventKind, n);
        eventPlace = Arrays.copyOf(eventPlace, n);
        eventAddress = Arrays.copyOf(eventAddress, n);
        eventCount = Arrays.copyOf(eventCount, n);
        eventBytes = Arrays.copyOf(eventBytes, n);
        eventFree = Arrays.copyOf(eventFree, n);
      }
    }
    eventKind[e] = kind;
    eventPlace[e] = place;
    eventAddress[e] = at;
    eventCount[e] = count;
    eventBytes[e] = bytes;
    events.add(when << 16 | e);
  }

  /** What a warp that waits for an mbarrier waits for. */
  String describe(int w) {
    return barriers[warps.block[w]].describe(waitAddress[w]);
  }
}
