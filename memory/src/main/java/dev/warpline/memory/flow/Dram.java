package dev.warpline.memory.flow;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.profile.MemoryRecorder;

/** Device memory. Times are core cycles. */
abstract class Dram {
  private MemoryRecorder recorder;

  @Counter(value = "read from device memory", unit = "bytes")
  long bytesRead;

  @Counter(value = "written to device memory", unit = "bytes")
  long bytesWritten;

  @Counter("accesses that had to open another row")
  long rowMisses;

  static Dram of(FlowMemorySpec spec, ClockSpec clocks) {
    return spec.dram().loaded() == null
        ? new LinkDram(spec, clocks)
        : new StandardDram(spec, clocks);
  }

  final void record(MemoryRecorder into) {
    recorder = into;
  }

  /** A kernel starts at cycle 0. */
  abstract void reset();

  /**
   * Moves bytes of one fetch unit.
   *
   * @return when the channel has moved them, without the fixed latency
   */
  abstract double access(double time, long address, int side, int bytes, boolean write);

  /** Latency of a read whose bytes the channel has moved at a time. */
  abstract double latency(double time, long address, int side);

  /** The part of that which every read has. */
  abstract long latencyCycles();

  final void moved(int channel, double when, int bytes, boolean write) {
    if (write) {
      bytesWritten += bytes;
    } else {
      bytesRead += bytes;
    }
    if (recorder != null) {
      recorder.dram(channel, (long) when, bytes, write);
    }
  }
}
