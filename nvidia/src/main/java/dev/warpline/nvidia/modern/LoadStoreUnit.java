package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.hopper.CopyEngine;
import dev.warpline.nvidia.modern.cache.L1Cache;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/**
 * Memory instructions of an SM: a queue per sub-core, then one shared path to shared memory and L1.
 * Misses and stores leave as requests; replies come back with the time they arrive.
 */
final class LoadStoreUnit {
  private static final byte GLOBAL_QUEUE = (byte) StallReason.GLOBAL_QUEUE.ordinal();
  private static final byte MIO_QUEUE = (byte) StallReason.MIO_QUEUE.ordinal();
  private static final byte L1_HIT = (byte) StallReason.L1_HIT.ordinal();
  private static final byte L1_MISS = (byte) StallReason.L1_MISS.ordinal();
  private static final byte L2_HIT = (byte) StallReason.L2_HIT.ordinal();
  private static final byte DRAM = (byte) StallReason.DRAM.ordinal();
  private static final byte ATOMIC = (byte) StallReason.ATOMIC.ordinal();
  private static final byte COPY = (byte) StallReason.ASYNC_COPY.ordinal();
  private static final byte SHARED = (byte) StallReason.SHARED.ordinal();
  private static final byte SHUFFLE = (byte) StallReason.SHUFFLE.ordinal();
  private static final byte SHORT_OTHER = (byte) StallReason.SHORT_OTHER.ordinal();

  /** A fill time that is not known yet carries the request's number. */
  private static final long UNKNOWN = 1L << 62;

  private static final int GROUPS = 16;
  private static final int COPY_WORDS = 4;
  private static final int NONE = -1;

  private final int sm;
  private final ModernCoreSpec.LoadStore spec;
  private final SmCore core;
  private final Warps warps;
  private final L1Cache l1;
  private final Coalescer lanes = new Coalescer();
  private final Requests requests;
  private final int subCores;
  private final int depth;

  // Queues of the sub-cores: rings.
  private final int[][] queueWarp;
  private final int[][] queueRow;
  private final int[][] queueIndex;
  private final int[][] queueGroup;
  private final long[][] queueReady;
  private final long[][] queueIssued;
  private final int[] queueHead;
  private final int[] queueSize;

  /** When each place of a queue is free again after its instruction was served. */
  private final long[][] placeFree;

  private final long[] addressFree;
  private final long[] pathFree;

  private CodeRows code;
  private int lastServed;

  /** Copy group of the instruction being served. */
  private int group;

  /** When the instruction being served, or completed, was issued. */
  private long issuedAt;

  private long pipeFree;
  private int stolen;
  private double portFree;
  private long wayOpen;
  private double remoteFree;
  private int storeSectors;
  private final LongHeap storesDone = new LongHeap();
  private long next;

  // Loads on their way.
  private int[] loadWarp = new int[256];
  private int[] loadRow = new int[256];
  private int[] loadOpen = new int[256];
  private long[] loadDone = new long[256];
  private byte[] loadReason = new byte[256];
  private int[] loadGroup = new int[256];
  private long[] loadIssued = new long[256];
  private int[] loadNext = new int[256];
  private int freeLoad = NONE;
  private int loads;

  // Requests for lines, with the loads that wait for each.
  private long[] missLine = new long[256];
  private int[] missPlace = new int[256];
  private int[] missSectors = new int[256];
  private int[] missWaiters = new int[256];
  private int[] missNext = new int[256];
  private int freeMiss = NONE;
  private int misses;
  private int[] waiterLoad = new int[512];
  private int[] waiterNext = new int[512];
  private int freeWaiter = NONE;
  private int waiters;

  // Groups of asynchronous copies per warp.
  private final int[] groupOpen;
  private final int[] groupCounter;
  private final int[] groupBarrier;
  private final int[] groupArrivals;
  private final long[] groupDone;
  private final int[] groupFirst;
  private final int[] groupNow;

  @Counter("requests of global loads")
  long globalLoads;

  @Counter(value = "asked by global loads", unit = "sectors")
  long globalLoadSectors;

  @Counter(value = "asked by global loads and found in L1 or on their way", unit = "sectors")
  long globalLoadHits;

  @Counter(value = "of those, on their way", unit = "sectors")
  long globalLoadsPending;

