package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.NameTotal;
import dev.warpline.engine.ProgramTime;
import dev.warpline.engine.RunResult;
import dev.warpline.isa.Demangler;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a program of several kernels takes, as a person reads it: by name, by stream, in all. */
final class ProgramText {
  /** Names that are listed; more stand in files. */
  private static final int LISTED = 20;

  private static final int NAME = 48;

  private ProgramText() {}

  /** Time per kernel name, the longest first. */
  static void names(RunResult run, PrintWriter out) {
    List<NameTotal> totals = NameTotal.of(run.kernels());
    out.printf(
        "%-" + NAME + "s %8s %11s %7s %10s %10s %10s%n",
        "time in us by kernel name",
        "launches",
        "total",
        "share",
        "mean",
        "least",
        "most");
    for (NameTotal total : totals.subList(0, Math.min(LISTED, totals.size()))) {
      out.printf(
          Locale.ROOT,
          "%-" + NAME + "s %,8d %,11.2f %5.1f %% %,10.2f %,10.2f %,10.2f%n",
          cut(Demangler.demangle(total.name())),
          total.count(),
          run.microseconds(total.cycles()),
          100 * total.share(),
          total.mean() / run.coreMHz(),
          run.microseconds(total.least()),
          run.microseconds(total.most()));
    }
    if (totals.size() > LISTED) {
      out.printf(Locale.ROOT, "and %,d more names%n", totals.size() - LISTED);
    }
  }

  /** Statistics per stream of a kernel list that has several; a program has its own account. */
  static void streams(RunResult run, PrintWriter out) {
    Map<Long, List<KernelResult>> streams = new LinkedHashMap<>();
    for (KernelResult kernel : run.kernels()) {
      Number stream = kernel.statistics().get("launch.stream");
      streams
          .computeIfAbsent(stream == null ? 0 : stream.longValue(), s -> new ArrayList<>())
          .add(kernel);
    }
    if (streams.size() < 2) {
      return;
    }
    out.printf(
        "%-24s %8s %11s %11s %11s %16s %8s%n",
        "time in us by stream", "kernels", "time", "start", "end", "warp instr.", "IPC");
    streams.forEach(
        (stream, its) -> {
          long cycles = its.stream().mapToLong(KernelResult::cycles).sum();
          long instructions = its.stream().mapToLong(KernelResult::warpInstructions).sum();
          out.printf(
              Locale.ROOT,
              "%-24s %,8d %,11.2f %,11.2f %,11.2f %,16d %8.2f%n",
              Long.toUnsignedString(stream),
              its.size(),
              run.microseconds(cycles),
              run.microseconds(its.stream().mapToLong(KernelResult::start).min().orElse(0)),
              run.microseconds(its.stream().mapToLong(KernelResult::end).max().orElse(0)),
              instructions,
              cycles == 0 ? 0 : (double) instructions / cycles);
        });
  }

  private static String cut(String name) {
    return name.length() > NAME ? name.substring(0, NAME - 3) + "..." : name;
  }

  /** Streams, critical path, and what limits the program. */
  static void program(RunResult run, PrintWriter out) {
    ProgramTime time = run.program();
    if (time.streams().size() > 1) {
      out.printf(
          "%-24s %8s %8s %11s %8s %11s %11s%n",
          "time in us by stream", "priority", "kernels", "time", "copies", "time", "busy");
      for (ProgramTime.StreamTime stream : time.streams()) {
        out.printf(
            Locale.ROOT,
            "%-24s %8d %,8d %,11.2f %,8d %,11.2f %,11.2f%n",
            stream.name(),
            stream.priority(),
            stream.kernels(),
            run.microseconds(stream.kernelCycles()),
            stream.copies(),
            run.microseconds(stream.copyCycles()),
            run.microseconds(stream.busyCycles()));
      }
    }
    long sum = run.kernels().stream().mapToLong(KernelResult::cycles).sum();
    out.printf(
        Locale.ROOT,
        "program: %,.2f us for %,d operations; its kernels one after another would be %,.2f us%n",
        run.microseconds(time.cycles()),
        time.operations(),
        run.microseconds(sum));
    StringBuilder parts = new StringBuilder();
    time.parts().entrySet().stream()
        .sorted(Map.Entry.<ProgramTime.Part, Long>comparingByValue().reversed())
        .forEach(
            part ->
                parts
                    .append(parts.isEmpty() ? "" : ", ")
                    .append(
                        String.format(
                            Locale.ROOT,
                            "%s %.1f %%",
                            part.getKey().words(),
                            100 * time.share(part.getKey()))));
    out.println("  critical path: " + parts);
    out.println("  " + time.limit());
  }
}
