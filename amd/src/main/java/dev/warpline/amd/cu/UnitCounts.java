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

  /** Cycles in which a wave was ready for a unit, and those in which none of them was taken. */
  final long[] ready = new long[UNITS];

  final long[] refused = new long[UNITS];

  /** Instructions sent to a unit. */
  final long[] sent = new long[UNITS];

  /** Cycles in which a unit had an instruction in its list and took none. */
  final long[] waits = new long[UNITS];

  private final long[] causes = new long[CAUSES.length];

  /** Units that took nothing when they were last looked at, why, and when that was. */
  private long waiting;

  private final byte[] cause = new byte[UNITS];
  private long lookedAt;

  /** What held in the cycle that was looked at last held until now. */
  void passed(long now) {
    for (long rest = waiting; rest != 0; rest &= rest - 1) {
      int unit = Long.numberOfTrailingZeros(rest);
      waits[unit] += now - lookedAt;
      causes[cause[unit]] += now - lookedAt;
    }
    waiting = 0;
    lookedAt = now;
  }

  void waits(int unit, Cause why) {
    waiting |= 1L << unit;
    cause[unit] = (byte) why.ordinal();
  }

  /** Adds what another compute unit has counted. */
  void add(UnitCounts other) {
    add(ready, other.ready);
    add(refused, other.refused);
    add(sent, other.sent);
    add(waits, other.waits);
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
      all.put("schedule.readyCycles." + name, ready[unit]);
      all.put("schedule.refusals." + name, refused[unit]);
      all.put("schedule.sent." + name, sent[unit]);
      all.put("schedule.listWaits." + name, waits[unit]);
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
