package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.Coalescer;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;
import dev.warpline.memory.cache.CacheOutcome;
import dev.warpline.memory.cache.DataCache;
import dev.warpline.memory.cache.MissedRequests;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.LowestBit;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Payload;

/**
 * The load/store unit: one dispatch register, the shared-memory pipeline, the L1 with a latency
 * queue per bank, the response queue and a single write-back port.
 */
final class ClassicLoadStore {
  private static final int NONE = InFlight.NONE;
  private static final int WRITE_BACK_CLIENTS = 5;
  private static final int CLIENT_SHARED = 0;
  private static final int CLIENT_BYPASS = 3;
  private static final int CLIENT_L1 = 4;
  private static final int L1_WRITE_BACK = AccessKind.L1_WRBK_ACC.ordinal();

  private static final int SECTOR = 32;

  /** Where Accel-Sim puts the local memory of all threads. */
  private static final long LOCAL_BASE = 0x1F880000L;

  private final ClassicSm sm;
  private final ClassicCoreSpec spec;
  private final InFlight flight;
  private final ClassicWarps warps;
  private final OperandCollector collector;
  private final ClassicCopyGroups groups;
  private final Pipeline pipeline;
  private final MemoryPort port;
  private final DataCache l1;
  private final RequestQueue missQueue;
  private final MissedRequests misses;
  private final int ports;
  private final int l1Latency;
  private final SharedBanks shared;
  private final long[] laneAddress = new long[32];

  // The instruction in the dispatch register and what is left of it.
  private int dispatched = NONE;
  private int sharedCyclesLeft;
  private final Coalescer accesses = new Coalescer(Coalescer.Order.ASCENDING, 1);
  private int accessesLeft;

  // Shared-memory pipeline: who, and when it can be written back.
  private final int[] sharedQueue;
  private final long[] sharedReady;
  private int sharedHead;
  private int sharedCount;

  private final RequestQueue[] bankQueue;
  private final long[] lastInsert;

  /** Per bank, the state of the L1 in which the head of the queue failed, and why it did. */
  private final int[] failedAt;

  private final int[] failure;
  private int queued;

  /** When the first of the queues' heads can be served. */
  private long headReady = Long.MAX_VALUE;

  private final AddressHash bankHash;

  private final RequestQueue responses = new RequestQueue(4);
  private MemoryRequest bypassed;
  private int writingBack = NONE;
  private int nextClient;

  @Counter(value = "cycles lost to shared-memory bank conflicts", unit = "cycles")
  long sharedBankConflicts;

  @Counter("accesses that found their L1 bank taken")
  long l1BankConflicts;

  @Counter(value = "cycles in which the dispatch register could not empty", unit = "cycles")
  long stallCycles;

  @Counter(value = "of those, waiting for shared-memory banks", unit = "cycles")
  long sharedStallCycles;

  @Counter(value = "of those, with accesses left to send", unit = "cycles")
  long coalescingStallCycles;

  @Counter(value = "of those, waiting for the network", unit = "cycles")
  long networkStallCycles;

  @Counter("local reads sent to the memory side")
  long localReads;

  @Counter("local writes sent to the memory side")
  long localWrites;

  @Counter("global reads sent to the memory side, atomics included")
  long globalReads;

  @Counter("global writes sent to the memory side, L1 write-backs included")
  long globalWrites;

  @Counter("of the global reads, atomics")
  long atomics;

  @Counter("answers from the memory side")
  long answers;

  @Counter(value = "request latency, from creation to arrival", unit = "cycles")
  long latencySum;

  ClassicLoadStore(
      ClassicSm sm,
      ClassicCoreSpec spec,
      CacheSpec l1Spec,
      int maxWays,
      InFlight flight,
      ClassicWarps warps,
      OperandCollector collector,
      ClassicCopyGroups groups,
      Pipeline pipeline,
      MemoryPort port) {
    this.sm = sm;
    this.spec = spec;
    this.flight = flight;
    this.warps = warps;
    this.collector = collector;
    this.groups = groups;
    this.pipeline = pipeline;
    this.port = port;
    l1 = new DataCache(l1Spec, maxWays, spec.l1().dirtyPercent(), 1, false, port.pool);
    missQueue = l1.missQueue();
    misses = l1.misses();
    l1Latency = spec.l1().latency();
    ClassicCoreSpec.LoadStore ls = spec.loadStore();
    ports = ls.ports();
    shared = new SharedBanks(ls.sharedBanks(), ls.warpParts(), ls.sharedLimitedBroadcast());
    sharedQueue = new int[ls.sharedLatency()];
    sharedReady = new long[ls.sharedLatency()];
    bankQueue = new RequestQueue[spec.l1().banks()];
    lastInsert = new long[bankQueue.length];
    failedAt = new int[bankQueue.length];
    failure = new int[bankQueue.length];
    for (int i = 0; i < bankQueue.length; i++) {
      bankQueue[i] = new RequestQueue(spec.l1().latency());
      lastInsert[i] = -1;
      failedAt[i] = -1;
    }
    bankHash = spec.l1().bankHash().get();
    bankHash.begin(bankQueue.length, spec.l1().bankInterleaveBytes());
  }

