package dev.warpline.web.timeline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.engine.profile.TimelineRecorder.Kind;
import dev.warpline.engine.profile.TimelineRecorder.Slice;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chrome's JSON trace format, which ui.perfetto.dev opens. One microsecond is one core cycle. An SM
 * is a process, a warp a thread with its states as slices; memory requests have tracks of their own
 * beside the warp, with an arrow from the issue and one back to the warp when the data is there.
 * Kernels follow each other on one time axis; where the program's activities are known, they stand
 * at their own times, queue by queue, with copies and what comes before and after their work.
 * Counters are kept for the whole kernel. Where a core records stages, a second process per SM has
 * lanes of each, from fetch to write-back.
 */
final class PerfettoTrace {
  /** Process of the counters; SMs are processes 1 and up. */
  private static final int GPU = 1;

  private static final int FIRST_SM = 2;

  /** Processes of SMs' stages come after those of any number of SMs. */
  private static final int FIRST_STAGES = 100_000;

  private static final int LANES_PER_STAGE = 1024;

  /** Thread of the kernels; 0 would be the idle thread of an operating system. */
  private static final int KERNELS = 1;

  /** Threads of queues: as many packets as may be in flight at a time. */
  private static final int FIRST_QUEUE = 1024;

  private static final int LANES_PER_QUEUE = 1024;

  /** Thread numbers of a warp: itself, then its request tracks. */
  private static final int TRACKS_PER_WARP = 256;

  private final JsonGenerator json;
  private long origin;
  private long flow;

  private PerfettoTrace(JsonGenerator json) {
    this.json = json;
  }

  static void write(RunResult run, Writer out) throws IOException {
    try (JsonGenerator json = new ObjectMapper().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("displayTimeUnit", "ns");
      json.writeObjectFieldStart("otherData");
      json.writeStringField("gpu", run.gpu());
      json.writeStringField("unit", "1 us is 1 core cycle");
      json.writeEndObject();
      json.writeArrayFieldStart("traceEvents");
      PerfettoTrace trace = new PerfettoTrace(json);
      trace.name("process_name", GPU, KERNELS, run.gpu());
      trace.name("thread_name", GPU, KERNELS, "kernels");
      trace.queues(run);
      for (KernelResult kernel : run.kernels()) {
        trace.kernel(kernel, run);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private void kernel(KernelResult kernel, RunResult run) throws IOException {
    boolean known = !run.activities().isEmpty();
    if (known) {
      origin = kernel.start();
    } else {
      begin("X", kernel.name(), GPU, KERNELS, 0);
      json.writeNumberField("dur", kernel.cycles());
      json.writeObjectFieldStart("args");
      json.writeNumberField("launch", kernel.id());
      json.writeEndObject();
      json.writeEndObject();
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
      stages(kernel.profile());
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
        name("thread_name", GPU, first + lane, "queue " + activity.queue() + which);
      }
      queued(activity, first + lane);
    }
  }

  private void queued(Activity activity, int thread) throws IOException {
    if (activity.complete() == activity.taken()) {
      return;
    }
    begin("X", activity.name(), GPU, thread, activity.taken());
    json.writeStringField("cat", activity.kind().words());
    json.writeNumberField("dur", activity.complete() - activity.taken());
    json.writeObjectFieldStart("args");
    if (activity.kernel() > 0) {
      json.writeNumberField("launch", activity.kernel());
    }
    json.writeNumberField("bytes", activity.bytes());
    json.writeNumberField("submitted", activity.submitted());
    json.writeEndObject();
    json.writeEndObject();
    part("launch", activity.taken(), activity.start(), thread);
    part(activity.kind().words(), activity.start(), activity.end(), thread);
    part("completion", activity.end(), activity.complete(), thread);
  }

  private void part(String name, long from, long until, int thread) throws IOException {
    if (until > from) {
      begin("X", name, GPU, thread, from);
      json.writeStringField("cat", "part");
      json.writeNumberField("dur", until - from);
      json.writeEndObject();
    }
  }

  private void counters(KernelProfile.Series series, String of) throws IOException {
    long width = series.bucketCycles();
    for (int i = 0; i < series.l1Sectors().length; i++) {
      long at = i * width;
      double warps = 0;
      for (long[] state : series.states().values()) {
        warps += state[i];
      }
      long[] issued = series.states().get(StallReason.SELECTED);
      counter("IPC" + of, at, issued == null ? 0 : (double) issued[i] / width);
      counter("active warps" + of, at, warps / width);
      counter("L1 bytes per cycle" + of, at, 32.0 * series.l1Sectors()[i] / width);
      counter("L2 bytes per cycle" + of, at, 32.0 * series.l2Sectors()[i] / width);
      counter("DRAM read bytes per cycle" + of, at, (double) series.dramRead()[i] / width);
      counter("DRAM written bytes per cycle" + of, at, (double) series.dramWrite()[i] / width);
    }
  }

  private void counter(String name, long cycle, double value) throws IOException {
    begin("C", name, GPU, KERNELS, cycle);
    json.writeObjectFieldStart("args");
    json.writeNumberField("value", value);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void slices(KernelProfile profile) throws IOException {
    List<Slice> inOrder = new ArrayList<>(profile.timeline());
    inOrder.removeIf(slice -> slice.kind() == Kind.STAGE);
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
        name("process_name", FIRST_SM + sm, thread(0, 0), "SM " + sm);
      }
      if (slice.warp() != warp) {
        warp = slice.warp();
        name("thread_name", FIRST_SM + sm, thread(warp, 0), "warp " + warp);
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
        name("process_name", process, lane(slice, 0), "stages of SM " + sm);
      }
      int lane = 0;
      while (ends.getOrDefault((long) sm << 32 | lane(slice, lane), 0L) > slice.from()
          && lane < LANES_PER_STAGE - 1) {
        lane++;
      }
      int thread = lane(slice, lane);
      if (ends.put((long) sm << 32 | thread, slice.until()) == null) {
        name("thread_name", process, thread, slice.stage().label() + " " + (lane + 1));
      }
      KernelProfile.Line line = lines.get(slice.row());
      begin("X", "W" + slice.warp() + " " + line.text(), process, thread, slice.from());
      json.writeStringField("cat", "stage");
      end(slice, line);
    }
  }

  private static int lane(Slice slice, int lane) {
    return 1 + slice.stage().ordinal() * LANES_PER_STAGE + lane;
  }

  private void state(Slice slice, KernelProfile.Line line) throws IOException {
    boolean issued = slice.reason() == StallReason.SELECTED;
    String name = issued ? line.text() : slice.reason().label();
    begin("X", name, FIRST_SM + slice.sm(), thread(slice.warp(), 0), slice.from());
    json.writeStringField("cat", slice.reason().key());
    end(slice, line);
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
      name("thread_name", process, thread, "warp " + slice.warp() + " in flight " + track);
    }
    begin("X", line.text(), process, thread, slice.from());
    json.writeStringField("cat", slice.kind() == Kind.MEMORY ? "memory" : "unit");
    end(slice, line);
    return track;
  }

