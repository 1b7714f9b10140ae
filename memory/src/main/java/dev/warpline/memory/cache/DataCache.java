package dev.warpline.memory.cache;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.CacheSpec.Allocate;
import dev.warpline.engine.gpu.CacheSpec.Write;
import dev.warpline.engine.gpu.CacheSpec.WriteAllocate;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestPool;
import dev.warpline.memory.RequestQueue;

/**
 * A data cache with the policies of Accel-Sim's L1D and L2: tags, miss table, miss queue, ports.
 * Its owner takes requests from {@link #missQueue()} to the next level and brings answers back with
 * {@link #fill}; requests whose data came are handed out by {@link #misses()}.
 */
public final class DataCache {
  private final CacheSpec spec;
  private final SectorTags tags;
  private final MissedRequests misses;
  private final RequestQueue missQueue;
  private final RequestPool writeBacks;
  private final int writeBackKind;
  private final int allocateReadKind;
  private final int atomBytes;
  private final int portBytes;
  private boolean onMiss;
  private final long lineMask;
  private final long atomMask;
  private final boolean bySliceAddress;
  private final long[] outcomes = new long[AccessKind.count() * CacheOutcome.COUNT];
  private final long[] fails = new long[AccessKind.count() * CacheOutcome.FAIL_COUNT];
  private boolean passedOn;
  private boolean fetching;
  private int writtenBackBytes;
  private int changes;
  private int lastFailure;
  private long dataPortFreeAt;
  private long fillPortFreeAt;
  private long dataPortBusy;
  private long fillPortBusy;

  /**
   * @param maxWays the most ways {@link #setWays} will ever ask for
   * @param dirtyPercent dirty lines are spared from eviction until so many lines are dirty
   * @param level 1 or 2, for the names of write-backs
   * @param bySliceAddress whether sets are chosen by {@link MemoryRequest#sliceAddress}
   * @param pool where write-backs come from
   */
  public DataCache(
      CacheSpec spec,
      int maxWays,
      int dirtyPercent,
      int level,
      boolean bySliceAddress,
      RequestPool pool) {
    this.spec = spec;
    this.bySliceAddress = bySliceAddress;
    atomBytes = spec.sectored() ? 32 : spec.lineBytes();
    portBytes = spec.dataPortBytes() == 0 ? spec.lineBytes() : spec.dataPortBytes();
    onMiss = spec.allocate() == Allocate.ON_MISS;
    tags = new SectorTags(spec, maxWays, dirtyPercent);
    misses = new MissedRequests(spec.mshrEntries(), spec.mshrMerge());
    missQueue = new RequestQueue(spec.missQueue());
    writeBacks = pool;
    AccessKind back = level == 1 ? AccessKind.L1_WRBK_ACC : AccessKind.L2_WRBK_ACC;
    AccessKind alloc = level == 1 ? AccessKind.L1_WR_ALLOC_R : AccessKind.L2_WR_ALLOC_R;
    writeBackKind = back.ordinal();
    allocateReadKind = alloc.ordinal();
    lineMask = -spec.lineBytes();
    atomMask = -atomBytes;
  }

  /** Requests on their way to the next level; {@link #takeMiss} takes them. */
  public RequestQueue missQueue() {
    return missQueue;
  }

  /** Takes the next request on its way to the next level. */
  public MemoryRequest takeMiss() {
    changes++;
    return missQueue.pop();
  }

  /** Takes the next request whose data are here. */
  public MemoryRequest takeReady() {
    changes++;
    return misses.takeReady();
  }

  /**
   * A number that differs whenever the cache has changed: while it stays the same, an access that
   * failed will fail again.
   */
  public int changes() {
    return changes;
  }

  /** Why the last access that failed did. */
  public int lastFailure() {
    return lastFailure;
  }

  /** Who waits for what. */
  public MissedRequests misses() {
    return misses;
  }

  /**
   * Whether the last access put its own request, a write, into the miss queue: the next level will
   * acknowledge it.
   */
  public boolean passedOn() {
    return passedOn;
  }

  /** Whether the last access, a write that was taken, needs nothing more to be done. */
  public boolean isWritten() {
    return !passedOn && !fetching;
  }

  public boolean dataPortFree(long now) {
    return dataPortFreeAt <= now;
  }

  public boolean fillPortFree(long now) {
    return fillPortFreeAt <= now;
  }

