package dev.warpline.study.program;

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
   * A profiler counts less to a kernel than the model does, and more to what follows it: gaps of
   * 1,250 ns in streams and 290 ns in graphs, against 490 and -430 (streams.cu).
   */
  private static final double PROFILED_NS = 740;

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
    Schedule schedule = new Schedule(captured.program(), gpu, true, PROFILED_NS);
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
    try (TraceSet trace = Traces.open(capture)) {
      Core.MODERN.machine(gpu, false).run(trace, schedule, options, Progress.NONE);
    }
    double cyclesPerNs = gpu.clocks().coreMHz() / 1e3;
    Map<Integer, Double> launches = new HashMap<>();
    for (StreamOperation operation : captured.program().operations()) {
      addLaunches(operation.number(), operation.task(), captured, launches);
    }
    List<ProgramComparison.Interval> model = new ArrayList<>();
    List<ProgramComparison.Pair> kernels = new ArrayList<>();
    for (ProgramComparison.Interval one : modelled(schedule, captured, cyclesPerNs)) {
      Double measured = launches.get(one.number());
      if (measured == null) {
        model.add(one);
        continue;
      }
      double until = Math.max(one.from(), one.until() - PROFILED_NS);
      model.add(new ProgramComparison.Interval(one.number(), one.from(), until));
      kernels.add(new ProgramComparison.Pair(1, measured, until - one.from()));
    }
    return new Simulated(
        ProgramComparison.of(capture.getFileName().toString(), measured(captured), model), kernels);
  }

  /**
   * A program of simulated kernels.
   *
   * @param program its times
   * @param kernels time of each kernel, as a profiler counts it
   */
  public record Simulated(ProgramComparison program, List<ProgramComparison.Pair> kernels) {}

  /** Measured nanoseconds of kernels, by operation. */
  private static void addLaunches(
      int number, StreamTask task, CapturedProgram captured, Map<Integer, Double> launches) {
    if (task instanceof StreamTask.Launch) {
      CapturedProgram.Times times = captured.times().get(number);
      if (times != null && times.worked()) {
        launches.put(number, (double) (times.end() - times.start()));
      }
    } else if (task instanceof StreamTask.Graph graph) {
      graph.nodes().forEach(node -> addLaunches(node.number(), node.task(), captured, launches));
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
