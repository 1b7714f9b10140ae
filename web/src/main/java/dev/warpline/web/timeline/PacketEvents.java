package dev.warpline.web.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Perfetto's own format: a protobuf message {@code Trace} of packets, which describe tracks and
 * what happens on them. Field numbers are those of the published {@code trace_packet.proto} and the
 * files beside {@code track_event.proto}. One microsecond is one core cycle, as in the JSON.
 *
 * <p>Names, categories and names of arguments are written once and referred to by number. Slices
 * are pairs of events that must come in order, so those of a track are kept until the end.
 */
final class PacketEvents implements TraceEvents {
  private static final long NANOSECONDS = 1000;

  // Trace.
  private static final int PACKET = 1;

  // TracePacket.
  private static final int TIMESTAMP = 8;
  private static final int SEQUENCE = 10;
  private static final int TRACK_EVENT = 11;
  private static final int INTERNED = 12;
  private static final int FLAGS = 13;
  private static final int TRACK_DESCRIPTOR = 60;
  private static final int STATE_CLEARED = 1;
  private static final int NEEDS_STATE = 2;

  // TrackDescriptor, ProcessDescriptor, CounterDescriptor.
  private static final int UUID = 1;
  private static final int TRACK_NAME = 2;
  private static final int PROCESS = 3;
  private static final int PARENT = 5;
  private static final int COUNTER = 8;
  private static final int PID = 1;
  private static final int PROCESS_NAME = 6;
  private static final int UNIT = 3;
  private static final int UNIT_COUNT = 2;

  // TrackEvent.
  private static final int CATEGORY = 3;
  private static final int ARGUMENT = 4;
  private static final int TYPE = 9;
  private static final int NAME = 10;
  private static final int TRACK = 11;
  private static final int VALUE = 44;
  private static final int FLOW = 47;
  private static final int FLOW_ENDS = 48;
  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int INSTANT = 3;
  private static final int SAMPLE = 4;

  // InternedData, and what it holds.
  private static final int CATEGORIES = 1;
  private static final int NAMES = 2;
  private static final int ARGUMENT_NAMES = 3;
  private static final int IID = 1;
  private static final int INTERNED_NAME = 2;

  // DebugAnnotation.
  private static final int ARGUMENT_NAME = 1;
  private static final int INTEGER = 4;
  private static final int TEXT = 6;

  /** Tracks of counters are numbered from here, above those of threads. */
  private static final long FIRST_COUNTER = 1L << 60;

  private record Slice(
      String name, String category, long from, long until, Map<String, ?> arguments) {}

  /** Where a request's data comes back to a warp. */
  private record Arrival(long cycle, long request) {}

  /** A track, with what has to be put into order first. */
  private static final class Lane {
    final List<Slice> slices = new ArrayList<>();
    final List<Arrival> arrivals = new ArrayList<>();

    /** Requests that begin with the slice that begins at a cycle. */
    final Map<Long, List<Long>> departures = new HashMap<>();
  }

  private final OutputStream out;
  private final Map<Long, Lane> lanes = new LinkedHashMap<>();
  private final Map<String, Long> counters = new HashMap<>();
  private final Map<String, Long> categories = new HashMap<>();
  private final Map<String, Long> names = new HashMap<>();
  private final Map<String, Long> argumentNames = new HashMap<>();
  private Message interned = new Message();
  private final Set<Long> described = new HashSet<>();

  PacketEvents(OutputStream out) {
    this.out = out;
  }

  @Override
  public void process(int process, String name) throws IOException {
    Message described = new Message().number(PID, process).text(PROCESS_NAME, name);
    long track = track(process, 0);
    describe(track, new Message().message(PROCESS, described));
  }

  @Override
  public void thread(int process, int thread, String name) throws IOException {
    describe(
        track(process, thread),
        new Message().text(TRACK_NAME, name).number(PARENT, track(process, 0)));
  }

  private static long track(int process, int thread) {
    return (long) process << 32 | thread;
  }

  /** A kernel may name the tracks of the one before again. */
  private void describe(long track, Message descriptor) throws IOException {
    if (!described.add(track)) {
      return;
    }
    Message packet = new Message().number(SEQUENCE, 1);
    if (described.size() == 1) {
      packet.number(FLAGS, STATE_CLEARED);
    }
    write(packet.message(TRACK_DESCRIPTOR, descriptor.number(UUID, track)));
  }

  @Override
  public void slice(
      int process,
      int thread,
      String name,
      String category,
      long from,
      long until,
      Map<String, ?> arguments) {
    lane(process, thread).slices.add(new Slice(name, category, from, until, arguments));
  }

  private Lane lane(int process, int thread) {
    return lanes.computeIfAbsent(track(process, thread), track -> new Lane());
  }