  /** Drops everything; requests under way still come back but fill nothing. */
  public void invalidate() {
    changes++;
    tags.clear();
  }

  /** Drops the lines with modified data without writing them back. */
  public void dropModified() {
    changes++;
    tags.dropModified();
  }

  /** From now on a line gets its place when it misses, or when its data come. */
  public void allocateOnMiss(boolean yes) {
    onMiss = yes;
  }

  /** Empties the cache and gives it so many ways. */
  public void setWays(int ways) {
    changes++;
    tags.setWays(ways);
  }

  /**
   * One access by one request.
   *
   * @return a {@link CacheOutcome}: HIT, HIT_RESERVED, MISS or RESERVATION_FAIL
   */
  public int access(MemoryRequest request, long now) {
    passedOn = false;
    fetching = false;
    writtenBackBytes = 0;
    long lineAddress = request.address & lineMask;
    int sector = spec.sectored() ? (int) (request.address >>> 5) & 3 : 0;
    int set = set(request);
    int line = tags.find(set, lineAddress);
    int probe;
    if (line >= 0) {
      probe = tags.probe(line, sector, request.write);
    } else {
      line = tags.victim(set);
      probe = line < 0 ? CacheOutcome.RESERVATION_FAIL : CacheOutcome.MISS;
    }
    int outcome;
    if (probe == CacheOutcome.RESERVATION_FAIL
        && !(request.write && spec.writeAllocate() == WriteAllocate.NONE)) {
      outcome = failed(request, CacheOutcome.LINE_ALLOC_FAIL);
    } else if (request.write) {
      outcome =
          probe == CacheOutcome.HIT
              ? writeHit(request, line, sector)
              : writeMiss(request, probe, line, sector, lineAddress);
    } else if (probe == CacheOutcome.HIT) {
      tags.touch(line);
      if (request.atomic) {
        tags.setModified(line, 1 << sector);
      }
      outcome = CacheOutcome.HIT;
    } else if (missQueue.size() + 1 >= spec.missQueue()) {
      outcome = failed(request, CacheOutcome.MISS_QUEUE_FULL);
    } else {
      outcome = readMiss(request, request, probe, line, sector, lineAddress);
    }
    if (outcome != CacheOutcome.RESERVATION_FAIL) {
      changes++;
    }
    boolean asProbed =
        probe == CacheOutcome.HIT_RESERVED && outcome != CacheOutcome.RESERVATION_FAIL
            || probe == CacheOutcome.SECTOR_MISS && outcome == CacheOutcome.MISS;
    outcomes[request.kind * CacheOutcome.COUNT + (asProbed ? probe : outcome)]++;
    useDataPort(request, outcome, now);
    return outcome;
  }

  private int set(MemoryRequest request) {
    return tags.setOf(bySliceAddress ? request.sliceAddress : request.address);
  }

  /** Where the owner puts a request's data when they come back from the next level. */
  public void fill(MemoryRequest request, long now) {
    changes++;
    int cycles = atomBytes / portBytes;
    fillPortFreeAt = Math.max(fillPortFreeAt, now) + cycles;
    fillPortBusy += cycles;
    long lineAddress = request.address & lineMask;
    int sector = spec.sectored() ? (int) (request.address >>> 5) & 3 : 0;
    int set = set(request);
    int line = tags.find(set, lineAddress);
    if (line < 0 && !onMiss) {
      line = tags.victim(set);
      if (line >= 0) {
        tags.replace(line, lineAddress);
      }
    }
    int entry = misses.find(request.address & atomMask);
    if (line >= 0) {
      tags.fill(line, sector);
      if (misses.hasAtomic(entry)) {
        tags.setModified(line, 1 << sector);
      }
    }
    misses.markReady(entry, request.level);
  }

  /** Puts a sector there as if it had just been read, for copies that take no time. */
  public void preload(MemoryRequest request) {
    long lineAddress = request.address & lineMask;
    int sector = spec.sectored() ? (int) (request.address >>> 5) & 3 : 0;
    int set = set(request);
    int line = tags.find(set, lineAddress);
    if (line < 0) {
      line = tags.victim(set);
      if (line < 0) {
        return;
      }
      tags.replace(line, lineAddress);
    }
    if (tags.probe(line, sector, false) == CacheOutcome.SECTOR_MISS) {
      tags.reserve(line, sector);
      tags.fill(line, sector);
    }
    tags.touch(line);
  }

