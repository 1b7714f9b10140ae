package dev.warpline.amd.launch;

import dev.warpline.amd.cu.Gpu;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A run's statistics under gem5's names, one section per kernel as after m5_dump_reset_stats: all
 * compute units added up ({@code CUs}), then, where they were counted, those of each ({@code CUs0},
 * {@code CUs1}, ...).
 */
public final class Gem5Text {
  private static final String DISTRIBUTION = "dist.";
  private static final String SCOREBOARD = "scoreboard.";
  private static final String READY = "schedule.readyCycles.";
  private static final String SENT = "schedule.sent.";
  private static final String CU = "system.Shader.CUs.";

  private final PrintWriter out;
  private Map<String, Number> statistics;

  /** Where the compute units stand whose counters are written: all, or one. */
  private String place;

  public Gem5Text(PrintWriter out) {
    this.out = out;
  }

  public void write(RunResult run) {
    for (KernelResult kernel : run.kernels()) {
      out.println("---------- Begin Simulation Statistics ----------");
      kernel(kernel, run.coreMHz());
      out.println("---------- End Simulation Statistics   ----------");
    }
  }

  private void kernel(KernelResult kernel, double mhz) {
    statistics = kernel.statistics();
    place = CU;
    double seconds = kernel.cycles() / mhz / 1e6;
    line("simSeconds", String.format(Locale.ROOT, "%.9f", seconds), "simulated seconds");
    line("system.Shader.shaderActiveTicks", Math.round(seconds * 1e12), "picoseconds active");
    count("system.Shader.dispatcher.numKernelLaunched", "dispatcher.kernelsLaunched");
    count(
        "system.Shader.dispatcher.cyclesWaitingForDispatch", "dispatcher.cyclesWaitingForDispatch");
    unit();
    count(CU + "numTimesWgBlockedDueVgprAlloc", "dispatcher.blockedByVectorRegisters");
    count(CU + "numTimesWgBlockedDueSgprAlloc", "dispatcher.blockedByScalarRegisters");
    count(CU + "wgBlockedDueLdsAllocation", "dispatcher.blockedByLds");
    count(CU + "wgBlockedDueBarrierAllocation", "dispatcher.blockedByBarriers");
    count("system.ruby.network.messages", "network.messages");
    cache("system.l1_tcp", "vmem.tcpReads", "vmem.tcpHits");
    cache("system.sqc", "sqc.accesses", "sqc.hits");
    cache("system.scalar_cache", "scalarCache.accesses", "scalarCache.hits");
    cache("system.tcc", "tcc.loads", "tcc.loadHits");
    count("system.l1_tlb.localNumTLBAccesses", "vmem.tlbAccesses");
    count("system.l1_tlb.localNumTLBMisses", "vmem.tlbMisses");
    count("system.l2_tlb.localNumTLBAccesses", "l2tlb.accesses");
    count("system.l2_tlb.localNumTLBHits", "l2tlb.l2Hits");
    distributions();
    eachUnit(kernel.statistics());
  }

  private void eachUnit(Map<String, Number> all) {
    Map<Integer, Map<String, Number>> units = new TreeMap<>();
    all.forEach(
        (name, value) -> {
          if (name.startsWith(Gpu.EACH_UNIT)) {
            int end = name.indexOf('.', Gpu.EACH_UNIT.length());
            int unit = Integer.parseInt(name.substring(Gpu.EACH_UNIT.length(), end));
            units
                .computeIfAbsent(unit, u -> new LinkedHashMap<>())
                .put(name.substring(end + 1), value);
          }
        });
    units.forEach(
        (unit, counted) -> {
          place = CU.substring(0, CU.length() - 1) + unit + ".";
          statistics = counted;
          unit();
          distributions();
        });
  }

