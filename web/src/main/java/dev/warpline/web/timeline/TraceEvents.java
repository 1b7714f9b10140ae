package dev.warpline.web.timeline;

import java.io.IOException;
import java.util.Map;

/**
 * Where the events of a timeline go: a format that a trace viewer opens. Processes and threads are
 * the viewer's words for groups of tracks and tracks. Times are core cycles.
 */
interface TraceEvents {
  /** Names a group of tracks, before anything stands in it. */
  void process(int process, String name) throws IOException;

  /** Names a track, before anything stands on it. */
  void thread(int process, int thread, String name) throws IOException;

  /**
   * Something took from one cycle to another; slices of a track lie inside each other or apart.
   *
   * @param arguments what the viewer shows when it is chosen: texts and numbers
   */
  void slice(
      int process,
      int thread,
      String name,
      String category,
      long from,
      long until,
      Map<String, ?> arguments)
      throws IOException;

  /** A counter of a group of tracks has a value from a cycle on. */
  void counter(int process, String name, long cycle, double value) throws IOException;

  /**
   * A request begins with a slice of its warp, and goes on with its own.
   *
   * @param request a number that no other request has
   */
  void departs(int process, int warp, int flight, long cycle, long request) throws IOException;

  /** A request's slice ends, and the warp goes on. */
  void arrives(int process, int flight, int warp, long cycle, long request) throws IOException;

  /** Everything was told. */
  void end() throws IOException;
}
