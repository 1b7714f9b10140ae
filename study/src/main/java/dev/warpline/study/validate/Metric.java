package dev.warpline.study.validate;

import dev.warpline.engine.KernelResult;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A quantity that both the hardware and the simulation count.
 *
 * @param name short name in tables
 * @param column the profiler's name
 * @param simulated how to find it in a result; not a number where the core does not count it
 */
public record Metric(String name, String column, ToDoubleFunction<KernelResult> simulated) {

  private static final int SECTOR = 32;

  /** What is compared, the time apart. */
  public static final List<Metric> ALL =
      List.of(
          new Metric("instructions", "smsp__inst_executed.sum", r -> r.warpInstructions()),
          of(
              "L1 sectors",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
              List.of("l1.globalLoadSectors"),
              lookups("l1.GLOBAL_ACC_R")),
          of(
              "L1 hits",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
              List.of("l1.globalLoadHits"),
              hits("l1.GLOBAL_ACC_R")),
          of(
              "stored sectors",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
              List.of("l1.globalStoreSectors"),
              lookups("l1.GLOBAL_ACC_W")),
          of(
              "bank conflicts",
              "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
              List.of("l1.sharedConflicts"),
              List.of("loadStore.sharedBankConflicts")),
          of(
              "L2 sectors",
              "lts__t_sectors_srcunit_tex.sum",
              List.of("l2.smReadSectors", "l2.smWriteSectors", "l2.smAtomicSectors"),
              List.of("l2.packets")),
          of(
              "L2 read sectors",
              "lts__t_sectors_srcunit_tex_op_read.sum",
              List.of("l2.smReadSectors"),
              lookups("l2.GLOBAL_ACC_R", "l2.LOCAL_ACC_R")),
          of(
              "L2 read hits",
              "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
              List.of("l2.smReadHits"),
              hits("l2.GLOBAL_ACC_R", "l2.LOCAL_ACC_R")),
          new Metric(
              "DRAM read bytes",
              "dram__bytes_read.sum",
              r -> bytes(r.statistics(), "dram.bytesRead", "dram.readBursts")),
          new Metric(
              "DRAM written bytes",
              "dram__bytes_write.sum",
              r -> bytes(r.statistics(), "dram.bytesWritten", "dram.writeBursts")),
          of("SM active", "sm__cycles_active.max", List.of("sm.activeCyclesMost"), List.of()));

  /** Sums the modern core's statistics, or those of the classic core where there are no others. */
  private static Metric of(String name, String column, List<String> modern, List<String> classic) {
    return new Metric(
        name,
        column,
        r -> {
          Map<String, Number> all = r.statistics();
          return all.containsKey(modern.get(0)) ? sum(all, modern) : sum(all, classic);
        });
  }

  private static List<String> lookups(String... kinds) {
    return Stream.of(kinds)
        .flatMap(k -> Stream.of(k + ".HIT", k + ".HIT_RESERVED", k + ".MISS", k + ".SECTOR_MISS"))
        .toList();
  }

  private static List<String> hits(String... kinds) {
    return Stream.of(kinds).flatMap(k -> Stream.of(k + ".HIT", k + ".HIT_RESERVED")).toList();
  }

  private static double bytes(Map<String, Number> statistics, String bytes, String bursts) {
    return statistics.containsKey(bytes)
        ? statistics.get(bytes).doubleValue()
        : SECTOR * sum(statistics, List.of(bursts));
  }

  /** Not a number where none of them is counted. */
  private static double sum(Map<String, Number> statistics, List<String> names) {
    double total = 0;
    boolean counted = false;
    for (String name : names) {
      counted |= statistics.containsKey(name);
      total += statistics.getOrDefault(name, 0).doubleValue();
    }
    return counted ? total : Double.NaN;
  }
}
