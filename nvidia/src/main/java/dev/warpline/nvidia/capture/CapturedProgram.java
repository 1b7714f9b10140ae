package dev.warpline.nvidia.capture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.trace.Problem;
import dev.warpline.trace.Problem.Skipped;
import dev.warpline.trace.TraceFormatException;
import dev.warpline.trace.program.Stream;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamProgram;
import dev.warpline.trace.program.StreamTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a capture says of the program around its kernels, and when things really happened, where
 * that was recorded. Launches have the indexes of those whose contents were recorded, in order.
 *
 * @param program with the host's recorded times where there are any
 * @param times by number of the operation; empty without {@code times.jsonl}
 */
public record CapturedProgram(StreamProgram program, Map<Integer, Times> times) {
  /** No wait needs longer to return once it is over; whatever takes longer is the host's. */
  private static final long RETURN_NS = 2000;

  /** What was handed over starts this much later on an idle GPU. */
  private static final long START_NS = 2500;

  /**
   * When an operation happened, in nanoseconds.
   *
   * @param called entry of the call
   * @param returned its exit
   * @param start of the GPU's work; -1 where the GPU did none
   * @param end likewise
   * @param took how long the GPU worked: the median where it was measured several times
   */
  public record Times(long called, long returned, long start, long end, double took) {
    /** Whether the GPU did something. */
    public boolean worked() {
      return start >= 0;
    }
  }

  /** Reads what a capture says. */
  public static CapturedProgram of(Capture capture) throws IOException {
    Map<Integer, Times> times = new TreeMap<>();
    try (Reader file = capture.times()) {
      if (file != null) {
        read(capture.name(), new BufferedReader(file), times);
      }
    }
    return new Assembly(capture, times).read();
  }

