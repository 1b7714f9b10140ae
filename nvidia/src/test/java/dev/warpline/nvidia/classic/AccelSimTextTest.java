package dev.warpline.nvidia.classic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Machine;
import dev.warpline.nvidia.modern.ModernMachine;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Accel-Sim's get_stats.py looks for with its default statistics file. */
class AccelSimTextTest {
  /** Its patterns, all of them. */
  private static final List<String> PATTERNS =
      List.of(
          "gpu_tot_sim_insn\\s*=\\s*(.*)",
          "gpgpu_simulation_time\\s*=.*\\(([0-9]+) sec\\).*",
          "gpu_tot_sim_cycle\\s*=\\s*(.*)",
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[HIT\\]\\s*=\\s*(.*)",
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[TOTAL_ACCESS\\]\\s*=\\s*(.*)",
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_W\\]\\[HIT\\]\\s*=\\s*(.*)",
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_W\\]\\[TOTAL_ACCESS\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[TOTAL_ACCESS\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[HIT\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_W\\]\\[HIT\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_W\\]\\[TOTAL_ACCESS\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[MSHR_HIT\\]\\s*=\\s*(.*)",
          "gpgpu_n_tot_w_icount\\s*=\\s*(.*)",
          "total dram reads\\s*=\\s*(.*)",
          "total dram writes\\s*=\\s*(.*)",
          "kernel_launch_uid\\s*=\\s*(.*)",
          "gpgpu_n_shmem_bkconflict\\s*=\\s*(.*)",
          "gpgpu_n_l1cache_bkconflict\\s*=\\s*(.*)",
          "gpu_ipc\\s*=\\s*(.*)",
          "gpu_occupancy\\s*=\\s*(.*)%",
          "L2_BW\\s*=\\s*(.*)+GB\\/Sec",
          "gpgpu_simulation_rate\\s+=\\s+(.*)\\s+\\(inst\\/sec\\)",
          "gpgpu_simulation_rate\\s+=\\s+(.*)\\s+\\(cycle\\/sec\\)",
          "gpgpu_silicon_slowdown\\s*=\\s*(.*)x",
          "gpu_tot_ipc\\s*=\\s*(.*)");

  /** Those whose number the modern core does not have. */
  private static final List<String> NOT_ON_THE_MODERN_CORE =
      List.of(
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_W\\]\\[HIT\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_W\\]\\[HIT\\]\\s*=\\s*(.*)",
          "gpgpu_n_l1cache_bkconflict\\s*=\\s*(.*)");

  private static MemoryKernel kernel(long stream) {
    KernelBuilder builder = new KernelBuilder("test").block(32, 1, 1).binaryVersion(86);
    builder.stream(stream);
    return builder
        .line("0000 ffffffff 1 R2 LDG.E 1 R1 4 1 0x10000 4 0")
        .line("0010 ffffffff 1 R3 MOV 1 R2 0 0")
        .line("0020 ffffffff 1 R4 LDG.E 1 R1 4 1 0x10000 4 0")
        .line("0030 ffffffff 1 R5 MOV 1 R4 0 0")
        .line("0040 ffffffff 0 STG.E 2 R2 R4 4 1 0x20000 4 0")
        .line("0050 ffffffff 0 EXIT 0 0 0")
        .build();
  }

  private static String text(Machine machine, MemoryKernel... kernels) throws IOException {
    MemoryTrace program = new MemoryTrace("test");
    for (MemoryKernel kernel : kernels) {
      program.launch(kernel);
    }
    RunResult run = machine.run(program, RunOptions.DEFAULT, Progress.NONE);
    StringWriter out = new StringWriter();
    new AccelSimText(new PrintWriter(out)).write(run);
    return out.toString();
  }

  private static String classic() throws IOException {
    return text(new ClassicMachine(Kernels.gpu()), kernel(0), kernel(0));
  }

  private static String modern() throws IOException {
    return text(new ModernMachine(Gpus.load("h200"), false), kernel(0), kernel(0));
  }

  /** Every value of a pattern, in the order of the text. */
  private static List<Double> values(String text, String pattern) {
    List<Double> values = new ArrayList<>();
    Matcher matcher = Pattern.compile("^" + pattern, Pattern.MULTILINE).matcher(text);
    while (matcher.find()) {
      String value = pattern.startsWith("L2_BW") ? "0" : matcher.group(1).trim();
      assertThat(value).as(pattern).matches("-?[0-9.]+");
      values.add(Double.parseDouble(value));
    }
    return values;
  }

  private static List<Double> count(String text, String name) {
    return values(text, "\\s*" + Pattern.quote(name) + "\\s*=\\s*(.*)");
  }

  @Test
  void everyDefaultPatternFindsANumberPerKernelOnTheClassicCore() throws IOException {
    String text = classic();
    for (String pattern : PATTERNS) {
      assertThat(values(text, pattern)).as(pattern).hasSize(2);
    }
  }

  @Test
  void onTheModernCoreALineIsThereWithItsNumberOrNotAtAll() throws IOException {
    String text = modern();
    for (String pattern : PATTERNS) {
      assertThat(values(text, pattern))
          .as(pattern)
          .hasSize(NOT_ON_THE_MODERN_CORE.contains(pattern) ? 0 : 2);
    }
    assertThat(text)
        .doesNotContain("L1I_", "L1C_", "L1T_", "gpgpu_n_mem_", "Warp Occupancy", "Network");
  }

  @Test
  void theModernCoresNumbersAreItsOwn() throws IOException {
    String text = modern();
    assertThat(count(text, "gpu_tot_issued_cta")).containsExactly(1.0, 2.0);
    assertThat(count(text, "gpgpu_n_tot_w_icount")).containsExactly(6.0, 12.0);
    String core = "Total_core_cache_stats_breakdown[GLOBAL_ACC_R]";
    assertThat(count(text, core + "[TOTAL_ACCESS]")).containsExactly(8.0, 16.0);
    assertThat(count(text, core + "[HIT]")).containsExactly(4.0, 8.0);
    assertThat(count(text, core + "[MSHR_HIT]")).containsExactly(0.0, 0.0);
    assertThat(count(text, "Total_core_cache_stats_breakdown[GLOBAL_ACC_W][TOTAL_ACCESS]"))
        .containsExactly(4.0, 8.0);
    assertThat(count(text, "L2_cache_stats_breakdown[GLOBAL_ACC_R][TOTAL_ACCESS]"))
        .containsExactly(4.0, 8.0);
    assertThat(count(text, "total dram reads").get(0)).isGreaterThanOrEqualTo(4);
  }

  @Test
  void itBeginsWithABuildAndEndsWithTheExitLine() throws IOException {
    for (String text : List.of(classic(), modern())) {
      assertThat(text).startsWith("Accel-Sim [build ");
      assertThat(text).endsWith("GPGPU-Sim: *** exit detected ***\n");
      assertThat(text).doesNotContain("Assertion", "failed", "FAILED", "Aborted");
    }
  }

  @Test
  void cacheCountersRunOnFromKernelToKernel() throws IOException {
    assertThat(count(classic(), "L2_cache_stats_breakdown[GLOBAL_ACC_R][TOTAL_ACCESS]"))
        .containsExactly(4.0, 8.0);
  }

  @Test
  void breakdownsOfCachesAreThoseOfTheKernelsStream() throws IOException {
    RunResult run = Kernels.run(Kernels.gpu(), 1, kernel(7), kernel(8), kernel(7));
    StringWriter out = new StringWriter();
    new AccelSimText(new PrintWriter(out)).write(run);
    assertThat(count(out.toString(), "kernel_stream_id")).containsExactly(7.0, 8.0, 7.0);
    List<Double> reads =
        count(out.toString(), "L2_cache_stats_breakdown[GLOBAL_ACC_R][TOTAL_ACCESS]");
    assertThat(reads.get(1)).as("another stream begins anew").isEqualTo(reads.get(0));
    assertThat(reads.get(2)).as("the first one goes on").isEqualTo(2 * reads.get(0));
    assertThat(count(out.toString(), "L2_total_cache_accesses").get(1))
        .as("totals are the GPU's")
        .isEqualTo(2 * count(out.toString(), "L2_total_cache_accesses").get(0));
  }

  @Test
  void cyclesOfKernelsSideBySideAddUpToTheProgramsTime() throws IOException {
    RunResult run =
        Kernels.run(Kernels.gpu("launch.kernelsShareSms=true"), 1, kernel(1), kernel(2), kernel(3));
    StringWriter out = new StringWriter();
    new AccelSimText(new PrintWriter(out)).write(run);
    List<Double> own = count(out.toString(), "gpu_sim_cycle");
    assertThat(own.stream().mapToDouble(d -> d).sum()).isEqualTo(run.cycles());
    assertThat(count(out.toString(), "gpu_tot_sim_cycle").get(2)).isEqualTo(run.cycles());
    assertThat(count(out.toString(), "gpu_tot_sim_insn").get(2)).isEqualTo(3 * 6 * 32);
  }

  @Test
  void theInstructionCacheIsAmongTheCoreCaches() throws IOException {
    String real = "classic.frontEnd.perfectInstructionAndConstantCache=false";
    String text = text(new ClassicMachine(Kernels.gpu(real)), kernel(0));
    assertThat(count(text, "L1I_total_cache_accesses")).containsExactly(3.0);
    assertThat(count(text, "L1I_total_cache_misses")).containsExactly(1.0);
    assertThat(count(text, "Total_core_cache_stats_breakdown[INST_ACC_R][HIT]"))
        .containsExactly(2.0);
    assertThat(count(text, "Total_core_cache_stats_breakdown[INST_ACC_R][TOTAL_ACCESS]"))
        .containsExactly(3.0);
  }
}