  @Counter("requests of global stores")
  long globalStores;

  @Counter(value = "written by global stores", unit = "sectors")
  long globalStoreSectors;

  @Counter(value = "asked by local loads", unit = "sectors")
  long localLoadSectors;

  @Counter(value = "asked by local loads and found in L1", unit = "sectors")
  long localLoadHits;

  @Counter("shared-memory instructions")
  long sharedAccesses;

  @Counter(value = "more passes of shared-memory instructions than their width needs")
  long sharedConflicts;

  @Counter("accesses to other SMs' shared memory")
  long remoteAccesses;

  @Counter(value = "shared path in use", unit = "cycles")
  long pipeCycles;

  LoadStoreUnit(int sm, ModernCoreSpec spec, SmCore core, Warps warps, int subCores) {
    this.sm = sm;
    requests = new Requests(sm);
    this.spec = spec.loadStore();
    this.core = core;
    this.warps = warps;
    this.subCores = subCores;
    l1 = new L1Cache(spec.loadStore().l1Ways());
    depth = spec.loadStore().queue();
    queueWarp = new int[subCores][depth];
    queueRow = new int[subCores][depth];
    queueIndex = new int[subCores][depth];
    queueGroup = new int[subCores][depth];
    queueReady = new long[subCores][depth];
    queueIssued = new long[subCores][depth];
    queueHead = new int[subCores];
    queueSize = new int[subCores];
    placeFree = new long[subCores][depth];
    addressFree = new long[subCores];
    pathFree = new long[subCores];
    groupOpen = new int[warps.slots * GROUPS];
    groupCounter = new int[warps.slots * GROUPS];
    groupBarrier = new int[warps.slots * GROUPS];
    groupArrivals = new int[warps.slots * GROUPS];
    groupDone = new long[warps.slots * GROUPS];
    groupFirst = new int[warps.slots];
    groupNow = new int[warps.slots];
  }

  void startKernel(CodeRows code, int l1Bytes) {
    this.code = code;
    l1.resize(l1Bytes);
    Arrays.fill(queueHead, 0);
    Arrays.fill(queueSize, 0);
    for (long[] places : placeFree) {
      Arrays.fill(places, 0);
    }
    Arrays.fill(addressFree, 0);
    Arrays.fill(pathFree, 0);
    lastServed = 0;
    pipeFree = 0;
    stolen = 0;
    portFree = 0;
    wayOpen = 0;
    remoteFree = 0;
    remoteAccesses = 0;
    storeSectors = 0;
    storesDone.clear();
    next = Warps.NEVER;
    loads = 0;
    freeLoad = NONE;
    misses = 0;
    freeMiss = NONE;
    waiters = 0;
    freeWaiter = NONE;
    globalLoads = 0;
    globalLoadSectors = 0;
    globalLoadHits = 0;
    globalLoadsPending = 0;
    globalStores = 0;
    globalStoreSectors = 0;
    localLoadSectors = 0;
    localLoadHits = 0;
    sharedAccesses = 0;
    sharedConflicts = 0;
    pipeCycles = 0;
  }

  void startWarp(int w) {
    groupFirst[w] = 0;
    groupNow[w] = 0;
    Arrays.fill(groupOpen, w * GROUPS, (w + 1) * GROUPS, 0);
    Arrays.fill(groupDone, w * GROUPS, (w + 1) * GROUPS, 0);
  }

  Requests requests() {
    return requests;
  }

  long next() {
    return next;
  }

  /** Earliest cycle at which a sub-core's queue can take one more, as far as is known. */
  long roomAt(int subCore, long now) {
    if (queueSize[subCore] == depth) {
      return Math.max(now + 1, next);
    }
    return placeFree[subCore][wrap(queueHead[subCore] + queueSize[subCore])];
  }

  /** Place in a queue's ring. */
  private int wrap(int place) {
    return place >= depth ? place - depth : place;
  }

  /** Why a warp waits when the queue is full. */
  static byte throttle(CodeRows code, int row) {
    boolean global =
        code.action[row] == CodeRows.MEMORY && code.space[row] != CodeRows.SPACE_SHARED;
    return global ? GLOBAL_QUEUE : MIO_QUEUE;
  }

