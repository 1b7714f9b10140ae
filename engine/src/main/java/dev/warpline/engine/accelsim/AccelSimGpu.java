package dev.warpline.engine.accelsim;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.DetailedMemorySpec.Arbiter;
import dev.warpline.engine.gpu.DetailedMemorySpec.BankGroupIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.BankIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.ChannelIndex;
import dev.warpline.engine.gpu.Draft;
import dev.warpline.engine.gpu.Generation;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.GpuDescription.Vendor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns Accel-Sim's options into a GPU description: its classic core and detailed memory. Each
 * field knows the option it comes from, so that what is wrong with it is said of the option.
 */
public final class AccelSimGpu {
  private static final int WARP = 32;

  private static final Pattern SCHEDULER =
      Pattern.compile(
          "(?<plain>lrr|gto|rrr|old)|two_level_active:(?<active>[1-9][0-9]{0,2})(:[01]:[01])?"
              + "|warp_limiting:2:(?<warps>[1-9][0-9]{0,2})");

  private final AccelSimOptions options;
  private final List<String> problems = new ArrayList<>();
  private final Draft draft;

  private AccelSimGpu(String name, AccelSimOptions options) {
    this.options = options;
    draft = new Draft(name);
  }

  /**
   * The GPU that the options describe.
   *
   * @param name what to call it, e.g. the name of the configuration's folder
   * @throws DescriptionException with the options whose values make no GPU
   */
  public static GpuDescription describe(String name, AccelSimOptions options) throws IOException {
    AccelSimGpu mapping = new AccelSimGpu(name, options);
    mapping.gpu(name);
    if (!mapping.problems.isEmpty()) {
      throw new DescriptionException(mapping.problems);
    }
    return mapping.draft.describe();
  }

  private void gpu(String name) {
    CacheSpec l1 = options.cache("-gpgpu_cache:dl1");
    CacheSpec l2 = options.cache("-gpgpu_cache:dl2");
    if (l1 == null || l2 == null) {
      problems.add(
          options.place(l1 == null ? "-gpgpu_cache:dl1" : "-gpgpu_cache:dl2")
              + ": found none, expected a cache: the options describe no whole GPU");
      return;
    }
    long version =
        10 * options.longInteger("-gpgpu_compute_capability_major")
            + options.longInteger("-gpgpu_compute_capability_minor");
    draft.set("name", name, name);
    draft.set("vendor", Vendor.NVIDIA, name);
    draft.set("architecture", Generation.of((int) Math.min(version, 1_000_000)).toString(), name);
    String[] domains = {"coreMHz", "interconnectMHz", "l2MHz", "dramMHz"};
    double[] clocks = options.numbers("-gpgpu_clock_domains");
    for (int i = 0; i < domains.length; i++) {
      set("clocks." + domains[i], clocks[i], "-gpgpu_clock_domains");
    }
    sm(version, l1);
    number("launch.kernelCycles", "-gpgpu_kernel_launch_latency");
    number("launch.blockCycles", "-gpgpu_TB_launch_latency");
    number("launch.concurrentKernels", "-gpgpu_max_concurrent_kernel");
    flag("launch.kernelsShareSms", "-gpgpu_concurrent_kernel_sm");
    classic(l1);
    memory(l2);
  }

  /** Sets a field that one or several options make. */
  private void set(String field, Object value, String... from) {
    StringBuilder places = new StringBuilder();
    for (String option : from) {
      places.append(places.isEmpty() ? "" : " or ").append(options.place(option));
    }
    draft.set(field, value, places.toString());
  }

  private void number(String field, String option) {
    set(field, options.longInteger(option), option);
  }

  private void flag(String field, String option) {
    set(field, options.flag(option), option);
  }

