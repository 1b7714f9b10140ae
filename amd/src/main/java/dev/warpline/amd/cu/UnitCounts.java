package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TimedInstruction.GLOBAL_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.LDS_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.MORE_SCALAR_ALUS;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_ALU;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.UNITS;

import java.util.Map;

/** What the schedule stage counts for every unit, and why units took nothing. */
final class UnitCounts {
  /** Why a listed instruction stays where it is, by gem5's names of dispNrdyStalls. */
  enum Cause {
    SCALAR_ALU("ScalarAlu"),
    VECTOR_ALU("VectorAlu"),
    VECTOR_MEM_ISSUE("VectorMemIssue"),
    VECTOR_MEM_BUS_BUSY("VectorMemBusBusy"),
    VECTOR_MEM_COALESCER("VectorMemCoalescer"),
    VECTOR_MEM_REQS("VectorMemReqs"),
    SCALAR_MEM_ISSUE("ScalarMemIssue"),
    SCALAR_MEM_BUS_BUSY("ScalarMemBusBusy"),
    SCALAR_MEM_FIFO("ScalarMemFIFO"),
    LOCAL_MEM_ISSUE("LocalMemIssue"),
    LOCAL_MEM_BUS_BUSY("LocalMemBusBusy"),
    LOCAL_MEM_FIFO("LocalMemFIFO"),
    FLAT_MEM_ISSUE("FlatMemIssue"),
    FLAT_MEM_BUS_BUSY("FlatMemBusBusy"),
    FLAT_MEM_COALESCER("FlatMemCoalescer"),
    FLAT_MEM_REQS("FlatMemReqs");

    final String gem5;

    Cause(String gem5) {
      this.gem5 = gem5;
    }
  }

  private static final Cause[] CAUSES = Cause.values();

  private static final int READY = 0;
  private static final int REFUSED = 1;
  private static final int SENT = 2;
  private static final int WAITS = 3;
  private static final int KINDS = 4;

  /**
   * By unit, side by side: cycles in which a wave was ready for it, those in which none of them was
   * taken, instructions sent to it, and cycles in which it had one in its list and took none.
   */
  private final long[] counts = new long[UNITS * KINDS];

  private final long[] causes = new long[CAUSES.length];

  /** Units that took nothing when they were last looked at, why, and when that was. */
  private long waiting;

  private final byte[] cause = new byte[UNITS];
  private long lookedAt;

  /** What held in the cycle that was looked at last held until now. */
  void passed(long now) {
    for (long rest = waiting; rest != 0; rest &= rest - 1) {
      int unit = Long.numberOfTrailingZeros(rest);
      counts[unit * KINDS + WAITS] += now - lookedAt;
      causes[cause[unit]] += now - lookedAt;
    }
    waiting = 0;
    lookedAt = now;
  }

  void waits(int unit, Cause why) {
    waiting |= 1L << unit;
    cause[unit] = (byte) why.ordinal();
  }

  void ready(int unit) {
    counts[unit * KINDS + READY]++;
  }

  void refused(int unit) {
    counts[unit * KINDS + REFUSED]++;
  }

  void sent(int unit) {
    counts[unit * KINDS + SENT]++;
  }

  /** Adds what another compute unit has counted. */
  void add(UnitCounts other) {
    add(counts, other.counts);
    add(causes, other.causes);
  }

  private static void add(long[] sums, long[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
  }

  /** Writes what was counted for these units. */
  void put(int[] units, Map<String, Number> all) {
    for (int unit : units) {
      String name = name(unit);
      all.put("schedule.readyCycles." + name, counts[unit * KINDS + READY]);
      all.put("schedule.refusals." + name, counts[unit * KINDS + REFUSED]);
      all.put("schedule.sent." + name, counts[unit * KINDS + SENT]);
      all.put("schedule.listWaits." + name, counts[unit * KINDS + WAITS]);
    }
    for (Cause why : CAUSES) {
      all.put("schedule.notReady." + why.gem5, causes[why.ordinal()]);
    }
  }

  /** gem5's name of a unit. */
  private static String name(int unit) {
    return switch (unit) {
      case GLOBAL_PIPE -> "VectorMemPipe";
      case LDS_PIPE -> "SharedMemPipe";
      case SCALAR_PIPE -> "ScalarMemPipe";
      case SCALAR_ALU -> "ScalarALU0";
      default ->
          unit < SCALAR_ALU ? "VectorALU" + unit : "ScalarALU" + (unit - MORE_SCALAR_ALUS + 1);
    };
  }
}
