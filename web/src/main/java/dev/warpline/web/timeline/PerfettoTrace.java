package dev.warpline.web.timeline;

import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.ProgramTime;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.FollowedLine;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.engine.profile.TimelineRecorder.Kind;
import dev.warpline.engine.profile.TimelineRecorder.Slice;
import dev.warpline.isa.Demangler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What ui.perfetto.dev shows of a run, in either of its formats. An SM is a process, a warp a
 * thread with its states as slices; memory requests have tracks of their own beside the warp, with
 * an arrow from the issue and one back to the warp when the data is there. Kernels follow each
 * other on one time axis; where the program's activities are known, they stand at their own times,
 * queue by queue, with copies and what comes before and after their work. Counters are kept for the
 * whole kernel. Where a core records stages, a second process per SM has lanes of each, from fetch
 * to write-back.
 */
final class PerfettoTrace {
  /** Slices on the tracks of warps. */
  private static final Set<Kind> OF_WARPS = Set.of(Kind.STATE, Kind.INSTRUCTION, Kind.MEMORY);

  /** Process of the counters; SMs are processes 1 and up. */
  private static final int GPU = 1;

  private static final int FIRST_SM = 2;

  /** Processes of SMs' stages come after those of any number of SMs. */
  private static final int FIRST_STAGES = 100_000;

  /** Process of a followed line's accesses. */
  private static final int FOLLOWED = FIRST_STAGES - 1;

  private static final int LANES_PER_STAGE = 1024;

  /** Thread of the kernels; 0 would be the idle thread of an operating system. */
  private static final int KERNELS = 1;

  /** Threads of queues: as many packets as may be in flight at a time. */
  private static final int FIRST_QUEUE = 1024;

  private static final int LANES_PER_QUEUE = 1024;

  /** Thread numbers of a warp: itself, then its request tracks. */
  private static final int TRACKS_PER_WARP = 256;

  private final TraceEvents events;
  private long origin;
  private long requests;

  private PerfettoTrace(TraceEvents events) {
    this.events = events;
  }

  static void write(RunResult run, TraceEvents events) throws IOException {
    PerfettoTrace trace = new PerfettoTrace(events);
    events.process(GPU, run.gpu());
    events.thread(GPU, KERNELS, "kernels");
    trace.queues(run);
    for (KernelResult kernel : run.kernels()) {
      trace.kernel(kernel, run);
    }
    events.end();
  }

  private void kernel(KernelResult kernel, RunResult run) throws IOException {
    boolean known = !run.activities().isEmpty();
    if (known) {
      origin = kernel.start();
    } else {
      slice(
          GPU,
          KERNELS,
          Demangler.shortName(kernel.name()),
          "kernel",
          0,
          kernel.cycles(),
          Map.of("launch", kernel.id(), "name", Demangler.demangle(kernel.name())));
    }
    if (kernel.profile() != null) {
      boolean alone =
          run.kernels().stream()
              .noneMatch(
                  other ->
                      other.id() != kernel.id()
                          && other.start() < kernel.end()
                          && kernel.start() < other.end());
      counters(kernel.profile().series(), alone || !known ? "" : " (kernel " + kernel.id() + ")");
      slices(kernel.profile());
      levels(kernel.profile());
      stages(kernel.profile());
      followed(kernel.profile());
    }
    origin += kernel.cycles();
  }

  /** What went through the queues: each packet takes the first lane of its queue that is free. */
  private void queues(RunResult run) throws IOException {
    List<Activity> inOrder = new ArrayList<>(run.activities());
    inOrder.sort(Comparator.comparingLong(Activity::taken).thenComparingLong(Activity::complete));
    Map<Integer, Long> ends = new HashMap<>();
    for (Activity activity : inOrder) {
      int first = FIRST_QUEUE + activity.queue() * LANES_PER_QUEUE;
      int lane = 0;
      while (ends.getOrDefault(first + lane, 0L) > activity.taken() && lane < LANES_PER_QUEUE - 1) {
        lane++;
      }
      if (ends.put(first + lane, activity.complete()) == null) {
        String which = lane == 0 ? "" : ", " + (lane + 1);
        events.thread(GPU, first + lane, queue(run, activity.queue()) + which);
      }
      queued(activity, first + lane);
    }
  }

