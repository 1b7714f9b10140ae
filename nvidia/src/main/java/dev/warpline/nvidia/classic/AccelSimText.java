package dev.warpline.nvidia.classic;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.memory.cache.AccessKind;
import dev.warpline.memory.cache.Outcome;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A run in the words of Accel-Sim's output, so that the scripts made for it read ours. Names are
 * spelt as there, errors included. Most counters run on from kernel to kernel, as there.
 */
public final class AccelSimText {
  private static final int SECTOR_BYTES = 32;

  private final PrintWriter out;
  private final Map<String, Long> total = new LinkedHashMap<>();
  private long totalCycles;
  private long totalThreads;

  public AccelSimText(PrintWriter out) {
    this.out = out;
  }

  /** Writes a whole run, from the first line to the last. */
  public void write(RunResult run) {
    line("Accel-Sim [build warpline]");
    line("        *** GPGPU-Sim Simulator compatible statistics  [build warpline] ***");
    line("");
    int uid = 0;
    for (KernelResult kernel : run.kernels()) {
      uid++;
      kernel.statistics().forEach((name, n) -> total.merge(name, n.longValue(), Long::sum));
      totalCycles += kernel.cycles();
      totalThreads += kernel.threadInstructions();
      kernel(kernel, uid, run);
    }
    line("GPGPU-Sim: *** simulation thread exiting ***");
    line("GPGPU-Sim: *** exit detected ***");
    out.flush();
  }

  private void kernel(KernelResult kernel, int uid, RunResult run) {
    totals(kernel, uid, run);
    coreCaches();
    shader();
    memory();
    l2();
    network();
    time(run);
  }

  private void totals(KernelResult k, int uid, RunResult run) {
    Map<String, Number> s = k.statistics();
    line("kernel_name = %s ", k.name());
    line("kernel_launch_uid = %d ", uid);
    line("kernel_stream_id = %s", Long.toUnsignedString(number(s, "launch.stream")));
    line("gpu_sim_cycle = %d", k.cycles());
    line("gpu_sim_insn = %d", k.threadInstructions());
    line("gpu_ipc = %12.4f", ratio(k.threadInstructions(), k.cycles()));
    line("gpu_tot_sim_cycle = %d", totalCycles);
    line("gpu_tot_sim_insn = %d", totalThreads);
    line("gpu_tot_ipc = %12.4f", ratio(totalThreads, totalCycles));
    line("gpu_tot_issued_cta = %d", of("launch.blocks"));
    line("gpu_occupancy = %.4f%% ", 100 * k.occupancy());
    line("gpu_tot_occupancy = %.4f%% ", 100 * k.occupancy());
    line("max_total_param_size = 0");
    line("gpu_stall_dramfull = %d", of("l2.fullCycles"));
    line("gpu_stall_icnt2sh    = %d", of("l2.replyStalls"));
    long packets = number(s, "memory.slicePackets");
    long busy = number(s, "memory.slicePacketCycles");
    line("partiton_level_parallism = %12.4f", ratio(packets, k.cycles()));
    line("partiton_level_parallism_total  = %12.4f", ratio(of("memory.slicePackets"), totalCycles));
    line("partiton_level_parallism_util = %12.4f", ratio(packets, busy));
    line(
        "partiton_level_parallism_util_total  = %12.4f",
        ratio(of("memory.slicePackets"), of("memory.slicePacketCycles")));
    line(
        "L2_BW  = %12.4f GB/Sec",
        bandwidth(number(s, "replyNetwork.injectedPackets"), k.cycles(), run.coreMHz()));
    line(
        "L2_BW_total  = %12.4f GB/Sec",
        bandwidth(of("replyNetwork.injectedPackets"), totalCycles, run.coreMHz()));
    line("gpu_total_sim_rate=%d", rate(totalThreads, run));
    line("");
  }

  private void coreCaches() {
    line("========= Core cache stats =========");
    cacheBlock("L1I", of("l1i.fetches"), of("l1i.misses"));
    line("L1D_cache:");
    cacheTotals("\tL1D", "l1.");
    double cycles = of("sm.activeCycles");
    line("\tL1D_cache_data_port_util = %.3f", ratio(of("l1.dataPortBusyCycles"), cycles));
    line("\tL1D_cache_fill_port_util = %.3f", ratio(of("l1.fillPortBusyCycles"), cycles));
    cacheBlock("L1C", 0, 0);
    cacheBlock("L1T", 0, 0);
    line("");
    line("Total_core_cache_stats:");
    breakdown("Total_core_cache_stats_breakdown", "l1.");
    line("");
    line("Total_core_cache_fail_stats:");
    failBreakdown("Total_core_cache_fail_stats_breakdown", "l1.");
  }