  /** What a warp that needs the result waits for, as long as the level is not known. */
  static byte waitReason(CodeRows code, int row) {
    if (code.action[row] == CodeRows.SHUFFLE) {
      return SHUFFLE;
    }
    if (code.action[row] != CodeRows.MEMORY) {
      return SHORT_OTHER;
    }
    if (code.space[row] == CodeRows.SPACE_SHARED) {
      return SHARED;
    }
    return code.access[row] == CodeRows.ATOMIC ? ATOMIC : L1_MISS;
  }

  /** An instruction was issued into its sub-core's queue. */
  void enqueue(int subCore, int w, int row, int index, long now) {
    long address = Math.max(now + 2, addressFree[subCore]);
    addressFree[subCore] = address + spec.addressCycles();
    int at = wrap(queueHead[subCore] + queueSize[subCore]);
    queueSize[subCore]++;
    queueWarp[subCore][at] = w;
    queueRow[subCore][at] = row;
    queueIndex[subCore][at] = index;
    queueGroup[subCore][at] = groupNow[w];
    if (isCopy(row)) {
      groupOpen[w * GROUPS + groupNow[w] % GROUPS]++;
    }
    long ready = address + spec.entryCycles() - 2;
    queueReady[subCore][at] = ready;
    queueIssued[subCore][at] = now;
    warps.inFlight[w]++;
    if (queueSize[subCore] == 1) {
      long when = Math.max(Math.max(ready, pipeFree), pathFree[subCore]);
      if (when < next) {
        next = when;
      }
    }
  }

  /** Serves one instruction if the shared path is free and one is ready. */
  void step(long now) {
    while (!storesDone.isEmpty() && storesDone.first() >>> 8 <= now) {
      storeSectors -= (int) storesDone.remove() & 0xff;
    }
    if (pipeFree > now) {
      next = pipeFree;
      return;
    }
    int s = lastServed;
    for (int k = 0; k < subCores; k++) {
      s = s + 1 == subCores ? 0 : s + 1;
      if (queueSize[s] > 0
          && Math.max(queueReady[s][queueHead[s]], pathFree[s]) <= now
          && mayServe(s, now)) {
        lastServed = s;
        int head = queueHead[s];
        queueHead[s] = wrap(head + 1);
        queueSize[s]--;
        placeFree[s][head] = now + spec.queueRelease();
        group = queueGroup[s][head];
        issuedAt = queueIssued[s][head];
        serve(s, queueWarp[s][head], queueRow[s][head], queueIndex[s][head], now);
        core.subCore(s).wake(now + spec.queueRelease());
        break;
      }
    }
    findNext(now);
  }

  /** Stores and reductions wait for room in the SM's write port. */
  private boolean mayServe(int s, long now) {
    int row = queueRow[s][queueHead[s]];
    if (code.action[row] != CodeRows.MEMORY
        || code.access[row] == CodeRows.LOAD
        || code.space[row] == CodeRows.SPACE_SHARED) {
      return true;
    }
    return portFree <= now + spec.storePortAhead() && storeSectors < spec.storeSectors();
  }

  private void findNext(long now) {
    long soonest = Warps.NEVER;
    for (int s = 0; s < subCores; s++) {
      if (queueSize[s] == 0) {
        continue;
      }
      long when = Math.max(queueReady[s][queueHead[s]], pathFree[s]);
      if (when <= now && !mayServe(s, now)) {
        when = (long) portFree - spec.storePortAhead();
        if (storeSectors >= spec.storeSectors()) {
          when = storesDone.isEmpty() ? Warps.NEVER : Math.max(when, storesDone.first() >>> 8);
        }
      }
      soonest = Math.min(soonest, Math.max(when, now + 1));
    }
    next = Math.max(soonest, pipeFree);
  }

