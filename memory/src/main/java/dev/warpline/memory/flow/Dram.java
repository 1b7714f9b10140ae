package dev.warpline.memory.flow;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.LineTrail;
import dev.warpline.engine.profile.MemoryRecorder;

/** Device memory. Times are core cycles. */
public abstract class Dram {
  private MemoryRecorder recorder;

  /** Where the request that is being served is followed; null for all others. */
  LineTrail trail;

  @Counter(value = "read from device memory", unit = "bytes")
  long bytesRead;

  @Counter(value = "written to device memory", unit = "bytes")
  long bytesWritten;

  @Counter("accesses that had to open another row")
  long rowMisses;

  /** Accesses that had to open another row. */
  public long rowMisses() {
    return rowMisses;
  }

  static Dram of(FlowMemorySpec spec, ClockSpec clocks, Past past) {
    return spec.dram().loaded() == null
        ? new LinkDram(spec, clocks, past)
        : new StandardDram(spec.dram(), clocks, spec.partitions());
  }

  /** Channels by a standard that serve all addresses alike. */
  public static Dram of(FlowMemorySpec.Dram standard, ClockSpec clocks) {
    return new StandardDram(standard, clocks, 1);
  }

  /** Writes traffic down; null writes nothing. */
  public final void record(MemoryRecorder into) {
    recorder = into;
  }

  /** A kernel starts at cycle 0. */
  abstract void reset();

  /**
   * Moves bytes of one fetch unit.
   *
   * @return when the channel has moved them, without the fixed latency; if they are written, when
   *     it has taken them
   */
  public abstract double access(double time, long address, int side, int bytes, boolean write);

  /** Latency of a read whose bytes the channel has moved at a time. */
  abstract double latency(double time, long address, int side);

  /** The part of that which every read has. */
  public abstract long latencyCycles();

  /** A channel was asked for bytes at a time and has moved them at another. */
  final void moved(int channel, double asked, double when, int bytes, boolean write) {
    if (write) {
      bytesWritten += bytes;
    } else {
      bytesRead += bytes;
    }
    if (recorder != null) {
      recorder.dram(channel, (long) when, bytes, write);
      recorder.stays(Level.DRAM_QUEUE, asked, when);
    }
  }
}