  /** What a compute unit counts. */
  private void unit() {
    line(place + "numInstrExecuted", value("cu.instructions"), "instructions executed");
    line(place + "numVecOpsExecuted", value("cu.vectorAluLanes"), "vector operations, per lane");
    line(place + "totalCycles", value("cu.activeCycles"), "cycles with a resident wave");
    line(
        place + "ipc",
        ratio(value("cu.instructions"), value("cu.activeCycles")),
        "instructions per CU cycle");
    count(place + "vALUInsts", "cu.vectorAluInstructions");
    count(place + "sALUInsts", "cu.scalarAluInstructions");
    count(place + "instCyclesVALU", "cu.vectorAluCycles");
    count(place + "threadCyclesVALU", "cu.vectorAluLanes");
    line(
        place + "vALUUtilization",
        ratio(100 * value("cu.vectorAluLanes"), 64 * value("cu.vectorAluInstructions")),
        "percentage of active lanes");
    count(place + "numVecOpsExecutedMFMA", "cu.matrixInstructions");
    count(place + "vectorMemReads", "vmem.loads");
    count(place + "vectorMemWrites", "vmem.stores");
    count(place + "flatVMemInsts", "vmem.flatInstructions");
    count(place + "ldsNoFlatInsts", "lds.instructions");
    count(place + "scalarMemReads", "smem.loads");
    count(place + "scalarMemWrites", "smem.stores");
    line(
        place + "dynamicGMemInstrCnt",
        value("vmem.loads") + value("vmem.stores") + value("vmem.atomics"),
        "vector memory instructions");
    count(place + "dynamicFlatMemInstrCnt", "vmem.flatInstructions");
    count(place + "dynamicLMemInstrCnt", "lds.instructions");
    count(place + "ldsBankAccesses", "lds.bankAccesses");
    count(place + "tlbRequests", "vmem.tlbAccesses");
    count(place + "completedWfs", "cu.wavesCompleted");
    count(place + "completedWGs", "cu.groupsCompleted");
    each(SCOREBOARD, "ScoreboardCheckStage.stallCycles::", "wave-cycles");
    schedule();
    count(place + "ExecStage.numCyclesWithInstrIssued", "cu.issueCycles");
    line(
        place + "ExecStage.numCyclesWithNoIssue",
        value("cu.activeCycles") - value("cu.issueCycles"),
        "cycles with a resident wave and no instruction");
    count(place + "ExecStage.numTransActiveIdle", "cu.idlePeriods");
    long cycles = value("cu.activeCycles");
    each("schedule.sent.", "ExecStage.numCyclesWithInstrTypeIssued::", "instructions");
    statistics.forEach(
        (name, issued) -> {
          if (name.startsWith(SENT)) {
            line(
                place
                    + "ExecStage.numCyclesWithNoInstrTypeIssued::"
                    + name.substring(SENT.length()),
                cycles - issued.longValue(),
                "cycles with a resident wave and none of these");
          }
        });
    count(place + "vector_register_file.rfc_cache_read_hits", "rfc.readHits");
    count(place + "vector_register_file.rfc_cache_write_hits", "rfc.writeHits");
  }

  private void schedule() {
    long cycles = value("cu.activeCycles");
    each(READY, "ScheduleStage.rdyListNotEmpty::", "cycles with a wave ready for the unit");
    statistics.forEach(
        (name, ready) -> {
          if (name.startsWith(READY)) {
            line(
                place + "ScheduleStage.rdyListEmpty::" + name.substring(READY.length()),
                cycles - ready.longValue(),
                "cycles with a resident wave and none ready for the unit");
          }
        });
    each("schedule.refusals.", "ScheduleStage.addToSchListStalls::", "cycles the policy took none");
    each(SENT, "ScheduleStage.schListToDispList::", "instructions sent to the unit");
    each("schedule.listWaits.", "ScheduleStage.schListToDispListStalls::", "cycles it took none");
    each(
        "schedule.notReady.", "ScheduleStage.dispNrdyStalls::", "unit-cycles, by what was missing");
    count(place + "ScheduleStage.ldsBusArbStalls", "schedule.flatConflicts");
  }

  /** All counters that begin so, under gem5's name for them. */
  private void each(String prefix, String gem5, String description) {
    statistics.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            line(place + gem5 + name.substring(prefix.length()), value, description);
          }
        });
  }

  /** Samples, mean, deviation and the buckets that were hit, as gem5 prints distributions. */
  private void distributions() {
    for (String key : statistics.keySet()) {
      if (!key.startsWith(DISTRIBUTION)) {
        continue;
      }
      int at = key.indexOf("::");
      String source = key.substring(0, at + 2);
      String name = placeOf(key.substring(DISTRIBUTION.length(), at));
      String part = key.substring(at + 2);
      switch (part) {
        case "samples" -> {
          double samples = value(key);
          double mean = value(source + "sum") / Math.max(1, samples);
          double variance =
              (value(source + "squares") - samples * mean * mean) / Math.max(1, samples - 1);
          line(name + "::samples", value(key), "samples");
          line(name + "::mean", ratio(mean, 1), "mean");
          line(name + "::stdev", ratio(Math.sqrt(Math.max(0, variance)), 1), "deviation");
        }
        case "sum", "squares" -> {}
        default -> {
          if (value(key) > 0) {
            line(name + "::" + part, value(key), "times");
          }
        }
      }
    }
  }

  /** Latencies and lines belong to the shader as long as all are added up. */
  private String placeOf(String name) {
    return switch (name) {
      case "spc", "idleDur" -> place + "ExecStage." + name;
      case "instFetchInstReturned" -> place + "FetchStage." + name;
      case "coalsrLineAddresses" -> shader() + name;
      default -> (name.endsWith("LatencyDist") ? shader() : place) + name;
    };
  }

  private String shader() {
    return place.equals(CU) ? "system.Shader." : place;
  }

  private void cache(String name, String accesses, String hits) {
    line(name + ".L1cache.m_demand_accesses", value(accesses), "demand accesses");
    line(name + ".L1cache.m_demand_hits", value(hits), "demand hits");
    line(name + ".L1cache.m_demand_misses", value(accesses) - value(hits), "demand misses");
  }

  private void count(String name, String key) {
    line(name, value(key), key);
  }

  private long value(String key) {
    return statistics.getOrDefault(key, 0).longValue();
  }

  private static String ratio(double above, double below) {
    return String.format(Locale.ROOT, "%.6f", below == 0 ? 0 : above / below);
  }

  private void line(String name, Object value, String description) {
    out.printf(Locale.ROOT, "%-56s %14s  # %s%n", name, value, description);
  }
}