  private int writeHit(MemoryRequest request, int line, int sector) {
    Write policy = policyFor(request);
    if (policy != Write.WRITE_BACK && missQueue.size() >= spec.missQueue()) {
      return failed(request, CacheOutcome.MISS_QUEUE_FULL);
    }
    tags.touch(line);
    switch (policy) {
      case WRITE_EVICT -> {
        passOn(request);
        tags.invalidate(line, sector);
      }
      case WRITE_THROUGH -> {
        tags.writeHit(line, sector, request.byteMask);
        passOn(request);
      }
      default -> tags.writeHit(line, sector, request.byteMask);
    }
    return CacheOutcome.HIT;
  }

  private int writeMiss(MemoryRequest request, int probe, int line, int sector, long lineAddress) {
    return switch (spec.writeAllocate()) {
      case NONE -> {
        if (missQueue.size() >= spec.missQueue()) {
          yield failed(request, CacheOutcome.MISS_QUEUE_FULL);
        }
        passOn(request);
        yield CacheOutcome.MISS;
      }
      case LAZY_FETCH_ON_READ -> {
        if (missQueue.size() >= spec.missQueue()) {
          yield failed(request, CacheOutcome.MISS_QUEUE_FULL);
        }
        if (spec.write() == Write.WRITE_THROUGH) {
          passOn(request);
        }
        takeWrite(request, probe, line, sector, lineAddress);
        yield CacheOutcome.MISS;
      }
      case FETCH_ON_WRITE -> {
        boolean through = spec.write() == Write.WRITE_THROUGH;
        if (through && request.byteMask != -1) {
          yield writeAndFetch(request, probe, line, sector, lineAddress);
        }
        if (missQueue.size() + 1 >= spec.missQueue()) {
          yield failed(request, CacheOutcome.MISS_QUEUE_FULL);
        }
        if (request.byteMask == -1) {
          if (through) {
            passOn(request);
          }
          takeWrite(request, probe, line, sector, lineAddress);
          yield CacheOutcome.MISS;
        }
        yield fetchForWrite(request, probe, line, sector, lineAddress);
      }
      case WRITE_AND_FETCH -> writeAndFetch(request, probe, line, sector, lineAddress);
    };
  }

  /** The write goes on to the next level, and its sector is read from there. */
  private int writeAndFetch(
      MemoryRequest request, int probe, int line, int sector, long lineAddress) {
    if (missQueue.size() + 2 >= spec.missQueue()) {
      return failed(request, CacheOutcome.MISS_QUEUE_FULL);
    }
    MemoryRequest read = allocationRead(request);
    int outcome = readMiss(request, read, probe, line, sector, lineAddress);
    if (outcome == CacheOutcome.RESERVATION_FAIL) {
      writeBacks.giveBack(read);
    } else {
      passOn(request);
    }
    return outcome;
  }

  /** The written bytes go into the line; nothing is read. */
  private void takeWrite(MemoryRequest request, int probe, int line, int sector, long lineAddress) {
    if (probe == CacheOutcome.MISS) {
      replace(request, line, lineAddress);
    } else {
      tags.touch(line);
    }
    tags.writeMiss(line, sector, request.byteMask, probe == CacheOutcome.HIT_RESERVED);
  }

  private int fetchForWrite(
      MemoryRequest request, int probe, int line, int sector, long lineAddress) {
    if (misses.find(request.address & atomMask) >= 0) {
      return failed(request, CacheOutcome.MSHR_RW_PENDING);
    }
    MemoryRequest read = allocationRead(request);
    int outcome = readMiss(request, read, probe, line, sector, lineAddress);
    if (outcome == CacheOutcome.RESERVATION_FAIL) {
      writeBacks.giveBack(read);
      return outcome;
    }
    // The write waits behind its own read and is done when that comes back.
    misses.await(misses.find(request.address & atomMask), request);
    tags.writeMiss(line, sector, request.byteMask, true);
    tags.reserve(line, sector);
    fetching = true;
    return outcome;
  }

  private MemoryRequest allocationRead(MemoryRequest write) {
    MemoryRequest read = writeBacks.take();
    read.address = write.address & atomMask;
    read.sliceAddress = write.sliceAddress;
    read.kind = allocateReadKind;
    read.bytes = atomBytes;
    read.port = write.port;
    read.core = write.core;
    read.warp = write.warp;
    read.client = write.client;
    read.number = write.number;
    read.slice = write.slice;
    read.born = write.born;
    return read;
  }