  private void cacheBlock(String name, long accesses, long misses) {
    line("%s_cache:", name);
    line("\t%s_total_cache_accesses = %d", name, accesses);
    line("\t%s_total_cache_misses = %d", name, misses);
    line("\t%s_total_cache_pending_hits = 0", name);
    line("\t%s_total_cache_reservation_fails = 0", name);
  }

  private void cacheTotals(String name, String prefix) {
    long accesses = of(prefix + "accesses");
    line("%s_total_cache_accesses = %d", name, accesses);
    line("%s_total_cache_misses = %d", name, of(prefix + "misses"));
    if (accesses > 0) {
      line("%s_total_cache_miss_rate = %.4f", name, ratio(of(prefix + "misses"), accesses));
    }
    line("%s_total_cache_pending_hits = %d", name, of(prefix + "pendingHits"));
    line("%s_total_cache_reservation_fails = %d", name, of(prefix + "reservationFails"));
  }

  private void breakdown(String name, String prefix) {
    for (AccessKind kind : AccessKind.values()) {
      for (int o = 0; o < Outcome.COUNT; o++) {
        String outcome = Outcome.name(o);
        line("\t%s[%s][%s] = %d", name, kind, outcome, of(prefix + kind + "." + outcome));
      }
    }
    for (AccessKind kind : AccessKind.values()) {
      long accesses =
          of(prefix + kind + ".HIT")
              + of(prefix + kind + ".HIT_RESERVED")
              + of(prefix + kind + ".MISS")
              + of(prefix + kind + ".SECTOR_MISS");
      if (accesses > 0) {
        line("\t%s[%s][TOTAL_ACCESS] = %d", name, kind, accesses);
      }
    }
  }

  private void failBreakdown(String name, String prefix) {
    for (AccessKind kind : AccessKind.values()) {
      for (int r = 0; r < Outcome.FAIL_COUNT; r++) {
        long count = of(prefix + kind + "." + Outcome.failName(r));
        if (count > 0) {
          line("\t%s[%s][%s] = %d", name, kind, Outcome.failName(r), count);
        }
      }
    }
  }