  private void serve(int s, int w, int row, int index, long now) {
    int rb = code.readBarrier[row];
    long issued = now - spec.entryCycles();
    if (code.action[row] != CodeRows.MEMORY) {
      occupy(s, 1, now);
      int latency =
          code.action[row] == CodeRows.SHUFFLE ? spec.shuffleCycles() : spec.entryCycles() + 4;
      finish(w, row, issued + latency, SHUFFLE);
      release(w, rb, issued + spec.shuffleReadCycles(), SHUFFLE);
      return;
    }
    BlockTrace trace = warps.trace[w];
    int mask = trace.mask(index);
    int payload = trace.payload(index);
    if (mask == 0 || payload == BlockTrace.NO_PAYLOAD) {
      occupy(s, 1, now);
      long done = issued + spec.sharedLoadBase() + spec.sharedLoadWord();
      if (isCopy(row)) {
        copyDone(w, group, done);
      }
      finish(w, row, done, SHARED);
      release(w, rb, issued + spec.sharedLoadRead(), SHARED);
      return;
    }
    lanes.addresses(trace.data(), payload, mask);
    int space = code.space[row];
    int bytes = code.bytes[row] & 0xff;
    if (space == CodeRows.SPACE_GENERIC) {
      long first = lanes.address[Integer.numberOfTrailingZeros(mask)];
      space = core.spaceOf(first);
      if (space == CodeRows.SPACE_SHARED && core.isRemote(w, first)) {
        remote(s, w, row, mask, bytes, issued, now);
        return;
      }
    }
    if (space == CodeRows.SPACE_SHARED) {
      shared(s, w, row, mask, bytes, issued, now);
      return;
    }
    if (space == CodeRows.SPACE_LOCAL) {
      lanes.localLines(mask, bytes, localBase(w));
    } else {
      lanes.lines(mask, bytes);
    }
    switch (code.access[row]) {
      case CodeRows.LOAD -> load(s, w, row, space, bytes, issued, now);
      case CodeRows.STORE -> store(s, w, row, space, bytes, issued, now);
      default -> atomic(s, w, row, mask, bytes, issued, now);
    }
  }

  /** Each resident warp has its own stretch of local memory, word-interleaved over its lanes. */
  private long localBase(int w) {
    return 1L << 45 | (long) (sm * warps.slots + w) << 30;
  }

  /** Passes that others than memory instructions take of the shared path, when it gets to them. */
  void steal(int passes) {
    stolen += passes;
  }

  private void occupy(int s, int passes, long now) {
    int cycles = Math.max(spec.gate(), passes);
    if (stolen > 0) {
      // Idle cycles since the last instruction were theirs; after that they get every other pass.
      stolen = (int) Math.max(0, stolen - Math.max(0, now - pipeFree));
      int more = Math.min(stolen, cycles);
      stolen -= more;
      cycles += more;
    }
    pipeFree = now + cycles;
    pipeCycles += cycles;
    pathFree[s] = now + (long) spec.passCycles() * passes;
  }

  private void shared(int s, int w, int row, int mask, int bytes, long issued, long now) {
    int words = Math.max(1, bytes >> 2);
    boolean isAtomic = code.access[row] >= CodeRows.ATOMIC;
    boolean uniform = code.uniformAddress[row];
    int least = words;
    int passes;
    if (code.access[row] == CodeRows.LOAD && bytes > 0 && isMatrix(row)) {
      passes = lanes.matrixPasses(mask, words);
    } else {
      passes = lanes.sharedPasses(mask, bytes, isAtomic);
      if (code.access[row] == CodeRows.STORE) {
        passes = Math.max(passes, words);
      }
    }
    if (code.compareSwap[row]) {
      passes *= 2;
    }
    sharedAccesses++;
    sharedConflicts += Math.max(0, passes - least);
    core.recordAccess(row, now, 0, 0, Math.max(0, passes - least));
    occupy(s, passes, now);
    long extra = (long) spec.passCycles() * Math.max(0, passes - least);
    long result;
    long sourcesFree;
    if (isAtomic) {
      int base = code.compareSwap[row] ? spec.sharedCompareCycles() : spec.sharedAtomicCycles();
      result = issued + base + spec.passCycles() * (passes - 1L);
      sourcesFree = issued + spec.sharedStoreReadBase() + spec.storeReadWord();
    } else if (code.access[row] == CodeRows.STORE) {
      result = now;
      sourcesFree =
          issued
              + spec.sharedStoreReadBase()
              + (long) spec.storeReadWord() * words
              + extra
              - (uniform ? spec.uniformSharedStoreRead() : 0);
    } else {
      long latency =
          isMatrix(row)
              ? spec.matrixLoadCycles()
              : spec.sharedLoadBase()
                  + (long) spec.sharedLoadWord() * Math.max(words, spec.sharedLoadLeastWords())
                  - (uniform ? spec.uniformSharedLoad() : 0);
      result = issued + latency + extra;
      sourcesFree = issued + spec.sharedLoadRead();
    }
    finish(w, row, result, SHARED);
    release(w, code.readBarrier[row], sourcesFree, SHARED);
  }

