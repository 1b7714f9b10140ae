package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.async.Clusters;
import dev.warpline.nvidia.modern.async.CopyGroups;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.operand.ReadPorts;
import dev.warpline.nvidia.modern.operand.WritePorts;
import dev.warpline.nvidia.modern.warp.ResidentWarp;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import java.util.Arrays;

/**
 * Serves the memory instructions of an SM: from a queue per sub-core, in turn, into the path that
 * they share.
 */
public final class LoadStoreUnit {
  private static final byte GLOBAL_QUEUE = (byte) StallReason.GLOBAL_QUEUE.ordinal();
  private static final byte MIO_QUEUE = (byte) StallReason.MIO_QUEUE.ordinal();
  private static final byte L1_MISS = (byte) StallReason.L1_MISS.ordinal();
  private static final byte ATOMIC = (byte) StallReason.ATOMIC.ordinal();
  private static final byte SHARED = (byte) StallReason.SHARED.ordinal();
  private static final byte SHUFFLE = (byte) StallReason.SHUFFLE.ordinal();
  private static final byte SPECIAL = (byte) StallReason.SPECIAL_REGISTER.ordinal();
  private static final byte SHORT_OTHER = (byte) StallReason.SHORT_OTHER.ordinal();

  /** Size of the windows through which generic addresses reach shared and local memory. */
  private static final long WINDOW = 1L << 24;

  private final int sm;
  private final ModernCoreSpec.LoadStore spec;
  private final Warps warps;
  private final Clusters clusters;
  private final ReadPorts[] readPorts;
  private final MemoryQueue[] queues;
  private final SharedPath path;
  private final WayOut way;
  private final CopyGroups copies;
  private final Completions results;
  private final SharedMemory shared;
  private final GlobalMemory global;
  private final int specialRead;
  private final boolean coalesced;

  /** Those of the thread that runs the SM, as long as it does. */
  private LaneAddresses lanes;

  private final PathEntry access = new PathEntry();

  private int lastServed;
  private long next;

  /**
   * @param clusters the SM's part in clusters; null where the GPU has none
   */
  public LoadStoreUnit(
      ModernCoreSpec spec,
      Requests requests,
      int sm,
      Warps warps,
      Blocks blocks,
      SharedPath path,
      CopyGroups copies,
      Clusters clusters,
      ReadPorts[] readPorts,
      WritePorts[] writePorts,
      Counters counters) {
    this.sm = sm;
    this.spec = spec.loadStore();
    specialRead = spec.units().specialRegisterReadCycles();
    coalesced = spec.ideal().coalesced();
    this.warps = warps;
    this.path = path;
    this.copies = copies;
    this.clusters = clusters;
    this.readPorts = readPorts;
    queues = new MemoryQueue[readPorts.length];
    Arrays.setAll(queues, i -> new MemoryQueue(spec.loadStore(), warps.toAllocate));
    way = new WayOut(spec.loadStore(), requests, readPorts.length);
    results = new Completions(warps, blocks, writePorts);
    shared = new SharedMemory(spec, path, results, warps);
    global = new GlobalMemory(spec.loadStore(), path, results, copies, way, warps);
    counters.add("l1.", global).add("l1.", shared).add("l1.", path);
  }

  public void startKernel(int l1Bytes, SmRecorder recorder) {
    for (MemoryQueue queue : queues) {
      queue.startKernel();
    }
    path.startKernel();
    way.startKernel();
    shared.startKernel();
    global.startKernel(l1Bytes, recorder);
    lastServed = 0;
    next = Warps.NEVER;
  }

  /** L1 becomes another size, and is empty; while no block is here. */
  public void resizeL1(int bytes) {
    global.resize(bytes);
  }

  /** A thread begins to run the SM, or ends that with null. */
  public void use(LaneAddresses itsLanes) {
    lanes = itsLanes;
    shared.use(itsLanes);
    global.use(itsLanes);
  }

  public long next() {
    return next;
  }

  /** Earliest cycle at which a sub-core's queue can take one more, as far as is known. */
  public long roomAt(int subCore, long now) {
    MemoryQueue queue = queues[subCore];
    return queue.full() ? Math.max(now + 1, next) : queue.roomAt();
  }

  /** Why a warp waits when the queue is full. */
  public static byte throttle(CodeRow row) {
    boolean global = row.action == CodeRow.MEMORY && row.space != CodeRow.SPACE_SHARED;
    return global ? GLOBAL_QUEUE : MIO_QUEUE;
  }

  /** What a warp that needs the result waits for, as long as the level is not known. */
  private byte waitReason(CodeRow row) {
    if (row.action == CodeRow.SHUFFLE) {
      return SHUFFLE;
    }
    if (row.action == CodeRow.SPECIAL_REGISTER) {
      return SPECIAL;
    }
    if (row.action != CodeRow.MEMORY) {
      return SHORT_OTHER;
    }
    if (row.space == CodeRow.SPACE_SHARED) {
      return SHARED;
    }
    return row.access == CodeRow.ATOMIC ? ATOMIC : L1_MISS;
  }

  /** An instruction was issued into its sub-core's queue. */
  public void enqueue(int subCore, int w, CodeRow row, int index, long now) {
    warps.unknown(w, row, waitReason(row), now);
    MemoryQueue queue = queues[subCore];
    long address = queue.addressAt(now + warps.toAllocate);
    address = readPorts[subCore].leaveQueue(address, now);
    queue.add(w, row, index, copies.current(w), now, address);
    if (isCopy(row)) {
      copies.add(w);
    }
    warps.memoryBegins(w);
    if (queue.size == 1) {
      next = Math.min(next, Math.max(queue.headReady(), path.free()));
    }
  }

