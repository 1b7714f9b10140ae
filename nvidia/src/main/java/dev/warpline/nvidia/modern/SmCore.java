package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.SmSpec;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.emulate.ConstantIndexProbe;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One SM: sub-cores, the load/store side they share, instruction and constant caches, barriers, and
 * the blocks that live on it. Runs from event to event inside a window; talks to the rest of the
 * machine only between windows.
 */
final class SmCore {
  private static final int BARRIERS = 16;
  private static final int WARPS_OF_BLOCK = 32;
  private static final byte BARRIER = (byte) StallReason.BARRIER.ordinal();

  private final int index;
  private final ModernCoreSpec spec;
  private final Warps warps;
  private final SubCore[] subCores;
  private final LoadStoreUnit loadStore;
  private final AsyncUnit async;
  private final InstructionSupply supply;
  private final ConstantLoads constantLoads;

  /** When each constant line that this SM ever asked for came to the level behind. */
  private final HashMap<Integer, Long> constantArrivals = new HashMap<>();

  private CodeRows code;
  private SmRecorder recorder;
  private KernelHeader header;
  private long ages;

  // Blocks by place.
  private final BlockTrace[] blockTrace;
  private final ConstantAddresses[] blockConstants;
  private final int[] blockWarps;
  private final int[] blockLeft;
  private final int[] blockRunning;
  private final int[] slotOf;
  private final long[] blockEnd;
  private final int[] barrierArrived;
  private final int[] barrierExpected;
  private final long[] barrierWaiting;
  private final long[] barrierLast;
  private final UnnamedBarriers[] unnamed;
  private int blocksResident;

  // Blocks that ended in this window.
  private int[] endedPlace = new int[64];
  private long[] endedAt = new long[64];
  private int ended;

  private final GroupPlace place;
  private final int constantWay;

  @Counter(value = "an SM had a block", unit = "cycles")
  long activeCycles;

  private long activeSince;

  SmCore(GroupPlace place, ModernCoreSpec spec, SmSpec sm) {
    this.place = place;
    this.index = place.sm();
    this.spec = spec;
    warps = new Warps(sm.warps());
    subCores = new SubCore[sm.subCores()];
    for (int i = 0; i < subCores.length; i++) {
      subCores[i] = new SubCore(i, spec, this, warps);
    }
    loadStore = new LoadStoreUnit(index, spec, this, warps, subCores.length);
    supply = new InstructionSupply(spec.supply(), subCores.length, place);
    constantWay = (int) Math.round(spec.supply().hopsOf(index) * spec.supply().constantHopCycles());
    constantLoads = new ConstantLoads(spec.constants(), this, warps.slots);
    int places = sm.blocks();
    blockTrace = new BlockTrace[places];
    Arrays.setAll(blockTrace, i -> null);
    blockConstants = new ConstantAddresses[places];
    blockWarps = new int[places];
    blockLeft = new int[places];
    blockRunning = new int[places];
    slotOf = new int[places * WARPS_OF_BLOCK];
    unnamed = new UnnamedBarriers[places];
    Arrays.setAll(unnamed, i -> new UnnamedBarriers());
    async =
        spec.async() == null
            ? null
            : new AsyncUnit(spec.async(), this, warps, loadStore.requests(), places);
    blockEnd = new long[places];
    barrierArrived = new int[places * BARRIERS];
    barrierExpected = new int[places * BARRIERS];
    barrierWaiting = new long[places * BARRIERS];
    barrierLast = new long[places * BARRIERS];
  }

  void startKernel(CodeRows code, KernelHeader header, int l1Bytes, SmRecorder recorder) {
    this.code = code;
    this.header = header;
    this.recorder = recorder;
    warps.startKernel(code, recorder);
    for (SubCore subCore : subCores) {
      subCore.startKernel(code);
    }
    loadStore.startKernel(code, l1Bytes);
    if (async != null) {
      async.startKernel(code);
    }
    supply.startKernel();
    constantLoads.startKernel(code);
    constantArrivals.clear();
    ages = 0;
    blocksResident = 0;
    ended = 0;
    activeCycles = 0;
    Arrays.fill(blockLeft, 0);
    Arrays.fill(barrierArrived, 0);
    Arrays.fill(barrierWaiting, 0);
  }

