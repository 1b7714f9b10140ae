package dev.warpline.nvidia.program;

import dev.warpline.engine.Activity;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.program.Stream;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamProgram;
import dev.warpline.trace.program.StreamTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * When the operations of a program happen: the host calls one after another, every stream runs its
 * operations in order, events and graphs make them wait for others, copies for their engine.
 * Kernels are the machine's: it is told when one may start and tells when it has ended. What needs
 * no kernel goes on as far as no kernel can end before it.
 */
public final class Schedule implements Agenda {
  private final StreamProgram program;
  private final ProgramCosts costs;
  private final List<ScheduledStep> steps = new ArrayList<>();

  /** Copies and fills whose data no kernel has been told of. */
  private final List<ScheduledStep> writers = new ArrayList<>();

  private final List<ScheduledStep.Call> calls = new ArrayList<>();
  private final Map<Integer, ScheduledStep> launches = new HashMap<>();
  private final Map<Integer, Integer> priorities = new HashMap<>();

  /** What happens by itself, in the order of time. */
  private final PriorityQueue<Moment> moments =
      new PriorityQueue<>(Comparator.comparingLong(Moment::cycle).thenComparingInt(Moment::number));

  /** Launches that may start. */
  private final PriorityQueue<Launchable> launchable =
      new PriorityQueue<>(
          Comparator.comparingLong(Launchable::cycle)
              .thenComparingInt(Launchable::priority)
              .thenComparingInt(Launchable::number));

  private final CopyEngines engines;
  private SmPartitions partitions;

  /** Kernels that would start before or after are not simulated. */
  private double from;

  private double until = NEVER;

  /** When the next node of a graph can be started. */
  private long nodeFree;

  /** When the next kernel that waited for another stream can be started. */
  private long waiterFree;

  /** What started last on the SMs. */
  private ScheduledStep lastLaunch;

  private int made;

  /** The call that the host makes next or waits in. */
  private int nextCall;

  private double hostClock;
  private ScheduledStep.Call lastWait;

  /** A step that is ready or, if it is running, ends; one that is expected at another time not. */
  private record Moment(long cycle, int number, ScheduledStep step, boolean ends) {}

  /** A launch that may start. */
  private record Launchable(long cycle, int priority, int number, ScheduledStep step) {}

  /**
   * @param program the program
   * @param gpu says what calls, gaps and copies cost
   * @param timed whether they do; without, only the order of things counts
   */
  public Schedule(StreamProgram program, GpuDescription gpu, boolean timed) {
    this(program, gpu, timed, 0);
  }

  /**
   * A schedule for kernels whose times somebody else counts.
   *
   * @param afterKernelNs what he counts to the gap after a kernel and the model to the kernel
   */
  public Schedule(StreamProgram program, GpuDescription gpu, boolean timed, double afterKernelNs) {
    this.program = program;
    costs = new ProgramCosts(gpu, timed, afterKernelNs);
    for (Stream stream : program.streams()) {
      priorities.putIfAbsent(stream(stream.number()), stream.priority());
    }
    engines = new CopyEngines(costs, this::ends);
    build();
    steps.stream().filter(step -> writes(step.task)).forEach(writers::add);
    callOn();
  }

  /** Gives streams SMs of their own. */
  public Schedule on(SmPartitions its) {
    partitions = its;
    return this;
  }

  /**
   * Leaves kernels out that would start before one time or not before another, in ns: they take the
   * time that was recorded for them, none if nobody did.
   */
  public Schedule within(double fromNs, double untilNs) {
    from = costs.clocked(fromNs);
    until = Math.min(NEVER, costs.clocked(untilNs));
    return this;
  }

  /** A stream's number where fewer may be used than there are. */
  private int stream(int number) {
    if (costs.streams() == 0) {
      return number;
    }
    for (int i = 0; i < program.streams().size(); i++) {
      if (program.streams().get(i).number() == number) {
        return program.streams().get(i % costs.streams()).number();
      }
    }
    return number;
  }

