package dev.warpline.nvidia.program;

import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.ProgramSpec;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamTask;

/** What a description says that calls, gaps and copies cost, in core cycles. */
final class ProgramCosts {
  private static final long PIECE = 1 << 20;

  private final ProgramSpec spec;
  private final ClockSpec clocks;
  private final double afterKernelNs;

  /**
   * @param timed whether anything but kernels costs time; a description without a section {@code
   *     program} never does
   * @param afterKernelNs what the gap after a kernel has more
   */
  ProgramCosts(GpuDescription gpu, boolean timed, double afterKernelNs) {
    this.afterKernelNs = afterKernelNs;
    spec = timed ? gpu.program() : null;
    clocks = gpu.clocks();
  }

  /** A time in core cycles; nothing takes any where nothing but kernels does. */
  double cycles(double nanoseconds) {
    return spec == null ? 0 : clocks.cycles(nanoseconds);
  }

  /** A time in core cycles, whatever takes some. */
  double clocked(double nanoseconds) {
    return clocks.cycles(nanoseconds);
  }

  /** Copy engines of a direction. */
  int engines() {
    return spec == null ? 1 : spec.copies().engines();
  }

  /** Streams that a program may use; 0 for its own. */
  int streams() {
    return spec == null ? 0 : spec.streams().most();
  }

  /** What the host does of its own before a call. */
  double gap(StreamOperation operation) {
    return spec == null ? 0 : clocks.cycles(operation.gapNs());
  }

  /** How long a call takes the host if it waits for nothing. */
  double call(StreamOperation operation) {
    if (spec == null || operation.task() instanceof StreamTask.Host) {
      return 0;
    }
    if (operation.callNs() != StreamOperation.AS_DESCRIBED) {
      return clocks.cycles(operation.callNs());
    }
    ProgramSpec.Host host = spec.host();
    StreamTask task = operation.task();
    if (task instanceof StreamTask.Launch) {
      return cycles(host.launchNs());
    }
    if (task instanceof StreamTask.Graph) {
      return cycles(host.graphNs());
    }
    if (task instanceof StreamTask.Copy copy
        && copy.way() == StreamTask.Way.TO_DEVICE
        && !copy.pinned()) {
      return cycles(host.copyNs() + copy.bytes() / spec.copies().pageableToDeviceGBps());
    }
    if (task instanceof StreamTask.Copy || task instanceof StreamTask.Fill) {
      return cycles(host.copyNs());
    }
    return task instanceof StreamTask.Synchronize ? 0 : cycles(host.eventNs());
  }

  /** From a call's return until its work may start on an idle GPU. */
  double start() {
    return spec == null ? 0 : cycles(spec.host().startNs());
  }

  /** From the end of what a call waits for to its return; the host fetches pageable data itself. */
  double back(StreamTask task) {
    if (spec == null) {
      return 0;
    }
    double own =
        task instanceof StreamTask.Copy copy && !copy.pinned()
            ? copy.bytes() / spec.copies().pageableToHostGBps()
            : 0;
    return cycles(spec.host().returnNs() + own);
  }

  /** What runs a copy or fill. */
  ScheduledStep.Kind kind(StreamTask task) {
    if (task instanceof StreamTask.Launch) {
      return ScheduledStep.Kind.KERNEL;
    }
    if (task instanceof StreamTask.Copy copy) {
      boolean small =
          copy.way() == StreamTask.Way.TO_DEVICE
              && spec != null
              && copy.bytes() <= spec.copies().smallBytes();
      return copy.way() == StreamTask.Way.ON_DEVICE || small
          ? ScheduledStep.Kind.NEAR
          : ScheduledStep.Kind.ENGINE;
    }
    return task instanceof StreamTask.Fill ? ScheduledStep.Kind.NEAR : ScheduledStep.Kind.MARK;
  }

  /** How long a copy or fill takes by itself. */
  double takes(ScheduledStep step) {
    boolean node = step.kind == ScheduledStep.Kind.NEAR && isKernel(step);
    return takes(step.task) + (node ? cycles(spec.copies().nodeNs()) : 0);
  }

