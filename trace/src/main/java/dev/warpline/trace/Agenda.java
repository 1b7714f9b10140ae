package dev.warpline.trace;

import java.io.IOException;
import java.util.List;

/**
 * When the launches of a program may start: what streams, events, copies and the host allow. A
 * machine asks for the next launch, says when it started it and when it ended, and asks again.
 * Whoever writes one may rely on the order of these calls, which is the same for every number of
 * threads. Times are core cycles, counted from the program's beginning.
 */
public interface Agenda {
  /** Later than anything. */
  long NEVER = Long.MAX_VALUE / 4;

  /** A launch that waits for no other at {@code griddepcontrol.wait}. */
  int NOBODY = -1;

  /**
   * A launch that may start.
   *
   * @param launch its {@link TraceCommand.Launch#index}
   * @param cycle not before this; a cycle of the past means at once
   * @param priority of its stream, as in CUDA: the smaller number's blocks are placed first
   * @param after a programmatic dependent launch starts before this one has ended, and its blocks
   *     wait for that end where they say so; {@link #NOBODY} for all others
   * @param whole whether all blocks must be resident at once: a cooperative launch
   * @param sms numbers of the SMs that it may use; empty for all
   * @param fresh whether it finds nothing of its code and constants in caches
   */
  record Start(
      int launch,
      long cycle,
      int priority,
      int after,
      boolean whole,
      List<Integer> sms,
      boolean fresh) {
    /** An ordinary launch. */
    public Start(int launch, long cycle) {
      this(launch, cycle, 0, NOBODY, false, List.of(), false);
    }
  }

  /**
   * Device memory that a copy or fill has written, through the L2.
   *
   * @param address of its first byte
   */
  record Written(long address, long bytes) {}

  /** What copies and fills have written up to a cycle, in the order of their ends; told once. */
  default List<Written> written(long cycle) {
    return List.of();
  }

  /**
   * The launch that may start first as things stand; null if none may.
   *
   * @param sure nothing that runs ends before this cycle; what may start later is told when this is
   *     later, too
   */
  Start next(long sure);

  /** The launch that {@link #next} named has started. */
  void started(int launch, long cycle);

  /** A launch that had started, but found no room, begins only now. */
  default void began(int launch, long cycle) {}

  /**
   * Every block of a launch has let its programmatic dependents go, or has ended. Told once, before
   * the launch's end.
   */
  default void released(int launch, long cycle) {}

  /** A launch has ended; one that the run leaves out ends as it starts. */
  void ended(int launch, long cycle);

  /** One launch after another, each as the one before it ends. */
  static Agenda inOrder(TraceSet program) {
    return new OneByOne(program);
  }

  /**
   * Launches of one stream in a row, of different streams side by side.
   *
   * @param atOnce so many run, or are next in the list, at a time
   */
  static Agenda inStreams(TraceSet program, int atOnce) throws IOException {
    return new InStreams(program, atOnce);
  }
}
