package dev.warpline.engine.accelsim;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.CacheSpec.SetIndex;
import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.gpu.ClassicCoreSpec.Collectors;
import dev.warpline.engine.gpu.ClassicCoreSpec.SpecializedUnit;
import dev.warpline.engine.gpu.ClassicCoreSpec.Unit;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.engine.gpu.DetailedMemorySpec.Arbiter;
import dev.warpline.engine.gpu.DetailedMemorySpec.BankGroupIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.BankIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.ChannelIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.Network;
import dev.warpline.engine.gpu.DetailedMemorySpec.Scheduler;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.GpuDescription.Vendor;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.LaunchSpec;
import dev.warpline.engine.gpu.SmSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns Accel-Sim's options into a GPU description: its classic core and detailed memory. */
public final class AccelSimGpu {
  private final AccelSimOptions options;
  private final List<String> problems = new ArrayList<>();

  private AccelSimGpu(AccelSimOptions options) {
    this.options = options;
  }

  /**
   * The GPU that the options describe.
   *
   * @param name what to call it, e.g. the name of the configuration's folder
   */
  public static GpuDescription describe(String name, AccelSimOptions options) throws IOException {
    AccelSimGpu mapping = new AccelSimGpu(options);
    GpuDescription gpu = mapping.gpu(name);
    if (!mapping.problems.isEmpty()) {
      throw new DescriptionException(mapping.problems);
    }
    return Gpus.changed(gpu, name, List.of());
  }

  private GpuDescription gpu(String name) {
    int version =
        10 * options.integer("-gpgpu_compute_capability_major")
            + options.integer("-gpgpu_compute_capability_minor");
    double[] clocks = options.numbers("-gpgpu_clock_domains");
    CacheSpec l1 = options.cache("-gpgpu_cache:dl1");
    CacheSpec l2 = options.cache("-gpgpu_cache:dl2");
    if (l1 == null || l2 == null) {
      problems.add(
          (l1 == null ? "-gpgpu_cache:dl1" : "-gpgpu_cache:dl2")
              + ": found none, expected a cache: the options describe no whole GPU");
      return null;
    }
    return new GpuDescription(
        name,
        Vendor.NVIDIA,
        architecture(version),
        new ClockSpec(clocks[0], clocks[1], clocks[2], clocks[3]),
        sm(version, l1),
        new LaunchSpec(
            options.integer("-gpgpu_kernel_launch_latency"),
            options.integer("-gpgpu_TB_launch_latency"),
            options.integer("-gpgpu_max_concurrent_kernel"),
            options.flag("-gpgpu_concurrent_kernel_sm")),
        classic(l1),
        memory(l2),
        null,
        null,
        null);
  }

  private static String architecture(int version) {
    if (version >= 100) {
      return "Blackwell";
    }
    return switch (version) {
      case 90 -> "Hopper";
      case 89 -> "Ada";
      case 80, 86, 87 -> "Ampere";
      case 75 -> "Turing";
      case 70, 72 -> "Volta";
      default -> version >= 60 ? "Pascal" : version >= 50 ? "Maxwell" : "Kepler";
    };
  }

  private SmSpec sm(int version, CacheSpec l1) {
    int[] pipeline = options.integers("-gpgpu_shader_core_pipeline");
    boolean unified = options.flag("-gpgpu_adaptive_cache_config");
    List<Integer> sizes =
        unified
            ? Arrays.stream(options.integers("-gpgpu_shmem_option")).sorted().boxed().toList()
            : List.of();
    return new SmSpec(
        options.integer("-gpgpu_n_clusters") * options.integer("-gpgpu_n_cores_per_cluster"),
        version,
        options.integer("-gpgpu_num_sched_per_core"),
        pipeline[1],
        pipeline[0] / Math.max(1, pipeline[1]),
        options.integer("-gpgpu_shader_cta"),
        options.integer("-gpgpu_shader_registers"),
        256,
        options.integer("-gpgpu_num_cta_barriers"),
        new SmSpec.L1Spec(
            unified ? options.integer("-gpgpu_unified_l1d_size") : (int) (l1.bytes() / 1024),
            unified,
            sizes,
            options.integer("-gpgpu_shmem_size"),
            0));
  }

