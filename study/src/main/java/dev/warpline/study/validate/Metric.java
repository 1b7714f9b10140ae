package dev.warpline.study.validate;

import dev.warpline.engine.KernelResult;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A quantity that both the hardware and the simulation count.
 *
 * @param name short name in tables
 * @param column the profiler's name
 * @param simulated how to find it in a result
 */
public record Metric(String name, String column, ToDoubleFunction<KernelResult> simulated) {

  /** What is compared, the time apart. */
  public static final List<Metric> ALL =
      List.of(
          new Metric("instructions", "smsp__inst_executed.sum", r -> r.warpInstructions()),
          of(
              "L1 sectors",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
              "l1.globalLoadSectors"),
          of(
              "L1 hits",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
              "l1.globalLoadHits"),
          of(
              "stored sectors",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
              "l1.globalStoreSectors"),
          of(
              "bank conflicts",
              "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
              "l1.sharedConflicts"),
          new Metric(
              "L2 sectors",
              "lts__t_sectors_srcunit_tex.sum",
              r ->
                  sum(
                      r.statistics(),
                      "l2.smReadSectors",
                      "l2.smWriteSectors",
                      "l2.smAtomicSectors")),
          of("L2 read sectors", "lts__t_sectors_srcunit_tex_op_read.sum", "l2.smReadSectors"),
          of("L2 read hits", "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", "l2.smReadHits"),
          of("DRAM read bytes", "dram__bytes_read.sum", "dram.bytesRead"),
          of("DRAM written bytes", "dram__bytes_write.sum", "dram.bytesWritten"),
          of("SM active", "sm__cycles_active.max", "sm.activeCyclesMost"));

  private static Metric of(String name, String column, String statistic) {
    return new Metric(name, column, r -> sum(r.statistics(), statistic));
  }

  private static double sum(Map<String, Number> statistics, String... names) {
    double total = 0;
    for (String name : names) {
      total += statistics.getOrDefault(name, 0).doubleValue();
    }
    return total;
  }
}