  private boolean isCopy(CodeRow row) {
    return row.action == CodeRow.MEMORY && row.space == CodeRow.SPACE_COPY;
  }

  /** Serves one instruction if the shared path is free and one is ready. */
  public void step(long now) {
    way.advance(now);
    if (path.free() > now) {
      next = path.free();
      return;
    }
    int s = lastServed;
    for (int k = 0; k < queues.length; k++) {
      s = s + 1 == queues.length ? 0 : s + 1;
      MemoryQueue queue = queues[s];
      if (queue.size > 0 && queue.headReady() <= now && mayServe(queue, now)) {
        lastServed = s;
        long free = now + spec.queueRelease();
        int at = queue.take(free);
        Level level = throttle(queue.row[at]) == MIO_QUEUE ? Level.MIO_QUEUE : Level.LSU_QUEUE;
        warps.time.queued(level, queue.warp[at], queue.row[at], queue.issued[at], free);
        access.subCore = s;
        serve(queue, at, now);
        warps.wake(s, free);
        break;
      }
    }
    findNext(now);
  }

  /** Stores and reductions wait for room in the SM's way out. */
  private boolean mayServe(MemoryQueue queue, long now) {
    CodeRow row = queue.row[queue.head];
    return row.action != CodeRow.MEMORY
        || row.access == CodeRow.LOAD
        || row.space == CodeRow.SPACE_SHARED
        || way.takesStores(now);
  }

  private void findNext(long now) {
    long soonest = Warps.NEVER;
    for (MemoryQueue queue : queues) {
      if (queue.size > 0) {
        long when = queue.headReady();
        if (when <= now && !mayServe(queue, now)) {
          when = way.takesStoresAt();
        }
        soonest = Math.min(soonest, Math.max(when, now + 1));
      }
    }
    next = Math.max(soonest, path.free());
  }

  private void serve(MemoryQueue queue, int at, long now) {
    int w = queue.warp[at];
    CodeRow row = queue.row[at];
    access.queue = queue;
    access.warp = w;
    access.row = row;
    access.group = queue.group[at];
    access.issued = queue.issued[at];
    access.start = now - spec.entryCycles();
    access.now = now;
    if (row.action != CodeRow.MEMORY) {
      exchange(row);
      return;
    }
    ResidentWarp warp = warps.get(w);
    BlockTrace trace = warp.trace;
    int mask = trace.mask(queue.index[at]);
    int payload = trace.payload(queue.index[at]);
    access.mask = mask;
    access.bytes = row.bytes & 0xff;
    if (mask == 0 || payload == BlockTrace.NO_PAYLOAD) {
      nothing(w, row);
      return;
    }
    lanes.addresses(trace.data(), trace.shapesOf(), payload, mask);
    int space = row.space;
    if (space == CodeRow.SPACE_GENERIC) {
      long first = lanes.first(mask);
      KernelHeader header = warp.kernel.header;
      space = spaceOf(first, header);
      if (space == CodeRow.SPACE_SHARED
          && clusters != null
          && clusters.isRemote(warp.block, first - header.sharedBase())) {
        shared.serveRemote(access);
        return;
      }
    }
    if (space == CodeRow.SPACE_SHARED) {
      shared.serve(access);
      return;
    }
    if (space == CodeRow.SPACE_LOCAL) {
      lanes.localLines(mask, access.bytes, localBase(w));
    } else {
      lanes.lines(mask, access.bytes, row.access <= CodeRow.STORE);
      if (coalesced && row.access <= CodeRow.STORE) {
        lanes.pack(mask, access.bytes);
      }
    }
    switch (row.access) {
      case CodeRow.LOAD -> global.load(access, space);
      case CodeRow.STORE -> global.store(access, space);
      default -> global.atomic(access);
    }
  }

  /** Shuffles, and what else passes through without touching memory. */
  private void exchange(CodeRow row) {
    if (row.action == CodeRow.SPECIAL_REGISTER) {
      path.occupy(access, spec.specialPasses());
      results.finish(access, access.start + row.latency, SPECIAL);
      results.read(access, access.start + specialRead, SPECIAL);
      return;
    }
    path.occupy(access, 1);
    boolean shuffle = row.action == CodeRow.SHUFFLE;
    int latency = shuffle ? spec.shuffleCycles() : spec.entryCycles() + spec.cacheControlCycles();
    results.finish(access, access.start + latency, SHUFFLE);
    results.read(access, access.start + spec.shuffleReadCycles(), SHUFFLE);
  }

  /** A memory instruction of which no lane takes part. */
  private void nothing(int w, CodeRow row) {
    path.occupy(access, 1);
    long done = access.start + spec.sharedLoadBase() + spec.sharedLoadWord();
    if (isCopy(row)) {
      copies.landed(w, access.group, done);
    }
    results.finish(access, done, SHARED);
    results.read(access, access.start + spec.sharedLoadRead(), SHARED);
  }

  /** Each resident warp has its own stretch of local memory, word-interleaved over its lanes. */
  private long localBase(int w) {
    return 1L << 45 | (long) (sm * warps.slots + w) << 30;
  }

  /** Space of a generic address, by the windows of the kernel. */
  private static int spaceOf(long address, KernelHeader header) {
    long shared = address - header.sharedBase();
    if (shared >= 0 && shared < WINDOW * header.cluster().count()) {
      return CodeRow.SPACE_SHARED;
    }
    long local = address - header.localBase();
    return local >= 0 && local < WINDOW ? CodeRow.SPACE_LOCAL : CodeRow.SPACE_GLOBAL;
  }

  /** A reply of the memory side to a load or a store. */
  public void answered(int client, int number, long time, int level) {
    if (client == Requests.STORES) {
      way.answered(time, number);
      next = Math.min(next, time);
    } else {
      global.fill(number, time, level);
    }
  }
}
