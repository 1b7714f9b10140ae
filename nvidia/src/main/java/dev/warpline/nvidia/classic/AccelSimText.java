package dev.warpline.nvidia.classic;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.cache.CacheOutcome;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A run in the words of Accel-Sim's output, so that the scripts made for it read ours. Names are
 * spelt as there, errors included. Most counters run on from kernel to kernel, as there; a kernel's
 * own numbers are those since the last kernel that ended. A line whose number the core does not
 * have is left out.
 */
public final class AccelSimText {
  private static final int SECTOR_BYTES = 32;

  private final PrintWriter out;

  /** Sums over the kernels so far of what each of them counted. */
  private Map<String, Long> total;

  private Map<String, Long> own = Map.of();
  private long end;
  private double occupiedCycles;

  /** The same sums by stream. */
  private final Map<Long, Map<String, Long>> streams = new HashMap<>();

  public AccelSimText(PrintWriter out) {
    this.out = out;
  }

  /** Writes a whole run, from the first line to the last. */
  public void write(RunResult run) {
    line("Accel-Sim [build warpline]");
    line("        *** GPGPU-Sim Simulator compatible statistics  [build warpline] ***");
    line("");
    List<KernelResult> byEnd =
        run.kernels().stream().sorted(Comparator.comparingLong(KernelResult::end)).toList();
    for (KernelResult kernel : byEnd) {
      add(AccelSimCounters.of(kernel, run.core()));
      long cycles = kernel.end() - end;
      end = kernel.end();
      occupiedCycles += kernel.occupancy() * own.getOrDefault("sm.activeCycles", 0L);
      totals(kernel, cycles, run);
      coreCaches();
      shader();
      memory();
      l2();
      network();
      time(run);
    }
    line("GPGPU-Sim: *** simulation thread exiting ***");
    line("GPGPU-Sim: *** exit detected ***");
    out.flush();
  }

  private void add(Map<String, Long> kernel) {
    own = kernel;
    total = sum(total, kernel);
    long stream = kernel.getOrDefault("launch.stream", 0L);
    streams.put(stream, sum(streams.get(stream), kernel));
  }

  /** A sum is known as long as every kernel has counted its part. */
  private static Map<String, Long> sum(Map<String, Long> before, Map<String, Long> kernel) {
    if (before == null) {
      return new LinkedHashMap<>(kernel);
    }
    before.keySet().retainAll(kernel.keySet());
    before.replaceAll((name, sum) -> sum + kernel.get(name));
    return before;
  }

  /** Breakdowns of caches are those of the kernel's stream, as there. */
  private void ofItsStream(Runnable lines) {
    Map<String, Long> all = total;
    total = streams.get(own.getOrDefault("launch.stream", 0L));
    lines.run();
    total = all;
  }

  private void totals(KernelResult k, long cycles, RunResult run) {
    long threads = own.get("sm.threadInstructions");
    long allThreads = of("sm.threadInstructions");
    line("kernel_name = %s ", k.name());
    line("kernel_launch_uid = %d ", k.id());
    if (own.containsKey("launch.stream")) {
      line("kernel_stream_id = %s", Long.toUnsignedString(own.get("launch.stream")));
    }
    line("gpu_sim_cycle = %d", cycles);
    if (k.sampling() != null) {
      line(
          "gpu_sim_cycle_sampled = %d to %d (95%% interval; %s)",
          k.sampling().low(cycles), k.sampling().high(cycles), k.sampling().how());
    }
    line("gpu_sim_insn = %d", threads);
    line("gpu_ipc = %12.4f", ratio(threads, cycles));
    line("gpu_tot_sim_cycle = %d", end);
    line("gpu_tot_sim_insn = %d", allThreads);
    line("gpu_tot_ipc = %12.4f", ratio(allThreads, end));
    count("gpu_tot_issued_cta = %d", "launch.blocks");
    line("gpu_occupancy = %.4f%% ", 100 * k.occupancy());
    if (total.containsKey("sm.activeCycles")) {
      line("gpu_tot_occupancy = %.4f%% ", 100 * ratio(occupiedCycles, of("sm.activeCycles")));
    }
    line("max_total_param_size = 0");
    count("gpu_stall_dramfull = %d", "l2.fullCycles");
    count("gpu_stall_icnt2sh    = %d", "l2.replyStalls");
    if (total.containsKey("memory.slicePackets")) {
      long packets = own.get("memory.slicePackets");
      long busy = own.get("memory.slicePacketCycles");
      line("partiton_level_parallism = %12.4f", ratio(packets, cycles));
      line("partiton_level_parallism_total  = %12.4f", ratio(of("memory.slicePackets"), end));
      line("partiton_level_parallism_util = %12.4f", ratio(packets, busy));
      line(
          "partiton_level_parallism_util_total  = %12.4f",
          ratio(of("memory.slicePackets"), of("memory.slicePacketCycles")));
    }
    String replies =
        total.containsKey("replyNetwork.sectors")
            ? "replyNetwork.sectors"
            : "replyNetwork.injectedPackets";
    if (total.containsKey(replies)) {
      line("L2_BW  = %12.4f GB/Sec", bandwidth(own.get(replies), cycles, run.coreMHz()));
      line("L2_BW_total  = %12.4f GB/Sec", bandwidth(of(replies), end, run.coreMHz()));
    }
    line("gpu_total_sim_rate=%d", rate(allThreads, run));
    line("");
  }