  DataCache l1() {
    return l1;
  }

  boolean canRespond() {
    return responses.size() < spec.loadStore().responseBuffer();
  }

  /** The cluster hands over a response. */
  void respond(MemoryRequest response) {
    responses.push(response);
  }

  /** One cycle, then perhaps the next instruction from the collectors. */
  void cycle(long now) {
    for (int i = 0; i < ports; i++) {
      step(now);
    }
    if (dispatched == NONE && (pipeline.collectedKinds >>> UnitKind.MEMORY & 1) != 0) {
      PipelineRegister register = pipeline.collected[UnitKind.MEMORY];
      int slot = register.oldest(flight);
      int instruction = register.get(slot);
      pipeline.start(UnitKind.MEMORY, slot);
      accept(instruction, now);
    }
  }

  /**
   * The first cycle from {@code now} on in which anything can change, given that nothing comes from
   * outside. Retries that are sure to fail are not worth a call; {@link #skip} counts them.
   */
  long nextActivity(long now) {
    if (writingBack != NONE || bypassed != null || !responses.isEmpty() || misses.hasReady()) {
      return now;
    }
    long next = dispatchActivity(now);
    if (!missQueue.isEmpty()) {
      next = Math.min(next, port.hasRoom() ? now : port.windowEnd());
    }
    if (next <= now) {
      return now;
    }
    if (sharedCount > 0) {
      next = Math.min(next, sharedReady[sharedHead]);
    }
    if (headReady > now) {
      next = Math.min(next, headReady);
    } else {
      for (int b = 0; b < bankQueue.length; b++) {
        if (!bankQueue[b].isEmpty()) {
          long due = bankQueue[b].peek().ready;
          if (due > now || failedAt[b] != l1.changes()) {
            next = Math.min(next, due);
          }
        }
      }
    }
    return Math.max(next, now);
  }

  private long dispatchActivity(long now) {
    if (dispatched == NONE) {
      boolean waiting = (pipeline.collectedKinds >>> UnitKind.MEMORY & 1) != 0;
      return waiting ? now : Long.MAX_VALUE;
    }
    if (accessesLeft > 0) {
      if ((flight.flags[dispatched] & ClassicCode.BYPASS) != 0) {
        return port.hasRoom() ? now : port.windowEnd();
      }
      RequestQueue queue = bankQueue[bankHash.place(accesses.start[accessesLeft - 1])];
      return queue.size() < l1Latency ? now : Long.MAX_VALUE;
    }
    return sharedCyclesLeft > 1 ? now + sharedCyclesLeft - 1 : now;
  }

  /** Charges cycles from {@code now} on that were not simulated because nothing could change. */
  void skip(long now, long cycles) {
    if (dispatched != NONE) {
      stallCycles += cycles;
      if (accessesLeft == 0) {
        sharedCyclesLeft -= (int) cycles;
        sharedStallCycles += cycles;
      } else if ((flight.flags[dispatched] & ClassicCode.BYPASS) != 0) {
        networkStallCycles += cycles;
      } else {
        l1BankConflicts += cycles;
      }
    }
    if (headReady <= now) {
      for (int b = 0; b < bankQueue.length; b++) {
        if (!bankQueue[b].isEmpty() && bankQueue[b].peek().ready <= now) {
          l1.repeatFailure(bankQueue[b].peek(), failure[b], cycles);
        }
      }
    }
  }

  private void step(long now) {
    writeBack(now);
    takeResponse(now);
    if (!missQueue.isEmpty() && port.hasRoom()) {
      send(l1.takeMiss(), now);
    }
    if (headReady <= now) {
      accessL1(now);
    }
    if (dispatched != NONE) {
      dispatch(now);
    }
  }

