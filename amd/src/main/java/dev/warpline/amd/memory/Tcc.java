package dev.warpline.amd.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.memory.MemoryRequest;
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
  private final int lineShift;
  private final MemoryChannels memory;
  private MemoryRecorder recorder;

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
              lines / spec.ways() * spec.ways(),
              spec.ways(),
              spec.setIndex().get(),
              replacement.get());
    }
    portFree = new double[slices.length];
    lineCycles = (double) spec.lineBytes() / spec.bytesPerCycle();
    lineShift = Integer.numberOfTrailingZeros(spec.lineBytes());
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

  /** The slice that has a request's line. */
  int slice(MemoryRequest request) {
    return slice(request.address >>> lineShift);
  }

  private int slice(long line) {
    return Interleave.part(line, slices.length);
  }

  /** Serves a line that is at its slice; it is ready when the answer is back at the first level. */
  void serve(MemoryRequest request) {
    long line = request.address >>> lineShift;
    int slice = request.slice;
    long key = Interleave.number(line, slices.length);
    double start = Math.max((double) request.ready, portFree[slice]);
    double taken = request.atomic ? Math.max(lineCycles, request.lanes) : lineCycles;
    portFree[slice] = start + taken;
    long tagsDone = (long) Math.ceil(start) + spec.tagLatency();
    if (request.write) {
      request.ready = store(slice, key, line, tagsDone) + spec.responseLatency();
      return;
    }
    TimedTags tags = slices[slice];
    int entry = tags.find(key);
    record(slice, tagsDone, entry >= 0);
    if (request.atomic) {
      atomics++;
    } else {
      loads++;
    }
    long ready;
    if (entry >= 0) {
      if (!request.atomic) {
        loadHits++;
      }
      ready = Math.max(tagsDone + spec.dataLatency(), tags.readyAt(entry));
      if (ready > tagsDone + spec.dataLatency()) {
        request.level = MemoryRequest.FROM_DRAM; // still on its way from there
      }
    } else {
      fills++;
      ready = memory.read(line, tagsDone + spec.toMemoryLatency());
      request.level = memory.cacheHadIt ? MemoryRequest.FROM_MEMORY_CACHE : MemoryRequest.FROM_DRAM;
      entry = insert(slice, key, ready, tagsDone);
    }
    if (request.atomic) {
      ready += spec.atomicLatency() + (long) Math.ceil(taken - lineCycles);
      if (spec.writeBack()) {
        tags.markDirty(entry);
      } else {
        memory.write(line, ready + spec.toMemoryLatency());
      }
    }
    request.ready = ready + spec.responseLatency();
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