  /** An access to the shared memory of another SM of the cluster. */
  private void remote(int s, int w, int row, int mask, int bytes, long issued, long now) {
    occupy(s, lanes.sharedPasses(mask, bytes, false), now);
    remoteFree = Math.max(now, remoteFree) + Integer.bitCount(mask) * bytes / core.remoteBytes();
    remoteAccesses++;
    long start = (long) remoteFree - spec.entryCycles();
    release(w, code.readBarrier[row], start + spec.globalLoadRead(), SHARED);
    finish(w, row, Math.max(issued, start) + core.remoteLoadCycles(), SHARED);
  }

  private boolean isCopy(int row) {
    return code.action[row] == CodeRows.MEMORY && code.space[row] == CodeRows.SPACE_COPY;
  }

  private boolean isMatrix(int row) {
    return code.matrix[row];
  }

  private void load(int s, int w, int row, int space, int bytes, long issued, long now) {
    boolean copy = space == CodeRows.SPACE_COPY;
    int lines = lanes.count;
    int words = Math.max(1, bytes >> 2);
    occupy(s, lines, now);
    long extra = (long) spec.passCycles() * Math.max(0, lines - words);
    boolean uniform = code.uniformAddress[row];
    // The width of a copy does not matter: published, 39 cycles for all on Ampere.
    long hitAt =
        issued
            + spec.globalLoadBase()
            + (long) spec.globalLoadWord() * (copy ? COPY_WORDS : words)
            + extra
            - (uniform ? spec.uniformGlobalLoad() : 0);
    boolean bypass = code.bypassesL1[row];
    int sectors = 0;
    int hits = 0;
    int pending = 0;
    int load = NONE;
    for (int k = 0; k < lines; k++) {
      long line = lanes.line[k];
      int need = lanes.words[k];
      int wanted = sectorsOf(need);
      sectors += Integer.bitCount(wanted);
      int place = bypass ? NONE : l1.find(line);
      if (place < 0 && !bypass) {
        place = l1.allocate(line);
      }
      int ask = 0;
      for (int m = wanted; m != 0; m &= m - 1) {
        int sector = Integer.numberOfTrailingZeros(m);
        int sectorWords = need & 0xff << 8 * sector;
        if (bypass) {
          ask |= 1 << sector;
          continue;
        }
        long fill = l1.fill(place, sector);
        if (fill != 0 && fill < UNKNOWN && fill <= now) {
          l1.makeValid(place, 0xff << 8 * sector);
          l1.setFill(place, sector, 0);
          fill = 0;
        }
        if ((l1.valid(place) & sectorWords) == sectorWords) {
          hits++;
        } else if (fill == 0) {
          ask |= 1 << sector;
        } else {
          hits++;
          pending++;
          if (load == NONE) {
            load = newLoad(w, row, hitAt, copy);
          }
          if (fill >= UNKNOWN) {
            await((int) (fill - UNKNOWN), load);
          } else {
            loadDone[load] = Math.max(loadDone[load], fill + spec.missReturn() + 3L * words);
            loadReason[load] = L2_HIT;
          }
        }
      }
      if (ask != 0) {
        if (load == NONE) {
          load = newLoad(w, row, hitAt, copy);
        }
        int miss = newMiss(line, place, ask);
        await(miss, load);
        if (place >= 0) {
          for (int m = ask; m != 0; m &= m - 1) {
            l1.setFill(place, Integer.numberOfTrailingZeros(m), UNKNOWN + miss);
          }
        }
        requests.add(leaves(now + k), line, Requests.READ, ask, 0, 0, false, miss);
      }
    }
    if (space == CodeRows.SPACE_LOCAL) {
      localLoadSectors += sectors;
      localLoadHits += hits;
    } else {
      globalLoads++;
      globalLoadSectors += sectors;
      globalLoadHits += hits;
      globalLoadsPending += pending;
    }
    core.recordAccess(row, now, sectors, hits, 0);
    int read =
        copy
            ? spec.asyncCopyRead()
            : spec.globalLoadRead() - (uniform ? spec.uniformGlobalLoadRead() : 0);
    release(w, code.readBarrier[row], issued + read + extra, L1_HIT);
    if (load == NONE) {
      if (copy) {
        copyDone(w, group, hitAt + spec.asyncCopyExtra());
        endOne(w, hitAt);
      } else {
        finish(w, row, hitAt, L1_HIT);
      }
    } else if (loadOpen[load] == 0) {
      completeLoad(load);
    }
  }

