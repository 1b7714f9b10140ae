package dev.warpline.trace.program;

import java.util.List;

/** What an operation asks for. */
public sealed interface StreamTask {
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
  }

  /**
   * An operation of a graph.
   *
   * @param number of the operation in the program, from 1
   * @param line where it stands in its file, 0 if in none
   * @param node its name within the graph
   * @param after the nodes that it waits for
   * @param task a launch, a copy or a fill
   */
  record Node(int number, int line, int node, List<Integer> after, StreamTask task) {
    public Node {
      after = List.copyOf(after);
    }
  }

  /** The host does something of its own. */
  record Host() implements StreamTask {}
}