  private void sm(long version, CacheSpec l1) {
    int[] pipeline = options.integers("-gpgpu_shader_core_pipeline");
    boolean unified = options.flag("-gpgpu_adaptive_cache_config");
    set(
        "sm.count",
        options.longInteger("-gpgpu_n_clusters")
            * options.longInteger("-gpgpu_n_cores_per_cluster"),
        "-gpgpu_n_clusters",
        "-gpgpu_n_cores_per_cluster");
    set(
        "sm.version",
        version,
        "-gpgpu_compute_capability_major",
        "-gpgpu_compute_capability_minor");
    number("sm.subCores", "-gpgpu_num_sched_per_core");
    if (pipeline[1] != WARP) {
      problems.add(
          options.place("-gpgpu_shader_core_pipeline")
              + ": found warps of "
              + pipeline[1]
              + " threads, expected 32, as in every trace");
    }
    set("sm.warps", pipeline[0] / WARP, "-gpgpu_shader_core_pipeline");
    number("sm.blocks", "-gpgpu_shader_cta");
    number("sm.registers", "-gpgpu_shader_registers");
    flag("sm.l1.unified", "-gpgpu_adaptive_cache_config");
    number("sm.l1.sharedBytes", "-gpgpu_shmem_size");
    if (unified) {
      number("sm.l1.sizeKiB", "-gpgpu_unified_l1d_size");
      int[] sizes = Arrays.stream(options.integers("-gpgpu_shmem_option")).sorted().toArray();
      set("sm.l1.sharedOptionsKiB", Arrays.stream(sizes).boxed().toList(), "-gpgpu_shmem_option");
    } else {
      set("sm.l1.sizeKiB", l1.bytes() / 1024, "-gpgpu_cache:dl1");
    }
  }

  private void classic(CacheSpec l1) {
    number("classic.smsPerCluster", "-gpgpu_n_cores_per_cluster");
    set(
        "classic.rotateSms",
        options.integer("-gpgpu_simt_core_sim_order") == 1,
        "-gpgpu_simt_core_sim_order");
    number("classic.clusterEjectionBuffer", "-gpgpu_n_cluster_ejection_buffer_size");
    number("classic.frontEnd.fetchThroughput", "-gpgpu_inst_fetch_throughput");
    flag("classic.frontEnd.perfectInstructionAndConstantCache", "-gpgpu_perfect_inst_const_cache");
    number("classic.frontEnd.schedulers", "-gpgpu_num_sched_per_core");
    scheduler();
    number("classic.frontEnd.issuesPerWarp", "-gpgpu_max_insn_issue_per_warp");
    flag("classic.frontEnd.dualIssueToDifferentUnits", "-gpgpu_dual_issue_diff_exec_units");
    flag("classic.frontEnd.subCoreModel", "-gpgpu_sub_core_model");
    widths();
    units();
    number("classic.operands.banks", "-gpgpu_num_reg_banks");
    number("classic.operands.portThroughput", "-gpgpu_reg_file_port_throughput");
    flag("classic.operands.specializedCollectors", "-gpgpu_enable_specialized_operand_collector");
    collectors("sp", "sp");
    collectors("dp", "dp");
    collectors("sfu", "sfu");
    collectors("integer", "int");
    collectors("mem", "mem");
    collectors("general", "gen");
    number("classic.loadStore.ports", "-gpgpu_mem_unit_ports");
    number("classic.loadStore.coalesceArchitecture", "-gpgpu_coalesce_arch");
    number("classic.loadStore.responseBuffer", "-gpgpu_n_ldst_response_buffer_size");
    number("classic.loadStore.sharedBanks", "-gpgpu_shmem_num_banks");
    flag("classic.loadStore.sharedLimitedBroadcast", "-gpgpu_shmem_limited_broadcast");
    number("classic.loadStore.warpParts", "-gpgpu_shmem_warp_parts");
    number("classic.loadStore.sharedLatency", "-gpgpu_smem_latency");
    flag("classic.loadStore.interleaveLocal", "-gpgpu_local_mem_map");
    flag("classic.loadStore.perfectMemory", "-gpgpu_perfect_mem");
    number("classic.l1.latency", "-gpgpu_l1_latency");
    number("classic.l1.banks", "-gpgpu_l1_banks");
    number("classic.l1.bankInterleaveBytes", "-gpgpu_l1_banks_byte_interleaving");
    // Accel-Sim has no function of its own for the last.
    String[] hashes = {"linear", "xor", "ipoly", "xor"};
    choose("classic.l1.bankHash", "-gpgpu_l1_banks_hashing_function", hashes, 4);
    set("classic.l1.cache", l1, "-gpgpu_cache:dl1");
    number("classic.l1.dirtyPercent", "-gpgpu_l1_cache_write_ratio");
    flag("classic.l1.globalBypasses", "-gpgpu_gmem_skip_L1D");
    flag("classic.l1.flush", "-gpgpu_flush_l1_cache");
    CacheSpec instructions = options.cache("-gpgpu_cache:il1");
    if (instructions != null) {
      set("classic.instructionCache", instructions, "-gpgpu_cache:il1");
    }
  }

