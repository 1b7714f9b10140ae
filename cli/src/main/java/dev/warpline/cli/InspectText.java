package dev.warpline.cli;

import dev.warpline.isa.Pipe;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.inspect.KernelSummary;
import dev.warpline.trace.inspect.SpaceUse;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is inside a trace, for people. */
final class InspectText {
  private static final int BAR = 24;
  private static final int TOP_OPCODES = 10;

  private final PrintWriter out;

  InspectText(PrintWriter out) {
    this.out = out;
  }

  void print(TraceSet set, List<KernelSummary> kernels) {
    long copies = 0;
    long copied = 0;
    long launches = 0;
    for (TraceCommand command : set.commands()) {
      if (command instanceof TraceCommand.MemcpyHtoD copy) {
        copies++;
        copied += copy.bytes();
      } else if (command instanceof TraceCommand.Launch) {
        launches++;
      }
    }
    line("%s: %s, %s", set.name(), count(launches, "kernel"), count(copies, "copy to the GPU"));
    if (copied > 0) {
      line("copied to the GPU: %s", bytes(copied));
    }
    kernels.forEach(this::kernel);
  }

  private void kernel(KernelSummary kernel) {
    KernelHeader header = kernel.header();
    line("");
    line("kernel %d  %s", header.id(), kernel.name());
    line("  grid %s  block %s  cluster %s", header.grid(), header.block(), header.cluster());
    line(
        "  %d registers per thread, %s shared memory per block, SM %d.%d, tracer version %d",
        header.registers(),
        bytes(header.sharedBytes()),
        header.binaryVersion() / 10,
        header.binaryVersion() % 10,
        header.tracerVersion());
    line(
        "  code: %s, control bits: %s, disassembly: %s",
        yes(kernel.hasCode()), yes(kernel.hasControlBits()), yes(kernel.hasDisassembly()));
    long grid = header.grid().count();
    line(
        "  %,d blocks%s, %,d warps",
        kernel.blocks(),
        kernel.blocks() == grid ? "" : String.format(Locale.ROOT, " (of %,d)", grid),
        kernel.warps());
    line(
        "  %,d warp instructions, %,d thread instructions, %.1f lanes active on average",
        kernel.warpInstructions(), kernel.threadInstructions(), kernel.averageLanes());
    line("  %,d different instructions executed", kernel.staticInstructions());
    pipes(kernel);
    spaces(kernel.spaces());
    opcodes(kernel);
  }

  private void pipes(KernelSummary kernel) {
    line("");
    line("  instructions by unit");
    for (Map.Entry<Pipe, Long> entry : kernel.pipes().entrySet()) {
      double share = (double) entry.getValue() / kernel.warpInstructions();
      line(
          "    %-10s %14s %6.1f %%  %s",
          entry.getKey().name().toLowerCase(Locale.ROOT),
          String.format(Locale.ROOT, "%,d", entry.getValue()),
          100 * share,
          "#".repeat((int) Math.round(share * BAR)));
    }
  }

  private void spaces(List<SpaceUse> spaces) {
    if (spaces.isEmpty()) {
      return;
    }
    line("");
    line("  memory           requests  sectors/request     footprint");
    for (SpaceUse use : spaces) {
      line(
          "    %-10s %12s %16.2f %13s",
          use.space().name().toLowerCase(Locale.ROOT),
          String.format(Locale.ROOT, "%,d", use.requests()),
          use.sectorsPerRequest(),
          bytes(use.footprintBytes()));
    }
  }

  private void opcodes(KernelSummary kernel) {
    line("");
    line("  most executed opcodes");
    kernel.opcodes().entrySet().stream()
        .limit(TOP_OPCODES)
        .forEach(
            entry ->
                line(
                    "    %-12s %12s %6.1f %%",
                    entry.getKey(),
                    String.format(Locale.ROOT, "%,d", entry.getValue()),
                    100.0 * entry.getValue() / kernel.warpInstructions()));
    if (!kernel.unknownOpcodes().isEmpty()) {
      line("");
      line("  unknown opcodes (taken as simple integer instructions): %s", kernel.unknownOpcodes());
    }
  }

  private static String yes(boolean there) {
    return there ? "yes" : "no";
  }

  private static String count(long number, String what) {
    String plural = what.startsWith("copy") ? what.replaceFirst("copy", "copies") : what + "s";
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? what : plural);
  }

  private static String bytes(long bytes) {
    if (bytes < 1 << 10) {
      return bytes + " B";
    }
    if (bytes < 1 << 20) {
      return String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0);
    }
    if (bytes < 1 << 30) {
      return String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
    }
    return String.format(Locale.ROOT, "%.1f GiB", bytes / 1073741824.0);
  }

  private void line(String format, Object... values) {
    out.println(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
  }
}
