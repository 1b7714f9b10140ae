package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.policy.LowestBit;
import java.util.Arrays;

/**
 * The fixed-latency units. An instruction that enters a unit in cycle t keeps its dispatch register
 * until t + interval and is written back in t + latency + 2, so the pipeline stages need not be
 * stepped: a wheel holds who is written back when.
 */
final class ExecutionUnits {
  /** Cycles from leaving the last stage to the write-back stage. */
  private static final int TO_WRITE_BACK = 2;

  private static final int WHEEL = 1024;

  private final Pipeline pipeline;
  private final InFlight flight;
  private final ClassicWarps warps;
  private final boolean subCores;
  private final int resultBuses;
  private final int[] unitStart = new int[UnitKind.COUNT + 1];
  private final long[] freeAt;

  /** Cycles in which a unit's last stage is taken, as bits of a ring. */
  private final long[] takenStages;

  private final int[] due = new int[WHEEL];
  private final long[] dueBits = new long[WHEEL / Long.SIZE];
  private final byte[] busesUsed = new byte[WHEEL];
  private final int[] order;
  private int inFlight;

  ExecutionUnits(ClassicCoreSpec spec, Pipeline pipeline, InFlight flight, ClassicWarps warps) {
    this.pipeline = pipeline;
    this.flight = flight;
    this.warps = warps;
    subCores = spec.frontEnd().subCoreModel();
    resultBuses = spec.widths().exWb();
    ClassicCoreSpec.Units u = spec.units();
    int[] counts = new int[UnitKind.COUNT];
    counts[UnitKind.SP] = u.sp().count();
    counts[UnitKind.DP] = u.dp().count();
    counts[UnitKind.INT] = u.integer().count();
    counts[UnitKind.SFU] = u.sfu().count();
    for (int i = 0; i < u.specialized().size(); i++) {
      counts[UnitKind.SPECIALIZED + i] = u.specialized().get(i).count();
    }
    for (int k = 0; k < UnitKind.COUNT; k++) {
      unitStart[k + 1] = unitStart[k] + counts[k];
    }
    freeAt = new long[unitStart[UnitKind.COUNT]];
    takenStages = new long[freeAt.length * WHEEL / Long.SIZE];
    Arrays.fill(due, InFlight.NONE);
    order = Arrays.stream(UnitKind.EXECUTION_ORDER).filter(k -> counts[k] > 0).toArray();
  }

  /**
   * Units take instructions from the collectors.
   *
   * @return the first cycle in which a unit that is busy now can take the instruction that waits
   *     for it; {@code Long.MAX_VALUE} if nothing waits
   */
  long cycle(long now) {
    long retry = Long.MAX_VALUE;
    int kinds = pipeline.collectedKinds & ~(1 << UnitKind.MEMORY);
    if (kinds == 0) {
      return retry;
    }
    for (int kind : order) {
      if ((kinds >>> kind & 1) == 0) {
        continue;
      }
      PipelineRegister register = pipeline.collected[kind];
      int first = unitStart[kind];
      int count = unitStart[kind + 1] - first;
      if (subCores) {
        for (int left = register.full & -1 >>> Integer.SIZE - count; left != 0; left &= left - 1) {
          int slot = LowestBit.of(left);
          retry = Math.min(retry, cycle(kind, first + slot, slot, now));
        }
      } else {
        for (int i = 0; i < count && register.full != 0; i++) {
          retry = Math.min(retry, cycle(kind, first + i, register.oldest(flight), now));
        }
      }
    }
    return retry;
  }

  /** A unit takes the instruction in a slot, or says when it can. */
  private long cycle(int kind, int unit, int slot, long now) {
    if (freeAt[unit] > now) {
      return freeAt[unit];
    }
    if (!start(unit, pipeline.collected[kind].get(slot), now)) {
      return now + 1;
    }
    pipeline.start(kind, slot);
    return Long.MAX_VALUE;
  }

  private boolean start(int unit, int instruction, long now) {
    ClassicCode code = warps.code[flight.warp[instruction]];
    int row = flight.row[instruction];
    int latency = code.latency[row];
    int at = (int) (now + latency) & WHEEL - 1;
    int word = unit * (WHEEL / Long.SIZE) + (at >> 6);
    if ((takenStages[word] >>> at & 1) != 0 || busesUsed[at] >= resultBuses) {
      return false;
    }
    takenStages[word] |= 1L << at;
    busesUsed[at]++;
    freeAt[unit] = now + code.interval[row];
    int when = (int) (now + latency + TO_WRITE_BACK) & WHEEL - 1;
    flight.next[instruction] = due[when];
    due[when] = instruction;
    dueBits[when >> 6] |= 1L << when;
    // The unit's bit is cleared when the instruction is written back.
    flight.group[instruction] = unit;
    inFlight++;
    return true;
  }

  /** Takes the instructions to write back in this cycle, as a list; NONE if there are none. */
  int writeBack(long now) {
    int at = (int) now & WHEEL - 1;
    int list = due[at];
    if (list != InFlight.NONE) {
      due[at] = InFlight.NONE;
      dueBits[at >> 6] &= ~(1L << at);
      int stage = (int) (now - TO_WRITE_BACK) & WHEEL - 1;
      busesUsed[stage] = 0;
      for (int i = list; i != InFlight.NONE; i = flight.next[i]) {
        takenStages[flight.group[i] * (WHEEL / Long.SIZE) + (stage >> 6)] &= ~(1L << stage);
        inFlight--;
      }
    }
    return list;
  }

  /** The next cycle from {@code now} on in which something is written back. */
  long nextWriteBack(long now) {
    if (inFlight == 0) {
      return Long.MAX_VALUE;
    }
    int at = (int) now & WHEEL - 1;
    long first = dueBits[at >> 6] >>> at;
    if (first != 0) {
      return now + LowestBit.of(first);
    }
    int words = dueBits.length;
    for (int i = 1; i <= words; i++) {
      long bits = dueBits[(at >> 6) + i & words - 1];
      if (bits != 0) {
        long base = (now >> 6) + i << 6;
        return base + LowestBit.of(bits);
      }
    }
    return Long.MAX_VALUE;
  }
}
