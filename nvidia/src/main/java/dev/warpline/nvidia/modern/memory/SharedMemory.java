package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;

/** Accesses to shared memory, of this SM and of others of the cluster. */
final class SharedMemory {
  private static final byte SHARED = (byte) StallReason.SHARED.ordinal();
  private static final byte REMOTE = (byte) StallReason.DISTRIBUTED_SHARED.ordinal();

  private final ModernCoreSpec.LoadStore spec;
  private final ModernCoreSpec.Async remote;
  private final boolean conflictFree;
  private LaneAddresses lanes;
  private final SharedPath path;
  private final Completions results;
  private final Warps warps;
  private double remoteFree;

  @Counter("shared-memory instructions")
  long sharedAccesses;

  @Counter(
      "more passes of shared-memory instructions than their width needs, for words of one bank")
  long sharedConflicts;

  @Counter("more passes of atomics on shared memory than a load of the same words takes")
  long sharedRepeats;

  @Counter("accesses to other SMs' shared memory")
  long remoteAccesses;

  SharedMemory(ModernCoreSpec spec, SharedPath path, Completions results, Warps warps) {
    this.spec = spec.loadStore();
    remote = spec.async();
    conflictFree = spec.ideal().banks();
    this.path = path;
    this.results = results;
    this.warps = warps;
  }

  void use(LaneAddresses itsLanes) {
    lanes = itsLanes;
  }

  void startKernel() {
    remoteFree = 0;
  }

  void serve(PathEntry access) {
    CodeRow row = access.row;
    int words = access.words();
    int kind = row.access;
    boolean atomic = kind >= CodeRow.ATOMIC;
    int passes = passes(access, kind, atomic);
    int conflicts = Math.max(0, passes - words);
    sharedAccesses++;
    int repeats = atomic && conflicts > 0 ? repeats(access, passes) : 0;
    sharedConflicts += conflicts - repeats;
    sharedRepeats += repeats;
    warps.time.accesses(access.warp, row, access.now, 0, 0, conflicts);
    path.occupy(access, passes);
    boolean uniform = row.uniformAddress;
    long extra = (long) spec.passCycles() * conflicts;
    long result;
    long sourcesFree;
    if (atomic) {
      int base = row.compareSwap ? spec.sharedCompareCycles() : spec.sharedAtomicCycles();
      result = access.start + base + spec.passCycles() * (passes - 1L);
      sourcesFree = access.start + spec.sharedStoreReadBase() + spec.storeReadWord();
    } else if (kind == CodeRow.STORE) {
      result = access.now;
      sourcesFree =
          access.start
              + spec.sharedStoreReadBase()
              + (long) spec.storeReadWord() * words
              + extra
              - (uniform ? spec.uniformSharedStoreRead() : 0);
    } else {
      long latency =
          row.matrix
              ? spec.matrixLoadCycles()
              : spec.sharedLoadBase()
                  + (long) spec.sharedLoadWord() * Math.max(words, spec.sharedLoadLeastWords())
                  - (uniform ? spec.uniformSharedLoad() : 0);
      result = access.start + latency + extra;
      sourcesFree = access.start + spec.sharedLoadRead();
    }
    results.finish(access, result, SHARED);
    results.read(access, sourcesFree, SHARED);
  }

  private int passes(PathEntry access, int kind, boolean atomic) {
    int passes;
    if (access.bytes > 0 && access.row.matrix) {
      passes = lanes.matrixPasses(access.mask, access.words());
    } else {
      passes = lanes.sharedPasses(access.mask, access.bytes, atomic);
      if (access.row.countsLanes) {
        int load = lanes.sharedPasses(access.mask, access.bytes, false);
        passes = Math.min(passes, load + spec.sharedCountPasses());
      }
      if (kind == CodeRow.STORE) {
        passes = Math.max(passes, access.words());
      }
    }
    if (conflictFree) {
      passes = Math.min(passes, access.words());
    }
    return access.row.compareSwap ? 2 * passes : passes;
  }

  /** Passes that an atomic takes beyond those of a load of the same words. */
  private int repeats(PathEntry access, int passes) {
    int load = lanes.sharedPasses(access.mask, access.bytes, false);
    return passes - Math.min(passes, Math.max(load, access.words()));
  }

  /** An access to the shared memory of another SM of the cluster. */
  void serveRemote(PathEntry access) {
    path.occupy(access, lanes.sharedPasses(access.mask, access.bytes, false));
    double bytes = (double) Integer.bitCount(access.mask) * access.bytes;
    remoteFree = Math.max(access.now, remoteFree) + bytes / remote.remoteBytes();
    remoteAccesses++;
    long start = (long) remoteFree - spec.entryCycles();
    results.read(access, start + spec.globalLoadRead(), REMOTE);
    long done = Math.max(access.start, start) + remote.remoteLoadCycles();
    results.finish(access, done, REMOTE);
  }
}
