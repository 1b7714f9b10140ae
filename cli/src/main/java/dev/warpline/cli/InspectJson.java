package dev.warpline.cli;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.Problem;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.inspect.KernelSummary;
import dev.warpline.trace.inspect.SpaceUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is inside a trace, for programs; docs/inspect.md describes the fields. */
final class InspectJson {
  private InspectJson() {}

  static Map<String, Object> of(TraceSet set, List<KernelSummary> kernels) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("trace", set.name());
    long copies = 0;
    long copied = 0;
    for (TraceCommand command : set.commands()) {
      if (command instanceof TraceCommand.MemcpyHtoD copy) {
        copies++;
        copied += copy.bytes();
      }
    }
    tree.put("copies", copies);
    tree.put("copiedBytes", copied);
    tree.put("kernels", kernels.stream().map(InspectJson::kernel).toList());
    tree.put("skipped", skipped(set.diagnostics()));
    tree.put("warnings", set.diagnostics().messages());
    return tree;
  }

  private static Map<String, Object> kernel(KernelSummary kernel) {
    KernelHeader header = kernel.header();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", header.id());
    tree.put("name", kernel.name());
    tree.put("mangledName", header.name());
    tree.put("grid", dim(header.grid()));
    tree.put("block", dim(header.block()));
    tree.put("cluster", dim(header.cluster()));
    tree.put("registers", header.registers());
    tree.put("sharedBytes", header.sharedBytes());
    tree.put("binaryVersion", header.binaryVersion());
    tree.put("tracerVersion", header.tracerVersion());
    tree.put("stream", header.stream());
    tree.put("blocks", kernel.blocks());
    tree.put("warps", kernel.warps());
    tree.put("warpInstructions", kernel.warpInstructions());
    tree.put("threadInstructions", kernel.threadInstructions());
    tree.put("averageLanes", kernel.averageLanes());
    tree.put("staticInstructions", kernel.staticInstructions());
    Map<String, Long> pipes = new LinkedHashMap<>();
    kernel.pipes().forEach((pipe, count) -> pipes.put(lower(pipe.name()), count));
    tree.put("instructionsByUnit", pipes);
    List<Map<String, Object>> spaces = new ArrayList<>();
    for (SpaceUse use : kernel.spaces()) {
      Map<String, Object> space = new LinkedHashMap<>();
      space.put("space", lower(use.space().name()));
      space.put("requests", use.requests());
      space.put("sectors", use.sectors());
      space.put("sectorsPerRequest", use.sectorsPerRequest());
      space.put("footprintBytes", use.footprintBytes());
      spaces.add(space);
    }
    tree.put("memory", spaces);
    tree.put("opcodes", kernel.opcodes());
    tree.put("unknownOpcodes", kernel.unknownOpcodes());
    tree.put("hasCode", kernel.hasCode());
    tree.put("hasControlBits", kernel.hasControlBits());
    tree.put("hasDisassembly", kernel.hasDisassembly());
    return tree;
  }

  private static Map<String, Long> skipped(Diagnostics diagnostics) {
    Map<String, Long> skipped = new LinkedHashMap<>();
    for (Problem.Skipped piece : Problem.Skipped.values()) {
      if (piece != Problem.Skipped.NOTHING) {
        skipped.put(lower(piece.name()) + "s", diagnostics.count(piece));
      }
    }
    return skipped;
  }

  private static int[] dim(Dim3 dim) {
    return new int[] {dim.x(), dim.y(), dim.z()};
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