  private int readMiss(
      MemoryRequest cause,
      MemoryRequest request,
      int probe,
      int line,
      int sector,
      long lineAddress) {
    long atom = request.address & atomMask;
    int entry = misses.find(atom);
    boolean merged = entry >= 0;
    if (merged) {
      if (!misses.canMerge(entry)) {
        return failed(cause, CacheOutcome.MSHR_MERGE_FAIL);
      }
    } else if (!misses.canAdd()) {
      return failed(cause, CacheOutcome.MSHR_ENTRY_FAIL);
    } else {
      entry = misses.add(atom);
    }
    if (onMiss) {
      if (probe == CacheOutcome.MISS) {
        replace(cause, line, lineAddress);
        tags.reserve(line, sector);
      } else {
        tags.touch(line);
        if (probe == CacheOutcome.SECTOR_MISS) {
          tags.reserve(line, sector);
        }
      }
    }
    misses.await(entry, request);
    if (merged && misses.isFilled(entry) && onMiss) {
      // Its line left while the answers were handed out. Accel-Sim reserves it again for a fill
      // that
      // never comes, and can stop for good on that; the data are here, so the sector is valid.
      tags.fill(line, sector);
    }
    if (merged) {
      outcomes[cause.kind * CacheOutcome.COUNT + CacheOutcome.MSHR_HIT]++;
    } else {
      missQueue.push(request);
    }
    return CacheOutcome.MISS;
  }

  private void replace(MemoryRequest cause, int line, long lineAddress) {
    if (tags.isModified(line) && spec.write() != Write.WRITE_THROUGH) {
      MemoryRequest back = writeBacks.take();
      back.address = tags.address(line);
      back.write = true;
      back.kind = writeBackKind;
      back.sectors = tags.modifiedSectors(line);
      back.bytes = Integer.bitCount(back.sectors) * atomBytes;
      back.port = cause.port;
      back.core = cause.core;
      back.slice = cause.slice;
      writtenBackBytes = back.bytes;
      missQueue.push(back);
    }
    tags.replace(line, lineAddress);
  }

  private Write policyFor(MemoryRequest request) {
    if (spec.write() != Write.LOCAL_BACK_GLOBAL_THROUGH) {
      return spec.write();
    }
    return request.kind == AccessKind.LOCAL_ACC_W.ordinal() ? Write.WRITE_BACK : Write.WRITE_EVICT;
  }

  private void passOn(MemoryRequest request) {
    missQueue.push(request);
    passedOn = true;
  }

  private int failed(MemoryRequest request, int reason) {
    fails[request.kind * CacheOutcome.FAIL_COUNT + reason]++;
    lastFailure = reason;
    return CacheOutcome.RESERVATION_FAIL;
  }

  private void useDataPort(MemoryRequest request, int outcome, long now) {
    int cycles = 0;
    if (outcome == CacheOutcome.HIT) {
      cycles = (request.bytes + portBytes - 1) / portBytes;
    } else if (writtenBackBytes > 0) {
      cycles = writtenBackBytes / portBytes;
    }
    if (cycles > 0) {
      dataPortFreeAt = Math.max(dataPortFreeAt, now) + cycles;
      dataPortBusy += cycles;
    }
  }

  /** Accesses of a kind with an outcome. */
  public long count(AccessKind kind, int outcome) {
    return outcomes[kind.ordinal() * CacheOutcome.COUNT + outcome];
  }

  /** Failed reservations of a kind by reason. */
  public long failCount(AccessKind kind, int reason) {
    return fails[kind.ordinal() * CacheOutcome.FAIL_COUNT + reason];
  }

  /** Adds a repeated failure that was not simulated again, being sure to end the same way. */
  public void repeatFailure(MemoryRequest request, int reason, long times) {
    fails[request.kind * CacheOutcome.FAIL_COUNT + reason] += times;
    outcomes[request.kind * CacheOutcome.COUNT + CacheOutcome.RESERVATION_FAIL] += times;
  }

  public long dataPortBusyCycles() {
    return dataPortBusy;
  }

  public long fillPortBusyCycles() {
    return fillPortBusy;
  }

  /** Lines with modified data. */
  public int dirtyLines() {
    return tags.dirtyLines();
  }
}
