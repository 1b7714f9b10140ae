package dev.warpline.nvidia.program;

import dev.warpline.engine.Activity;
import dev.warpline.engine.ProgramTime;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.program.Stream;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamProgram;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A program written down in a test; every kernel takes 10 us and fills a quarter of the GPU. */
final class Written {
  private static final double KERNEL_NS = 10_000;

  private final List<Stream> streams = new ArrayList<>();
  private final List<StreamOperation> operations = new ArrayList<>();
  private int launches;
  private int numbers;
  private Schedule schedule;
  private StreamProgram program;
  private final List<Integer> simulated = new ArrayList<>();
  private double fromNs;
  private double untilNs = Double.POSITIVE_INFINITY;

  Written() {
    streams.add(Stream.plain(0));
  }

  Written stream(int number, int priority, boolean blocking) {
    streams.add(new Stream(number, "stream " + number, priority, blocking));
    return this;
  }

  Written add(int stream, StreamTask task) {
    operations.add(new StreamOperation(++numbers, 0, stream, task));
    return this;
  }

  Written kernel(int stream) {
    return add(stream, launch());
  }

  StreamTask.Launch launch() {
    return new StreamTask.Launch(launches, "kernel" + launches++);
  }

  Written copy(int stream, StreamTask.Way way, long bytes, boolean pinned) {
    return add(stream, new StreamTask.Copy(way, bytes, true, pinned));
  }

  Written host(double ns) {
    operations.add(
        new StreamOperation(
            ++numbers, 0, 0, new StreamTask.Host(), ns, StreamOperation.AS_DESCRIBED));
    return this;
  }

  StreamTask.Node node(int node, Integer... after) {
    return new StreamTask.Node(++numbers, 0, node, List.of(after), launch());
  }

  /** Kernels of a graph, numbered from 0; of each, those that it waits for. */
  List<StreamTask.Node> nodes(Integer[]... after) {
    List<StreamTask.Node> nodes = new ArrayList<>();
    for (Integer[] one : after) {
      nodes.add(node(nodes.size(), one));
    }
    return nodes;
  }

  Written run(String... settings) throws IOException {
    return run(0.25, settings);
  }

  /** Its schedule on an H200, before anything has started. */
  Schedule schedule() throws IOException {
    program = StreamProgram.of("test", true, streams, operations);
    return new Schedule(program, Gpus.load("h200", List.of()), true);
  }

  /** Runs it on an H200 with other settings, kernels filling so much of it. */
  Written run(double width, String... settings) throws IOException {
    GpuDescription gpu = Gpus.load("h200", List.of(settings));
    program = StreamProgram.of("test", true, streams, operations);
    schedule = new Schedule(program, gpu, true).within(fromNs, untilNs);
    new ScheduleReplay(
            schedule,
            i -> {
              simulated.add(i);
              return new ScheduleReplay.Kernel(gpu.clocks().cycles(KERNEL_NS), width);
            })
        .run();
    return this;
  }

  /** Only kernels that start then are to be simulated. */
  Written within(double from, double until) {
    fromNs = from;
    untilNs = until;
    return this;
  }

  /** Launches that the machine was given. */
  List<Integer> simulated() {
    return simulated;
  }

  ProgramTime time() {
    return ProgramTimes.of(program, schedule);
  }

  private List<Activity> inOrder() {
    List<Activity> all = new ArrayList<>();
    for (ScheduledStep step : schedule.steps()) {
      schedule.activities().stream()
          .filter(a -> a.start() == step.start && a.end() == step.end && !all.contains(a))
          .filter(a -> step.kind != ScheduledStep.Kind.MARK && a.queue() == step.stream)
          .findFirst()
          .ifPresent(all::add);
    }
    return all;
  }

  /** Start of the i-th kernel, copy or fill, in us. */
  double start(int i) {
    return inOrder().get(i).start() / 1980.0;
  }

  double end(int i) {
    return inOrder().get(i).end() / 1980.0;
  }
}