  private void shader() {
    long warps = of("sm.warpInstructions");
    line("gpgpu_n_tot_thrd_icount = %d", 32 * warps);
    line("gpgpu_n_tot_w_icount = %d", warps);
    line("gpgpu_n_stall_shd_mem = %d", of("loadStore.stallCycles"));
    line("gpgpu_n_mem_read_local = %d", of("loadStore.localReads"));
    line("gpgpu_n_mem_write_local = %d", of("loadStore.localWrites"));
    line("gpgpu_n_mem_read_global = %d", of("loadStore.globalReads"));
    line("gpgpu_n_mem_write_global = %d", of("loadStore.globalWrites"));
    line("gpgpu_n_mem_texture = 0");
    line("gpgpu_n_mem_const = 0");
    line("gpgpu_n_load_insn  = %d", of("sm.loadThreads"));
    line("gpgpu_n_store_insn = %d", of("sm.storeThreads"));
    line("gpgpu_n_shmem_insn = %d", of("sm.sharedThreads"));
    line("gpgpu_n_sstarr_insn = 0");
    line("gpgpu_n_tex_insn = %d", of("sm.textureThreads"));
    line("gpgpu_n_const_mem_insn = %d", of("sm.constantThreads"));
    line("gpgpu_n_param_mem_insn = 0");
    line("gpgpu_n_shmem_bkconflict = %d", of("loadStore.sharedBankConflicts"));
    line("gpgpu_n_l1cache_bkconflict = %d", of("loadStore.l1BankConflicts"));
    line("gpgpu_n_intrawarp_mshr_merge = 0");
    line("gpgpu_n_cmem_portconflict = 0");
    line("gpgpu_stall_shd_mem[c_mem][resource_stall] = 0");
    line("gpgpu_stall_shd_mem[s_mem][bk_conf] = %d", of("loadStore.sharedStallCycles"));
    line(
        "gpgpu_stall_shd_mem[gl_mem][resource_stall] = %d",
        of("loadStore.l1BankConflicts") + of("loadStore.networkStallCycles"));
    line("gpgpu_stall_shd_mem[gl_mem][coal_stall] = %d", of("loadStore.coalescingStallCycles"));
    line("gpgpu_stall_shd_mem[gl_mem][data_port_stall] = 0");
    line("gpu_reg_bank_conflict_stalls = 0");
    StringBuilder bins =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "Stall:%d\tW0_Idle:%d\tW0_Scoreboard:%d",
                of("sm.pipelineCycles") + of("issue.lanes0"),
                of("sm.idleCycles"),
                of("sm.scoreboardCycles")));
    for (int lanes = 1; lanes <= 32; lanes++) {
      bins.append("\tW").append(lanes).append(':').append(of("issue.lanes" + lanes));
    }
    line("Warp Occupancy Distribution:");
    line("%s", bins);
    issues("single_issue_nums: ", ".single");
    issues("dual_issue_nums: ", ".dual");
  }

  private void issues(String label, String suffix) {
    StringBuilder text = new StringBuilder(label);
    for (int s = 0; total.containsKey("issue.scheduler" + s + suffix); s++) {
      text.append("WS").append(s).append(':').append(of("issue.scheduler" + s + suffix));
      text.append('\t');
    }
    line("%s", text);
  }

  private void memory() {
    long answers = of("loadStore.answers");
    line("averagemflatency = %d ", answers == 0 ? 0 : of("loadStore.latencySum") / answers);
    long activates = of("dram.activates");
    long bursts = of("dram.readBursts") + of("dram.writeBursts");
    line("average row locality = %d/%d = %f", bursts, activates, ratio(bursts, activates));
    line("total dram reads = %d", of("dram.readBursts"));
    line("total dram writes = %d", of("dram.writeBursts"));
  }

  private void l2() {
    line("");
    line("========= L2 cache stats =========");
    cacheTotals("L2", "l2.");
    line("L2_total_cache_breakdown:");
    breakdown("L2_cache_stats_breakdown", "l2.");
    line("L2_total_cache_reservation_fail_breakdown:");
    failBreakdown("L2_cache_stats_fail_breakdown", "l2.");
    long slots = totalCycles * total.getOrDefault("launch.slices", 1L);
    line("L2_cache_data_port_util = %.3f", ratio(of("l2.dataPortBusyCycles"), slots));
    line("L2_cache_fill_port_util = %.3f", ratio(of("l2.fillPortBusyCycles"), slots));
    line("");
  }

  private void network() {
    line("icnt_total_pkts_mem_to_simt=%d", of("replyNetwork.injectedFlits"));
    line("icnt_total_pkts_simt_to_mem=%d", of("requestNetwork.injectedFlits"));
    line("----------------------------Interconnect-DETAILS--------------------------------");
    network("Req", "requestNetwork.");
    line("");
    network("Reply", "replyNetwork.");
    line("----------------------------END-of-Interconnect-DETAILS-------------------------");
  }

  private void network(String name, String prefix) {
    long packets = of(prefix + "injectedPackets");
    line("%s_Network_injected_packets_num = %d", name, packets);
    line("%s_Network_cycles = %d", name, totalCycles);
    line("%s_Network_injected_packets_per_cycle = %12.4f ", name, ratio(packets, totalCycles));
    long conflicts = of(prefix + "conflicts");
    line("%s_Network_conflicts_per_cycle = %12.4f", name, ratio(conflicts, totalCycles));
    line(
        "%s_Network_conflicts_per_cycle_util = %12.4f",
        name, ratio(conflicts, of(prefix + "busyCycles")));
  }

  private void time(RunResult run) {
    long seconds = Math.max(1, Math.round(run.simulation().wallSeconds()));
    line("");
    line("");
    line(
        "gpgpu_simulation_time = %d days, %d hrs, %d min, %d sec (%d sec)",
        seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, seconds);
    line("gpgpu_simulation_rate = %d (inst/sec)", rate(totalThreads, run));
    long cycleRate = Math.max(1, rate(totalCycles, run));
    line("gpgpu_simulation_rate = %d (cycle/sec)", cycleRate);
    line("gpgpu_silicon_slowdown = %dx", Math.round(run.coreMHz() * 1e6 / cycleRate));
  }

  private static long rate(long count, RunResult run) {
    return Math.round(count / Math.max(1e-9, run.simulation().wallSeconds()));
  }

  private static double bandwidth(long sectors, long cycles, double mhz) {
    return cycles == 0 ? 0 : sectors * SECTOR_BYTES * mhz / cycles / 1e3;
  }

  private static double ratio(double a, double b) {
    return b == 0 ? 0 : a / b;
  }

  private static long number(Map<String, Number> statistics, String name) {
    return statistics.getOrDefault(name, 0).longValue();
  }

  private long of(String name) {
    return total.getOrDefault(name, 0L);
  }

  private void line(String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values));
    out.print('\n');
  }
}
