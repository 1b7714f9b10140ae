package dev.warpline.nvidia.program;

import dev.warpline.engine.Activity;
import dev.warpline.engine.ProgramTime;
import dev.warpline.engine.ProgramTime.Part;
import dev.warpline.engine.ProgramTime.PathStep;
import dev.warpline.isa.Demangler;
import dev.warpline.trace.program.Stream;
import dev.warpline.trace.program.StreamProgram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the account of a program's time from its schedule, once everything has ended. */
public final class ProgramTimes {
  private ProgramTimes() {}

  /** The account. */
  public static ProgramTime of(StreamProgram program, Schedule schedule) {
    CriticalPath path = new CriticalPath(schedule);
    List<PathStep> kept = path.steps();
    int more = Math.max(0, kept.size() - ProgramTime.KEPT);
    return new ProgramTime(
        path.end(),
        schedule.operations(),
        path.parts(),
        List.copyOf(kept.subList(0, kept.size() - more)),
        more,
        limit(path),
        streams(program, schedule.activities()));
  }

  private static List<ProgramTime.StreamTime> streams(StreamProgram program, List<Activity> all) {
    List<ProgramTime.StreamTime> times = new ArrayList<>();
    for (Stream stream : program.streams()) {
      List<Activity> its = all.stream().filter(a -> a.queue() == stream.number()).toList();
      if (its.isEmpty()) {
        continue;
      }
      List<Activity> kernels = its.stream().filter(a -> a.kernel() > 0).toList();
      List<Activity> copies = its.stream().filter(a -> a.kind().isTransfer()).toList();
      times.add(
          new ProgramTime.StreamTime(
              stream.number(),
              stream.name(),
              stream.priority(),
              kernels.size(),
              kernels.stream().mapToLong(Activity::cycles).sum(),
              copies.size(),
              copies.stream().mapToLong(Activity::cycles).sum(),
              copies.stream().mapToLong(Activity::bytes).sum(),
              Activity.busyCycles(its)));
    }
    return times;
  }

  /** One sentence: what most of the critical path is, and who in it. */
  private static String limit(CriticalPath path) {
    if (path.end() == 0) {
      return "nothing takes time";
    }
    Map.Entry<Part, Long> most =
        path.parts().entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    Map<String, Long> names = new LinkedHashMap<>();
    for (PathStep step : path.steps()) {
      if (step.part() == most.getKey()) {
        names.merge(step.name(), step.until() - step.from(), Long::sum);
      }
    }
    Map.Entry<String, Long> first =
        names.entrySet().stream()
            .max(
                Map.Entry.<String, Long>comparingByValue()
                    .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
            .orElseThrow();
    double share = 100.0 * most.getValue() / path.end();
    double firstShare = 100.0 * first.getValue() / path.end();
    String what =
        switch (most.getKey()) {
          case KERNEL ->
              String.format(
                  Locale.ROOT,
                  "kernels limit it: %.0f %% of the critical path, %s alone %.0f %%",
                  share,
                  Demangler.shortName(first.getKey()),
                  firstShare);
          case COPY, FILL ->
              String.format(
                  Locale.ROOT,
                  "%s limit it: %.0f %% of the critical path, %s %.0f %%",
                  most.getKey().words(),
                  share,
                  first.getKey(),
                  firstShare);
          case GAP ->
              String.format(
                  Locale.ROOT,
                  "gaps between operations limit it: %.0f %% of the critical path, more than the"
                      + " kernels themselves; fewer and longer kernels, or a graph, have fewer",
                  share);
          case CALL, START ->
              String.format(
                  Locale.ROOT,
                  "the host limits it: its calls are %.0f %% of the critical path; the GPU waits"
                      + " for them (a graph needs one call)",
                  share);
          case HOST ->
              String.format(
                  Locale.ROOT,
                  "the host limits it: work of its own is %.0f %% of the critical path",
                  share);
          case RETURN ->
              String.format(
                  Locale.ROOT,
                  "synchronization limits it: the way back to the host is %.0f %% of the critical"
                      + " path",
                  share);
        };
    return what;
  }
}