  private ClassicCoreSpec classic(CacheSpec l1) {
    int[] w = options.integers("-gpgpu_pipeline_widths");
    return new ClassicCoreSpec(
        options.integer("-gpgpu_n_clusters"),
        options.integer("-gpgpu_n_cores_per_cluster"),
        options.integer("-gpgpu_simt_core_sim_order") == 1,
        options.integer("-gpgpu_n_cluster_ejection_buffer_size"),
        new ClassicCoreSpec.FrontEnd(
            options.integer("-gpgpu_inst_fetch_throughput"),
            options.flag("-gpgpu_perfect_inst_const_cache"),
            options.integer("-gpgpu_num_sched_per_core"),
            options.text("-gpgpu_scheduler"),
            options.integer("-gpgpu_max_insn_issue_per_warp"),
            options.flag("-gpgpu_dual_issue_diff_exec_units"),
            options.flag("-gpgpu_sub_core_model")),
        new ClassicCoreSpec.PipelineWidths(
            w[0],
            w[1],
            w[2],
            w[3],
            w[4],
            w[5],
            w[6],
            w[7],
            w[8],
            w[9],
            w[10],
            w.length == 13 ? w[11] : 1,
            w.length == 13 ? w[12] : 1),
        units(),
        new ClassicCoreSpec.Operands(
            options.integer("-gpgpu_num_reg_banks"),
            options.integer("-gpgpu_reg_file_port_throughput"),
            options.flag("-gpgpu_enable_specialized_operand_collector"),
            collectors("sp"),
            collectors("dp"),
            collectors("sfu"),
            collectors("int"),
            collectors("tensor_core"),
            collectors("mem"),
            collectors("gen")),
        new ClassicCoreSpec.LoadStore(
            options.integer("-gpgpu_mem_unit_ports"),
            options.integer("-gpgpu_coalesce_arch"),
            options.integer("-gpgpu_n_ldst_response_buffer_size"),
            options.integer("-gpgpu_shmem_num_banks"),
            options.flag("-gpgpu_shmem_limited_broadcast"),
            options.integer("-gpgpu_shmem_warp_parts"),
            options.integer("-gpgpu_smem_latency"),
            options.flag("-gpgpu_local_mem_map"),
            options.flag("-gpgpu_perfect_mem")),
        new ClassicCoreSpec.L1(
            options.integer("-gpgpu_l1_latency"),
            options.integer("-gpgpu_l1_banks"),
            options.integer("-gpgpu_l1_banks_byte_interleaving"),
            choose("-gpgpu_l1_banks_hashing_function", SetIndex.values(), 4),
            l1,
            options.integer("-gpgpu_l1_cache_write_ratio"),
            options.flag("-gpgpu_gmem_skip_L1D"),
            options.flag("-gpgpu_flush_l1_cache")),
        options.cache("-gpgpu_cache:il1"),
        options.cache("-gpgpu_const_cache:l1"),
        options.cache("-gpgpu_tex_cache:l1"));
  }