  private static int sectorsOf(int words) {
    return ((words & 0xff) != 0 ? 1 : 0)
        | ((words & 0xff00) != 0 ? 2 : 0)
        | ((words & 0xff0000) != 0 ? 4 : 0)
        | ((words & 0xff000000) != 0 ? 8 : 0);
  }

  private void store(int s, int w, int row, int space, int bytes, long issued, long now) {
    int lines = lanes.count;
    int words = Math.max(1, bytes >> 2);
    occupy(s, lines, now);
    int sectors = 0;
    for (int k = 0; k < lines; k++) {
      int touched = lanes.words[k];
      int wanted = sectorsOf(touched);
      int count = Integer.bitCount(wanted);
      sectors += count;
      int place = l1.find(lanes.line[k]);
      if (place < 0) {
        place = l1.allocate(lanes.line[k]);
      }
      if (bytes >= 4) {
        l1.makeValid(place, touched);
      } else {
        l1.drop(place, touched & ~l1.valid(place));
      }
      send(now + k, count * 32 / spec.writeBytes());
      requests.add(
          leaves((long) portFree),
          lanes.line[k],
          Requests.WRITE,
          wanted,
          bytes >= 4 ? touched : 0,
          0,
          false,
          -1 - count);
    }
    storeSectors += sectors;
    if (space != CodeRows.SPACE_LOCAL) {
      globalStores++;
      globalStoreSectors += sectors;
    }
    core.recordAccess(row, now, sectors, 0, 0);
    long extra = (long) spec.passCycles() * Math.max(0, lines - words);
    release(
        w,
        code.readBarrier[row],
        issued
            + spec.globalStoreReadBase()
            + (long) spec.storeReadWord() * words
            + extra
            - (code.uniformAddress[row] ? spec.uniformGlobalStoreRead() : 0),
        L1_HIT);
    finish(w, row, now + lines, L1_HIT);
  }

  /** When a request leaves the SM; the first of a kernel opens the way for all. */
  private long leaves(long looked) {
    if (wayOpen == 0) {
      wayOpen = looked + spec.firstAccessCycles();
    }
    return Math.max(looked, wayOpen) + spec.missLeave();
  }

  private void send(long now, double cycles) {
    portFree = Math.max(portFree, now) + cycles;
  }

  private void atomic(int s, int w, int row, int mask, int bytes, long issued, long now) {
    int lines = lanes.count;
    occupy(s, lines, now);
    lanes.countRepeats(mask);
    boolean value = code.access[row] == CodeRows.ATOMIC;
    double perSector = spec.atomicSectorCycles() * (code.compareSwap[row] ? 2 : 1);
    int load = value ? newLoad(w, row, issued, false) : NONE;
    int sectors = 0;
    for (int k = 0; k < lines; k++) {
      int wanted = sectorsOf(lanes.words[k]);
      int count = Integer.bitCount(wanted);
      sectors += count;
      int place = l1.find(lanes.line[k]);
      if (place >= 0) {
        for (int m = wanted; m != 0; m &= m - 1) {
          l1.drop(place, 0xff << 8 * Integer.numberOfTrailingZeros(m));
        }
      }
      send(now + k, count * perSector);
      int tag = -1 - count;
      if (value) {
        int miss = newMiss(lanes.line[k], NONE, wanted);
        await(miss, load);
        tag = miss;
      }
      requests.add(
          leaves((long) portFree),
          lanes.line[k],
          value ? Requests.ATOMIC : Requests.REDUCTION,
          wanted,
          0,
          Math.min(255, lanes.repeatsIn(k, mask)),
          code.floating[row],
          tag);
    }
    if (!value) {
      storeSectors += sectors;
    }
    core.recordAccess(row, now, sectors, 0, 0);
    long extra = (long) spec.passCycles() * Math.max(0, lines - 1);
    int words = Math.max(1, bytes >> 2);
    release(
        w,
        code.readBarrier[row],
        issued + spec.globalStoreReadBase() + (long) spec.storeReadWord() * words + extra,
        ATOMIC);
    if (!value) {
      finish(w, row, now + lines, ATOMIC);
    }
  }

