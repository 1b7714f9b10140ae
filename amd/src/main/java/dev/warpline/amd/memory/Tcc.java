package dev.warpline.amd.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.memory.cache.TimedTags;
import dev.warpline.policy.Replacement;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The second-level cache of one die: slices with their own tags and one port each. */
final class Tcc {
  @Counter("lines read")
  long loads;

  @Counter("lines read that were there or on their way")
  long loadHits;

  @Counter("lines written")
  long stores;

  @Counter("lines with atomics")
  long atomics;

  @Counter("lines fetched from memory")
  long fills;

  @Counter("written lines sent to memory")
  long writeBacks;

  private final AmdSpec.Tcc spec;
  private final TimedTags[] slices;
  private final double[] portFree;
  private final double lineCycles;
  private final MemoryChannels memory;
  private MemoryRecorder recorder;

  /** Who had the data of the line served last, as {@link MemoryHierarchy} names it. */
  int level;

  private int firstSlice;

  Tcc(AmdSpec.Tcc spec, MemoryChannels memory) {
    this.spec = spec;
    this.memory = memory;
    Supplier<Replacement> replacement = spec.replacement();
    slices = new TimedTags[spec.slices()];
    int lines = spec.bytes() / spec.lineBytes() / spec.slices();
    for (int i = 0; i < slices.length; i++) {
      slices[i] =
          new TimedTags(
              lines / spec.ways() * spec.ways(), spec.ways(), spec.hashedSets(), replacement.get());
    }
    portFree = new double[slices.length];
    lineCycles = (double) spec.lineBytes() / spec.bytesPerCycle();
  }

  void record(MemoryRecorder into, int first) {
    recorder = into;
    firstSlice = first;
  }

  private void record(int slice, long cycle, boolean hit) {
    if (recorder != null) {
      int sectors = spec.lineBytes() / 32;
      recorder.l2(firstSlice + slice, cycle, sectors, hit ? sectors : 0);
    }
  }

  /** The slice that has a line. */
  int slice(long line) {
    return Interleave.part(line, slices.length);
  }

  /**
   * Serves a line that arrives at {@code cycle}; returns when the answer is back at the first
   * level.
   */
  long serve(Request kind, long line, int weight, long cycle) {
    int slice = slice(line);
    long key = Interleave.number(line, slices.length);
    double start = Math.max((double) cycle, portFree[slice]);
    double taken = kind == Request.VECTOR_ATOMIC ? Math.max(lineCycles, weight) : lineCycles;
    portFree[slice] = start + taken;
    long tagsDone = (long) Math.ceil(start) + spec.tagLatency();
    level = MemoryHierarchy.L2;
    if (kind.isStore()) {
      return store(slice, key, line, tagsDone) + spec.responseLatency();
    }
    TimedTags tags = slices[slice];
    int entry = tags.find(key);
    record(slice, tagsDone, entry >= 0);
    if (kind == Request.VECTOR_ATOMIC) {
      atomics++;
    } else {
      loads++;
    }
    long ready;
    if (entry >= 0) {
      if (kind != Request.VECTOR_ATOMIC) {
        loadHits++;
      }
      ready = Math.max(tagsDone + spec.dataLatency(), tags.readyAt(entry));
      if (ready > tagsDone + spec.dataLatency()) {
        level = MemoryHierarchy.DRAM; // still on its way from there
      }
    } else {
      fills++;
      ready = memory.read(line, tagsDone + spec.toMemoryLatency());
      level = memory.cacheHadIt ? MemoryHierarchy.MEMORY_CACHE : MemoryHierarchy.DRAM;
      entry = insert(slice, key, ready, tagsDone);
    }
    if (kind == Request.VECTOR_ATOMIC) {
      ready += spec.atomicLatency() + (long) Math.ceil(taken - lineCycles);
      if (spec.writeBack()) {
        tags.markDirty(entry);
      } else {
        memory.write(line, ready + spec.toMemoryLatency());
      }
    }
    return ready + spec.responseLatency();
  }

  private long store(int slice, long key, long line, long tagsDone) {
    stores++;
    record(slice, tagsDone, true);
    TimedTags tags = slices[slice];
    if (!spec.writeBack()) {
      return memory.write(line, tagsDone + spec.toMemoryLatency());
    }
    int entry = tags.find(key);
    long ready = tagsDone + spec.dataLatency();
    if (entry < 0) {
      entry = insert(slice, key, ready, tagsDone);
    }
    tags.markDirty(entry);
    return ready;
  }

  private int insert(int slice, long key, long ready, long cycle) {
    int entry = slices[slice].insert(key, ready);
    long evicted = slices[slice].evictedDirty();
    if (evicted >= 0) {
      writeBacks++;
      memory.write(evicted * slices.length + slice, cycle + spec.toMemoryLatency());
    }
    return entry;
  }

  /**
   * Writes back what was written; returns when the last line is in memory.
   *
   * @param written told of every such line
   */
  long release(long cycle, LongConsumer written) {
    long done = cycle;
    for (int slice = 0; slice < slices.length; slice++) {
      double start = cycle + spec.toMemoryLatency();
      TimedTags tags = slices[slice];
      for (int entry = tags.clean(0); entry >= 0; entry = tags.clean(entry + 1)) {
        long line = tags.key(entry) * slices.length + slice;
        writeBacks++;
        done = Math.max(done, memory.write(line, (long) start));
        written.accept(line);
        start += lineCycles;
      }
    }
    return done;
  }

  void drop(long line) {
    slices[slice(line)].invalidate(Interleave.number(line, slices.length));
  }

  void dropAll() {
    for (TimedTags tags : slices) {
      tags.invalidateAll();
    }
  }
}