  // ---- write-back

  private void writeBack(long now) {
    if (writingBack != NONE) {
      int warp = flight.warp[writingBack];
      int destination = warps.code[warp].destination[flight.row[writingBack]];
      if (destination != 0 && !collector.tryWrite(destination, warp)) {
        return;
      }
      if ((flight.flags[writingBack] & ClassicCode.SHARED) != 0) {
        if (destination != 0) {
          sm.release(writingBack, StallReason.SHARED);
        }
        sm.complete(writingBack);
        finish(writingBack);
      } else {
        sectorDone(writingBack, true);
      }
      writingBack = NONE;
    }
    boolean sharedDone = sharedCount > 0 && sharedReady[sharedHead] <= now;
    if (!sharedDone && bypassed == null && !misses.hasReady()) {
      return;
    }
    for (int i = 0; i < WRITE_BACK_CLIENTS && writingBack == NONE; i++) {
      int client = nextClient + i < WRITE_BACK_CLIENTS ? nextClient + i : nextClient + i - 5;
      if (serve(client, now)) {
        nextClient = client + 1 < WRITE_BACK_CLIENTS ? client + 1 : 0;
        break;
      }
    }
  }

  /** Texture and constant loads never come here with SASS traces, so two clients are idle. */
  private boolean serve(int client, long now) {
    switch (client) {
      case CLIENT_SHARED:
        if (sharedCount == 0 || sharedReady[sharedHead] > now) {
          return false;
        }
        writingBack = sharedQueue[sharedHead];
        sharedHead = sharedHead + 1 < sharedQueue.length ? sharedHead + 1 : 0;
        sharedCount--;
        int warp = flight.warp[writingBack];
        if ((flight.flags[writingBack] & ClassicCode.ATOMIC) != 0) {
          atomicDone(warp, Integer.bitCount(flight.mask[writingBack]));
        }
        leavePipeline(warp);
        return true;
      case CLIENT_BYPASS:
        if (bypassed == null) {
          return false;
        }
        MemoryRequest answer = bypassed;
        bypassed = null;
        if (answer.atomic) {
          atomicDone(answer.warp, answer.lanes);
        }
        writingBack = answer.number;
        answered(answer);
        port.pool.giveBack(answer);
        return true;
      case CLIENT_L1:
        if (!misses.hasReady()) {
          return false;
        }
        MemoryRequest filled = l1.takeReady();
        if (filled.write || filled.kind == AccessKind.L1_WR_ALLOC_R.ordinal()) {
          // A write that fetched its sector is done; its allocating read has no instruction.
          if (filled.write) {
            acknowledge(filled.warp);
          }
          port.pool.giveBack(filled);
          return true;
        }
        writingBack = filled.number;
        answered(filled);
        port.pool.giveBack(filled);
        return true;
      default:
        return false;
    }
  }

  /** A sector came from beyond L1. */
  private void answered(MemoryRequest sector) {
    int instruction = sector.number;
    if (instruction == NONE) {
      return;
    }
    boolean dram = sector.level == MemoryRequest.FROM_DRAM;
    flight.level[instruction] = Math.max(flight.level[instruction], dram ? 2 : 1);
    SmRecorder recorder = sm.recorder(flight.warp[instruction]);
    if (recorder != null) {
      recorder.filled(flight.row[instruction], sector.bytes / 32, dram);
    }
  }

  private static StallReason levelOf(int level) {
    return switch (level) {
      case 0 -> StallReason.L1_HIT;
      case 1 -> StallReason.L2_HIT;
      default -> StallReason.DRAM;
    };
  }

  private void sectorDone(int instruction, boolean throughWriteBack) {
    if (--flight.pending[instruction] > 0) {
      return;
    }
    int warp = flight.warp[instruction];
    int destination = warps.code[warp].destination[flight.row[instruction]];
    if (destination != 0) {
      sm.release(instruction, levelOf(flight.level[instruction]));
      sm.complete(instruction);
    }
    if ((flight.flags[instruction] & ClassicCode.ASYNC_COPY) != 0) {
      groups.done(warp, flight.group[instruction]);
      if (throughWriteBack && destination == 0) {
        // Accel-Sim counts a copy that missed once more when its data arrive.
        sm.complete(instruction);
      }
    }
    finish(instruction);
  }