  /**
   * The units. A pipeline is as deep as the PTX latencies say, but never shallower than the latency
   * that traces use. A PTX latency that is not given counts as 0.
   */
  private ClassicCoreSpec.Units units() {
    int[] integer = Arrays.copyOf(options.integers("-ptx_opcode_latency_int"), 6);
    int[] fp = options.integers("-ptx_opcode_latency_fp");
    int[] dp = options.integers("-ptx_opcode_latency_dp");
    List<SpecializedUnit> specialized = new ArrayList<>();
    for (int k = 1; k <= 8; k++) {
      List<String> unit = options.parts("-specialized_unit_" + k);
      if (Long.decode(unit.get(0)) == 0) {
        break;
      }
      int[] timing = options.integers("-trace_opcode_latency_initiation_spec_op_" + k);
      int[] numbers = new int[5];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Long.decode(unit.get(i)).intValue();
      }
      specialized.add(
          new SpecializedUnit(
              unit.get(5),
              numbers[1],
              timing[0],
              timing[1],
              Math.max(numbers[2], timing[0]),
              numbers[3],
              numbers[4]));
    }
    return new ClassicCoreSpec.Units(
        unit("sp", "sp", fp[1]),
        unit("int", "int", Math.max(integer[1], integer[5])),
        unit("dp", "dp", dp[1]),
        unit("sfu", "sfu", Math.max(dp[4], options.integer("-ptx_opcode_latency_sfu"))),
        unit("tensor_core", "tensor", options.integer("-ptx_opcode_latency_tesnor")),
        List.copyOf(specialized));
  }

  private Unit unit(String unit, String timing, int depth) {
    int[] latency = options.integers("-trace_opcode_latency_initiation_" + timing);
    return new Unit(
        options.integer("-gpgpu_num_" + unit + "_units"),
        latency[0],
        latency[1],
        Math.max(depth, latency[0]));
  }

  private Collectors collectors(String unit) {
    return new Collectors(
        options.integer("-gpgpu_operand_collector_num_units_" + unit),
        options.integer("-gpgpu_operand_collector_num_in_ports_" + unit),
        options.integer("-gpgpu_operand_collector_num_out_ports_" + unit));
  }

  private DetailedMemorySpec memory(CacheSpec l2) {
    int[] queues = options.integers("-gpgpu_dram_partition_queues");
    int[] writeQueue = options.integers("-dram_write_queue_size");
    String mapping = options.text("-gpgpu_mem_addr_mapping");
    return new DetailedMemorySpec(
        options.integer("-gpgpu_n_mem"),
        options.integer("-gpgpu_n_sub_partition_per_mchannel"),
        choose("-gpgpu_memory_partition_indexing", ChannelIndex.values(), 7),
        mapping.isEmpty() ? null : mapping,
        options.integer("-gpgpu_mem_address_mask"),
        new DetailedMemorySpec.Crossbar(
            options.integer("-network_mode") == 1 ? Network.BOOKSIM : Network.CROSSBAR,
            options.integer("-icnt_in_buffer_limit"),
            options.integer("-icnt_out_buffer_limit"),
            options.integer("-icnt_subnets"),
            choose("-icnt_arbiter_algo", Arbiter.values(), 2),
            options.integer("-icnt_grant_cycles"),
            options.integer("-icnt_flit_size")),
        new DetailedMemorySpec.L2Slice(
            l2,
            options.integer("-gpgpu_l2_rop_latency"),
            queues[0],
            queues[1],
            queues[2],
            queues[3],
            options.flag("-gpgpu_perf_sim_memcpy"),
            32,
            options.flag("-gpgpu_flush_l2_cache")),
        new DetailedMemorySpec.Dram(
            options.integer("-dram_latency"),
            choose("-gpgpu_dram_scheduler", Scheduler.values(), 2),
            options.integer("-gpgpu_frfcfs_dram_sched_queue_size"),
            options.integer("-gpgpu_dram_return_queue_size"),
            options.integer("-gpgpu_n_mem_per_ctrlr"),
            options.integer("-gpgpu_dram_buswidth"),
            options.integer("-gpgpu_dram_burst_length"),
            options.integer("-dram_data_command_freq_ratio"),
            DramTimingString.parse(options.text("-gpgpu_dram_timing_opt")),
            options.flag("-dram_dual_bus_interface"),
            choose("-dram_bnk_indexing_policy", BankIndex.values(), 4),
            choose("-dram_bnkgrp_indexing_policy", BankGroupIndex.values(), 2),
            options.flag("-dram_seperate_write_queue_enable"),
            writeQueue[0],
            writeQueue[1],
            writeQueue[2],
            options.flag("-dram_elimnate_rw_turnaround"),
            0,
            0,
            options.flag("-gpgpu_simple_dram_model")));
  }

  /** Options that choose by number: the constants stand in the order of the numbers. */
  private <E> E choose(String option, E[] constants, int known) {
    int number = options.integer(option);
    if (number < 0 || number >= known) {
      problems.add(
          option + ": found \"" + number + "\", expected a whole number from 0 to " + (known - 1));
      return null;
    }
    return constants[number];
  }
}
