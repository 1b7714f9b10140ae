package dev.warpline.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A strict reader of Chrome's JSON trace format ("Trace Event Format"), written from the format's
 * description and not from our writer. It refuses what a viewer would drop or draw wrongly: unknown
 * phases and fields of the wrong type, slices that overlap without nesting, arrows without both
 * ends or outside a slice, counters that go back in time, tracks without a name.
 */
final class ChromeTrace {
  /** A track: process and thread. */
  record Track(long process, long thread) {}

  /** A complete event; {@code depth} is 0 unless it lies inside another one of its track. */
  record Slice(String name, String category, long from, long until, int depth) {}

  /** An arrow from a slice of one track to a slice of another. */
  record Flow(Track from, long fromTime, Track to, long toTime) {}

  private static final Set<String> PHASES = Set.of("X", "C", "M", "s", "f");

  final Map<Track, List<Slice>> slices = new LinkedHashMap<>();
  final Map<String, TreeMap<Long, Double>> counters = new LinkedHashMap<>();
  final List<Flow> flows = new ArrayList<>();
  final Map<Long, String> processes = new HashMap<>();
  final Map<Track, String> threads = new HashMap<>();

  private final Map<String, JsonNode> openFlows = new HashMap<>();

  static ChromeTrace read(Path file) throws IOException {
    JsonNode root = new ObjectMapper().readTree(file.toFile());
    JsonNode events = root.get("traceEvents");
    require(events != null && events.isArray() && !events.isEmpty(), root, "no traceEvents");
    ChromeTrace trace = new ChromeTrace();
    for (JsonNode event : events) {
      trace.event(event);
    }
    trace.finish();
    return trace;
  }

  private void event(JsonNode event) {
    require(event.isObject(), event, "an event is an object");
    String phase = event.path("ph").asText();
    require(PHASES.contains(phase), event, "phase " + phase);
    require(event.path("name").isTextual(), event, "a name");
    require(event.path("pid").isIntegralNumber(), event, "a process");
    require(event.path("tid").isIntegralNumber(), event, "a thread");
    Track track = new Track(event.get("pid").asLong(), event.get("tid").asLong());
    require(track.process() > 0 && track.thread() > 0, event, "0 is the idle thread");
    if (phase.equals("M")) {
      metadata(event, track);
      return;
    }
    require(event.path("ts").isIntegralNumber(), event, "a time");
    require(event.get("ts").asLong() >= 0, event, "a time from 0 on");
    switch (phase) {
      case "X" -> slice(event, track);
      case "C" -> counter(event, track);
      default -> flow(event, phase);
    }
  }

  private void metadata(JsonNode event, Track track) {
    String name = event.path("args").path("name").asText();
    require(!name.isEmpty(), event, "a name in args");
    switch (event.get("name").asText()) {
      case "process_name" -> {
        String before = processes.put(track.process(), name);
        require(before == null || before.equals(name), event, "one name per process");
      }
      case "thread_name" -> {
        String before = threads.put(track, name);
        require(before == null || before.equals(name), event, "one name per thread");
      }
      default -> require(false, event, "process_name or thread_name");
    }
  }

  private void slice(JsonNode event, Track track) {
    require(event.path("dur").isIntegralNumber(), event, "a duration");
    long from = event.get("ts").asLong();
    long length = event.get("dur").asLong();
    require(length > 0, event, "a duration above 0");
    slices
        .computeIfAbsent(track, t -> new ArrayList<>())
        .add(
            new Slice(
                event.get("name").asText(), event.path("cat").asText(), from, from + length, 0));
  }

  private void counter(JsonNode event, Track track) {
    JsonNode args = event.path("args");
    require(args.isObject() && args.size() == 1, event, "one value in args");
    JsonNode value = args.elements().next();
    require(value.isNumber() && Double.isFinite(value.asDouble()), event, "a number");
    TreeMap<Long, Double> series =
        counters.computeIfAbsent(
            track.process() + "/" + event.get("name").asText(), name -> new TreeMap<>());
    long time = event.get("ts").asLong();
    require(series.isEmpty() || series.lastKey() < time, event, "a time after the last value");
    series.put(time, value.asDouble());
  }

  private void flow(JsonNode event, String phase) {
    require(event.has("id"), event, "an id");
    String key =
        event.path("cat").asText() + "/" + event.get("name").asText() + "/" + event.get("id");
    if (phase.equals("s")) {
      require(openFlows.put(key, event) == null, event, "a new id");
      return;
    }
    require(event.path("bp").asText().equals("e"), event, "an end bound to the slice around it");
    JsonNode start = openFlows.remove(key);
    require(start != null, event, "a beginning");
    Flow flow =
        new Flow(
            new Track(start.get("pid").asLong(), start.get("tid").asLong()),
            start.get("ts").asLong(),
            new Track(event.get("pid").asLong(), event.get("tid").asLong()),
            event.get("ts").asLong());
    require(flow.fromTime() <= flow.toTime(), event, "an end at or after its beginning");
    flows.add(flow);
  }

  private void finish() {
    require(openFlows.isEmpty(), null, "arrows without an end: " + openFlows.keySet());
    slices.forEach(
        (track, its) -> {
          require(processes.containsKey(track.process()), null, track + " without process name");
          require(threads.containsKey(track), null, track + " without name");
          nest(track, its);
        });
    for (Flow flow : flows) {
      require(at(flow.from(), flow.fromTime()) != null, null, flow + " begins outside a slice");
      require(at(flow.to(), flow.toTime()) != null, null, flow + " ends outside a slice");
    }
  }

  private static void nest(Track track, List<Slice> its) {
    its.sort(Comparator.comparingLong(Slice::from).thenComparing(s -> -s.until()));
    Deque<Slice> around = new ArrayDeque<>();
    for (int i = 0; i < its.size(); i++) {
      Slice slice = its.get(i);
      while (!around.isEmpty() && around.peek().until() <= slice.from()) {
        around.pop();
      }
      require(
          around.isEmpty() || slice.until() <= around.peek().until(),
          null,
          track + ": " + slice + " overlaps " + around.peek());
      its.set(
          i, new Slice(slice.name(), slice.category(), slice.from(), slice.until(), around.size()));
      around.push(slice);
    }
  }

  /** The innermost slice of a track at a time, or null. */
  Slice at(Track track, long time) {
    List<Slice> its = slices.getOrDefault(track, List.of());
    int low = 0;
    int high = its.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (its.get(middle).from() <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int i = low - 1; i >= 0; i--) {
      if (its.get(i).until() > time) {
        return its.get(i);
      }
      if (its.get(i).depth() == 0) {
        return null;
      }
    }
    return null;
  }

  private static void require(boolean holds, JsonNode event, String what) {
    if (!holds) {
      throw new AssertionError("expected " + what + (event == null ? "" : " in " + event));
    }
  }
}