  private void coreCaches() {
    line("========= Core cache stats =========");
    cacheBlock("L1I", "l1i.");
    if (total.containsKey("l1.accesses")) {
      line("L1D_cache:");
      cacheTotals("\tL1D", "l1.");
      double cycles = of("sm.activeCycles");
      line("\tL1D_cache_data_port_util = %.3f", ratio(of("l1.dataPortBusyCycles"), cycles));
      line("\tL1D_cache_fill_port_util = %.3f", ratio(of("l1.fillPortBusyCycles"), cycles));
      // With SASS traces neither is ever accessed, here as there.
      idleCache("L1C");
      idleCache("L1T");
    }
    line("");
    line("Total_core_cache_stats:");
    ofItsStream(() -> breakdown("Total_core_cache_stats_breakdown", "l1.", "l1i."));
    line("");
    line("Total_core_cache_fail_stats:");
    ofItsStream(() -> failBreakdown("Total_core_cache_fail_stats_breakdown", "l1.", "l1i."));
  }

  private void cacheBlock(String name, String prefix) {
    if (total.containsKey(prefix + "accesses")) {
      line("%s_cache:", name);
      cacheTotals("\t" + name, prefix);
    }
  }

  private void idleCache(String name) {
    line("%s_cache:", name);
    line("\t%s_total_cache_accesses = 0", name);
    line("\t%s_total_cache_misses = 0", name);
    line("\t%s_total_cache_pending_hits = 0", name);
    line("\t%s_total_cache_reservation_fails = 0", name);
  }

  private void cacheTotals(String name, String prefix) {
    long accesses = of(prefix + "accesses");
    line("%s_total_cache_accesses = %d", name, accesses);
    count(name + "_total_cache_misses = %d", prefix + "misses");
    if (accesses > 0 && total.containsKey(prefix + "misses")) {
      line("%s_total_cache_miss_rate = %.4f", name, ratio(of(prefix + "misses"), accesses));
    }
    count(name + "_total_cache_pending_hits = %d", prefix + "pendingHits");
    count(name + "_total_cache_reservation_fails = %d", prefix + "reservationFails");
  }

  /** Accesses by kind and outcome, summed over caches: the first counts every kind it has. */
  private void breakdown(String name, String... prefixes) {
    for (AccessKind kind : AccessKind.values()) {
      for (int o = 0; o < CacheOutcome.COUNT; o++) {
        String outcome = CacheOutcome.name(o);
        if (total.containsKey(prefixes[0] + kind + "." + outcome)) {
          line("\t%s[%s][%s] = %d", name, kind, outcome, sum(kind + "." + outcome, prefixes));
        }
      }
    }
    for (AccessKind kind : AccessKind.values()) {
      long accesses =
          total.containsKey(prefixes[0] + kind + ".TOTAL_ACCESS")
              ? of(prefixes[0] + kind + ".TOTAL_ACCESS")
              : total.containsKey(prefixes[0] + kind + ".SECTOR_MISS")
                  ? sum(kind + ".HIT", prefixes)
                      + sum(kind + ".HIT_RESERVED", prefixes)
                      + sum(kind + ".MISS", prefixes)
                      + sum(kind + ".SECTOR_MISS", prefixes)
                  : 0;
      if (accesses > 0) {
        line("\t%s[%s][TOTAL_ACCESS] = %d", name, kind, accesses);
      }
    }
  }

  private void failBreakdown(String name, String... prefixes) {
    for (AccessKind kind : AccessKind.values()) {
      for (int r = 0; r < CacheOutcome.FAIL_COUNT; r++) {
        long count = sum(kind + "." + CacheOutcome.failName(r), prefixes);
        if (count > 0) {
          line("\t%s[%s][%s] = %d", name, kind, CacheOutcome.failName(r), count);
        }
      }
    }
  }

