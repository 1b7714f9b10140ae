package dev.warpline.trace.program;

import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.Problem;
import dev.warpline.trace.Problem.Skipped;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceFormatException;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A program: its streams, and its calls in the order in which the host makes them.
 *
 * @param file where it was read from, for messages
 * @param host whether calls and copies are the program's own; a kernel list of Accel-Sim says
 *     nothing of the host, so there kernels follow each other as their streams allow
 * @param streams every stream that an operation names
 * @param operations in the order of the calls
 */
public record StreamProgram(
    String file, boolean host, List<Stream> streams, List<StreamOperation> operations) {

  /**
   * @throws TraceFormatException if a stream is not known, an event is waited for that nobody
   *     recorded, or nodes of a graph wait for each other in a circle
   */
  public static StreamProgram of(
      String file, boolean host, List<Stream> streams, List<StreamOperation> operations)
      throws TraceFormatException {
    StreamProgram program =
        new StreamProgram(file, host, List.copyOf(streams), List.copyOf(operations));
    program.check();
    return program;
  }

  /** What a kernel list says: copies and launches, each in the stream of its kernel's header. */
  public static StreamProgram ofList(TraceSet set) throws IOException {
    Map<String, KernelHeader> headers = new HashMap<>();
    Map<Long, Integer> numbers = new TreeMap<>();
    numbers.put(0L, Stream.DEFAULT);
    List<StreamOperation> operations = new ArrayList<>();
    for (TraceCommand command : set.commands()) {
      int number = operations.size() + 1;
      if (command instanceof TraceCommand.Launch launch) {
        if (!headers.containsKey(launch.file())) {
          headers.put(launch.file(), header(set, launch));
        }
        KernelHeader header = headers.get(launch.file());
        long handle = header == null ? 0 : header.stream();
        numbers.putIfAbsent(handle, numbers.size());
        String name = header == null ? launch.file() : header.name();
        operations.add(
            new StreamOperation(
                number, 0, numbers.get(handle), new StreamTask.Launch(launch.index(), name)));
      } else if (command instanceof TraceCommand.MemcpyHtoD copy) {
        operations.add(
            new StreamOperation(
                number,
                0,
                Stream.DEFAULT,
                new StreamTask.Copy(
                    StreamTask.Way.TO_DEVICE, copy.bytes(), false, false, copy.address())));
      }
    }
    // Accel-Sim knows no default stream that others wait for.
    List<Stream> streams =
        numbers.values().stream().map(n -> new Stream(n, "stream " + n, 0, false)).toList();
    return of(set.name(), false, streams, operations);
  }

  /** A kernel that cannot be read is found out when it is its turn, and ends the run then. */
  private static KernelHeader header(TraceSet set, TraceCommand.Launch launch) {
    try {
      return set.header(launch);
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether all its kernels are in one stream, so that they can only follow each other. */
  public boolean inOneStream() {
    Set<Integer> used = new HashSet<>();
    for (StreamOperation operation : operations) {
      if (operation.task() instanceof StreamTask.Launch
          || operation.task() instanceof StreamTask.Graph) {
        used.add(operation.stream());
      }
    }
    return used.size() <= 1
        && operations.stream().noneMatch(one -> one.task() instanceof StreamTask.Graph);
  }

  /** Whether a kernel has such a name. */
  public boolean hasLaunch(Predicate<String> names) {
    for (StreamOperation one : operations) {
      boolean has =
          one.task() instanceof StreamTask.Graph graph
              ? graph.nodes().stream().anyMatch(node -> StreamTask.isLaunch(node.task(), names))
              : StreamTask.isLaunch(one.task(), names);
      if (has) {
        return true;
      }
    }
    return false;
  }

  /** The same program with other operations. */
  private StreamProgram with(List<StreamOperation> others) {
    return new StreamProgram(file, host, streams, List.copyOf(others));
  }

  /** The same program without some of its kernels: neither they nor their calls take time. */
  public StreamProgram without(Predicate<String> names) {
    List<StreamOperation> left = new ArrayList<>();
    for (StreamOperation one : operations) {
      if (one.task() instanceof StreamTask.Graph graph) {
        left.add(one.with(graph.without(names)));
      } else if (!StreamTask.isLaunch(one.task(), names)) {
        left.add(one);
      }
    }
    return with(left);
  }

  /**
   * The same program with some of its kernels as one where they follow each other in a stream or in
   * a graph: the host calls once, and the others start as dependent launches do.
   */
  public StreamProgram fused(Predicate<String> names) {
    List<StreamOperation> all = new ArrayList<>();
    Set<Integer> open = new HashSet<>();
    for (StreamOperation one : operations) {
      StreamTask task = one.task();
      if (task instanceof StreamTask.Graph graph) {
        open.remove(one.stream());
        all.add(one.with(graph.fused(names)));
      } else if (!StreamTask.isLaunch(task, names)) {
        open.remove(one.stream());
        all.add(one);
      } else if (open.add(one.stream())) {
        all.add(one);
      } else {
        all.add(
            new StreamOperation(
                one.number(),
                one.line(),
                one.stream(),
                ((StreamTask.Launch) task).dependent(),
                0,
                0));
      }
    }
    return with(all);
  }

  /**
   * The same program with streams whose kernels may use some of the SMs alone.
   *
   * @param sms by name or number of the stream
   * @throws TraceFormatException if a stream is not known
   */
  public StreamProgram onSms(Map<String, String> sms) throws TraceFormatException {
    Map<String, String> unknown = new HashMap<>(sms);
    List<Stream> all = new ArrayList<>();
    for (Stream stream : streams) {
      String its = unknown.remove(stream.name());
      String byNumber = unknown.remove(String.valueOf(stream.number()));
      String chosen = its != null ? its : byNumber != null ? byNumber : stream.sms();
      all.add(
          new Stream(stream.number(), stream.name(), stream.priority(), stream.blocking(), chosen));
    }
    if (!unknown.isEmpty()) {
      List<String> names = streams.stream().map(Stream::name).toList();
      throw bad(0, "SMs of stream " + unknown.keySet().iterator().next(), "one of " + names);
    }
    return new StreamProgram(file, host, all, operations);
  }

  /** A stream by its number. */
  public Stream stream(int number) {
    for (Stream stream : streams) {
      if (stream.number() == number) {
        return stream;
      }
    }
    throw new IllegalArgumentException("stream " + number + " of " + file);
  }

  private void check() throws TraceFormatException {
    Set<Integer> known = new HashSet<>();
    for (Stream stream : streams) {
      known.add(stream.number());
    }
    Set<Integer> recorded = new HashSet<>();
    for (StreamOperation one : operations) {
      StreamTask task = one.task();
      boolean alone =
          task instanceof StreamTask.Host
              || task instanceof StreamTask.Synchronize sync
                  && sync.scope() != StreamTask.Scope.STREAM;
      if (!alone && !known.contains(one.stream())) {
        throw bad(
            one.line(),
            "operation " + one.number() + " in stream " + one.stream() + ", which is not known",
            "one of the streams " + known);
      }
      if (task instanceof StreamTask.RecordEvent event) {
        recorded.add(event.event());
      }
      int awaited =
          task instanceof StreamTask.WaitEvent wait
              ? wait.event()
              : task instanceof StreamTask.Synchronize sync
                      && sync.scope() == StreamTask.Scope.EVENT
                  ? sync.event()
                  : Integer.MIN_VALUE;
      if (awaited != Integer.MIN_VALUE && !recorded.contains(awaited)) {
        throw bad(
            one.line(),
            "operation " + one.number() + " that waits for event " + awaited,
            "an event that was recorded before");
      }
      if (task instanceof StreamTask.Graph graph) {
        check(one, graph);
      }
    }
  }

  /** Every node waits for nodes that are there, and none for itself. */
  private void check(StreamOperation launch, StreamTask.Graph graph) throws TraceFormatException {
    Map<Integer, StreamTask.Node> nodes = new HashMap<>();
    for (StreamTask.Node node : graph.nodes()) {
      if (nodes.put(node.node(), node) != null) {
        throw bad(node.line(), "node " + node.name() + " a second time", "each node once");
      }
    }
    Set<Integer> done = new HashSet<>();
    while (done.size() < nodes.size()) {
      int before = done.size();
      for (StreamTask.Node node : graph.nodes()) {
        for (int after : node.after()) {
          if (!nodes.containsKey(after)) {
            throw bad(
                node.line(),
                "node " + node.name() + " that waits for node " + after + ", which is not there",
                "a node of the same graph");
          }
        }
        if (done.containsAll(node.after())) {
          done.add(node.node());
        }
      }
      if (done.size() == before) {
        StreamTask.Node stuck =
            graph.nodes().stream().filter(n -> !done.contains(n.node())).findFirst().orElseThrow();
        throw bad(
            stuck.line() == 0 ? launch.line() : stuck.line(),
            "a dependency cycle in the graph of operation "
                + launch.number()
                + ": "
                + circle(nodes, done, stuck),
            "nodes that wait for earlier ones only");
      }
    }
  }

  private static String circle(
      Map<Integer, StreamTask.Node> nodes, Set<Integer> done, StreamTask.Node from) {
    List<Integer> walked = new ArrayList<>();
    int at = from.node();
    while (!walked.contains(at)) {
      walked.add(at);
      at = nodes.get(at).after().stream().filter(n -> !done.contains(n)).findFirst().orElseThrow();
    }
    List<String> names = new ArrayList<>();
    walked
        .subList(walked.indexOf(at), walked.size())
        .forEach(n -> names.add("node " + nodes.get(n).name()));
    names.add("node " + nodes.get(at).name());
    return String.join(" waits for ", names);
  }

  private TraceFormatException bad(int line, String found, String expected) {
    return new TraceFormatException(
        new Problem(file, line, line == 0 ? 0 : 1, found, expected, Skipped.NOTHING));
  }
}
