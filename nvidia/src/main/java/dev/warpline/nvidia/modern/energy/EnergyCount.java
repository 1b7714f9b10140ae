package dev.warpline.nvidia.modern.energy;

import dev.warpline.engine.energy.KernelEnergy;
import dev.warpline.engine.energy.PowerTrace;
import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.EnergySpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.isa.CodeTable;
import dev.warpline.trace.BlockTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts a kernel's instructions by row when its blocks are read, which is not where time is spent,
 * and turns them with the kernel's statistics into joules.
 */
public final class EnergyCount {
  private static final double PICO = 1e-12;
  private static final int SECTOR = 32;

  private final CodeTable code;
  private long[] executed = new long[256];
  private long[] lanes = new long[256];

  /** What the blocks before have in common, how many they are, and by row what one of them has. */
  private int[] common;

  private long blocks;
  private long[] executedEach = new long[0];
  private long[] lanesEach = new long[0];

  public EnergyCount(CodeTable code) {
    this.code = code;
  }

  /** Counts what the warps of a block execute. */
  public void add(BlockTrace block) {
    if (common != null && block.executes(common)) {
      blocks++;
      return;
    }
    settle();
    if (executed.length < code.size()) {
      executed = Arrays.copyOf(executed, 2 * code.size());
      lanes = Arrays.copyOf(lanes, 2 * code.size());
    }
    common = block.common();
    if (common == null) {
      count(block, executed, lanes);
      return;
    }
    blocks = 1;
    executedEach = new long[code.size()];
    lanesEach = new long[code.size()];
    count(block, executedEach, lanesEach);
  }

  private static void count(BlockTrace block, long[] executed, long[] lanes) {
    for (int i = 0; i < block.instructions(); i++) {
      int row = block.row(i);
      executed[row]++;
      lanes[row] += Integer.bitCount(block.mask(i));
    }
  }

  /** Adds what the blocks with something in common executed. */
  private void settle() {
    for (int row = 0; common != null && row < executedEach.length; row++) {
      executed[row] += blocks * executedEach[row];
      lanes[row] += blocks * lanesEach[row];
    }
    common = null;
  }

  /**
   * The kernel's energy.
   *
   * @param statistics the kernel's counters
   * @param profile what was recorded of it, or null
   */
  public KernelEnergy of(
      GpuDescription gpu, Map<String, Number> statistics, long cycles, KernelProfile profile) {
    settle();
    Map<EnergyEvent, Double> counts = new EnumMap<>(EnergyEvent.class);
    for (int row = 0; row < Math.min(executed.length, code.size()); row++) {
      if (executed[row] > 0) {
        InstructionEvents.of(code.get(row)).add(executed[row], lanes[row], counts);
      }
    }
    Traffic.add(statistics, gpu.clocks().coreMHz(), counts);
    KernelEnergy energy = KernelEnergy.of(gpu.energy(), counts, cycles, gpu.clocks().coreMHz());
    return profile == null
        ? energy
        : energy.with(
            lines(gpu.energy(), profile, counts), PowerTrace.of(energy, profile.series(), cycles));
  }

  /** What each instruction costs: its own work, and the traffic that it caused. */
  private List<KernelEnergy.Line> lines(
      EnergySpec spec, KernelProfile profile, Map<EnergyEvent, Double> counts) {
    double sectors = 0;
    for (KernelProfile.Line line : profile.lines()) {
      sectors += line.work().space() == LaneWork.Space.SHARED ? 0 : line.sectors();
    }
    double beyond = 0;
    for (EnergyEvent event : Traffic.BEYOND_L1) {
      beyond += counts.getOrDefault(event, 0.0) * spec.picojoules(event);
    }
    List<KernelEnergy.Line> lines = new ArrayList<>();
    for (KernelProfile.Line line : profile.lines()) {
      Map<EnergyEvent, Double> own = new EnumMap<>(EnergyEvent.class);
      InstructionEvents.of(code.get(line.row())).add(line.executed(), line.lanes(), own);
      if (line.work().space() == LaneWork.Space.SHARED) {
        own.put(EnergyEvent.SHARED, (double) (line.requests() + line.conflicts()));
      } else {
        own.put(EnergyEvent.L1, (double) line.sectors());
      }
      double picojoules = 0;
      for (Map.Entry<EnergyEvent, Double> event : own.entrySet()) {
        picojoules += event.getValue() * spec.picojoules(event.getKey());
      }
      picojoules += shareBeyond(line, sectors) * beyond;
      lines.add(new KernelEnergy.Line(line.pc(), picojoules * PICO));
    }
    return lines;
  }

  /** Traffic beyond L1 goes by the sectors that L1 did not have. */
  private static double shareBeyond(KernelProfile.Line line, double sectors) {
    if (line.work().space() == LaneWork.Space.SHARED || sectors == 0) {
      return 0;
    }
    return (line.sectors() - line.l1Hits()) / sectors;
  }
}