  /** Takes the replies of the last window. */
  void takeReplies() {
    int n = requests.replies();
    for (int i = 0; i < n; i++) {
      int tag = requests.replyTag(i);
      long time = requests.replyTime(i);
      if (tag >= CopyEngine.TAG) {
        core.async().answered(tag, time);
      } else if (tag < 0) {
        storesDone.add(time << 8 | -1 - tag);
        if (next == Warps.NEVER || next > time) {
          next = Math.min(next, time);
        }
      } else {
        fill(tag, time, requests.replyLevel(i));
      }
    }
    requests.clearReplies();
  }

  private void fill(int miss, long time, int level) {
    int place = missPlace[miss];
    if (place >= 0 && l1.line(place) == missLine[miss]) {
      for (int m = missSectors[miss]; m != 0; m &= m - 1) {
        int sector = Integer.numberOfTrailingZeros(m);
        if (l1.fill(place, sector) == UNKNOWN + miss) {
          l1.setFill(place, sector, time);
        }
      }
    }
    byte why = level == Requests.FROM_DRAM ? DRAM : L2_HIT;
    int waiter = missWaiters[miss];
    while (waiter != NONE) {
      int load = waiterLoad[waiter];
      core.recordFill(loadRow[load], Integer.bitCount(missSectors[miss]), why == DRAM);
      int words = Math.max(1, (code.bytes[loadRow[load]] & 0xff) >> 2);
      long done = time + spec.missReturn() + 3L * words;
      if (done >= loadDone[load]) {
        loadDone[load] = done;
        loadReason[load] = code.access[loadRow[load]] == CodeRows.ATOMIC ? ATOMIC : why;
      }
      if (--loadOpen[load] == 0) {
        completeLoad(load);
      }
      int after = waiterNext[waiter];
      waiterNext[waiter] = freeWaiter;
      freeWaiter = waiter;
      waiter = after;
    }
    missNext[miss] = freeMiss;
    freeMiss = miss;
  }

  private void completeLoad(int load) {
    int w = loadWarp[load];
    int row = loadRow[load];
    long done = loadDone[load];
    issuedAt = loadIssued[load];
    if (loadGroup[load] != NONE) {
      copyDone(w, loadGroup[load], done + spec.asyncCopyExtra());
      endOne(w, done);
    } else {
      finish(w, row, done, loadReason[load]);
    }
    loadNext[load] = freeLoad;
    freeLoad = load;
  }

  /** The result of an instruction is there at a cycle: counters, registers, the warp's end. */
  private void finish(int w, int row, long arrives, byte why) {
    long when = core.subCore(w % subCores).writeLoad(w, row, arrives);
    warps.completes(w, row, issuedAt, when, true);
    release(w, code.writeBarrier[row], when, why);
    if (!code.controlled) {
      warps.setRegisters(w, row, when, why);
      core.reschedule(w);
    }
    endOne(w, when);
  }

  private void endOne(int w, long when) {
    warps.inFlight[w]--;
    core.memoryEnded(w, when);
  }

  private void release(int w, int counter, long when, byte why) {
    if (counter != ControlBits.NO_BARRIER) {
      warps.close(w, counter, when, why);
      core.reschedule(w);
    }
  }

  /** cp.async.commit: the counter goes up until all copies since the last commit have landed. */
  void commitCopies(int w, int counter, long now) {
    int group = groupNow[w];
    int at = w * GROUPS + group % GROUPS;
    groupCounter[at] = counter;
    groupArrivals[at] = 0;
    if (counter != ControlBits.NO_BARRIER) {
      warps.open(w, counter, COPY, now);
    }
    groupDone[at] = Math.max(groupDone[at], now + 2);
    groupNow[w] = group + 1;
    int following = w * GROUPS + (group + 1) % GROUPS;
    groupOpen[following] = 0;
    groupDone[following] = 0;
    retireGroups(w);
  }