  /** A trace buffer for the next block of a place; read a block into it, then {@link #place}. */
  BlockTrace buffer(int place) {
    if (blockTrace[place] == null) {
      blockTrace[place] = new BlockTrace();
    }
    return blockTrace[place];
  }

  /** Finds what the constant loads of the block in a place's buffer read; null: it has none. */
  void readConstants(int place, ConstantIndexProbe probe) {
    if (probe == null) {
      blockConstants[place] = null;
      return;
    }
    if (blockConstants[place] == null) {
      blockConstants[place] = new ConstantAddresses();
    }
    blockConstants[place].clear();
    probe.run(blockTrace[place], blockConstants[place]);
  }

  /**
   * A block that has been read into its place's buffer arrives at a cycle.
   *
   * @param placer how it was placed, and with whom
   */
  void place(int place, long now, Placer placer) {
    BlockTrace trace = blockTrace[place];
    int count = trace.warps();
    blockWarps[place] = count;
    blockLeft[place] = count;
    blockRunning[place] = count;
    blockEnd[place] = now;
    Arrays.fill(barrierArrived, place * BARRIERS, (place + 1) * BARRIERS, 0);
    Arrays.fill(barrierWaiting, place * BARRIERS, (place + 1) * BARRIERS, 0);
    Arrays.fill(barrierLast, place * BARRIERS, (place + 1) * BARRIERS, 0);
    if (blocksResident++ == 0) {
      activeSince = now;
    }
    unnamed[place].clear();
    Arrays.fill(slotOf, place * WARPS_OF_BLOCK, (place + 1) * WARPS_OF_BLOCK, -1);
    if (async != null) {
      async.startBlock(
          place, count, header.registers(), placer.rank, placer.clusterSms, placer.clusterPlaces);
    }
    for (int i = 0; i < count; i++) {
      // Slots are handed out in order; a slot's number tells its sub-core.
      int slot = freeSlot();
      long start = now + spec.launch().warpStart() + (long) i * spec.launch().smWarpInterval();
      warps.start(slot, trace, i, place, ages++, start);
      slotOf[place * WARPS_OF_BLOCK + i] = slot;
      loadStore.startWarp(slot);
      constantLoads.startWarp(slot, blockConstants[place], i);
      if (async != null) {
        async.startWarp(slot);
      }
      if (trace.count(i) == 0) {
        warpEnded(slot, now);
        continue;
      }
      int s = slot % subCores.length;
      int pc = code.pc[warps.row(slot)];
      warps.fetchAt[slot] = supply.lineReady(s, pc >> 7, start);
      warps.fetchReason[slot] = (byte) StallReason.FETCH.ordinal();
      warps.schedule(slot);
      subCores[s].add(slot);
    }
  }

  private int freeSlot() {
    for (int slot = 0; slot < warps.slots; slot++) {
      if (!warps.live[slot]) {
        return slot;
      }
    }
    throw new IllegalStateException("a block was placed on an SM without free warp slots");
  }

  /** Runs up to, not including, a cycle. */
  void run(long until) {
    while (true) {
      long now = next();
      if (now >= until) {
        return;
      }
      if (async != null && async.next() <= now) {
        async.step(now);
      }
      if (loadStore.next() <= now) {
        loadStore.step(now);
      }
      for (SubCore subCore : subCores) {
        if (subCore.next <= now) {
          subCore.step(now);
        }
      }
    }
  }

  /** Earliest cycle at which something can happen without news from outside. */
  long next() {
    long soonest = loadStore.next();
    if (async != null) {
      soonest = Math.min(soonest, async.next());
    }
    for (SubCore subCore : subCores) {
      soonest = Math.min(soonest, subCore.next);
    }
    return soonest;
  }

  /** Its number in the GPU. */
  int index() {
    return index;
  }

  void takeReplies() {
    loadStore.takeReplies();
  }

  Requests requests() {
    return loadStore.requests();
  }

  SubCore subCore(int index) {
    return subCores[index];
  }

  LoadStoreUnit loadStore() {
    return loadStore;
  }

  /** The asynchronous machine; null where the GPU has none. */
  AsyncUnit async() {
    return async;
  }