  /** Accel-Sim's schedulers under our names; the numbers that change nothing there are dropped. */
  private void scheduler() {
    String text = options.text("-gpgpu_scheduler");
    Matcher matcher = SCHEDULER.matcher(text);
    if (!matcher.matches()) {
      problems.add(
          options.place("-gpgpu_scheduler")
              + ": found \""
              + text
              + "\", expected lrr, gto, rrr, old, two_level_active:<active>:<inner>:<outer> or"
              + " warp_limiting:2:<warps>");
      return;
    }
    String policy = matcher.group("plain");
    if (matcher.group("active") != null) {
      policy = "two-level:" + matcher.group("active");
    } else if (matcher.group("warps") != null) {
      policy = "warp-limiting:" + matcher.group("warps");
    }
    set("classic.frontEnd.policy", policy, "-gpgpu_scheduler");
  }

  private void widths() {
    String[] fields = {
      "idOcSp", "idOcDp", "idOcInt", "idOcSfu", "idOcMem", "ocExSp", "ocExDp", "ocExInt", "ocExSfu",
      "ocExMem", "exWb"
    };
    int[] widths = options.integers("-gpgpu_pipeline_widths");
    for (int i = 0; i < fields.length; i++) {
      set("classic.widths." + fields[i], widths[i], "-gpgpu_pipeline_widths");
    }
  }

  private void units() {
    unit("sp", "sp");
    unit("integer", "int");
    unit("dp", "dp");
    unit("sfu", "sfu");
    List<Draft.Item> specialized = new ArrayList<>();
    for (int k = 1; k <= 8; k++) {
      String option = "-specialized_unit_" + k;
      List<String> unit = options.parts(option);
      if (Long.decode(unit.get(0)) == 0) {
        break;
      }
      int[] timing = options.integers("-trace_opcode_latency_initiation_spec_op_" + k);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", unit.get(5));
      fields.put("count", Long.decode(unit.get(1)));
      fields.put("latency", timing[0]);
      fields.put("interval", timing[1]);
      fields.put("idOc", Long.decode(unit.get(3)));
      fields.put("ocEx", Long.decode(unit.get(4)));
      String place =
          options.place(option)
              + " or "
              + options.place("-trace_opcode_latency_initiation_spec_op_" + k);
      specialized.add(new Draft.Item(fields, place));
    }
    draft.set("classic.units.specialized", specialized, options.place("-specialized_unit_1"));
  }

  private void unit(String field, String unit) {
    String option = "-trace_opcode_latency_initiation_" + unit;
    int[] latency = options.integers(option);
    number("classic.units." + field + ".count", "-gpgpu_num_" + unit + "_units");
    set("classic.units." + field + ".latency", latency[0], option);
    set("classic.units." + field + ".interval", latency[1], option);
  }

  private void collectors(String field, String unit) {
    String options = "-gpgpu_operand_collector_num_";
    number("classic.operands." + field + ".units", options + "units_" + unit);
    number("classic.operands." + field + ".inPorts", options + "in_ports_" + unit);
    number("classic.operands." + field + ".outPorts", options + "out_ports_" + unit);
  }

