package dev.warpline.nvidia.emulate;

import dev.warpline.trace.WarpTrace;

/** An operation of which a tracer records more than its lanes: addresses, values, sectors. */
interface RecordedOperation extends LaneOperation {
  /**
   * Adds to a trace what was recorded when it was executed last.
   *
   * @param mask lanes that executed it; none if its guard was false for all
   */
  void record(WarpTrace trace, int mask);
}