  private void build() {
    Map<Integer, ScheduledStep> tails = new LinkedHashMap<>();
    Map<Integer, ScheduledStep> events = new HashMap<>();
    Map<Integer, Boolean> blocking = new HashMap<>();
    program.streams().forEach(one -> blocking.put(one.number(), one.blocking()));
    for (StreamOperation operation : program.operations()) {
      StreamTask task = operation.task();
      int stream = stream(operation.stream());
      List<ScheduledStep> mine = new ArrayList<>();
      List<ScheduledStep> awaits = new ArrayList<>();
      if (task instanceof StreamTask.Synchronize sync) {
        switch (sync.scope()) {
          case DEVICE -> awaits.addAll(tails.values());
          case STREAM -> {
            if (tails.get(stream) != null) {
              awaits.add(tails.get(stream));
            }
          }
          case EVENT -> awaits.add(events.get(sync.event()));
        }
      } else if (!(task instanceof StreamTask.Host)) {
        ScheduledStep first =
            new ScheduledStep(operation.number(), task, stream, costs.kind(task), 0);
        mine.add(first);
        first.after(tails.get(stream));
        if (blocking.getOrDefault(stream, true)) {
          if (stream == Stream.DEFAULT) {
            tails.forEach(
                (other, tail) -> {
                  if (other != Stream.DEFAULT && blocking.getOrDefault(other, true)) {
                    first.after(tail);
                  }
                });
          } else {
            first.after(tails.get(Stream.DEFAULT));
          }
        }
        if (task instanceof StreamTask.WaitEvent wait) {
          first.after(events.get(wait.event()));
        }
        ScheduledStep tail =
            task instanceof StreamTask.Graph graph ? graph(graph, first, mine) : first;
        if (task instanceof StreamTask.RecordEvent event) {
          events.put(event.event(), first);
        }
        tails.put(stream, tail);
        if (task instanceof StreamTask.Copy copy && copy.holdsHost()) {
          awaits.add(tail);
        }
      }
      ScheduledStep.Call call =
          new ScheduledStep.Call(
              costs.gap(operation), costs.call(operation), costs.back(task), mine, awaits);
      mine.forEach(step -> step.call = call);
      calls.add(call);
      steps.addAll(mine);
      for (ScheduledStep step : mine) {
        if (step.task instanceof StreamTask.Launch launch) {
          launches.put(launch.index(), step);
        }
      }
    }
  }

  /** Nodes wait for each other and for the launch; what follows waits for all of them. */
  private ScheduledStep graph(
      StreamTask.Graph graph, ScheduledStep begin, List<ScheduledStep> mine) {
    Map<Integer, ScheduledStep> nodes = new HashMap<>();
    for (StreamTask.Node node : graph.nodes()) {
      nodes.put(
          node.node(),
          new ScheduledStep(
              node.number(), node.task(), begin.stream, costs.kind(node.task()), begin.number));
    }
    ScheduledStep end =
        new ScheduledStep(begin.number, begin.task, begin.stream, ScheduledStep.Kind.MARK, 0);
    Set<ScheduledStep> gone = new HashSet<>();
    for (StreamTask.Node node : graph.nodes()) {
      ScheduledStep step = nodes.get(node.node());
      step.goesOn =
          node.after().stream().map(nodes::get).filter(gone::add).findFirst().orElse(null);
      step.after(begin);
      node.after().forEach(other -> step.after(nodes.get(other)));
      end.after(step);
      mine.add(step);
    }
    end.after(begin);
    mine.add(end);
    return end;
  }

  /** The host goes on until it has to wait for something whose end is not known yet. */
  private void callOn() {
    while (nextCall < calls.size()) {
      ScheduledStep.Call call = calls.get(nextCall);
      if (call.begin == ScheduledStep.UNKNOWN) {
        call.begin = Math.round(hostClock + call.gap);
        call.waited = lastWait;
        hostClock = hostClock + call.gap + call.takes;
        long submitted = Math.round(hostClock);
        for (ScheduledStep step : call.steps) {
          step.submitted = submitted;
          arrived(step, Math.round(hostClock + costs.start()), null);
        }
      }
      long last = 0;
      for (ScheduledStep awaited : call.awaits) {
        if (awaited.end == ScheduledStep.UNKNOWN) {
          return;
        }
        last = Math.max(last, awaited.end);
      }
      if (!call.awaits.isEmpty()) {
        if (last + call.back > hostClock) {
          lastWait = call;
        }
        hostClock = Math.max(hostClock, last + call.back);
      }
      call.end = Math.round(hostClock);
      nextCall++;
    }
  }

  /** One thing that a step waited for is there. */
  private void arrived(ScheduledStep step, long cycle, ScheduledStep from) {
    if (cycle > step.ready || step.ready == 0 && step.because == null) {
      step.ready = Math.max(0, cycle);
      step.because = from;
    }
    if (--step.missing == 0) {
      moments.add(new Moment(step.ready, made++, step, false));
    }
  }