  /** How a queue is called: AMD's by number, streams by name. */
  private static String queue(RunResult run, int number) {
    if (run.program() != null) {
      for (ProgramTime.StreamTime stream : run.program().streams()) {
        if (stream.stream() == number) {
          return stream.name();
        }
      }
    }
    return "queue " + number;
  }

  private void queued(Activity activity, int thread) throws IOException {
    if (activity.complete() == activity.taken()) {
      return;
    }
    Map<String, Object> arguments = new LinkedHashMap<>();
    if (activity.kernel() > 0) {
      arguments.put("launch", activity.kernel());
    }
    arguments.put("bytes", activity.bytes());
    arguments.put("submitted", activity.submitted());
    slice(
        GPU,
        thread,
        activity.kernel() > 0 ? Demangler.shortName(activity.name()) : activity.name(),
        activity.kind().words(),
        activity.taken(),
        activity.complete(),
        arguments);
    part("launch", activity.taken(), activity.start(), thread);
    part(activity.kind().words(), activity.start(), activity.end(), thread);
    part("completion", activity.end(), activity.complete(), thread);
  }

  private void part(String name, long from, long until, int thread) throws IOException {
    if (until > from) {
      slice(GPU, thread, name, "part", from, until, Map.of());
    }
  }

  /** What the whole GPU did over the whole kernel, a sample per bucket of its profile. */
  private void counters(KernelProfile.Series series, String of) throws IOException {
    long width = series.bucketCycles();
    long[] none = new long[series.l1Sectors().length];
    long[] issued = series.states().getOrDefault(StallReason.SELECTED, none);
    long[] passedOver = series.states().getOrDefault(StallReason.NOT_SELECTED, none);
    for (int i = 0; i < none.length; i++) {
      long at = i * width;
      double warps = 0;
      for (long[] state : series.states().values()) {
        warps += state[i];
      }
      counter("IPC" + of, at, (double) issued[i] / width);
      counter("active warps" + of, at, warps / width);
      counter("eligible warps" + of, at, (double) (issued[i] + passedOver[i]) / width);
      counter("L1 bytes per cycle" + of, at, 32.0 * series.l1Sectors()[i] / width);
      counter("L1 hit rate, %" + of, at, share(series.l1Hits()[i], series.l1Sectors()[i]));
      counter("L2 bytes per cycle" + of, at, 32.0 * series.l2Sectors()[i] / width);
      counter("L2 hit rate, %" + of, at, share(series.l2Hits()[i], series.l2Sectors()[i]));
      counter("DRAM read bytes per cycle" + of, at, (double) series.dramRead()[i] / width);
      counter("DRAM written bytes per cycle" + of, at, (double) series.dramWrite()[i] / width);
      for (Map.Entry<Level, long[]> level : series.levels().entrySet()) {
        counter(level.getKey().label() + of, at, (double) level.getValue()[i] / width);
      }
    }
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : 100.0 * part / all;
  }

  /** How many of an SM's warps, blocks and queue places are in use, at every change. */
  private void levels(KernelProfile profile) throws IOException {
    Map<Integer, Map<String, TreeMap<Long, Integer>>> changes = new TreeMap<>();
    for (Slice slice : profile.timeline()) {
      Map<String, TreeMap<Long, Integer>> its =
          changes.computeIfAbsent(slice.sm(), sm -> new TreeMap<>());
      switch (slice.kind()) {
        case STATE -> {
          change(its, "active warps", slice);
          boolean eligible =
              slice.reason() == StallReason.SELECTED || slice.reason() == StallReason.NOT_SELECTED;
          if (eligible) {
            change(its, "eligible warps", slice);
          }
        }
        case BLOCK -> change(its, Level.BLOCKS.label(), slice);
        case QUEUE -> change(its, slice.level().label(), slice);
        default -> {}
      }
    }
    for (Map.Entry<Integer, Map<String, TreeMap<Long, Integer>>> sm : changes.entrySet()) {
      for (Map.Entry<String, TreeMap<Long, Integer>> level : sm.getValue().entrySet()) {
        int now = 0;
        for (Map.Entry<Long, Integer> change : level.getValue().entrySet()) {
          now += change.getValue();
          if (change.getValue() != 0) {
            events.counter(FIRST_SM + sm.getKey(), level.getKey(), origin + change.getKey(), now);
          }
        }
      }
    }
  }

