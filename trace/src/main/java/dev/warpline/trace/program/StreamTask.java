package dev.warpline.trace.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What an operation asks for. */
public sealed interface StreamTask {
  /** Whether a task is a launch of a kernel with such a name. */
  static boolean isLaunch(StreamTask task, Predicate<String> names) {
    return task instanceof Launch launch && names.test(launch.name());
  }

  /**
   * A kernel.
   *
   * @param index of its launch command; {@link #UNKNOWN} if nothing is known of the kernel but that
   *     it ran
   * @param name as in the program
   * @param cooperative whether all its blocks must be resident at once
   * @param programmatic whether it may begin before the kernel in front of it has ended
   * @param ns how long it is known to take, for one without a trace; 0 if nobody knows
   */
  record Launch(int index, String name, boolean cooperative, boolean programmatic, double ns)
      implements StreamTask {
    /** A launch without a trace. */
    public static final int UNKNOWN = -1;

    /** An ordinary launch. */
    public Launch(int index, String name) {
      this(index, name, false, false, 0);
    }

    /** The same kernel, begun before the one in front of it has ended. */
    public Launch dependent() {
      return new Launch(index, name, cooperative, true, ns);
    }
  }

  /** Between which memories data are copied. */
  enum Way {
    TO_DEVICE,
    TO_HOST,
    ON_DEVICE,
    ON_HOST
  }

  /**
   * A copy.
   *
   * @param async whether the call returns before the copy has ended, as far as it can
   * @param pinned whether the host's memory cannot be paged out
   * @param to device address that it writes to; 0 if it writes to the host, or nobody knows
   */
  record Copy(Way way, long bytes, boolean async, boolean pinned, long to) implements StreamTask {
    /** A copy to nobody knows where. */
    public Copy(Way way, long bytes, boolean async, boolean pinned) {
      this(way, bytes, async, pinned, 0);
    }

    /**
     * Whether its call returns only after it has ended. From pageable memory the call itself takes
     * the data along, and returns.
     */
    public boolean holdsHost() {
      return way == Way.TO_HOST && (!async || !pinned) || way == Way.TO_DEVICE && pinned && !async;
    }
  }

  /**
   * Device memory is set to a value.
   *
   * @param to where; 0 if nobody knows
   */
  record Fill(long bytes, long to) implements StreamTask {
    /** Somewhere. */
    public Fill(long bytes) {
      this(bytes, 0);
    }
  }

  /**
   * An event that has happened when all before it in its stream has ended.
   *
   * @param timing whether it keeps the time, which costs the stream some
   */
  record RecordEvent(int event, boolean timing) implements StreamTask {}

  /** What follows in the stream waits for an event. */
  record WaitEvent(int event) implements StreamTask {}

  /** What the host waits for. */
  enum Scope {
    DEVICE,
    STREAM,
    EVENT
  }

  /** The host waits. */
  record Synchronize(Scope scope, int event) implements StreamTask {}

  /** A graph of operations, launched as one. */
  record Graph(List<Node> nodes) implements StreamTask {
    public Graph {
      nodes = List.copyOf(nodes);
    }

    /** The same graph without some kernels: what waited for them waits for what they waited for. */
    Graph without(Predicate<String> names) {
      Map<Integer, List<Integer>> gone = new HashMap<>();
      nodes.stream()
          .filter(node -> isLaunch(node.task(), names))
          .forEach(node -> gone.put(node.node(), node.after()));
      List<Node> left = new ArrayList<>();
      for (Node node : nodes) {
        if (!gone.containsKey(node.node())) {
          Set<Integer> after = new LinkedHashSet<>();
          ArrayDeque<Integer> look = new ArrayDeque<>(node.after());
          while (!look.isEmpty()) {
            int one = look.remove();
            if (gone.containsKey(one)) {
              look.addAll(gone.get(one));
            } else {
              after.add(one);
            }
          }
          left.add(
              new Node(
                  node.number(),
                  node.line(),
                  node.node(),
                  node.name(),
                  List.copyOf(after),
                  node.task()));
        }
      }
      return new Graph(left);
    }

    /** The same graph with kernels that wait for one such kernel alone as dependents of it. */
    Graph fused(Predicate<String> names) {
      Set<Integer> such = new HashSet<>();
      nodes.stream()
          .filter(node -> isLaunch(node.task(), names))
          .forEach(node -> such.add(node.node()));
      List<Node> all = new ArrayList<>();
      for (Node node : nodes) {
        boolean follows =
            such.contains(node.node())
                && node.after().size() == 1
                && such.contains(node.after().get(0));
        all.add(follows ? node.with(((Launch) node.task()).dependent()) : node);
      }
      return new Graph(all);
    }
  }

  /**
   * An operation of a graph.
   *
   * @param number of the operation in the program, from 1
   * @param line where it stands in its file, 0 if in none
   * @param node its number within the graph
   * @param name its name within the graph
   * @param after the nodes that it waits for
   * @param task a launch, a copy or a fill
   */
  record Node(int number, int line, int node, String name, List<Integer> after, StreamTask task) {
    public Node {
      after = List.copyOf(after);
    }

    /** A node that has no name but its number. */
    public Node(int number, int line, int node, List<Integer> after, StreamTask task) {
      this(number, line, node, String.valueOf(node), after, task);
    }

    /** The same node, doing something else. */
    public Node with(StreamTask other) {
      return new Node(number, line, node, name, after, other);
    }
  }

  /** The host does something of its own. */
  record Host() implements StreamTask {}
}
