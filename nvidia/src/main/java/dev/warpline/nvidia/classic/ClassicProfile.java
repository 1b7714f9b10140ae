package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.KernelProfile.Throughput;
import dev.warpline.engine.profile.KernelProfile.Traffic;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.cache.CacheOutcome;
import dev.warpline.memory.cache.DataCache;
import dev.warpline.memory.detailed.MemorySide;
import dev.warpline.nvidia.KernelListing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a kernel's profile needs besides the warps' time: traffic of the memory side, read from its
 * counters now and then, and the peaks of the parts.
 */
final class ClassicProfile {
  private static final int SAMPLE_CYCLES = 512;
  private static final int SECTOR = 32;
  private static final AccessKind[] KINDS = AccessKind.values();

  private final MemorySide memory;
  private final List<DataCache> caches;
  private final int burstBytes;
  private final long[] sectors;
  private final long[] hits;
  private final long[] reads;
  private final long[] writes;
  private long nextSample;

  ClassicProfile(GpuDescription gpu, MemorySide memory) {
    this.memory = memory;
    DetailedMemorySpec.Dram dram = gpu.detailedMemory().dram();
    burstBytes = dram.burstBytes();
    caches = memory.caches();
    sectors = new long[caches.size()];
    hits = new long[sectors.length];
    reads = new long[memory.channels()];
    writes = new long[reads.length];
  }

  int slices() {
    return sectors.length;
  }

  int channels() {
    return reads.length;
  }

  /** Writes down what the memory side did since the last time, if that is long enough ago. */
  void sample(MemoryRecorder into, long now, boolean always) {
    if (now < nextSample && !always) {
      return;
    }
    nextSample = now + SAMPLE_CYCLES;
    for (int i = 0; i < sectors.length; i++) {
      long hit =
          count(caches.get(i), CacheOutcome.HIT) + count(caches.get(i), CacheOutcome.HIT_RESERVED);
      long miss =
          count(caches.get(i), CacheOutcome.MISS) + count(caches.get(i), CacheOutcome.SECTOR_MISS);
      into.l2(i, now, (int) (hit + miss - sectors[i]), (int) (hit - hits[i]));
      sectors[i] = hit + miss;
      hits[i] = hit;
    }
    for (int i = 0; i < reads.length; i++) {
      long read = memory.dramBursts(i, false);
      long write = memory.dramBursts(i, true);
      into.dram(i, now, (int) (read - reads[i]) * burstBytes, false);
      into.dram(i, now, (int) (write - writes[i]) * burstBytes, true);
      reads[i] = read;
      writes[i] = write;
    }
  }

  private static long count(DataCache cache, int outcome) {
    long sum = 0;
    for (AccessKind kind : KINDS) {
      sum += cache.count(kind, outcome);
    }
    return sum;
  }

  static KernelProfile of(ClassicKernel kernel, GpuDescription gpu, int sms) {
    KernelProfile profile =
        kernel.recorder.profile(
            KernelListing.launch(
                kernel.header,
                gpu.sm().warps(),
                Map.of(kernel.occupancy.limiter(), kernel.occupancy.blocks())),
            new KernelListing(kernel.trace.code()));
    double issue = (double) gpu.classic().frontEnd().schedulers() * sms;
    double executed = profile.lines().stream().mapToLong(Line::executed).sum();
    double l1 = profile.lines().stream().mapToLong(Line::sectors).sum();
    double l2 = profile.slices().stream().mapToLong(Traffic::first).sum();
    double dram = profile.channels().stream().mapToLong(t -> t.first() + t.second()).sum();
    DetailedMemorySpec.Dram spec = gpu.detailedMemory().dram();
    double memoryClock = gpu.clocks().dramMHz() / gpu.clocks().coreMHz();
    double dramPeak = profile.channels().size() * spec.bytesPerClock() * memoryClock;
    double l2Steps = gpu.detailedMemory().l2Steps() * gpu.clocks().l2MHz() / gpu.clocks().coreMHz();
    double l2Peak = profile.slices().size() * SECTOR * l2Steps;
    List<Throughput> parts = new ArrayList<>();
    parts.add(new Throughput("Issue", "instructions", executed, issue));
    parts.add(new Throughput("L1", "bytes", SECTOR * l1, 4.0 * SECTOR * sms));
    parts.add(new Throughput("L2", "bytes", SECTOR * l2, l2Peak));
    parts.add(new Throughput("DRAM", "bytes", dram, dramPeak));
    return profile.withThroughputs(parts);
  }
}
