package dev.warpline.nvidia.modern.energy;

import dev.warpline.engine.gpu.EnergyEvent;
import java.util.List;
import java.util.Map;

/** The events of memories, from a kernel's counters. */
final class Traffic {
  /** What happens behind L1. */
  static final List<EnergyEvent> BEYOND_L1 =
      List.of(
          EnergyEvent.NETWORK,
          EnergyEvent.REQUEST,
          EnergyEvent.L2_READ,
          EnergyEvent.L2_WRITE,
          EnergyEvent.L2_ATOMIC,
          EnergyEvent.L2_FAR,
          EnergyEvent.DRAM_READ,
          EnergyEvent.DRAM_WRITE,
          EnergyEvent.DRAM_ROW);

  private static final int WORDS_OF_A_SECTOR = 8;

  private Traffic() {}

  static void add(Map<String, Number> statistics, double coreMHz, Map<EnergyEvent, Double> counts) {
    Reader s = name -> statistics.getOrDefault(name, 0).doubleValue();
    double read = s.get("l2.smReadSectors");
    double written = s.get("l2.smWriteSectors");
    double atomic = s.get("l2.smAtomicSectors");
    counts.put(EnergyEvent.SM, s.get("sm.activeCycles") / coreMHz * 1e-6);
    double passes = s.get("l1.sharedConflicts") + s.get("l1.sharedRepeats");
    counts.put(EnergyEvent.SHARED, s.get("l1.sharedAccesses") + passes);
    counts.put(EnergyEvent.L1, s.get("l1.globalLoadSectors") + s.get("l1.localLoadSectors"));
    counts.put(EnergyEvent.COPY, s.get("copies.copySectors"));
    // Stores send the words they write, not whole sectors.
    double sent = s.get("l2.smWriteWords") / WORDS_OF_A_SECTOR;
    counts.put(EnergyEvent.NETWORK, read + s.get("l2.mergedSectors") + sent + atomic);
    counts.put(EnergyEvent.REQUEST, s.get("l2.smRequests"));
    counts.put(EnergyEvent.L2_READ, read);
    counts.put(EnergyEvent.L2_WRITE, written);
    counts.put(EnergyEvent.L2_ATOMIC, atomic);
    double full = written == 0 ? 0 : sent / written;
    double far = s.get("l2.readSectors") - read + (s.get("l2.writeSectors") - written) * full;
    counts.put(EnergyEvent.L2_FAR, Math.max(0, far));
    counts.put(EnergyEvent.DRAM_READ, s.get("dram.bytesRead"));
    counts.put(EnergyEvent.DRAM_WRITE, s.get("dram.bytesWritten"));
    counts.put(EnergyEvent.DRAM_ROW, s.get("dram.rowMisses"));
  }

  private interface Reader {
    double get(String name);
  }
}
