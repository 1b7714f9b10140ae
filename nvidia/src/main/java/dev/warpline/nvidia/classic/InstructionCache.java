package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.Client;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestPool;
import dev.warpline.memory.cache.CacheOutcome;
import dev.warpline.memory.cache.DataCache;

/**
 * The SM's instruction cache. A missing line is asked of the L2 sector by sector and counts as here
 * when all have come; the warps that wait for it are then fetched for one after the other. There is
 * no prefetching.
 */
final class InstructionCache {
  /** Where the code lies in memory. */
  private static final long CODE_BASE = 0xF0000000L;

  private static final int SECTOR_BYTES = 32;

  private final DataCache cache;
  private final RequestPool pool;
  private final int fillBytes;

  /**
   * Lines (of a sectored cache: sectors) under way: the request that asked, and sectors that are
   * still to be sent or to come.
   */
  private final MemoryRequest[] line;

  private final int[] toSend;
  private final int[] toCome;
  private int under;

  @Counter("lines asked of the memory side")
  long linesFetched;

  InstructionCache(CacheSpec spec, RequestPool pool) {
    this.pool = pool;
    cache = new DataCache(spec, spec.ways(), 0, 1, false, pool);
    fillBytes = spec.sectored() ? SECTOR_BYTES : spec.lineBytes();
    line = new MemoryRequest[spec.mshrEntries()];
    toSend = new int[line.length];
    toCome = new int[line.length];
  }

  /**
   * A fetch for a warp.
   *
   * @return HIT; MISS if the warp has to wait; RESERVATION_FAIL if it has to try again
   */
  int fetch(int warp, int pc, long now) {
    MemoryRequest request = pool.take();
    request.address = CODE_BASE + pc;
    request.kind = AccessKind.INST_ACC_R.ordinal();
    request.client = Client.INSTRUCTIONS;
    request.bytes = 16;
    request.warp = warp;
    request.born = now;
    int outcome = cache.access(request, now);
    if (outcome == CacheOutcome.HIT || outcome == CacheOutcome.RESERVATION_FAIL) {
      pool.giveBack(request);
    }
    return outcome == CacheOutcome.HIT_RESERVED ? CacheOutcome.MISS : outcome;
  }

  /** Sends at most one sector request. */
  void cycle(MemoryPort port, int core, long now) {
    if (!cache.missQueue().isEmpty() && under < line.length) {
      int slot = 0;
      while (line[slot] != null) {
        slot++;
      }
      line[slot] = cache.takeMiss();
      linesFetched++;
      toSend[slot] = fillBytes / SECTOR_BYTES;
      toCome[slot] = toSend[slot];
      under++;
    }
    for (int slot = 0; slot < line.length && under > 0 && port.hasRoom(); slot++) {
      if (line[slot] != null && toSend[slot] > 0) {
        MemoryRequest sector = pool.take();
        sector.address = (line[slot].address & -fillBytes) + (long) --toSend[slot] * SECTOR_BYTES;
        sector.kind = AccessKind.INST_ACC_R.ordinal();
        sector.bytes = SECTOR_BYTES;
        sector.client = Client.INSTRUCTIONS;
        sector.number = slot;
        sector.core = core;
        sector.born = now;
        port.send(sector, now);
        return;
      }
    }
  }

  /** A sector has come. */
  void arrive(MemoryRequest sector, long now) {
    int slot = sector.number;
    pool.giveBack(sector);
    if (--toCome[slot] == 0) {
      cache.fill(line[slot], now);
      line[slot] = null;
      under--;
    }
  }

  /** A warp whose line is here, or -1. */
  int takeReady() {
    if (!cache.misses().hasReady()) {
      return -1;
    }
    MemoryRequest request = cache.takeReady();
    int warp = request.warp;
    pool.giveBack(request);
    return warp;
  }

  /** Whether it has something to do of itself. */
  boolean isActive() {
    if (!cache.missQueue().isEmpty() || cache.misses().hasReady()) {
      return true;
    }
    for (int slot = 0; slot < line.length && under > 0; slot++) {
      if (line[slot] != null && toSend[slot] > 0) {
        return true;
      }
    }
    return false;
  }

  DataCache cache() {
    return cache;
  }
}