  /** Slot of a block's warp, -1 if it is not there. */
  int warpAt(int place, int warpOfBlock) {
    return slotOf[place * WARPS_OF_BLOCK + warpOfBlock];
  }

  /** Warps of a block that have not ended. */
  int runningWarps(int place) {
    return blockRunning[place];
  }

  InstructionSupply supply() {
    return supply;
  }

  Warps warps() {
    return warps;
  }

  /** Something a sleeping warp may wait for has become known. */
  void reschedule(int w) {
    if (warps.ended[w]) {
      return;
    }
    if (warps.readyAt[w] == Warps.NEVER) {
      warps.schedule(w);
      subCores[w % subCores.length].wake(warps.readyAt[w]);
    }
  }

  /** When a constant line that a first-level cache lacks is there. */
  long constantReady(int line, int missCycles, int subCore, long now) {
    // Bank 0 comes with the launch; the others wait in memory and come in larger pieces.
    boolean parameters = line >>> 16 == 0;
    int piece = parameters ? line : line - line % spec.constants().tableLines();
    Long arrival = constantArrivals.get(piece);
    if (arrival == null) {
      int cold = parameters ? spec.constants().coldCycles() : spec.constants().coldTableCycles();
      arrival = now + Math.max(missCycles, cold) + constantWay;
      constantArrivals.put(piece, arrival);
    }
    if (arrival > now) {
      // At a kernel's start the sub-cores of a GPC wait for the same parameters and take turns.
      return arrival + (parameters ? place.turn(subCore, spec.supply().turnCycles()) : 0);
    }
    return now + missCycles + constantWay;
  }

  ConstantLoads constantLoads() {
    return constantLoads;
  }

  /** A warp arrives at a barrier of its block; {@code waits} unless it only arrives. */
  void barrier(int w, int row, long now, boolean waits) {
    int place = warps.block[w];
    if (code.barrier[row] == CodeRows.UNNAMED) {
      unnamedBarrier(w, place, row, now, waits);
      return;
    }
    int b = place * BARRIERS + code.barrier[row];
    barrierArrived[b]++;
    // The barrier unit takes one warp at a time.
    barrierLast[b] = Math.max(barrierLast[b], now) + spec.loadStore().barrierPerWarp();
    if (waits) {
      barrierWaiting[b] |= 1L << w;
      warps.heldUntil[w] = Warps.NEVER;
      warps.heldReason[w] = BARRIER;
    }
    barrierExpected[b] = code.barrierWarps[row];
    openIfComplete(b, place);
  }

  private void unnamedBarrier(int w, int place, int row, long now, boolean waits) {
    UnnamedBarriers its = unnamed[place];
    if (waits) {
      warps.heldUntil[w] = Warps.NEVER;
      warps.heldReason[w] = BARRIER;
    }
    if (its.arrive(
        warps.warpOfBlock[w],
        row,
        code.barrierWarps[row],
        waits,
        now,
        spec.loadStore().barrierPerWarp())) {
      for (int m = its.freed; m != 0; m &= m - 1) {
        int freed = warpAt(place, Integer.numberOfTrailingZeros(m));
        warps.heldUntil[freed] = its.freedAt + spec.loadStore().barrierBase();
        warps.schedule(freed);
        subCores[freed % subCores.length].wake(warps.readyAt[freed]);
      }
    }
  }

  /** Warps that have exited are not waited for. */
  private void openIfComplete(int b, int place) {
    int expected = barrierExpected[b] > 0 ? barrierExpected[b] : blockRunning[place];
    if (barrierArrived[b] == 0 || barrierArrived[b] < expected) {
      return;
    }
    long when = barrierLast[b] + spec.loadStore().barrierBase();
    long waiting = barrierWaiting[b];
    barrierWaiting[b] = 0;
    barrierArrived[b] = 0;
    while (waiting != 0) {
      int w = Long.numberOfTrailingZeros(waiting);
      waiting &= waiting - 1;
      warps.heldUntil[w] = when;
      warps.schedule(w);
      subCores[w % subCores.length].wake(warps.readyAt[w]);
    }
  }

