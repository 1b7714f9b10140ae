package dev.warpline.nvidia.program;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamProgram;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A hand-written program: its kernels are kernels of other traces. */
public final class ProgramTraceSet implements TraceSet {
  private final Path file;
  private final StreamProgram program;
  private final List<ProgramFile.Kernel> kernels;
  private final Diagnostics diagnostics;
  private final List<TraceCommand> commands = new ArrayList<>();
  private final Map<Path, TraceSet> traces = new LinkedHashMap<>();
  private final Map<ProgramFile.Kernel, TraceCommand.Launch> own = new HashMap<>();

  ProgramTraceSet(
      Path file, StreamProgram program, List<ProgramFile.Kernel> kernels, Diagnostics diagnostics)
      throws IOException {
    this.file = file;
    this.kernels = List.copyOf(kernels);
    this.diagnostics = diagnostics;
    for (int i = 0; i < kernels.size(); i++) {
      commands.add(new TraceCommand.Launch(i, kernels.get(i).name()));
    }
    Map<Integer, String> names = new HashMap<>();
    try {
      Map<ProgramFile.Kernel, String> nameOf = new HashMap<>();
      for (int i = 0; i < kernels.size(); i++) {
        ProgramFile.Kernel kernel = kernels.get(i);
        if (!nameOf.containsKey(kernel)) {
          nameOf.put(kernel, trace(kernel).header(own.get(kernel)).name());
        }
        names.put(i, nameOf.get(kernel));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
    this.program = named(program, names);
  }

  /** The program with the kernels' own names. */
  private static StreamProgram named(StreamProgram program, Map<Integer, String> names) {
    List<StreamOperation> operations = new ArrayList<>();
    for (StreamOperation one : program.operations()) {
      operations.add(one.with(named(one.task(), names)));
    }
    return new StreamProgram(program.file(), program.host(), program.streams(), operations);
  }

  private static StreamTask named(StreamTask task, Map<Integer, String> names) {
    if (task instanceof StreamTask.Launch launch) {
      return new StreamTask.Launch(
          launch.index(),
          names.get(launch.index()),
          launch.cooperative(),
          launch.programmatic(),
          launch.ns());
    }
    if (task instanceof StreamTask.Graph graph) {
      List<StreamTask.Node> nodes = new ArrayList<>();
      for (StreamTask.Node node : graph.nodes()) {
        nodes.add(node.with(named(node.task(), names)));
      }
      return new StreamTask.Graph(nodes);
    }
    return task;
  }

  private TraceSet trace(ProgramFile.Kernel kernel) throws IOException {
    TraceSet set = traces.get(kernel.trace());
    if (set == null) {
      if (!Files.exists(kernel.trace())) {
        throw new DescriptionException(
            kernel.place() + ": found " + kernel.trace() + ", expected a trace that is there");
      }
      set = Traces.open(kernel.trace(), diagnostics);
      traces.put(kernel.trace(), set);
    }
    if (!own.containsKey(kernel)) {
      List<TraceCommand.Launch> launches = new ArrayList<>();
      for (TraceCommand command : set.commands()) {
        if (command instanceof TraceCommand.Launch launch) {
          launches.add(launch);
        }
      }
      if (kernel.number() > launches.size()) {
        throw new DescriptionException(
            kernel.place()
                + ": found kernel "
                + kernel.number()
                + " of "
                + kernel.trace()
                + ", expected one of 1 to "
                + launches.size());
      }
      own.put(kernel, launches.get(kernel.number() - 1));
    }
    return set;
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<TraceCommand> commands() {
    return commands;
  }

  @Override
  public StreamProgram program() {
    return program;
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    ProgramFile.Kernel kernel = kernels.get(launch.index());
    return trace(kernel).open(own.get(kernel));
  }

  @Override
  public KernelHeader header(TraceCommand.Launch launch) throws IOException {
    ProgramFile.Kernel kernel = kernels.get(launch.index());
    return trace(kernel).header(own.get(kernel));
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /** The program's file and the traces that it names. */
  public List<Path> files() {
    Set<Path> all = new LinkedHashSet<>();
    all.add(file);
    kernels.forEach(kernel -> all.add(kernel.trace()));
    return List.copyOf(all);
  }

  @Override
  public void close() throws IOException {
    for (TraceSet set : traces.values()) {
      set.close();
    }
  }
}