  private void finish(int instruction) {
    int warp = flight.warp[instruction];
    sm.ended(instruction, true);
    flight.giveBack(instruction);
    warps.checkRetirable(warp);
  }

  private void leavePipeline(int warp) {
    warps.inPipeline[warp]--;
    warps.checkRetirable(warp);
  }

  private void atomicDone(int warp, int lanes) {
    warps.atomicLanes[warp] -= lanes;
    if (warps.atomicLanes[warp] == 0) {
      warps.inAtomic &= ~(1L << warp);
    }
  }

  private void acknowledge(int warp) {
    warps.stores[warp]--;
    warps.checkRetirable(warp);
  }

  // ---- responses

  private void takeResponse(long now) {
    if (responses.isEmpty()) {
      return;
    }
    MemoryRequest response = responses.peek();
    if (response.write) {
      responses.pop();
      acknowledge(response.warp);
      arrived(response, now);
      port.pool.giveBack(response);
    } else if (response.bypass) {
      if (bypassed == null) {
        bypassed = responses.pop();
        arrived(bypassed, now);
      }
    } else if (l1.fillPortFree(now)) {
      responses.pop();
      arrived(response, now);
      l1.fill(response, now);
    }
  }

  private void arrived(MemoryRequest response, long now) {
    answers++;
    latencySum += now - response.born;
  }

  // ---- L1

  private void accessL1(long now) {
    headReady = Long.MAX_VALUE;
    for (int b = 0; b < bankQueue.length; b++) {
      RequestQueue queue = bankQueue[b];
      if (!queue.isEmpty()) {
        if (queue.peek().ready <= now) {
          accessL1(b, queue, now);
        }
        if (!queue.isEmpty()) {
          headReady = Math.min(headReady, queue.peek().ready);
        }
      }
    }
  }

  /** The head of a bank's queue has its turn. */
  private void accessL1(int b, RequestQueue queue, long now) {
    MemoryRequest request = queue.peek();
    if (failedAt[b] == l1.changes()) {
      l1.repeatFailure(request, failure[b], 1);
      return;
    }
    int outcome = l1.access(request, now);
    if (outcome == CacheOutcome.RESERVATION_FAIL) {
      failedAt[b] = l1.changes();
      failure[b] = l1.lastFailure();
      return;
    }
    queue.pop();
    queued--;
    if (request.write) {
      if (l1.isWritten()) {
        acknowledge(request.warp);
        port.pool.giveBack(request);
      }
    } else if (outcome == CacheOutcome.HIT) {
      if (request.number != NONE) {
        SmRecorder recorder = sm.recorder(request.warp);
        if (recorder != null) {
          recorder.hits(flight.row[request.number], now, request.bytes / 32);
        }
        sectorDone(request.number, false);
      }
      port.pool.giveBack(request);
    }
  }

  private void send(MemoryRequest request, long now) {
    boolean local =
        request.kind == AccessKind.LOCAL_ACC_R.ordinal()
            || request.kind == AccessKind.LOCAL_ACC_W.ordinal();
    if (request.write) {
      if (local) {
        localWrites++;
      } else {
        globalWrites++;
      }
    } else if (local) {
      localReads++;
    } else {
      globalReads++;
    }
    if (request.atomic) {
      atomics++;
    }
    request.core = sm.core();
    if (request.kind == L1_WRITE_BACK) {
      request.born = now;
    }
    port.send(request, now);
  }

  // ---- dispatch register

  private void accept(int instruction, long now) {
    int warp = flight.warp[instruction];
    ClassicCode code = warps.code[warp];
    int row = flight.row[instruction];
    int flags = flight.flags[instruction];
    int mask = flight.mask[instruction];
    dispatched = instruction;
    sharedCyclesLeft = 0;
    accessesLeft = 0;
    if (mask == 0 || (flags & (ClassicCode.LOAD | ClassicCode.STORE)) == 0) {
      return;
    }
    BlockTrace block = warps.block[warp];
    int payload = block.payload(flight.index[instruction]);
    if (payload == BlockTrace.NO_PAYLOAD) {
      return;
    }
    long[] data = block.data();
    boolean strided = Payload.kind(data, payload) == Payload.STRIDE;
    if ((flags & ClassicCode.SHARED) != 0) {
      if (strided && shared.isFree(data[payload + 2])) {
        sharedCyclesLeft = 1;
      } else {
        Payload.addresses(data, payload, mask, laneAddress);
        sharedCyclesLeft = shared.cycles(laneAddress, mask);
      }
      sharedBankConflicts += sharedCyclesLeft - 1;
      if (sm.recorder(warp) != null) {
        sm.recorder(warp).access(row, now, 0, 0, sharedCyclesLeft - 1);
      }
      return;
    }
    coalesce(warp, flags, mask, code.width[row], data, payload);
    accessesLeft = accesses.count;
    if (sm.recorder(warp) != null) {
      sm.recorder(warp).access(row, now, sectors(), 0, 0);
    }
    boolean tracked = code.destination[row] != 0 || (flags & ClassicCode.ASYNC_COPY) != 0;
    if ((flags & ClassicCode.LOAD) != 0 && tracked) {
      flight.pending[instruction] = accessesLeft;
    }
  }