  /** A warp issued its last instruction. */
  void warpEnded(int w, long now) {
    warps.ended[w] = true;
    warps.readyAt[w] = Warps.NEVER;
    warps.endAt[w] = Math.max(warps.endAt[w], now);
    int place = warps.block[w];
    subCores[w % subCores.length].remove(w);
    blockRunning[place]--;
    for (int b = place * BARRIERS; b < (place + 1) * BARRIERS; b++) {
      if (barrierWaiting[b] != 0) {
        barrierLast[b] = Math.max(barrierLast[b], now);
        openIfComplete(b, place);
      }
    }
    if (async != null) {
      async.warpEnded(place, now);
    }
    if (warps.inFlight[w] == 0) {
      leave(w);
    }
  }

  /** A memory instruction of a warp is over; the last one of an ended warp lets it go. */
  void memoryEnded(int w, long when) {
    warps.endAt[w] = Math.max(warps.endAt[w], when);
    if (warps.ended[w] && warps.inFlight[w] == 0) {
      leave(w);
    }
  }

  private void leave(int w) {
    int place = warps.block[w];
    warps.live[w] = false;
    slotOf[place * WARPS_OF_BLOCK + warps.warpOfBlock[w]] = -1;
    warps.chargeEnd(w, warps.endAt[w]);
    blockEnd[place] = Math.max(blockEnd[place], warps.endAt[w]);
    blockLeft[place]--;
    if (blockLeft[place] == 0) {
      if (ended == endedPlace.length) {
        endedPlace = Arrays.copyOf(endedPlace, 2 * ended);
        endedAt = Arrays.copyOf(endedAt, 2 * ended);
      }
      endedPlace[ended] = place;
      endedAt[ended++] = blockEnd[place] + spec.launch().blockEnd();
      blocksResident--;
      if (blocksResident == 0) {
        activeCycles += blockEnd[place] + spec.launch().blockEnd() - activeSince;
      }
    }
  }

  int residentBlocks() {
    return blocksResident;
  }

  int endedBlocks() {
    return ended;
  }

  int endedPlace(int i) {
    return endedPlace[i];
  }

  long endedAt(int i) {
    return endedAt[i];
  }

  void clearEnded() {
    ended = 0;
  }

  /** Space of a generic address, by the windows of the kernel. */
  int spaceOf(long address) {
    long window = 1L << 24;
    if (address >= header.sharedBase()
        && address < header.sharedBase() + window * header.cluster().count()) {
      return CodeRows.SPACE_SHARED;
    }
    if (address >= header.localBase() && address < header.localBase() + window) {
      return CodeRows.SPACE_LOCAL;
    }
    return CodeRows.SPACE_GLOBAL;
  }

  /** Whether a generic address lies in the shared memory of another block of the cluster. */
  boolean isRemote(int w, long address) {
    return async != null && async.isRemote(warps.block[w], address - header.sharedBase());
  }

  double remoteBytes() {
    return spec.async().remoteBytes();
  }

  int remoteLoadCycles() {
    return spec.async().remoteLoadCycles();
  }

  void recordAccess(int row, long now, int sectors, int hits, int conflicts) {
    if (recorder != null) {
      recorder.access(row, now, sectors, hits, conflicts);
    }
  }

  void recordFill(int row, int sectors, boolean fromDram) {
    if (recorder != null) {
      recorder.filled(row, sectors, fromDram);
    }
  }

  /** Who is resident and what they wait for, alike ones together; empty if nobody is. */
  String waiting() {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int w = 0; w < warps.slots; w++) {
      if (warps.live[w]) {
        groups.computeIfAbsent(state(w), key -> new ArrayList<>()).add(warps.warpOfBlock[w]);
      }
    }
    StringBuilder text = new StringBuilder();
    groups.forEach(
        (state, members) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(members.size() == 1 ? "warp " : "warps ")
                .append(members.toString().replaceAll("[\\[\\]]", ""))
                .append(' ')
                .append(state));
    return text.toString();
  }

  private String state(int w) {
    if (warps.ended[w]) {
      return "drains " + warps.inFlight[w] + " memory instructions";
    }
    StallReason reason = StallReason.values()[warps.reason[w]];
    String text =
        "at pc 0x" + Integer.toHexString(code.pc[warps.row(w)]) + " waits for " + reason.key();
    return reason == StallReason.MBARRIER && async != null
        ? text + " (" + async.describe(w) + ")"
        : text;
  }
}