  @Override
  public void counter(int process, String name, long cycle, double value) throws IOException {
    String key = process + " " + name;
    Long track = counters.get(key);
    if (track == null) {
      track = FIRST_COUNTER + counters.size();
      counters.put(key, track);
      describe(
          track,
          new Message()
              .text(TRACK_NAME, name)
              .number(PARENT, track(process, 0))
              .message(COUNTER, new Message().number(UNIT, UNIT_COUNT)));
    }
    event(cycle, new Message().number(TYPE, SAMPLE).number(TRACK, track).real(VALUE, value));
  }

  @Override
  public void departs(int process, int warp, int flight, long cycle, long request) {
    for (int thread : new int[] {warp, flight}) {
      lane(process, thread).departures.computeIfAbsent(cycle, c -> new ArrayList<>()).add(request);
    }
  }

  @Override
  public void arrives(int process, int flight, int warp, long cycle, long request) {
    lane(process, warp).arrivals.add(new Arrival(cycle, request));
  }

  @Override
  public void end() throws IOException {
    for (Map.Entry<Long, Lane> lane : lanes.entrySet()) {
      write(lane.getKey(), lane.getValue());
    }
    out.flush();
  }

  /** Slices of a track from the outermost in, each ended before what follows it begins. */
  private void write(long track, Lane lane) throws IOException {
    lane.slices.sort(
        Comparator.comparingLong(Slice::from)
            .thenComparing(Slice::until, Comparator.reverseOrder()));
    lane.arrivals.sort(Comparator.comparingLong(Arrival::cycle));
    Deque<Long> ends = new ArrayDeque<>();
    int arrived = 0;
    for (Slice slice : lane.slices) {
      arrived = arrivals(track, lane, arrived, slice.from(), ends);
      close(track, ends, slice.from());
      begin(track, slice, lane.departures.getOrDefault(slice.from(), List.of()));
      ends.push(slice.until());
    }
    arrivals(track, lane, arrived, Long.MAX_VALUE, ends);
    close(track, ends, Long.MAX_VALUE);
  }

  /** Arrivals before a cycle, each inside the slices that are open then. */
  private int arrivals(long track, Lane lane, int first, long before, Deque<Long> ends)
      throws IOException {
    int next = first;
    while (next < lane.arrivals.size() && lane.arrivals.get(next).cycle() < before) {
      Arrival arrival = lane.arrivals.get(next++);
      close(track, ends, arrival.cycle());
      event(
          arrival.cycle(),
          new Message()
              .number(TYPE, INSTANT)
              .number(TRACK, track)
              .number(NAME, intern(NAMES, names, "data"))
              .fixed(FLOW_ENDS, arrival.request()));
    }
    return next;
  }

  private void close(long track, Deque<Long> ends, long until) throws IOException {
    while (!ends.isEmpty() && ends.peek() <= until) {
      event(ends.pop(), new Message().number(TYPE, END).number(TRACK, track));
    }
  }

  private void begin(long track, Slice slice, List<Long> requests) throws IOException {
    Message event =
        new Message()
            .number(CATEGORY, intern(CATEGORIES, categories, slice.category()))
            .number(TYPE, BEGIN)
            .number(NAME, intern(NAMES, names, slice.name()))
            .number(TRACK, track);
    for (Map.Entry<String, ?> argument : slice.arguments().entrySet()) {
      Message annotation =
          new Message()
              .number(ARGUMENT_NAME, intern(ARGUMENT_NAMES, argumentNames, argument.getKey()));
      if (argument.getValue() instanceof Number number) {
        annotation.number(INTEGER, number.longValue());
      } else {
        annotation.text(TEXT, argument.getValue().toString());
      }
      event.message(ARGUMENT, annotation);
    }
    for (long request : requests) {
      event.fixed(FLOW, request);
    }
    event(slice.from(), event);
  }

  /** The number of a text; a new one goes into the next packet. */
  private long intern(int field, Map<String, Long> known, String text) {
    Long number = known.get(text);
    if (number == null) {
      number = known.size() + 1L;
      known.put(text, number);
      interned.message(field, new Message().number(IID, number).text(INTERNED_NAME, text));
    }
    return number;
  }

  private void event(long cycle, Message event) throws IOException {
    Message packet =
        new Message()
            .number(TIMESTAMP, cycle * NANOSECONDS)
            .number(SEQUENCE, 1)
            .number(FLAGS, NEEDS_STATE)
            .message(TRACK_EVENT, event);
    if (!interned.isEmpty()) {
      packet.message(INTERNED, interned);
      interned = new Message();
    }
    write(packet);
  }

  private void write(Message packet) throws IOException {
    new Message().message(PACKET, packet).writeTo(out);
  }
}
