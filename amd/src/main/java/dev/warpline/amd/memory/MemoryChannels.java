package dev.warpline.amd.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.memory.cache.TimedTags;
import dev.warpline.memory.flow.Dram;
import dev.warpline.policy.Replacement;
import java.util.function.Supplier;

/**
 * The cache in front of memory and the channels behind it: those of a DRAM standard, or simple
 * ones, each with banks that have an open row, and one data bus.
 */
final class MemoryChannels {
  @Counter("lines read from the memory side")
  long reads;

  @Counter("lines written to the memory side")
  long writes;

  @Counter("lines read that the memory-side cache had")
  long cacheReadHits;

  @Counter("lines written that the memory-side cache had")
  long cacheWriteHits;

  @Counter("lines moved over the memory channels")
  long channelLines;

  @Counter("channel accesses to a closed row")
  long rowMisses;

  /** Bytes of an access to channels by a standard, which moves a burst in each of two. */
  private static final int FETCH = 64;

  private final AmdSpec.MemoryCache cacheSpec;
  private final AmdSpec.Channels spec;
  private final int lineBytes;
  private final TimedTags[] cache;
  private final double[] cacheFree;
  private final double cacheLineCycles;
  private final double lineCycles;
  private final double rowHitCycles;
  private final double rowMissCycles;
  private final double[] busFree;
  private final double[] bankFree;
  private final long[] openRow;
  private final int linesPerInterleave;
  private final int linesPerRow;
  private MemoryRecorder recorder;

  /** Channels by a DRAM standard; null where this class has its own. */
  private final Dram dram;

  /** Whether the line read last was in the cache. */
  boolean cacheHadIt;

  MemoryChannels(AmdSpec gpu, ClockSpec clocks) {
    cacheSpec = gpu.memoryCache();
    spec = gpu.memory();
    lineBytes = gpu.tcc().lineBytes();
    double cyclesPerNano = clocks.coreMHz() / 1000;
    dram = spec.dram().loaded() == null ? null : Dram.of(spec.dram(), clocks);
    lineCycles = lineBytes / spec.channelGigabytes(clocks) * cyclesPerNano;
    rowHitCycles = spec.rowHitNs() * cyclesPerNano;
    rowMissCycles = spec.rowMissNs() * cyclesPerNano;
    busFree = new double[spec.channels()];
    bankFree = new double[spec.channels() * spec.banks()];
    openRow = new long[bankFree.length];
    java.util.Arrays.fill(openRow, -1);
    linesPerInterleave = Math.max(1, spec.interleaveBytes() / lineBytes);
    linesPerRow = Math.max(1, spec.rowBytes() / lineBytes);
    int slices = cacheSpec.bytes() == 0 ? 0 : cacheSpec.slices();
    Supplier<Replacement> replacement = cacheSpec.replacement();
    cache = new TimedTags[slices];
    cacheFree = new double[slices];
    cacheLineCycles = slices == 0 ? 0 : (double) lineBytes / cacheSpec.bytesPerCycle();
    for (int i = 0; i < slices; i++) {
      int lines = (int) (cacheSpec.bytes() / lineBytes / slices);
      cache[i] =
          new TimedTags(
              lines / cacheSpec.ways() * cacheSpec.ways(), cacheSpec.ways(), replacement.get());
    }
  }

  void record(MemoryRecorder into) {
    recorder = into;
    if (dram != null) {
      dram.record(into);
    }
  }

  /** When a line asked for at {@code cycle} is there. */
  long read(long line, long cycle) {
    reads++;
    cacheHadIt = false;
    if (cache.length == 0) {
      return channel(line, cycle, false);
    }
    int slice = slice(line);
    double start = Math.max((double) cycle, cacheFree[slice]);
    cacheFree[slice] = start + cacheLineCycles;
    long seen = (long) Math.ceil(start) + cacheSpec.latency();
    int entry = cache[slice].find(key(line));
    if (entry >= 0) {
      cacheReadHits++;
      cacheHadIt = true;
      return Math.max(seen, cache[slice].readyAt(entry));
    }
    long ready = channel(line, seen, false);
    insert(slice, line, ready);
    return ready;
  }

  /** When a line written at {@code cycle} is safe. */
  long write(long line, long cycle) {
    writes++;
    if (cache.length == 0) {
      return channel(line, cycle, true);
    }
    int slice = slice(line);
    double start = Math.max((double) cycle, cacheFree[slice]);
    cacheFree[slice] = start + cacheLineCycles;
    long seen = (long) Math.ceil(start) + cacheSpec.latency();
    int entry = cache[slice].find(key(line));
    if (entry < 0) {
      entry = insert(slice, line, seen);
    } else {
      cacheWriteHits++;
    }
    cache[slice].markDirty(entry);
    return seen;
  }

  private int insert(int slice, long line, long ready) {
    int entry = cache[slice].insert(key(line), ready);
    long evicted = cache[slice].evictedDirty();
    if (evicted >= 0) {
      long block = evicted / linesPerInterleave * cache.length + slice;
      channel(block * linesPerInterleave + evicted % linesPerInterleave, ready, true);
    }
    return entry;
  }

  /** Number of a line within its slice. */
  private long key(long line) {
    long block = Interleave.number(Interleave.number(line, linesPerInterleave), cache.length);
    return block * linesPerInterleave + Interleave.part(line, linesPerInterleave);
  }

  private int slice(long line) {
    return Interleave.part(Interleave.number(line, linesPerInterleave), cache.length);
  }

  private long channel(long line, long cycle, boolean write) {
    channelLines++;
    if (dram != null) {
      long before = dram.rowMisses();
      double done = cycle;
      for (int at = 0; at < lineBytes; at += FETCH) {
        int bytes = Math.min(FETCH, lineBytes - at);
        done = Math.max(done, dram.access(cycle, line * lineBytes + at, 0, bytes, write));
      }
      rowMisses += dram.rowMisses() - before;
      return (long) Math.ceil(write ? done : done + dram.latencyCycles());
    }
    long block = Interleave.number(line, linesPerInterleave);
    int channel = Interleave.part(block, busFree.length);
    long inChannel =
        Interleave.number(block, busFree.length) * linesPerInterleave
            + Interleave.part(line, linesPerInterleave);
    long row = Interleave.number(inChannel, linesPerRow);
    int bank = channel * spec.banks() + Interleave.part(row, spec.banks());
    double ready = Math.max((double) cycle, bankFree[bank]);
    if (openRow[bank] != row) {
      openRow[bank] = row;
      rowMisses++;
      ready += rowMissCycles;
    }
    double data = Math.max(ready + rowHitCycles, busFree[channel]);
    busFree[channel] = data + lineCycles;
    // A bank does not wait for the bus: the controller opens rows ahead and reorders.
    bankFree[bank] = ready + lineCycles;
    if (recorder != null) {
      recorder.dram(channel, (long) data, lineBytes, write);
    }
    return (long) Math.ceil(data + lineCycles);
  }
}