  private void memory(CacheSpec l2) {
    number("detailedMemory.channels", "-gpgpu_n_mem");
    number("detailedMemory.slicesPerChannel", "-gpgpu_n_sub_partition_per_mchannel");
    choose(
        "detailedMemory.channelIndex",
        "-gpgpu_memory_partition_indexing",
        ChannelIndex.values(),
        7);
    String mapping = options.text("-gpgpu_mem_addr_mapping");
    if (!mapping.isEmpty()) {
      set("detailedMemory.addressMapping", mapping, "-gpgpu_mem_addr_mapping");
    }
    number("detailedMemory.addressMask", "-gpgpu_mem_address_mask");
    number("detailedMemory.crossbar.inBuffer", "-icnt_in_buffer_limit");
    number("detailedMemory.crossbar.outBuffer", "-icnt_out_buffer_limit");
    choose("detailedMemory.crossbar.arbiter", "-icnt_arbiter_algo", Arbiter.values(), 2);
    number("detailedMemory.crossbar.grantCycles", "-icnt_grant_cycles");
    number("detailedMemory.crossbar.flitBytes", "-icnt_flit_size");
    set("detailedMemory.l2.cache", l2, "-gpgpu_cache:dl2");
    number("detailedMemory.l2.latency", "-gpgpu_l2_rop_latency");
    int[] queues = options.integers("-gpgpu_dram_partition_queues");
    String[] queueFields = {"fromNetwork", "toDram", "fromDram", "toNetwork"};
    for (int i = 0; i < queueFields.length; i++) {
      set("detailedMemory.l2." + queueFields[i], queues[i], "-gpgpu_dram_partition_queues");
    }
    flag("detailedMemory.l2.filledByCopies", "-gpgpu_perf_sim_memcpy");
    flag("detailedMemory.l2.flush", "-gpgpu_flush_l2_cache");
    dram();
  }

  private void dram() {
    String dram = "detailedMemory.dram.";
    number(dram + "latency", "-dram_latency");
    choose(dram + "scheduler", "-gpgpu_dram_scheduler", new String[] {"fcfs", "fr-fcfs"}, 2);
    number(dram + "schedulerQueue", "-gpgpu_frfcfs_dram_sched_queue_size");
    number(dram + "returnQueue", "-gpgpu_dram_return_queue_size");
    number(dram + "chips", "-gpgpu_n_mem_per_ctrlr");
    number(dram + "busBytes", "-gpgpu_dram_buswidth");
    number(dram + "burstLength", "-gpgpu_dram_burst_length");
    number(dram + "beatsPerCommand", "-dram_data_command_freq_ratio");
    DramTimingString.parse(options.text("-gpgpu_dram_timing_opt"))
        .forEach((field, value) -> set(dram + "timing." + field, value, "-gpgpu_dram_timing_opt"));
    flag(dram + "dualCommandBus", "-dram_dual_bus_interface");
    choose(dram + "bankIndex", "-dram_bnk_indexing_policy", BankIndex.values(), 4);
    choose(dram + "bankGroupIndex", "-dram_bnkgrp_indexing_policy", BankGroupIndex.values(), 2);
    flag(dram + "separateWriteQueue", "-dram_seperate_write_queue_enable");
    int[] writeQueue = options.integers("-dram_write_queue_size");
    set(dram + "writeQueue", writeQueue[0], "-dram_write_queue_size");
    set(dram + "writeHigh", writeQueue[1], "-dram_write_queue_size");
    set(dram + "writeLow", writeQueue[2], "-dram_write_queue_size");
    flag(dram + "freeTurnaround", "-dram_elimnate_rw_turnaround");
    flag(dram + "simple", "-gpgpu_simple_dram_model");
  }

  /** Options that choose by number: the constants stand in the order of the numbers. */
  private <E> void choose(String field, String option, E[] constants, int known) {
    long number = options.longInteger(option);
    if (number < 0 || number >= known) {
      problems.add(
          options.place(option)
              + ": found \""
              + number
              + "\", expected a whole number from 0 to "
              + (known - 1));
    } else {
      set(field, constants[(int) number], option);
    }
  }
}