  private void coalesce(int warp, int flags, int mask, int width, long[] data, int payload) {
    boolean atomic = (flags & ClassicCode.ATOMIC) != 0;
    boolean local = (flags & ClassicCode.LOCAL) != 0;
    boolean plain = !atomic && !local;
    boolean throughL1 = (flags & ClassicCode.BYPASS) == 0;
    int architecture = spec.loadStore().coalesceArchitecture();
    accesses.begin(plain ? segmentBytes(architecture, throughL1, width) : SECTOR);
    if (plain && Payload.kind(data, payload) == Payload.STRIDE) {
      long first = data[payload + 1];
      if (first != 0 && accesses.isRun(first, data[payload + 2], width)) {
        accesses.touchRun(first, Integer.bitCount(mask), width);
        return;
      }
    }
    Payload.addresses(data, payload, mask, laneAddress);
    if (local && !atomic) {
      coalesceLocal(warp, mask, width);
      return;
    }
    int with = withAddress(laneAddress, mask);
    if (atomic) {
      for (int m = with; m != 0; m &= m - 1) {
        accesses.touchAlone(laneAddress[LowestBit.of(m)], width);
      }
    } else {
      accesses.touch(laneAddress, with, width);
    }
  }

  /** Lanes of a mask that have an address: in Accel-Sim's traces zero is none. */
  static int withAddress(long[] laneAddress, int mask) {
    int with = mask;
    for (int m = mask; m != 0; m &= m - 1) {
      if (laneAddress[LowestBit.of(m)] == 0) {
        with &= ~Integer.lowestOneBit(m);
      }
    }
    return with;
  }

  /**
   * Bytes that one access moves: sectors, but before architecture 40 more for wider loads that go
   * through L1.
   */
  static int segmentBytes(int architecture, boolean throughL1, int width) {
    boolean sectors = architecture >= 40 || !throughL1;
    return sectors || width == 1 ? SECTOR : width == 2 ? 2 * SECTOR : 4 * SECTOR;
  }

  private int sectors() {
    return accesses.count * accesses.segmentBytes() / SECTOR;
  }