  private void shader() {
    long warps = of("sm.warpInstructions");
    line("gpgpu_n_tot_thrd_icount = %d", 32 * warps);
    line("gpgpu_n_tot_w_icount = %d", warps);
    count("gpgpu_n_stall_shd_mem = %d", "loadStore.stallCycles");
    count("gpgpu_n_mem_read_local = %d", "loadStore.localReads");
    count("gpgpu_n_mem_write_local = %d", "loadStore.localWrites");
    count("gpgpu_n_mem_read_global = %d", "loadStore.globalReads");
    count("gpgpu_n_mem_write_global = %d", "loadStore.globalWrites");
    boolean detailed = total.containsKey("loadStore.stallCycles");
    if (detailed) {
      line("gpgpu_n_mem_texture = 0");
      line("gpgpu_n_mem_const = 0");
    }
    count("gpgpu_n_load_insn  = %d", "sm.loadThreads");
    count("gpgpu_n_store_insn = %d", "sm.storeThreads");
    count("gpgpu_n_shmem_insn = %d", "sm.sharedThreads");
    if (detailed) {
      line("gpgpu_n_sstarr_insn = 0");
    }
    count("gpgpu_n_tex_insn = %d", "sm.textureThreads");
    count("gpgpu_n_const_mem_insn = %d", "sm.constantThreads");
    if (detailed) {
      line("gpgpu_n_param_mem_insn = 0");
    }
    count("gpgpu_n_shmem_bkconflict = %d", "loadStore.sharedBankConflicts");
    count("gpgpu_n_l1cache_bkconflict = %d", "loadStore.l1BankConflicts");
    if (detailed) {
      memoryStalls();
      warpOccupancy();
    }
  }

  private void memoryStalls() {
    line("gpgpu_n_intrawarp_mshr_merge = 0");
    line("gpgpu_n_cmem_portconflict = 0");
    line("gpgpu_stall_shd_mem[c_mem][resource_stall] = 0");
    count("gpgpu_stall_shd_mem[s_mem][bk_conf] = %d", "loadStore.sharedStallCycles");
    line(
        "gpgpu_stall_shd_mem[gl_mem][resource_stall] = %d",
        of("loadStore.l1BankConflicts") + of("loadStore.networkStallCycles"));
    count("gpgpu_stall_shd_mem[gl_mem][coal_stall] = %d", "loadStore.coalescingStallCycles");
    line("gpgpu_stall_shd_mem[gl_mem][data_port_stall] = 0");
    line("gpu_reg_bank_conflict_stalls = 0");
  }

  private void warpOccupancy() {
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
    if (total.containsKey("loadStore.answers")) {
      long answers = of("loadStore.answers");
      line("averagemflatency = %d ", answers == 0 ? 0 : of("loadStore.latencySum") / answers);
    }
    if (total.containsKey("dram.activates")) {
      long activates = of("dram.activates");
      long bursts = of("dram.readBursts") + of("dram.writeBursts");
      line("average row locality = %d/%d = %f", bursts, activates, ratio(bursts, activates));
    }
    count("total dram reads = %d", "dram.readBursts");
    count("total dram writes = %d", "dram.writeBursts");
  }

  private void l2() {
    line("");
    line("========= L2 cache stats =========");
    if (total.containsKey("l2.accesses")) {
      cacheTotals("L2", "l2.");
    }
    line("L2_total_cache_breakdown:");
    ofItsStream(() -> breakdown("L2_cache_stats_breakdown", "l2."));
    line("L2_total_cache_reservation_fail_breakdown:");
    ofItsStream(() -> failBreakdown("L2_cache_stats_fail_breakdown", "l2."));
    if (total.containsKey("l2.dataPortBusyCycles")) {
      long slots = end * own.get("launch.slices");
      line("L2_cache_data_port_util = %.3f", ratio(of("l2.dataPortBusyCycles"), slots));
      line("L2_cache_fill_port_util = %.3f", ratio(of("l2.fillPortBusyCycles"), slots));
    }
    line("");
  }

  private void network() {
    if (!total.containsKey("replyNetwork.injectedPackets")) {
      return;
    }
    count("icnt_total_pkts_mem_to_simt=%d", "replyNetwork.injectedFlits");
    count("icnt_total_pkts_simt_to_mem=%d", "requestNetwork.injectedFlits");
    line("----------------------------Interconnect-DETAILS--------------------------------");
    network("Req", "requestNetwork.");
    line("");
    network("Reply", "replyNetwork.");
    line("----------------------------END-of-Interconnect-DETAILS-------------------------");
  }

  private void network(String name, String prefix) {
    long packets = of(prefix + "injectedPackets");
    line("%s_Network_injected_packets_num = %d", name, packets);
    line("%s_Network_cycles = %d", name, end);
    line("%s_Network_injected_packets_per_cycle = %12.4f ", name, ratio(packets, end));
    long conflicts = of(prefix + "conflicts");
    line("%s_Network_conflicts_per_cycle = %12.4f", name, ratio(conflicts, end));
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
    line("gpgpu_simulation_rate = %d (inst/sec)", rate(of("sm.threadInstructions"), run));
    long cycleRate = Math.max(1, rate(end, run));
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

  /** A line with a counter's sum, if there is one. */
  private void count(String format, String name) {
    if (total.containsKey(name)) {
      line(format, of(name));
    }
  }

  private long sum(String name, String... prefixes) {
    long sum = 0;
    for (String prefix : prefixes) {
      sum += of(prefix + name);
    }
    return sum;
  }

  private long of(String name) {
    return total.getOrDefault(name, 0L);
  }

  private void line(String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values));
    out.print('\n');
  }
}
