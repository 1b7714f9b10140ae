package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.NameTotal;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.Sampling;
import dev.warpline.engine.energy.KernelEnergy;
import dev.warpline.isa.Demangler;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run as a person reads it. */
final class RunText {
  private static final double SECTOR_BYTES = 32;

  /** As {@code Locale.ROOT} has them, but known to Java without its tables, which take a while. */
  private static final Locale NUMBERS = Locale.US;

  /** A program's launches that are described one by one; of more, totals are. */
  private static final int DETAILED = 12;

  private RunText() {}

  /** A clock with the fraction it has, to a kilohertz. */
  static String megahertz(double clock) {
    return BigDecimal.valueOf(clock)
        .setScale(3, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  static void print(RunResult run, PrintWriter out) {
    if (run.timed()) {
      out.printf("%s, %s core, %s MHz%n", run.gpu(), run.core(), megahertz(run.coreMHz()));
    } else {
      out.printf("%s, functional: executed, no time simulated%n", run.gpu());
    }
    boolean overlap = overlap(run.kernels());
    int like = 0;
    boolean brief = run.program() != null && run.kernels().size() > DETAILED;
    for (KernelResult kernel : brief ? List.<KernelResult>of() : run.kernels()) {
      if (kernel.simulatedInstructions() == 0 && kernel.sampling() != null) {
        like++;
        continue;
      }
      out.println();
      out.printf(NUMBERS, "kernel %d  %s%n", kernel.id(), Demangler.demangle(kernel.name()));
      if (run.timed()) {
        timed(kernel, run, overlap, out);
      } else {
        out.printf(NUMBERS, "  work        %,d wave instructions%n", kernel.warpInstructions());
      }
    }
    out.println();
    if (run.timed() && NameTotal.of(run.kernels()).size() < run.kernels().size()) {
      ProgramText.names(run, out);
    }
    if (run.timed() && run.program() == null) {
      ProgramText.streams(run, out);
    }
    if (like > 0) {
      out.printf(NUMBERS, "%,d more launches are taken to be like one of these%n", like);
    }
    if (run.kernels().size() != 1 && run.timed()) {
      out.printf(
          NUMBERS,
          "%d kernels%s, %,d cycles%s, %.3f ms%n",
          run.kernels().size(),
          overlap ? ", some at the same time" : "",
          run.cycles(),
          interval(run.cycles(), run.sampling()),
          run.microseconds() / 1e3);
      energy(run.energy(), run.coreMHz(), out);
    }
    if (!run.activities().isEmpty()) {
      ActivityText.print(run, out);
    }
    if (run.program() != null) {
      ProgramText.program(run, out);
    }
    if (run.unfinished() != null) {
      out.println("unfinished: " + run.unfinished().lines().findFirst().orElse(""));
    }
    RunResult.Simulation s = run.simulation();
    out.printf(
        NUMBERS,
        "simulated %,d %s instructions in %.2f s on %d thread%s: %,.0f thousand/s, %.0f MB%n",
        run.sampling() == null
            ? run.kernels().stream().mapToLong(KernelResult::warpInstructions).sum()
            : run.sampling().simulatedInstructions(),
        isAmd(run) ? "wave" : "warp",
        s.wallSeconds(),
        s.threads(),
        s.threads() == 1 ? "" : "s",
        s.warpInstructionsPerSecond() / 1e3,
        s.peakMemoryBytes() / 1e6);
  }

  /** The 95 % interval of an estimate, nothing for what was simulated. */
  private static String interval(long cycles, Sampling sampling) {
    return sampling == null
        ? ""
        : String.format(
            NUMBERS,
            ", 95 %% interval %,d to %,d (+- %.2f %%)",
            sampling.low(cycles),
            sampling.high(cycles),
            100 * sampling.plusMinus());
  }

  /** Whether a kernel began before all earlier ones had ended. */
  private static boolean overlap(List<KernelResult> kernels) {
    List<KernelResult> byStart =
        kernels.stream().sorted(Comparator.comparingLong(KernelResult::start)).toList();
    long end = 0;
    for (KernelResult kernel : byStart) {
      if (kernel.start() < end) {
        return true;
      }
      end = Math.max(end, kernel.end());
    }
    return false;
  }

  private static boolean isAmd(RunResult run) {
    return run.core().equals("gcn") || !run.timed();
  }

  private static void timed(KernelResult kernel, RunResult run, boolean overlap, PrintWriter out) {
    Map<String, Number> s = kernel.statistics();
    double mhz = run.coreMHz();
    boolean amd = isAmd(run);
    out.printf(
        NUMBERS,
        "  cycles      %,d%s (%.2f us)%n",
        kernel.cycles(),
        interval(kernel.cycles(), kernel.sampling()),
        kernel.cycles() / mhz);
    if (kernel.sampling() != null) {
      out.printf(
          NUMBERS,
          "  sampled     %,d instructions simulated: %s%n",
          kernel.simulatedInstructions(),
          kernel.sampling().how());
    }
    if (overlap) {
      out.printf(NUMBERS, "  ran         from cycle %,d to %,d%n", kernel.start(), kernel.end());
    }
    out.printf(
        NUMBERS,
        "  work        %,d %s instructions, %.3f per cycle, %.1f lanes each%n",
        kernel.warpInstructions(),
        amd ? "wave" : "warp",
        kernel.ipc(),
        kernel.warpInstructions() == 0
            ? 0
            : (double) kernel.threadInstructions() / kernel.warpInstructions());
    out.printf(
        NUMBERS,
        "  occupancy   %.1f %%, %s limited by %s%n",
        100 * kernel.occupancy(),
        amd ? "work-groups per CU" : "blocks per SM",
        kernel.limiter());
    Map<String, Long> stalls = stalls(kernel);
    long waited = stalls.values().stream().mapToLong(Long::longValue).sum();
    if (waited > 0) {
      StringBuilder line = new StringBuilder();
      stalls.entrySet().stream()
          .filter(e -> e.getValue() > 0)
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(6)
          .forEach(
              e ->
                  line.append(line.isEmpty() ? "" : ", ")
                      .append(
                          String.format(
                              NUMBERS, "%s %.1f %%", e.getKey(), 100.0 * e.getValue() / waited)));
      out.println("  waiting     " + line);
    }
    cache("  L1          ", "l1.", s, kernel.cycles(), mhz, out);
    cache("  L2          ", "l2.", s, kernel.cycles(), mhz, out);
    lines("  TCP         ", "vmem.tcpReads", "vmem.tcpHits", s, out);
    lines("  TCC         ", "tcc.loads", "tcc.loadHits", s, out);
    lines("  memory      ", "memory.reads", "memory.cacheReadHits", s, out);
    if (s.containsKey("dram.readBursts")) {
      out.printf(
          NUMBERS,
          "  DRAM        %,d sectors read, %,d written (%.1f GB/s)%n",
          s.get("dram.readBursts").longValue(),
          s.get("dram.writeBursts").longValue(),
          bandwidth(
              s.get("dram.readBursts").longValue() + s.get("dram.writeBursts").longValue(),
              kernel.cycles(),
              mhz));
    }
    energy(kernel.energy(), mhz, out);
    long conflicts = s.getOrDefault("loadStore.sharedBankConflicts", 0).longValue();
    if (conflicts > 0) {
      out.printf(NUMBERS, "  shared      %,d cycles of bank conflicts%n", conflicts);
    }
  }

  /** Joules, watts, and what most of the energy goes to. */
  private static void energy(KernelEnergy energy, double mhz, PrintWriter out) {
    if (energy == null) {
      return;
    }
    StringBuilder parts = new StringBuilder();
    energy.parts().entrySet().stream()
        .filter(part -> part.getValue() > 0)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(5)
        .forEach(
            part ->
                parts.append(
                    String.format(
                        NUMBERS,
                        ", %s %.0f %%",
                        part.getKey(),
                        100 * part.getValue() / energy.joules())));
    double between = 100 * energy.betweenCards();
    out.printf(
        NUMBERS,
        "  energy      %.4g mJ%s, %.1f W, energy-delay %.4g nJs%s%n",
        1e3 * energy.joules(),
        between > 0 ? String.format(NUMBERS, " (+-%.0f %% between cards)", between) : "",
        energy.watts(),
        1e9 * energy.energyDelay(),
        parts);
    if (energy.coreMHz() < mhz * 0.999) {
      out.printf(
          NUMBERS,
          "              at the power limit: the core clock falls to %.0f MHz%n",
          energy.coreMHz());
    }
  }

  /** What warps waited for; the classic core knows it only if it was asked to record. */
  private static Map<String, Long> stalls(KernelResult kernel) {
    if (!kernel.stalls().isEmpty() || kernel.profile() == null) {
      return kernel.stalls();
    }
    Map<String, Long> recorded = new LinkedHashMap<>();
    kernel.profile().stalls().forEach((reason, cycles) -> recorded.put(reason.key(), cycles));
    return recorded;
  }

  private static void cache(
      String label,
      String prefix,
      Map<String, Number> s,
      long cycles,
      double mhz,
      PrintWriter out) {
    if (!s.containsKey(prefix + "accesses") || !s.containsKey(prefix + "misses")) {
      return;
    }
    long accesses = s.get(prefix + "accesses").longValue();
    long misses = s.get(prefix + "misses").longValue();
    if (accesses == 0) {
      out.println(label + "not used");
      return;
    }
    out.printf(
        NUMBERS,
        "%s%,d sectors, %.1f %% hits (%.1f GB/s)%n",
        label,
        accesses,
        100.0 * (accesses - misses) / accesses,
        bandwidth(accesses, cycles, mhz));
  }

  /** A cache of an AMD GPU: lines read, and how many of them it had. */
  private static void lines(
      String label, String reads, String hits, Map<String, Number> s, PrintWriter out) {
    long count = s.getOrDefault(reads, 0).longValue();
    if (count > 0) {
      out.printf(
          NUMBERS,
          "%s%,d lines read, %.1f %% hits%n",
          label,
          count,
          100.0 * s.getOrDefault(hits, 0).longValue() / count);
    }
  }

  private static double bandwidth(long sectors, long cycles, double mhz) {
    return sectors * SECTOR_BYTES / (cycles / mhz) / 1e3;
  }
}