  private double takes(StreamTask task) {
    if (spec == null) {
      return 0;
    }
    ProgramSpec.Copies copies = spec.copies();
    if (task instanceof StreamTask.Fill fill) {
      return cycles(copies.fillNs() + fill.bytes() / copies.fillGBps());
    }
    if (!(task instanceof StreamTask.Copy copy) || copy.way() == StreamTask.Way.ON_HOST) {
      return 0;
    }
    return switch (copy.way()) {
      case ON_DEVICE -> cycles(copies.onDeviceNs() + copy.bytes() / copies.onDeviceGBps());
      case TO_HOST -> cycles(copies.toHostNs() + moved(copy) / copies.toHostGBps());
      default ->
          copy.bytes() <= copies.smallBytes()
              ? cycles(copies.smallNs())
              : cycles(copies.toDeviceNs() + moved(copy) / copies.toDeviceGBps());
    };
  }

  /**
   * Pageable memory goes through the driver's own in pieces; the last one is what is waited for.
   */
  private static long moved(StreamTask.Copy copy) {
    return copy.pinned() ? copy.bytes() : Math.min(copy.bytes(), PIECE);
  }

  /** An event's own time in its stream. */
  double event(StreamTask task) {
    return spec != null && task instanceof StreamTask.RecordEvent event && event.timing()
        ? cycles(spec.streams().timingNs())
        : 0;
  }

  /** From the end of what ran before to the start of what runs next. */
  double between(ScheduledStep before, ScheduledStep next) {
    if (spec == null || before == null || next.kind == ScheduledStep.Kind.MARK) {
      return 0;
    }
    double gap =
        sameStream(before, next)
            + (before.kind == ScheduledStep.Kind.KERNEL || isKernel(before)
                ? cycles(afterKernelNs)
                : 0);
    return before.stream == next.stream ? gap : gap + cycles(spec.streams().waitNs());
  }

  private double sameStream(ScheduledStep before, ScheduledStep next) {
    if (before.graph != 0 && before.graph == next.graph && isKernel(before) && isKernel(next)) {
      return cycles(spec.streams().nodeNs());
    }
    if (before.kind == ScheduledStep.Kind.KERNEL && next.kind == ScheduledStep.Kind.KERNEL) {
      return cycles(spec.streams().kernelNs());
    }
    boolean engine = before.kind == ScheduledStep.Kind.ENGINE;
    if (engine != (next.kind == ScheduledStep.Kind.ENGINE)) {
      return cycles(spec.copies().engineNs());
    }
    return engine ? 0 : cycles(spec.copies().nearNs());
  }

  /** Whether a step is a kernel for the GPU: in a graph a copy on the GPU and a fill are, too. */
  boolean isKernel(ScheduledStep step) {
    if (spec == null || step.graph == 0 || step.kind != ScheduledStep.Kind.NEAR) {
      return step.kind == ScheduledStep.Kind.KERNEL;
    }
    return step.task instanceof StreamTask.Fill fill
        ? fill.bytes() > spec.copies().smallFillBytes()
        : ((StreamTask.Copy) step.task).way() == StreamTask.Way.ON_DEVICE;
  }

  /** Between the starts of kernels that an event of another stream lets go. */
  double waiters() {
    return spec == null ? 0 : cycles(spec.streams().waitIntervalNs());
  }

  /** What the start of a copy takes more while others go the other way. */
  double bothWays() {
    return spec == null ? 0 : cycles(spec.copies().bothWaysNs());
  }

  /** Share of its bandwidth that a copy has while others go the other way. */
  double bothWaysShare() {
    return spec == null ? 1 : spec.copies().bothWaysShare();
  }

  /** Between the starts of two nodes of a graph that are ready together. */
  double nodes() {
    return spec == null ? 0 : cycles(spec.streams().nodeIntervalNs());
  }
}
