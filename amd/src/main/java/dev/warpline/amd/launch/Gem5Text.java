package dev.warpline.amd.launch;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/**
 * A run's statistics under gem5's names, one section per kernel as after m5_dump_reset_stats. gem5
 * prints every compute unit by itself; here all of them are added up.
 */
public final class Gem5Text {
  private static final String DISTRIBUTION = "dist.";
  private static final String SCOREBOARD = "scoreboard.";
  private static final String CU = "system.Shader.CUs.";

  private final PrintWriter out;
  private Map<String, Number> statistics;

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
    double seconds = kernel.cycles() / mhz / 1e6;
    line("simSeconds", String.format(Locale.ROOT, "%.9f", seconds), "simulated seconds");
    line("system.Shader.shaderActiveTicks", Math.round(seconds * 1e12), "picoseconds active");
    count("system.Shader.dispatcher.numKernelLaunched", "dispatcher.kernelsLaunched");
    count(
        "system.Shader.dispatcher.cyclesWaitingForDispatch", "dispatcher.cyclesWaitingForDispatch");
    line(CU + "numInstrExecuted", kernel.warpInstructions(), "instructions executed");
    line(CU + "numVecOpsExecuted", value("cu.vectorAluLanes"), "vector operations, per lane");
    line(CU + "totalCycles", value("cu.activeCycles"), "cycles with a resident wave");
    line(
        CU + "ipc",
        ratio(kernel.warpInstructions(), value("cu.activeCycles")),
        "instructions per CU cycle");
    count(CU + "vALUInsts", "cu.vectorAluInstructions");
    count(CU + "sALUInsts", "cu.scalarAluInstructions");
    count(CU + "instCyclesVALU", "cu.vectorAluCycles");
    count(CU + "threadCyclesVALU", "cu.vectorAluLanes");
    line(
        CU + "vALUUtilization",
        ratio(100 * value("cu.vectorAluLanes"), 64 * value("cu.vectorAluInstructions")),
        "percentage of active lanes");
    count(CU + "numVecOpsExecutedMFMA", "cu.matrixInstructions");
    count(CU + "vectorMemReads", "vmem.loads");
    count(CU + "vectorMemWrites", "vmem.stores");
    count(CU + "flatVMemInsts", "vmem.flatInstructions");
    count(CU + "ldsNoFlatInsts", "lds.instructions");
    count(CU + "scalarMemReads", "smem.loads");
    count(CU + "scalarMemWrites", "smem.stores");
    line(
        CU + "dynamicGMemInstrCnt",
        value("vmem.loads") + value("vmem.stores") + value("vmem.atomics"),
        "vector memory instructions");
    count(CU + "dynamicFlatMemInstrCnt", "vmem.flatInstructions");
    count(CU + "dynamicLMemInstrCnt", "lds.instructions");
    count(CU + "ldsBankAccesses", "lds.bankAccesses");
    count(CU + "tlbRequests", "vmem.tlbAccesses");
    count(CU + "completedWfs", "cu.wavesCompleted");
    count(CU + "completedWGs", "cu.groupsCompleted");
    count(CU + "numTimesWgBlockedDueVgprAlloc", "dispatcher.blockedByVectorRegisters");
    count(CU + "numTimesWgBlockedDueSgprAlloc", "dispatcher.blockedByScalarRegisters");
    count(CU + "wgBlockedDueLdsAllocation", "dispatcher.blockedByLds");
    count(CU + "wgBlockedDueBarrierAllocation", "dispatcher.blockedByBarriers");
    statistics.forEach(
        (name, cycles) -> {
          if (name.startsWith(SCOREBOARD)) {
            String stall = name.substring(SCOREBOARD.length());
            line(CU + "ScoreboardCheckStage.stallCycles::" + stall, cycles, "wave-cycles");
          }
        });
    count(CU + "ScheduleStage.schListToDispList", "schedule.dispatches");
    count(CU + "ScheduleStage.schListToDispListStalls", "schedule.waitCycles");
    count(CU + "ScheduleStage.ldsBusArbStalls", "schedule.flatConflicts");
    count(CU + "ExecStage.numCyclesWithInstrIssued", "cu.issueCycles");
    line(
        CU + "ExecStage.numCyclesWithNoIssue",
        value("cu.activeCycles") - value("cu.issueCycles"),
        "cycles with a resident wave and no instruction");
    count(CU + "ExecStage.numTransActiveIdle", "cu.idlePeriods");
    count(CU + "ExecStage.numCyclesWithInstrTypeIssued::VectorALU", "cu.vectorAluInstructions");
    count(CU + "ExecStage.numCyclesWithInstrTypeIssued::ScalarALU", "cu.scalarAluInstructions");
    line(
        CU + "ExecStage.numCyclesWithInstrTypeIssued::VectorMemPipe",
        value("vmem.loads") + value("vmem.stores") + value("vmem.atomics"),
        "vector memory instructions");
    count(CU + "ExecStage.numCyclesWithInstrTypeIssued::SharedMemPipe", "lds.instructions");
    line(
        CU + "ExecStage.numCyclesWithInstrTypeIssued::ScalarMemPipe",
        value("smem.loads") + value("smem.stores"),
        "scalar memory instructions");
    count("system.ruby.network.messages", "network.messages");
    cache("system.l1_tcp", "vmem.tcpReads", "vmem.tcpHits");
    cache("system.sqc", "sqc.accesses", "sqc.hits");
    cache("system.scalar_cache", "scalarCache.accesses", "scalarCache.hits");
    cache("system.tcc", "tcc.loads", "tcc.loadHits");
    count("system.l1_tlb.localNumTLBAccesses", "vmem.tlbAccesses");
    count("system.l1_tlb.localNumTLBMisses", "vmem.tlbMisses");
    count("system.l2_tlb.localNumTLBAccesses", "l2tlb.accesses");
    count("system.l2_tlb.localNumTLBHits", "l2tlb.l2Hits");
    count(CU + "vector_register_file.rfc_cache_read_hits", "rfc.readHits");
    count(CU + "vector_register_file.rfc_cache_write_hits", "rfc.writeHits");
    distributions();
  }

  /** Samples, mean, deviation and the buckets that were hit, as gem5 prints distributions. */
  private void distributions() {
    for (String key : statistics.keySet()) {
      if (!key.startsWith(DISTRIBUTION)) {
        continue;
      }
      int at = key.indexOf("::");
      String source = key.substring(0, at + 2);
      String name = place(key.substring(DISTRIBUTION.length(), at));
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

  /** Latencies and lines belong to the shader, all else to its compute units. */
  private static String place(String name) {
    return switch (name) {
      case "spc", "idleDur" -> CU + "ExecStage." + name;
      case "instFetchInstReturned" -> CU + "FetchStage." + name;
      case "coalsrLineAddresses" -> "system.Shader." + name;
      default -> (name.endsWith("LatencyDist") ? "system.Shader." : CU) + name;
    };
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
