package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.LineTrail;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.Coalescer;
import dev.warpline.memory.cache.MissTable;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.async.CopyGroups;
import dev.warpline.nvidia.modern.cache.L1Cache;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.policy.AddressHash;
import java.util.Arrays;

/** Accesses to global and local memory: L1, and requests for what it does not have. */
final class GlobalMemory {
  private static final byte L1_HIT = (byte) StallReason.L1_HIT.ordinal();
  private static final byte L2_HIT = (byte) StallReason.L2_HIT.ordinal();
  private static final byte DRAM = (byte) StallReason.DRAM.ordinal();
  private static final byte ATOMIC = (byte) StallReason.ATOMIC.ordinal();

  /** A fill time that is not known yet carries the miss's number. */
  private static final long UNKNOWN = 1L << 62;

  private static final int NONE = OpenLoads.NONE;

  private final ModernCoreSpec.LoadStore spec;
  private LaneAddresses lanes;
  private final SharedPath path;
  private final Completions results;
  private final CopyGroups copies;
  private final WayOut way;
  private final Warps warps;
  private final L1Cache l1;

  /** Which bank of tags has a line, and how many lines of an access are in each. */
  private final AddressHash tagBank;

  private final int[] inBank;

  /** Cycles in which the look-up of the lines of an access is done. */
  private int tagPasses;

  private final MissTable misses = MissTable.besideTags();
  private final OpenLoads loads = new OpenLoads();

  /** Accesses to this line are followed. */
  private long followed;

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

  GlobalMemory(
      ModernCoreSpec.LoadStore spec,
      SharedPath path,
      Completions results,
      CopyGroups copies,
      WayOut way,
      Warps warps) {
    this.spec = spec;
    this.path = path;
    this.results = results;
    this.copies = copies;
    this.way = way;
    this.warps = warps;
    l1 = new L1Cache(spec.l1Ways(), spec.l1Replacement().get(), spec.l1SetIndex().get());
    inBank = new int[spec.l1TagBanks()];
    tagBank = spec.l1TagBank().get();
    tagBank.begin(inBank.length, LaneAddresses.LINE);
  }

  void use(LaneAddresses itsLanes) {
    lanes = itsLanes;
  }

  void startKernel(int l1Bytes, SmRecorder recorder) {
    l1.resize(l1Bytes);
    misses.clear();
    loads.startKernel();
    LineTrail.Sm trail = recorder == null ? null : recorder.trail();
    followed = trail == null ? NONE : trail.line();
  }

  /** L1 becomes another size, and is empty; as nobody uses it. */
  void resize(int l1Bytes) {
    l1.resize(l1Bytes);
  }

