package dev.warpline.nvidia.program;

import dev.warpline.trace.program.StreamTask;
import java.util.ArrayList;
import java.util.List;

/** An operation, or a node of a graph, on its way through the GPU. Times are core cycles. */
final class ScheduledStep {
  /** What stands in the way to what comes next. */
  enum Kind {
    /** Runs on the SMs. */
    KERNEL,
    /** Runs on a copy engine. */
    ENGINE,
    /** A copy or fill that needs no copy engine. */
    NEAR,
    /** Takes no time by itself: events, the begin and end of a graph. */
    MARK
  }

  static final long UNKNOWN = -1;

  /** Number of the operation or node. */
  final int number;

  final StreamTask task;
  final int stream;
  final Kind kind;

  /** Number of the graph's launch that it is a node of; 0 for none. */
  final int graph;

  /** The node before it in its branch of the graph; null for a branch's first one. */
  ScheduledStep goesOn;

  /** What waits for this one, and whether it still does. */
  final List<Edge> dependents = new ArrayList<>();

  /** How many of its dependences, with its own submission, are still to come. */
  int missing = 1;

  /** The call that submitted it. */
  Call call;

  /** What had to end last before it could start; null if it was the host. */
  ScheduledStep because;

  /** What really ran last before a mark, since gaps are between such. */
  ScheduledStep last;

  long submitted = UNKNOWN;
  long ready;
  long start = UNKNOWN;
  long end = UNKNOWN;

  /** When it ends as things stand, if the schedule itself knows. */
  long expected = UNKNOWN;

  /** What is left to do of a copy that runs, in cycles that it would take alone. */
  double left;

  /** A programmatic launch that started before this one had ended. */
  int follows = dev.warpline.trace.Agenda.NOBODY;

  ScheduledStep(int number, StreamTask task, int stream, Kind kind, int graph) {
    this.number = number;
    this.task = task;
    this.stream = stream;
    this.kind = kind;
    this.graph = graph;
  }

  /** The step itself, or what ran last before a mark; null if nothing did. */
  ScheduledStep work() {
    return kind == Kind.MARK ? last : this;
  }

  /** Makes this one wait for another. */
  void after(ScheduledStep other) {
    if (other != null) {
      missing++;
      other.dependents.add(new Edge(this));
    }
  }

  /** Somebody waits for a step. */
  static final class Edge {
    final ScheduledStep to;
    boolean done;

    Edge(ScheduledStep to) {
      this.to = to;
    }
  }

  /** A call of the host. */
  static final class Call {
    final double gap;
    final double takes;

    /** From the end of what it waits for to its return. */
    final double back;

    /** What it submits; empty for a call that only waits. */
    final List<ScheduledStep> steps;

    /** What must have ended before it returns. */
    final List<ScheduledStep> awaits;

    long begin = UNKNOWN;
    long end = UNKNOWN;

    /** The last call before it that waited for the GPU; null if none did. */
    Call waited;

    Call(
        double gap,
        double takes,
        double back,
        List<ScheduledStep> steps,
        List<ScheduledStep> awaits) {
      this.gap = gap;
      this.takes = takes;
      this.back = back;
      this.steps = steps;
      this.awaits = awaits;
    }
  }
}