  private static void change(Map<String, TreeMap<Long, Integer>> its, String name, Slice slice) {
    TreeMap<Long, Integer> changes = its.computeIfAbsent(name, n -> new TreeMap<>());
    changes.merge(slice.from(), 1, Integer::sum);
    changes.merge(slice.until(), -1, Integer::sum);
  }

  private void counter(String name, long cycle, double value) throws IOException {
    events.counter(GPU, name, origin + cycle, value);
  }

  private void slices(KernelProfile profile) throws IOException {
    List<Slice> inOrder = new ArrayList<>(profile.timeline());
    inOrder.removeIf(slice -> !OF_WARPS.contains(slice.kind()));
    inOrder.sort(
        Comparator.comparingInt(Slice::sm)
            .thenComparingInt(Slice::warp)
            .thenComparingLong(Slice::from));
    Map<Integer, KernelProfile.Line> lines = profile.linesByRow();
    Map<Long, Long> trackEnds = new HashMap<>();
    Map<Long, TreeMap<Long, Slice>> states = new HashMap<>();
    for (Slice slice : inOrder) {
      if (slice.kind() == Kind.STATE) {
        states.computeIfAbsent(key(slice, 0), k -> new TreeMap<>()).put(slice.from(), slice);
      }
    }
    int sm = -1;
    int warp = -1;
    for (Slice slice : inOrder) {
      if (slice.sm() != sm) {
        sm = slice.sm();
        warp = -1;
        events.process(FIRST_SM + sm, "SM " + sm);
      }
      if (slice.warp() != warp) {
        warp = slice.warp();
        events.thread(FIRST_SM + sm, thread(warp, 0), "warp " + warp);
      }
      KernelProfile.Line line = lines.get(slice.row());
      if (slice.kind() == Kind.STATE) {
        state(slice, line);
      } else {
        int track = request(slice, line, trackEnds);
        arrows(slice, track, states.getOrDefault(key(slice, 0), new TreeMap<>()));
      }
    }
  }

  /** Instructions by stage: each takes the first lane of its stage that is free. */
  private void stages(KernelProfile profile) throws IOException {
    List<Slice> inOrder =
        profile.timeline().stream()
            .filter(slice -> slice.kind() == Kind.STAGE)
            .sorted(
                Comparator.comparingInt(Slice::sm)
                    .thenComparingLong(Slice::from)
                    .thenComparingInt(Slice::warp)
                    .thenComparingLong(Slice::instruction))
            .toList();
    Map<Integer, KernelProfile.Line> lines = profile.linesByRow();
    Map<Long, Long> ends = new HashMap<>();
    int sm = -1;
    for (Slice slice : inOrder) {
      int process = FIRST_STAGES + slice.sm();
      if (slice.sm() != sm) {
        sm = slice.sm();
        events.process(process, "stages of SM " + sm);
      }
      int lane = 0;
      while (ends.getOrDefault((long) sm << 32 | lane(slice, lane), 0L) > slice.from()
          && lane < LANES_PER_STAGE - 1) {
        lane++;
      }
      int thread = lane(slice, lane);
      if (ends.put((long) sm << 32 | thread, slice.until()) == null) {
        events.thread(process, thread, slice.stage().label() + " " + (lane + 1));
      }
      KernelProfile.Line line = lines.get(slice.row());
      slice(process, thread, "W" + slice.warp() + " " + line.text(), "stage", slice, line);
    }
  }

