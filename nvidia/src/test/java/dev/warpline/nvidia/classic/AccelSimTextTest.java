package dev.warpline.nvidia.classic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Accel-Sim's get_stats.py looks for with its default statistics file. */
class AccelSimTextTest {
  private static final List<String> CUMULATIVE =
      List.of(
          "gpu_tot_sim_insn\\s*=\\s*(.*)",
          "gpgpu_simulation_time\\s*=.*\\(([0-9]+) sec\\).*",
          "gpu_tot_sim_cycle\\s*=\\s*(.*)",
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[HIT\\]\\s*=\\s*(.*)",
          "\\s+L2_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[TOTAL_ACCESS\\]\\s*=\\s*(.*)",
          "\\s+Total_core_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[TOTAL_ACCESS\\]\\s*=\\s*(.*)",
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

  private static String text() throws IOException {
    String load = "0000 ffffffff 1 R2 LDG.E 1 R1 4 1 0x10000 4 0";
    RunResult run = Kernels.run(Kernels.gpu(), 1, Kernels.oneWarp(load), Kernels.oneWarp(load));
    StringWriter out = new StringWriter();
    new AccelSimText(new PrintWriter(out)).write(run);
    return out.toString();
  }

  @Test
  void everyDefaultPatternFindsANumber() throws IOException {
    String text = text();
    for (String pattern : CUMULATIVE) {
      Matcher matcher = Pattern.compile("^" + pattern, Pattern.MULTILINE).matcher(text);
      assertThat(matcher.find()).as(pattern).isTrue();
      if (!pattern.startsWith("L2_BW")) {
        assertThat(matcher.group(1).trim()).as(pattern).matches("-?[0-9.]+");
      }
    }
  }

  @Test
  void itBeginsWithABuildAndEndsWithTheExitLine() throws IOException {
    String text = text();
    assertThat(text).startsWith("Accel-Sim [build ");
    assertThat(text).endsWith("GPGPU-Sim: *** exit detected ***\n");
    assertThat(text).doesNotContain("Assertion", "failed", "FAILED", "Aborted");
  }

  @Test
  void cacheCountersRunOnFromKernelToKernel() throws IOException {
    Matcher reads =
        Pattern.compile("L2_cache_stats_breakdown\\[GLOBAL_ACC_R\\]\\[TOTAL_ACCESS\\] = (\\d+)")
            .matcher(text());
    assertThat(reads.find()).isTrue();
    assertThat(reads.group(1)).isEqualTo("4");
    assertThat(reads.find()).isTrue();
    assertThat(reads.group(1)).isEqualTo("8");
  }
}
