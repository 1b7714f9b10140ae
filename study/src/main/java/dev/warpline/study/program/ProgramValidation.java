package dev.warpline.study.program;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.nvidia.capture.Capture;
import dev.warpline.nvidia.capture.CapturedProgram;
import dev.warpline.nvidia.program.Schedule;
import dev.warpline.nvidia.program.ScheduleReplay;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Compares captured programs, whose operations have real start and end times, with the model. */
public final class ProgramValidation {
  /**
   * A profiler that lets kernels run as they come (CUPTI) counts more to what follows a kernel than
   * the model does: gaps of 1,250 ns in streams and 290 ns in graphs, against 450 and -470
   * (streams.cu).
   */
  private static final double GAP_NS = 780;

  /**
   * It counts less to a kernel than one that runs kernels by themselves and counts the GPU's cycles
   * (Nsight Compute), which is what the model does: 1,880 cycles, the median of 60 kernels that
   * both measured, whatever their blocks, parameters or clusters, and whatever ran before
   * (profiled.cu, starts.cu).
   */
  private static final double PROFILED_NS = 950;

  /** The same of a graph's node that follows another: it counts 110 ns more (profiled.cu). */
  private static final double PROFILED_NODE_NS = 840;

  private ProgramValidation() {}

  /** The captures of a folder, or the folder itself if it is one. */
  public static List<Path> captures(Path folder) throws IOException {
    if (Capture.is(folder)) {
      return List.of(folder);
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Capture::is).sorted().toList();
    }
  }

  /**
   * Given the kernels' measured times, is the program's time right? That separates what is wrong
   * with streams, copies and the host from what is wrong with kernels.
   */
  public static ProgramComparison givenKernels(Path capture, GpuDescription gpu)
      throws IOException {
    CapturedProgram captured;
    try (Capture open = Capture.open(capture)) {
      captured = CapturedProgram.of(open);
    }
    Map<Integer, Double> kernels = new HashMap<>();
    double cyclesPerNs = gpu.clocks().coreMHz() / 1e3;
    for (StreamOperation operation : captured.program().operations()) {
      add(operation.number(), operation.task(), captured, cyclesPerNs, kernels);
    }
    Schedule schedule = new Schedule(captured.program(), gpu, true, GAP_NS);
    new ScheduleReplay(
            schedule, launch -> new ScheduleReplay.Kernel(kernels.getOrDefault(launch, 0.0), 0))
        .run();
    return ProgramComparison.of(
        capture.getFileName().toString(),
        measured(captured),
        modelled(schedule, captured, cyclesPerNs));
  }

  /**
   * Is the program's time right when its kernels are executed and simulated, too, and how far are
   * these off?
   */
  public static Simulated simulated(Path capture, GpuDescription gpu, RunOptions options)
      throws IOException {
    CapturedProgram captured;
    try (Capture open = Capture.open(capture)) {
      captured = CapturedProgram.of(open);
    }
    Schedule schedule = new Schedule(captured.program(), gpu, true);
    List<KernelResult> results;
    try (TraceSet trace = Traces.open(capture)) {
      results =
          Core.MODERN.machine(gpu, false).run(trace, schedule, options, Progress.NONE).kernels();
    }
    double cyclesPerNs = gpu.clocks().coreMHz() / 1e3;
    Map<Integer, Launched> launches = new HashMap<>();
    for (StreamOperation operation : captured.program().operations()) {
      addLaunches(operation.number(), operation.task(), PROFILED_NS, captured, launches);
    }
    List<ProgramComparison.Interval> model = new ArrayList<>();
    List<Kernel> kernels = new ArrayList<>();
    for (ProgramComparison.Interval one : modelled(schedule, captured, cyclesPerNs)) {
      Launched launch = launches.get(one.number());
      if (launch == null) {
        model.add(one);
        continue;
      }
      double until = Math.max(one.from(), one.until() - launch.lessNs());
      model.add(new ProgramComparison.Interval(one.number(), one.from(), until));
      int index = launch.task().index();
      kernels.add(
          new Kernel(
              launch.task().name(),
              index == StreamTask.Launch.UNKNOWN ? null : results.get(index),
              new ProgramComparison.Pair(1, launch.measured(), until - one.from())));
    }
    return new Simulated(
        ProgramComparison.of(capture.getFileName().toString(), measured(captured), model), kernels);
  }

  /**
   * A program of simulated kernels.
   *
   * @param program its times
   * @param kernels in the order of their launches
   */
  public record Simulated(ProgramComparison program, List<Kernel> kernels) {}

  /**
   * A simulated kernel.
   *
   * @param name as in the program
   * @param result what was simulated; null if its contents were not recorded
   * @param time as a profiler counts it, in nanoseconds
   */
  public record Kernel(String name, KernelResult result, ProgramComparison.Pair time) {}

  /**
   * A kernel that was measured.
   *
   * @param measured nanoseconds
   * @param lessNs what the profiler counts less than the model
   */
  private record Launched(StreamTask.Launch task, double measured, double lessNs) {}

  /** Kernels that were measured, by operation. */
  private static void addLaunches(
      int number,
      StreamTask task,
      double lessNs,
      CapturedProgram captured,
      Map<Integer, Launched> launches) {
    if (task instanceof StreamTask.Launch launch) {
      CapturedProgram.Times times = captured.times().get(number);
      if (times != null && times.worked()) {
        launches.put(number, new Launched(launch, times.took(), lessNs));
      }
    } else if (task instanceof StreamTask.Graph graph) {
      for (StreamTask.Node node : graph.nodes()) {
        double less = node.after().isEmpty() ? PROFILED_NS : PROFILED_NODE_NS;
        addLaunches(node.number(), node.task(), less, captured, launches);
      }
    }
  }

  private static void add(
      int number,
      StreamTask task,
      CapturedProgram captured,
      double cyclesPerNs,
      Map<Integer, Double> kernels) {
    if (task instanceof StreamTask.Launch launch) {
      CapturedProgram.Times times = captured.times().get(number);
      if (times != null && times.worked()) {
        kernels.put(launch.index(), (times.end() - times.start()) * cyclesPerNs);
      }
    } else if (task instanceof StreamTask.Graph graph) {
      graph
          .nodes()
          .forEach(node -> add(node.number(), node.task(), captured, cyclesPerNs, kernels));
    }
  }

  private static List<ProgramComparison.Interval> measured(CapturedProgram captured) {
    List<ProgramComparison.Interval> all = new ArrayList<>();
    captured
        .times()
        .forEach(
            (number, times) -> {
              if (times.worked()) {
                all.add(new ProgramComparison.Interval(number, times.start(), times.end()));
              }
            });
    return all;
  }

  /** What was measured, as the model has it. */
  private static List<ProgramComparison.Interval> modelled(
      Schedule schedule, CapturedProgram captured, double cyclesPerNs) {
    List<ProgramComparison.Interval> all = new ArrayList<>();
    for (Schedule.Span span : schedule.spans()) {
      CapturedProgram.Times times = captured.times().get(span.number());
      if (times != null && times.worked()) {
        all.add(
            new ProgramComparison.Interval(
                span.number(), span.start() / cyclesPerNs, span.end() / cyclesPerNs));
      }
    }
    return all;
  }
}