  private void over(ScheduledStep step, long cycle) {
    step.end = cycle;
    for (ScheduledStep.Edge edge : step.dependents) {
      if (!edge.done) {
        edge.done = true;
        ScheduledStep work = step.work();
        ScheduledStep next = edge.to;
        // A mark passes on when what ran before it ended; its own followers add the gap.
        double gap = next.kind == ScheduledStep.Kind.MARK ? 0 : costs.between(work, next);
        if (next.kind == ScheduledStep.Kind.MARK
            && work != null
            && (next.last == null || next.last.end < work.end)) {
          next.last = work;
        }
        arrived(next, Math.round(cycle + gap), step);
      }
    }
    callOn();
  }

  private void happens(Moment moment) {
    ScheduledStep step = moment.step();
    if (moment.ends()) {
      if (moment.cycle() == step.expected) {
        if (step.kind == ScheduledStep.Kind.ENGINE) {
          engines.ended(step, moment.cycle());
        }
        over(step, moment.cycle());
      }
      return;
    }
    switch (step.kind) {
      case MARK -> {
        step.start = moment.cycle();
        over(step, Math.round(moment.cycle() + costs.event(step.task)));
      }
      case KERNEL -> {
        inTurn(step);
        StreamTask.Launch launch = (StreamTask.Launch) step.task;
        boolean outside = step.ready < from || step.ready >= until;
        if (launch.index() == StreamTask.Launch.UNKNOWN || outside) {
          step.start = step.ready;
          lastLaunch = step;
          ends(step, Math.round(step.ready + costs.cycles(launch.ns())));
        } else {
          launchable.add(
              new Launchable(step.ready, priorities.get(step.stream), step.number, step));
        }
      }
      case ENGINE -> engines.ask(step, moment.cycle());
      case NEAR -> {
        inTurn(step);
        step.start = step.ready;
        if (costs.isKernel(step)) {
          lastLaunch = step;
        }
        ends(step, step.start + Math.round(costs.takes(step)));
      }
    }
  }

  private void ends(ScheduledStep step, long cycle) {
    if (cycle != step.expected) {
      step.expected = cycle;
      moments.add(new Moment(cycle, made++, step, true));
    }
  }

  /**
   * Nodes of a graph that are ready together start one after another, and so do kernels of streams
   * that waited for others.
   */
  private void inTurn(ScheduledStep step) {
    if (step.graph != 0) {
      step.ready = Math.max(step.ready, nodeFree);
      nodeFree = Math.round(step.ready + costs.nodes());
    } else if (step.kind == ScheduledStep.Kind.KERNEL
        && step.because != null
        && step.because.kind == ScheduledStep.Kind.MARK
        && step.because.work() != null
        && step.because.work().stream != step.stream) {
      step.ready = Math.max(step.ready, waiterFree);
      waiterFree = Math.round(step.ready + costs.waiters());
    }
  }

  @Override
  public Start next(long sure) {
    while (!moments.isEmpty()
        && moments.peek().cycle() <= sure
        && (launchable.isEmpty() || moments.peek().cycle() < launchable.peek().cycle())) {
      happens(moments.poll());
    }
    if (launchable.isEmpty()) {
      return null;
    }
    ScheduledStep first = launchable.peek().step();
    StreamTask.Launch launch = (StreamTask.Launch) first.task;
    return new Start(
        launch.index(),
        first.ready,
        launchable.peek().priority(),
        isInTime(first) ? first.follows : NOBODY,
        launch.cooperative(),
        partitions == null ? List.of() : partitions.of(first.stream),
        isFresh(first));
  }

  /**
   * Whether a node's code and constants are in no cache: another branch's node was launched since
   * its own branch's last one. The first node of a branch finds them.
   */
  private boolean isFresh(ScheduledStep step) {
    ScheduledStep own = step.goesOn;
    while (own != null && !costs.isKernel(own)) {
      own = own.goesOn;
    }
    return own != null && lastLaunch != null && lastLaunch.graph == step.graph && lastLaunch != own;
  }

  /** Whether a launch was there before the kernel ended that it may begin before. */
  private boolean isInTime(ScheduledStep step) {
    ScheduledStep before = launches.get(step.follows);
    return before != null && (before.end == ScheduledStep.UNKNOWN || step.ready <= before.end);
  }