  /** From the issue to the request, and from its end to what the warp does then, if it lives. */
  private void arrows(Slice request, int track, TreeMap<Long, Slice> states) throws IOException {
    int process = FIRST_SM + request.sm();
    int warp = thread(request.warp(), 0);
    int flight = thread(request.warp(), track);
    Slice issue = at(states, request.from());
    if (issue != null && issue.reason() == StallReason.SELECTED) {
      arrow(process, warp, flight, request.from());
    }
    if (at(states, request.until() - 1) != null) {
      arrow(process, flight, warp, request.until() - 1);
    }
  }

  private static Slice at(TreeMap<Long, Slice> states, long cycle) {
    Map.Entry<Long, Slice> entry = states.floorEntry(cycle);
    return entry == null || entry.getValue().until() <= cycle ? null : entry.getValue();
  }

  private void end(Slice slice, KernelProfile.Line line) throws IOException {
    json.writeNumberField("dur", slice.until() - slice.from());
    json.writeObjectFieldStart("args");
    json.writeStringField("pc", "0x" + Integer.toHexString(line.pc()));
    json.writeStringField("instruction", line.text());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void arrow(int process, int from, int to, long cycle) throws IOException {
    flow++;
    begin("s", "request", process, from, cycle);
    json.writeStringField("cat", "flow");
    json.writeNumberField("id", flow);
    json.writeEndObject();
    begin("f", "request", process, to, cycle);
    json.writeStringField("cat", "flow");
    json.writeNumberField("id", flow);
    json.writeStringField("bp", "e");
    json.writeEndObject();
  }

  private void name(String what, int process, int thread, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", "M");
    json.writeStringField("name", what);
    json.writeNumberField("pid", process);
    json.writeNumberField("tid", thread);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void begin(String phase, String name, int process, int thread, long cycle)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeStringField("name", name);
    json.writeNumberField("pid", process);
    json.writeNumberField("tid", thread);
    json.writeNumberField("ts", origin + cycle);
  }

  private static long key(Slice slice, long track) {
    return ((long) slice.sm() << 40) | ((long) slice.warp() << 16) | track;
  }

  private static int thread(int warp, int track) {
    return 1 + warp * TRACKS_PER_WARP + track;
  }
}
