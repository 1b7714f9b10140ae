package dev.warpline.nvidia.program;

import dev.warpline.engine.ProgramTime.Part;
import dev.warpline.engine.ProgramTime.PathStep;
import dev.warpline.trace.program.StreamTask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program's time hangs on: from its end back over what each operation waited for last, down
 * to the host's first call. The pieces follow each other without a hole.
 */
final class CriticalPath {
  private final List<ScheduledStep.Call> calls;
  private final Map<ScheduledStep.Call, Integer> numbers = new IdentityHashMap<>();
  private final List<PathStep> backwards = new ArrayList<>();
  private final Map<Part, Long> parts = new EnumMap<>(Part.class);
  private final long end;

  /** Everything before this cycle is still to be explained. */
  private long at;

  CriticalPath(Schedule schedule) {
    calls = schedule.calls();
    for (int i = 0; i < calls.size(); i++) {
      numbers.put(calls.get(i), i);
    }
    ScheduledStep last = null;
    for (ScheduledStep step : schedule.steps()) {
      if (step.end != ScheduledStep.UNKNOWN && (last == null || step.end > last.end)) {
        last = step;
      }
    }
    ScheduledStep.Call finalCall = calls.isEmpty() ? null : calls.get(calls.size() - 1);
    boolean hostIsLast =
        finalCall != null
            && finalCall.end != ScheduledStep.UNKNOWN
            && (last == null || finalCall.end > last.end);
    end = hostIsLast ? finalCall.end : last == null ? 0 : last.end;
    at = end;
    ScheduledStep next = hostIsLast ? host(finalCall) : last;
    while (next != null) {
      next = step(next);
    }
    add(Part.HOST, 0, "", 0);
    Collections.reverse(backwards);
  }

  long end() {
    return end;
  }

  List<PathStep> steps() {
    return backwards;
  }

  Map<Part, Long> parts() {
    return parts;
  }

  /** Explains the time from a cycle up to what is explained already. */
  private void add(Part part, int operation, String name, long from) {
    if (from < at) {
      backwards.add(new PathStep(part, operation, name, from, at));
      parts.merge(part, at - from, Long::sum);
      at = from;
    }
  }

  /** Explains a step; the one before it that counts, or null. */
  private ScheduledStep step(ScheduledStep step) {
    if (step.kind == ScheduledStep.Kind.MARK) {
      add(Part.GAP, step.number, "event", step.start);
    } else {
      add(part(step.task), step.number, name(step.task), step.start);
    }
    if (step.because == null) {
      add(Part.START, step.number, name(step.task), step.submitted);
      return host(step.call);
    }
    add(Part.GAP, step.number, name(step.task), Math.min(at, step.because.end));
    return step.because;
  }

  /** Explains what the host did up to the return of a call; what it had waited for, or null. */
  private ScheduledStep host(ScheduledStep.Call call) {
    int i = numbers.get(call);
    while (true) {
      ScheduledStep.Call one = calls.get(i);
      ScheduledStep awaited = latest(one);
      if (awaited != null
          && one.end != ScheduledStep.UNKNOWN
          && one.end <= at
          && awaited.end > one.begin) {
        add(Part.RETURN, number(one), "return", awaited.end);
        return awaited;
      }
      long called = Math.round(one.begin + one.takes);
      add(Part.HOST, 0, "host", called);
      add(Part.CALL, number(one), "call", one.begin);
      if (i == 0) {
        return null;
      }
      ScheduledStep.Call before = calls.get(--i);
      add(Part.HOST, 0, "host", before.end == ScheduledStep.UNKNOWN ? at : before.end);
    }
  }

  private static int number(ScheduledStep.Call call) {
    return call.steps.isEmpty() ? 0 : call.steps.get(0).number;
  }

  private static ScheduledStep latest(ScheduledStep.Call call) {
    ScheduledStep latest = null;
    for (ScheduledStep step : call.awaits) {
      if (step.end != ScheduledStep.UNKNOWN && (latest == null || step.end > latest.end)) {
        latest = step;
      }
    }
    return latest;
  }

  private static Part part(StreamTask task) {
    return task instanceof StreamTask.Launch
        ? Part.KERNEL
        : task instanceof StreamTask.Copy ? Part.COPY : Part.FILL;
  }

  private static String name(StreamTask task) {
    if (task instanceof StreamTask.Launch launch) {
      return launch.name();
    }
    if (task instanceof StreamTask.Copy copy) {
      return switch (copy.way()) {
        case TO_DEVICE -> "copy to the GPU";
        case TO_HOST -> "copy to the host";
        case ON_DEVICE -> "copy on the GPU";
        case ON_HOST -> "copy on the host";
      };
    }
    return task instanceof StreamTask.Fill ? "fill" : "event";
  }
}