  /** Arrives at an mbarrier once all copies that the warp asked for so far have landed. */
  void afterCopies(int w, int barrier, int arrivals, long now) {
    int at = w * GROUPS + groupNow[w] % GROUPS;
    int before = groupNow[w];
    commitCopies(w, ControlBits.NO_BARRIER, now);
    if (groupFirst[w] > before) {
      core.async().arriveLater(now + 2, warps.block[w], barrier, arrivals);
    } else {
      groupBarrier[at] = barrier;
      groupArrivals[at] = arrivals;
    }
  }

  private void copyDone(int w, int group, long when) {
    int at = w * GROUPS + group % GROUPS;
    groupOpen[at]--;
    groupDone[at] = Math.max(groupDone[at], when);
    retireGroups(w);
  }

  /** Groups end in the order of their commits. */
  private void retireGroups(int w) {
    while (groupFirst[w] < groupNow[w]) {
      int at = w * GROUPS + groupFirst[w] % GROUPS;
      if (groupOpen[at] > 0) {
        return;
      }
      long when = groupDone[at];
      groupFirst[w]++;
      int following = w * GROUPS + groupFirst[w] % GROUPS;
      groupDone[following] = Math.max(groupDone[following], when);
      if (groupCounter[at] != ControlBits.NO_BARRIER) {
        warps.close(w, groupCounter[at], when, COPY);
        core.reschedule(w);
      }
      if (groupArrivals[at] > 0) {
        core.async().arriveLater(when, warps.block[w], groupBarrier[at], groupArrivals[at]);
        groupArrivals[at] = 0;
      }
    }
  }

  private int newLoad(int w, int row, long atLeast, boolean copy) {
    int load = freeLoad;
    if (load != NONE) {
      freeLoad = loadNext[load];
    } else {
      load = loads++;
      if (load == loadWarp.length) {
        int n = 2 * load;
        loadWarp = Arrays.copyOf(loadWarp, n);
        loadRow = Arrays.copyOf(loadRow, n);
        loadOpen = Arrays.copyOf(loadOpen, n);
        loadDone = Arrays.copyOf(loadDone, n);
        loadReason = Arrays.copyOf(loadReason, n);
        loadGroup = Arrays.copyOf(loadGroup, n);
        loadIssued = Arrays.copyOf(loadIssued, n);
        loadNext = Arrays.copyOf(loadNext, n);
      }
    }
    loadWarp[load] = w;
    loadRow[load] = row;
    loadOpen[load] = 0;
    loadDone[load] = atLeast;
    loadReason[load] = L1_HIT;
    loadGroup[load] = copy ? group : NONE;
    loadIssued[load] = issuedAt;
    return load;
  }

  private int newMiss(long line, int place, int sectors) {
    int miss = freeMiss;
    if (miss != NONE) {
      freeMiss = missNext[miss];
    } else {
      miss = misses++;
      if (miss == missLine.length) {
        int n = 2 * miss;
        missLine = Arrays.copyOf(missLine, n);
        missPlace = Arrays.copyOf(missPlace, n);
        missSectors = Arrays.copyOf(missSectors, n);
        missWaiters = Arrays.copyOf(missWaiters, n);
        missNext = Arrays.copyOf(missNext, n);
      }
    }
    missLine[miss] = line;
    missPlace[miss] = place;
    missSectors[miss] = sectors;
    missWaiters[miss] = NONE;
    return miss;
  }

  private void await(int miss, int load) {
    int waiter = freeWaiter;
    if (waiter != NONE) {
      freeWaiter = waiterNext[waiter];
    } else {
      waiter = waiters++;
      if (waiter == waiterLoad.length) {
        waiterLoad = Arrays.copyOf(waiterLoad, 2 * waiter);
        waiterNext = Arrays.copyOf(waiterNext, 2 * waiter);
      }
    }
    waiterLoad[waiter] = load;
    waiterNext[waiter] = missWaiters[miss];
    missWaiters[miss] = waiter;
    loadOpen[load]++;
  }

  /** Whether nothing is queued or on its way. */
  boolean idle() {
    for (int size : queueSize) {
      if (size != 0) {
        return false;
      }
    }
    return true;
  }
}