  /** A load into registers, or into shared memory past them. */
  void load(PathEntry access, int space) {
    CodeRow row = access.row;
    long now = access.now;
    boolean copy = space == CodeRow.SPACE_COPY;
    boolean uniform = row.uniformAddress;
    boolean bypass = row.bypassesL1;
    Coalescer asked = lanes.lines;
    int lines = asked.count;
    int words = access.words();
    long extra = lookUp(words);
    if (!bypass) {
      l1.look(asked.start, lines);
    }
    long hitAt =
        access.start
            + spec.globalLoadBase()
            + (long) spec.globalLoadWord() * (copy ? spec.asyncCopyWords() : words)
            + extra
            - (uniform ? spec.uniformGlobalLoad() : 0);
    int group = copy ? access.group : NONE;
    int sectors = 0;
    int hits = 0;
    int pending = 0;
    int load = NONE;
    for (int k = 0; k < lines; k++) {
      long line = asked.start[k];
      int need = asked.touched[k];
      int wanted = LaneAddresses.sectorsOf(need);
      sectors += Integer.bitCount(wanted);
      int place = bypass ? NONE : l1.find(k);
      int ask = 0;
      if (place < 0) {
        place = bypass ? NONE : l1.allocate(line);
        ask = wanted;
      } else if ((l1.valid(place) & need) == need) {
        hits += Integer.bitCount(wanted);
        if (line == followed) {
          follow(access, wanted, 0, 0, hitAt, words);
        }
        continue;
      }
      int late = 0;
      for (int m = wanted & ~ask; m != 0; m &= m - 1) {
        int sector = Integer.numberOfTrailingZeros(m);
        int sectorWords = need & 0xff << 8 * sector;
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
          late |= 1 << sector;
          if (load == NONE) {
            load = loads.add(access, hitAt, L1_HIT, group);
          }
          if (fill >= UNKNOWN) {
            await((int) (fill - UNKNOWN), load);
          } else {
            OpenLoads.Load open = loads.get(load);
            open.done = Math.max(open.done, returned(fill, words));
            open.reason = L2_HIT;
          }
        }
      }
      if (ask != 0) {
        if (load == NONE) {
          load = loads.add(access, hitAt, L1_HIT, group);
        }
        int miss = misses.add(line, place, ask);
        await(miss, load);
        if (place >= 0) {
          for (int m = ask; m != 0; m &= m - 1) {
            l1.setFill(place, Integer.numberOfTrailingZeros(m), UNKNOWN + miss);
          }
        }
        way.read(now + k, line, ask, miss);
      }
      if (line == followed) {
        follow(access, wanted, late, ask, hitAt, words);
      }
    }
    int missing = sectors - hits;
    if (missing == 0) {
      path.occupy(access, Math.max(lanes.bankPasses, tagPasses));
    } else {
      path.occupy(access, tagPasses);
      double arriving = Math.max(spec.l1MissPasses(), missing * spec.l1FillPasses());
      loads.get(load).passes = (int) Math.round(Math.max(lanes.bankPasses, arriving));
    }
    if (space == CodeRow.SPACE_LOCAL) {
      localLoadSectors += sectors;
      localLoadHits += hits;
    } else {
      globalLoads++;
      globalLoadSectors += sectors;
      globalLoadHits += hits;
      globalLoadsPending += pending;
    }
    warps.time.accesses(access.warp, row, now, sectors, hits, 0);
    int read =
        copy
            ? spec.asyncCopyRead()
            : spec.globalLoadRead() - (uniform ? spec.uniformGlobalLoadRead() : 0);
    results.read(access, access.start + read + extra, L1_HIT);
    if (load == NONE) {
      complete(access.warp, row, access.issued, hitAt, L1_HIT, group);
    } else if (loads.get(load).open == 0) {
      completeLoad(load);
    }
  }

  /**
   * Looks up the lines of an access: as many at once as there are banks of tags, if each is in
   * another one. Returns the cycles that this and the banks of data take beyond those of a lone
   * line, as a warp alone meets them.
   */
  private long lookUp(int words) {
    Coalescer asked = lanes.lines;
    int most = 1;
    if (asked.count > 1) {
      Arrays.fill(inBank, 0);
      for (int k = 0; k < asked.count; k++) {
        most = Math.max(most, ++inBank[tagBank.place(asked.start[k])]);
      }
    }
    tagPasses = most;
    return (long) spec.passCycles() * Math.max(0, lanes.bankPasses - words) + most - 1;
  }

  private void follow(PathEntry access, int wanted, int late, int ask, long hitAt, int words) {
    warps
        .time
        .trail(access.warp)
        .load(
            access.warp,
            access.row.index,
            wanted,
            late,
            ask,
            access.issued,
            access.now,
            hitAt,
            returned(0, words));
  }

  private void followWrite(PathEntry access, String what, int wanted) {
    warps
        .time
        .trail(access.warp)
        .write(access.warp, access.row.index, what, wanted, access.issued, access.now);
  }

  /** When data that reached the SM at a cycle is where it should be. */
  private long returned(long arrival, int words) {
    return arrival + spec.missReturn() + (long) spec.globalLoadWord() * words;
  }

  void store(PathEntry access, int space) {
    CodeRow row = access.row;
    Coalescer asked = lanes.lines;
    int lines = asked.count;
    int words = access.words();
    boolean whole = access.bytes >= 4;
    long passes = spec.storePasses() + Math.round((spec.storeLinePasses() - 1) * lanes.passes);
    path.occupy(access, lanes.passes, (int) passes);
    boolean local = space == CodeRow.SPACE_LOCAL;
    int sectors = 0;
    way.nextStore(access.subCore, access.issued);
    long more = lookUp(words);
    // The next one with 16 bytes a lane comes too late if there is but a line to pass.
    boolean joins = lines <= spec.storeJoinLines() && (words <= 2 || lines > 1);
    long wait = joins ? spec.storeJoinCycles() + more : 0;
    long settle = spec.storeSettleCycles() + more;
    l1.look(asked.start, lines);
    for (int k = 0; k < lines; k++) {
      int touched = asked.touched[k];
      int wanted = LaneAddresses.sectorsOf(touched);
      sectors += Integer.bitCount(wanted);
      int place = l1.find(k);
      if (place < 0) {
        place = l1.allocate(asked.start[k]);
      }
      int written = whole ? touched : 0;
      boolean keeps =
          way.store(
              access.subCore, access.now + k, asked.start[k], wanted, written, wait, settle, local);
      if (!keeps) {
        l1.drop(place, ~0);
      }
      if (whole) {
        l1.makeValid(place, touched);
      } else {
        l1.drop(place, touched & ~l1.valid(place));
      }
      if (asked.start[k] == followed) {
        followWrite(access, "store", wanted);
      }
    }
    if (!local) {
      globalStores++;
      globalStoreSectors += sectors;
    }
    warps.time.accesses(access.warp, row, access.now, sectors, 0, 0);
    long extra = (long) spec.passCycles() * Math.max(0, lanes.passes - words);
    long sourcesFree =
        access.start
            + spec.globalStoreReadBase()
            + (long) spec.storeReadWord() * words
            + extra
            - (row.uniformAddress ? spec.uniformGlobalStoreRead() : 0);
    results.read(access, sourcesFree, L1_HIT);
    results.finish(access, access.now + lanes.passes, L1_HIT);
  }

  void atomic(PathEntry access) {
    CodeRow row = access.row;
    Coalescer asked = lanes.lines;
    int lines = asked.count;
    path.occupy(access, lines);
    lanes.countRepeats(access.mask);
    boolean value = row.access == CodeRow.ATOMIC;
    double perSector = spec.atomicSectorCycles() * (row.compareSwap ? 2 : 1);
    int load = value ? loads.add(access, access.start, L1_HIT, NONE) : NONE;
    int sectors = 0;
    l1.look(asked.start, lines);
    for (int k = 0; k < lines; k++) {
      long line = asked.start[k];
      int wanted = LaneAddresses.sectorsOf(asked.touched[k]);
      sectors += Integer.bitCount(wanted);
      int place = l1.find(k);
      if (place >= 0) {
        for (int m = wanted; m != 0; m &= m - 1) {
          l1.drop(place, 0xff << 8 * Integer.numberOfTrailingZeros(m));
        }
      }
      int miss = NONE;
      if (value) {
        miss = misses.add(line, NONE, wanted);
        await(miss, load);
      }
      int repeats = Math.min(255, lanes.repeatsIn(k, access.mask));
      way.atomic(access.now + k, line, wanted, perSector, repeats, row.floating, miss);
      if (line == followed) {
        followWrite(access, value ? "atomic" : "reduction", wanted);
      }
    }
    warps.time.accesses(access.warp, row, access.now, sectors, 0, 0);
    long extra = (long) spec.passCycles() * Math.max(0, lines - 1);
    long sourcesFree =
        access.start
            + spec.globalStoreReadBase()
            + (long) spec.storeReadWord() * access.words()
            + extra;
    results.read(access, sourcesFree, ATOMIC);
    if (!value) {
      results.finish(access, access.now + lines, ATOMIC);
    }
  }

  /** A line that was asked for arrives at the SM. */
  void fill(int miss, long time, int level) {
    int place = misses.place(miss);
    if (place >= 0) {
      // Another line that has the place since does not wait for this miss.
      l1.rearrange(place, misses.sectors(miss), UNKNOWN + miss, time);
    }
    boolean fromDram = level == Requests.FROM_DRAM;
    int sectors = Integer.bitCount(misses.sectors(miss));
    while (misses.hasWaiter(miss)) {
      int number = (int) misses.take(miss);
      OpenLoads.Load load = loads.get(number);
      CodeRow row = load.row;
      warps.time.filled(load.warp, row, sectors, fromDram);
      long done = returned(time, Math.max(1, (row.bytes & 0xff) >> 2));
      if (done >= load.done) {
        load.done = done;
        boolean atomic = row.access == CodeRow.ATOMIC;
        load.reason = atomic ? ATOMIC : fromDram ? DRAM : L2_HIT;
      }
      if (--load.open == 0) {
        completeLoad(number);
      }
    }
    misses.remove(miss);
  }

  /** A load waits for a line; the last to ask is answered first. */
  private void await(int miss, int load) {
    misses.awaitFirst(miss, load);
    loads.get(load).open++;
  }

  private void completeLoad(int number) {
    OpenLoads.Load load = loads.get(number);
    if (load.passes > 0) {
      path.steal(load.done, load.passes);
    }
    complete(load.warp, load.row, load.issued, load.done, load.reason, load.group);
    loads.remove(number);
  }

  private void complete(int w, CodeRow row, long issued, long done, byte why, int group) {
    if (group == NONE) {
      results.finish(w, row, issued, done, why);
    } else {
      copies.landed(w, group, done + spec.asyncCopyExtra());
      results.over(w, done);
    }
  }
}