  /** Local memory: the same offset of neighbouring threads is contiguous. */
  private void coalesceLocal(int warp, int mask, int width) {
    long threads = sm.paddedThreads(warp);
    long all = threads * sm.blocksPerSm(warp) * sm.smCount();
    int pieces = Math.max(1, width / 4);
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = LowestBit.of(m);
      long thread = warp * 32L + lane;
      long offset = laneAddress[lane];
      if (spec.loadStore().interleaveLocal()) {
        long place = threads * (sm.number() + sm.smCount() * (thread / threads)) + thread % threads;
        laneAddress[lane] = LOCAL_BASE + (offset / 4) * 4 * all + 4 * place + (offset & 3);
      } else {
        laneAddress[lane] = LOCAL_BASE + 4L * (warps.slots * 32L * sm.number() + thread) + offset;
      }
    }
    for (int m = mask; m != 0; m &= m - 1) {
      long address = laneAddress[LowestBit.of(m)];
      for (int piece = 0; piece < pieces; piece++) {
        accesses.touch(address + piece * 4 * all, Math.min(4, width));
      }
    }
  }

  private void dispatch(long now) {
    int instruction = dispatched;
    int flags = flight.flags[instruction];
    if (sharedCyclesLeft > 0 && --sharedCyclesLeft > 0) {
      sharedStallCycles++;
      stallCycles++;
      return;
    }
    if (accessesLeft > 0) {
      if ((flags & ClassicCode.BYPASS) != 0) {
        sendBypassing(instruction, flags, now);
      } else {
        fillBankQueues(instruction, flags, now);
      }
      if (accessesLeft > 0) {
        stallCycles++;
        return;
      }
    }
    int warp = flight.warp[instruction];
    if ((flags & ClassicCode.LOAD) == 0) {
      leavePipeline(warp);
      sm.complete(instruction);
      dispatched = NONE;
      finish(instruction);
    } else if ((flags & ClassicCode.SHARED) != 0) {
      if (sharedCount < sharedQueue.length) {
        int at = sharedHead + sharedCount;
        at = at >= sharedQueue.length ? at - sharedQueue.length : at;
        sharedQueue[at] = instruction;
        sharedReady[at] = now + sharedQueue.length;
        sharedCount++;
        dispatched = NONE;
      }
    } else {
      leavePipeline(warp);
      dispatched = NONE;
      loadSent(instruction, warp, flags);
    }
  }

  /** A load has sent everything; one that waits for nothing is complete. */
  private void loadSent(int instruction, int warp, int flags) {
    int destination = warps.code[warp].destination[flight.row[instruction]];
    boolean waits = flight.pending[instruction] > 0;
    if (waits && destination != 0) {
      return;
    }
    sm.complete(instruction);
    if (waits) {
      // An asynchronous copy: its group waits for it, the pipeline does not.
      return;
    }
    if (destination != 0) {
      sm.release(instruction, StallReason.L1_HIT);
    }
    if ((flags & ClassicCode.ASYNC_COPY) != 0) {
      groups.done(warp, flight.group[instruction]);
    }
    finish(instruction);
  }

  private void sendBypassing(int instruction, int flags, long now) {
    if (!port.hasRoom()) {
      networkStallCycles++;
      return;
    }
    int at = --accessesLeft;
    MemoryRequest request = request(instruction, flags, at, now);
    request.bypass = true;
    if (request.write) {
      warps.stores[request.warp]++;
    }
    send(request, now);
    if (accessesLeft > 0) {
      coalescingStallCycles++;
    }
  }

  private void fillBankQueues(int instruction, int flags, long now) {
    for (int i = 0; i < bankQueue.length && accessesLeft > 0; i++) {
      long address = accesses.start[accessesLeft - 1];
      int bank = bankHash.place(address);
      RequestQueue queue = bankQueue[bank];
      if (lastInsert[bank] == now || queue.size() >= l1Latency) {
        l1BankConflicts++;
        return;
      }
      MemoryRequest request = request(instruction, flags, --accessesLeft, now);
      request.ready = now + l1Latency;
      headReady = Math.min(headReady, request.ready);
      if (request.write) {
        warps.stores[request.warp]++;
      }
      lastInsert[bank] = now;
      queue.push(request);
      queued++;
    }
    if (accessesLeft > 0) {
      coalescingStallCycles++;
    }
  }

  private MemoryRequest request(int instruction, int flags, int at, long now) {
    MemoryRequest request = port.pool.take();
    request.address = accesses.start[at];
    request.bytes = accesses.segmentBytes();
    request.byteMask = accesses.touched[at];
    request.lanes = accesses.lanes[at];
    request.warp = flight.warp[instruction];
    request.write = (flags & ClassicCode.LOAD) == 0;
    request.atomic = (flags & ClassicCode.ATOMIC) != 0;
    boolean local = (flags & ClassicCode.LOCAL) != 0;
    AccessKind kind =
        request.write
            ? local ? AccessKind.LOCAL_ACC_W : AccessKind.GLOBAL_ACC_W
            : local ? AccessKind.LOCAL_ACC_R : AccessKind.GLOBAL_ACC_R;
    request.kind = kind.ordinal();
    request.number = flight.pending[instruction] > 0 && !request.write ? instruction : NONE;
    request.born = now;
    return request;
  }

  /** Drops what the L1 holds. */
  void invalidate() {
    l1.invalidate();
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return dispatched == NONE
        && sharedCount == 0
        && queued == 0
        && responses.isEmpty()
        && bypassed == null
        && writingBack == NONE
        && missQueue.isEmpty()
        && misses.inUse() == 0;
  }

  /** What the unit is doing, for a report of who waits for what. */
  String describe() {
    return "dispatch "
        + (dispatched == NONE ? "empty" : "warp " + flight.warp[dispatched])
        + ", "
        + queued
        + " in L1 queues, "
        + misses.inUse()
        + " sectors missing, "
        + missQueue.size()
        + " to send, "
        + sharedCount
        + " in shared memory";
  }
}