  @Override
  public List<Written> written(long cycle) {
    List<ScheduledStep> ended = new ArrayList<>();
    for (ScheduledStep step : writers) {
      if (step.end != ScheduledStep.UNKNOWN && step.end <= cycle) {
        ended.add(step);
      }
    }
    writers.removeAll(ended);
    ended.sort(Comparator.comparingLong(step -> step.end));
    return ended.stream().map(Schedule::written).toList();
  }

  private static Written written(ScheduledStep step) {
    return step.task instanceof StreamTask.Copy copy
        ? new Written(copy.to(), copy.bytes())
        : new Written(((StreamTask.Fill) step.task).to(), ((StreamTask.Fill) step.task).bytes());
  }

  private static boolean writes(StreamTask task) {
    return task instanceof StreamTask.Copy copy && copy.to() != 0
        || task instanceof StreamTask.Fill fill && fill.to() != 0;
  }

  @Override
  public void started(int launch, long cycle) {
    ScheduledStep step = launches.get(launch);
    launchable.removeIf(one -> one.step() == step);
    step.start = cycle;
    lastLaunch = step;
  }

  @Override
  public void began(int launch, long cycle) {
    launches.get(launch).start = cycle;
  }

  @Override
  public void released(int launch, long cycle) {
    ScheduledStep step = launches.get(launch);
    for (ScheduledStep.Edge edge : step.dependents) {
      ScheduledStep next = edge.to;
      boolean early =
          next.task instanceof StreamTask.Launch other
              && other.programmatic()
              && next.stream == step.stream;
      if (early && !edge.done) {
        edge.done = true;
        next.follows = launch;
        arrived(next, cycle, step);
      }
    }
  }

  @Override
  public void ended(int launch, long cycle) {
    over(launches.get(launch), cycle);
  }

  /** Whether everything has ended, and the host has made its last call. */
  boolean isOver() {
    return nextCall == calls.size() && steps.stream().allMatch(s -> s.end != ScheduledStep.UNKNOWN);
  }

  /** Calls of the host, and nodes of graphs. */
  int operations() {
    int nodes = 0;
    for (StreamOperation one : program.operations()) {
      nodes += one.task() instanceof StreamTask.Graph graph ? graph.nodes().size() : 0;
    }
    return program.operations().size() + nodes;
  }

  List<ScheduledStep> steps() {
    return steps;
  }

  List<ScheduledStep.Call> calls() {
    return calls;
  }

  /**
   * When an operation's work began and ended, in core cycles.
   *
   * @param number of the operation or node
   */
  public record Span(int number, long start, long end) {}

  /** Kernels, copies and fills, in the order of the calls. */
  public List<Span> spans() {
    return steps.stream()
        .filter(step -> step.kind != ScheduledStep.Kind.MARK && step.end != ScheduledStep.UNKNOWN)
        .map(step -> new Span(step.number, step.start, step.end))
        .toList();
  }

  /** What the GPU did for the program, in the order of completion, once everything has ended. */
  public List<Activity> activities() {
    List<Activity> all = new ArrayList<>();
    for (ScheduledStep step : steps) {
      if (step.kind != ScheduledStep.Kind.MARK && step.end != ScheduledStep.UNKNOWN) {
        all.add(activity(step));
      }
    }
    all.sort(Comparator.comparingLong(Activity::complete));
    return all;
  }

  private static Activity activity(ScheduledStep step) {
    Activity.Kind kind = Activity.Kind.FILL;
    int kernel = 0;
    String name = "memory";
    long bytes = 0;
    if (step.task instanceof StreamTask.Launch launch) {
      kind = Activity.Kind.KERNEL;
      kernel = launch.index() + 1;
      name = launch.name();
    } else if (step.task instanceof StreamTask.Copy copy) {
      kind =
          switch (copy.way()) {
            case TO_DEVICE -> Activity.Kind.TO_DEVICE;
            case TO_HOST -> Activity.Kind.TO_HOST;
            case ON_DEVICE -> Activity.Kind.ON_DEVICE;
            case ON_HOST -> Activity.Kind.HOST;
          };
      name = copy.pinned() || copy.way() == StreamTask.Way.ON_DEVICE ? "memory" : "pageable memory";
      bytes = copy.bytes();
    } else if (step.task instanceof StreamTask.Fill fill) {
      bytes = fill.bytes();
    }
    long taken = Math.max(Math.min(step.submitted, step.start), Math.min(step.ready, step.start));
    return new Activity(
        kind,
        kernel,
        name,
        step.stream,
        bytes,
        Math.min(step.submitted, taken),
        taken,
        step.start,
        step.end,
        step.end);
  }
}