  /** Accesses to a followed line, each with its steps inside; those at a time have lanes. */
  private void followed(KernelProfile profile) throws IOException {
    FollowedLine line = profile.followed();
    if (line == null) {
      return;
    }
    events.process(FOLLOWED, "line 0x" + Long.toHexString(line.line()));
    Map<Integer, KernelProfile.Line> code = profile.linesByRow();
    List<Long> ends = new ArrayList<>();
    List<FollowedLine.Access> inOrder = new ArrayList<>(line.accesses());
    inOrder.sort(Comparator.comparingLong(FollowedLine.Access::issued));
    for (FollowedLine.Access access : inOrder) {
      int lane = 0;
      while (lane < ends.size() && ends.get(lane) > access.issued()) {
        lane++;
      }
      if (lane == ends.size()) {
        ends.add(0L);
        events.thread(FOLLOWED, lane + 1, "access " + (lane + 1));
      }
      ends.set(lane, access.done());
      KernelProfile.Line its = code.get(access.row());
      String who = access.sm() < 0 ? "" : "SM " + access.sm() + " ";
      String name = access.warp() < 0 ? access.what() : "W" + access.warp() + " " + its.text();
      Map<String, Object> arguments = new LinkedHashMap<>();
      arguments.put("access", access.what());
      arguments.put("L1", access.l1());
      if (its != null) {
        arguments.put("pc", "0x" + Integer.toHexString(its.pc()));
      }
      slice(FOLLOWED, lane + 1, who + name, "access", access.issued(), access.done(), arguments);
      for (FollowedLine.Step step : access.steps()) {
        slice(FOLLOWED, lane + 1, step.where(), "step", step.from(), step.until(), Map.of());
      }
    }
  }

  private static int lane(Slice slice, int lane) {
    return 1 + slice.stage().ordinal() * LANES_PER_STAGE + lane;
  }

  private void state(Slice slice, KernelProfile.Line line) throws IOException {
    boolean issued = slice.reason() == StallReason.SELECTED;
    String name = issued ? line.text() : slice.reason().label();
    int thread = thread(slice.warp(), 0);
    slice(FIRST_SM + slice.sm(), thread, name, slice.reason().key(), slice, line);
  }

  /** Requests of a warp overlap; each takes the first track that is free at its start. */
  private int request(Slice slice, KernelProfile.Line line, Map<Long, Long> ends)
      throws IOException {
    int track = 1;
    while (ends.getOrDefault(key(slice, track), 0L) > slice.from() && track < TRACKS_PER_WARP - 1) {
      track++;
    }
    int process = FIRST_SM + slice.sm();
    int thread = thread(slice.warp(), track);
    if (ends.put(key(slice, track), slice.until()) == null) {
      events.thread(process, thread, "warp " + slice.warp() + " in flight " + track);
    }
    String category = slice.kind() == Kind.MEMORY ? "memory" : "unit";
    slice(process, thread, line.text(), category, slice, line);
    return track;
  }

  /** From the issue to the request, and from its end to what the warp does then, if it lives. */
  private void arrows(Slice request, int track, TreeMap<Long, Slice> states) throws IOException {
    int process = FIRST_SM + request.sm();
    int warp = thread(request.warp(), 0);
    int flight = thread(request.warp(), track);
    long number = ++requests;
    Slice issue = at(states, request.from());
    if (issue != null && issue.reason() == StallReason.SELECTED) {
      events.departs(process, warp, flight, origin + request.from(), number);
    }
    if (at(states, request.until() - 1) != null) {
      events.arrives(process, flight, warp, origin + request.until() - 1, number);
    }
  }

  private static Slice at(TreeMap<Long, Slice> states, long cycle) {
    Map.Entry<Long, Slice> entry = states.floorEntry(cycle);
    return entry == null || entry.getValue().until() <= cycle ? null : entry.getValue();
  }

  private void slice(
      int process, int thread, String name, String category, Slice slice, KernelProfile.Line line)
      throws IOException {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("pc", "0x" + Integer.toHexString(line.pc()));
    arguments.put("instruction", line.text());
    slice(process, thread, name, category, slice.from(), slice.until(), arguments);
  }

  /** Writes a slice at cycles since the launch. */
  private void slice(
      int process,
      int thread,
      String name,
      String category,
      long from,
      long until,
      Map<String, ?> arguments)
      throws IOException {
    events.slice(process, thread, name, category, origin + from, origin + until, arguments);
  }

  private static long key(Slice slice, long track) {
    return ((long) slice.sm() << 40) | ((long) slice.warp() << 16) | track;
  }

  private static int thread(int warp, int track) {
    return 1 + warp * TRACKS_PER_WARP + track;
  }
}