  private static void read(String capture, BufferedReader in, Map<Integer, Times> times)
      throws IOException {
    ObjectMapper json = new ObjectMapper();
    int number = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      number++;
      try {
        JsonNode node = json.readTree(line);
        if (node.has("n")) {
          long called = node.path("call").path(0).asLong(-1);
          long start = node.path("start").asLong(-1);
          long end = node.path("end").asLong(-1);
          long returned = node.path("call").path(1).asLong(called);
          double took = node.has("took") ? median(node.get("took")) : end - start;
          if (Double.isNaN(took)) {
            throw wrong(capture, number, "took " + node.get("took"), "a list of nanoseconds");
          }
          times.put(node.get("n").asInt(), new Times(called, returned, start, end, took));
        }
      } catch (JsonProcessingException e) {
        throw wrong(capture, number, e.getOriginalMessage(), "a JSON object per line");
      }
    }
  }

  private static TraceFormatException wrong(
      String capture, int line, String found, String expected) {
    String file = capture + "/" + CaptureFiles.TIMES;
    return new TraceFormatException(new Problem(file, line, 1, found, expected, Skipped.NOTHING));
  }

  /** The median of a list of times; not a number if it is none. */
  private static double median(JsonNode values) {
    List<Long> sorted = new ArrayList<>();
    for (JsonNode value : values) {
      if (!value.canConvertToLong() || value.asLong() < 0) {
        return Double.NaN;
      }
      sorted.add(value.asLong());
    }
    if (!values.isArray() || sorted.isEmpty()) {
      return Double.NaN;
    }
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
  }

  /** A program put together line by line. */
  private static final class Assembly {
    private final Capture capture;
    private final Map<Integer, Times> times;
    private final Map<Integer, Stream> streams = new TreeMap<>();
    private final List<StreamOperation> operations = new ArrayList<>();

    /** Nodes by the graph launch they belong to: the latest of that graph. */
    private final Map<Long, List<StreamTask.Node>> nodes = new HashMap<>();

    private int launches;
    private long returned = -1;
    private long lastEnd = -1;

    Assembly(Capture capture, Map<Integer, Times> times) {
      this.capture = capture;
      this.times = times;
      streams.put(Stream.DEFAULT, Stream.plain(Stream.DEFAULT));
    }

    CapturedProgram read() throws IOException {
      Map<StreamOperation, List<StreamTask.Node>> graphs = new HashMap<>();
      for (CaptureEvent event : capture.events()) {
        if (event instanceof CaptureEvent.Stream one) {
          streams.put(
              one.stream(),
              new Stream(one.stream(), "stream " + one.stream(), one.priority(), one.blocking()));
        } else if (event instanceof CaptureEvent.Graph graph) {
          nodes.put(graph.graph(), new ArrayList<>());
          add(graph, graph.stream(), new StreamTask.Graph(List.of()));
          graphs.put(operations.get(operations.size() - 1), nodes.get(graph.graph()));
        } else if (event instanceof CaptureEvent.Launch launch) {
          add(launch, launch.stream(), launch.place(), launch(launch));
        } else if (event instanceof CaptureEvent.Copy copy) {
          add(copy, copy.stream(), copy.place(), copy(copy));
        } else if (event instanceof CaptureEvent.Fill fill) {
          add(fill, fill.stream(), fill.place(), new StreamTask.Fill(fill.bytes(), fill.to()));
        } else if (event instanceof CaptureEvent.Order order) {
          add(order, order.stream(), order(order));
        }
      }
      List<StreamOperation> whole = new ArrayList<>();
      for (StreamOperation one : operations) {
        List<StreamTask.Node> its = graphs.get(one);
        whole.add(
            its == null
                ? one
                : new StreamOperation(
                    one.number(),
                    one.line(),
                    one.stream(),
                    new StreamTask.Graph(its),
                    one.gapNs(),
                    one.callNs()));
      }
      return new CapturedProgram(
          StreamProgram.of(
              capture.name() + "/" + CaptureFiles.EVENTS,
              true,
              List.copyOf(streams.values()),
              whole),
          times);
    }

    private StreamTask launch(CaptureEvent.Launch launch) {
      Times time = times.get((int) launch.n());
      return new StreamTask.Launch(
          launch.skipped() == null ? launches++ : StreamTask.Launch.UNKNOWN,
          launch.kernel(),
          launch.cooperative(),
          launch.programmatic(),
          time == null || !time.worked() ? 0 : time.end() - time.start());
    }

    private static StreamTask copy(CaptureEvent.Copy copy) {
      StreamTask.Way way =
          switch (copy.kind()) {
            case "HtoD" -> StreamTask.Way.TO_DEVICE;
            case "DtoH" -> StreamTask.Way.TO_HOST;
            case "DtoD" -> StreamTask.Way.ON_DEVICE;
            default -> StreamTask.Way.ON_HOST;
          };
      boolean device = way == StreamTask.Way.TO_DEVICE || way == StreamTask.Way.ON_DEVICE;
      return new StreamTask.Copy(
          way, copy.bytes(), copy.async(), copy.pinned(), device ? copy.to() : 0);
    }

    private static StreamTask order(CaptureEvent.Order order) {
      return switch (order.what()) {
        case "record" -> new StreamTask.RecordEvent(order.id(), false);
        case "wait" -> new StreamTask.WaitEvent(order.id());
        case "synchronize stream" -> new StreamTask.Synchronize(StreamTask.Scope.STREAM, 0);
        case "synchronize event" -> new StreamTask.Synchronize(StreamTask.Scope.EVENT, order.id());
        default -> new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0);
      };
    }

    private void add(
        CaptureEvent.Operation event, int stream, CaptureEvent.Place place, StreamTask task) {
      List<StreamTask.Node> graph = nodes.get(place.graph());
      if (place.graph() == 0 || graph == null) {
        add(event, stream, task);
      } else {
        Times time = times.get((int) event.n());
        lastEnd = Math.max(lastEnd, time == null ? -1 : time.end());
        graph.add(
            new StreamTask.Node(
                (int) event.n(), (int) event.line(), place.node(), place.after(), task));
      }
    }

    private void add(CaptureEvent.Operation event, int stream, StreamTask task) {
      Times time = times.get((int) event.n());
      double gap = 0;
      double call = StreamOperation.AS_DESCRIBED;
      if (time != null && time.called() >= 0) {
        gap = returned < 0 ? 0 : Math.max(0, time.called() - returned);
        boolean waits =
            task instanceof StreamTask.Synchronize
                || task instanceof StreamTask.Copy copy && copy.holdsHost();
        // A call may go on for long after it has handed its work over, e.g. the first of all.
        long submitted =
            time.worked()
                ? Math.min(time.returned(), Math.max(time.called(), time.start() - START_NS))
                : time.returned();
        if (!waits || time.worked() && lastEnd < time.called()) {
          call = submitted - time.called();
          returned = Math.max(returned, submitted);
        }
        lastEnd = Math.max(lastEnd, time.end());
        if (waits) {
          // How long it waits is the model's business; what the host did after that is its own.
          long over = Math.max(time.called(), lastEnd + RETURN_NS);
          returned = Math.max(returned, Math.min(time.returned(), over));
        }
      }
      operations.add(
          new StreamOperation((int) event.n(), (int) event.line(), stream, task, gap, call));
    }
  }
}
