package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TimedInstruction.GLOBAL_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.LDS_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.MORE_SCALAR_ALUS;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_ALU;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.UNITS;

import dev.warpline.amd.cu.UnitCounts.Cause;
import dev.warpline.amd.cu.Wavefront.Phase;
import dev.warpline.engine.Counter;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.policy.WarpScheduler;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Takes one ready wave per unit and cycle into the unit's schedule list, memory units first, and
 * sends the oldest listed instruction whose unit and bus are free next cycle on to execution.
 */
final class ScheduleStage {
  @Counter("instructions sent on to execution")
  long dispatches;

  @Counter(value = "cycles they waited for their unit, its bus or queue", unit = "cycles")
  long waitCycles;

  @Counter("times an LDS instruction gave way to a FLAT access")
  long flatConflicts;

  /** They choose before the others. */
  private static final long MEMORY_UNITS = 1L << GLOBAL_PIPE | 1L << LDS_PIPE | 1L << SCALAR_PIPE;

  final UnitCounts counts = new UnitCounts();

  private final ComputeUnit cu;

  /** The units there are, in the order in which they choose. */
  private final int[] order;

  /** Which of the waves that are ready for a unit goes first. */
  private final WarpScheduler[] arbiter = new WarpScheduler[UNITS];

  /**
   * Waves on a unit's ready list, and in its schedule list; the units that may have any. One whose
   * instruction before is taken is ready too, but counts only when that executes.
   */
  final WaveSet[] ready = new WaveSet[UNITS];

  private long readyUnits;
  private final WaveSet[] listed = new WaveSet[UNITS];
  private long listedUnits;

  /** Waves with an instruction in a schedule list or on its way to execution. */
  private final WaveSet taken;

  /** Those of a unit's ready waves that may be taken, while one of them is chosen. */
  private final WaveSet candidates;

  /** The same as words, for arbiters of more than 64 waves; else empty. */
  private final long[] eligible;

  /** By unit: the slot of the wave whose instruction it executes next. */
  private final int[] dispatched = new int[UNITS];

  private long dispatchedUnits;

  ScheduleStage(ComputeUnit cu) {
    this.cu = cu;
    order = order(cu.spec);
    Supplier<WarpScheduler> maker = cu.spec.issue().policy();
    int waves = cu.waves.length;
    taken = new WaveSet(waves);
    candidates = new WaveSet(waves);
    eligible = new long[waves <= Long.SIZE ? 0 : WaveSet.words(waves)];
    for (int unit : order) {
      ready[unit] = new WaveSet(waves);
      listed[unit] = new WaveSet(waves);
      arbiter[unit] = maker.get();
      if (eligible.length == 0) {
        arbiter[unit].begin(-1L >>> Long.SIZE - waves);
      }
    }
  }

  private static int[] order(AmdSpec spec) {
    IntStream memory = IntStream.of(GLOBAL_PIPE, LDS_PIPE, SCALAR_PIPE);
    IntStream simds = IntStream.range(0, spec.waves().simds());
    IntStream more =
        IntStream.range(MORE_SCALAR_ALUS, MORE_SCALAR_ALUS + spec.issue().scalarUnits() - 1);
    return IntStream.concat(
            IntStream.concat(memory, simds), IntStream.concat(IntStream.of(SCALAR_ALU), more))
        .toArray();
  }

  /** A wave has come. */
  void start(Wavefront wave) {
    for (int unit : order) {
      arbiter[unit].arrived(wave.slot);
    }
  }

  /** A wave has ended. */
  void end(Wavefront wave) {
    forget(wave);
    for (int unit : order) {
      arbiter[unit].left(wave.slot);
    }
  }

  /** Units with an instruction to execute this cycle, as a mask. */
  long dispatchedUnits() {
    return dispatchedUnits;
  }

  /** Takes the wave whose instruction the unit executes now. */
  Wavefront takeDispatched(int unit) {
    Wavefront wave = cu.waves[dispatched[unit]];
    dispatchedUnits &= ~(1L << unit);
    taken.remove(wave);
    return wave;
  }

  void run(long now) {
    counts.passed(now);
    for (long units = readyUnits & MEMORY_UNITS; units != 0; units &= units - 1) {
      choose(Long.numberOfTrailingZeros(units), now);
    }
    for (long units = readyUnits & ~MEMORY_UNITS; units != 0; units &= units - 1) {
      choose(Long.numberOfTrailingZeros(units), now);
    }
    if (listedUnits == 0) {
      return;
    }
    boolean flat = false;
    for (long units = listedUnits; units != 0; units &= units - 1) {
      // The global pipe comes before the LDS pipe, so a FLAT access claims both.
      int unit = Long.numberOfTrailingZeros(units);
      if (unit == LDS_PIPE && flat) {
        flatConflicts++;
        continue;
      }
      Wavefront wave = cu.pipeReady(unit, now) ? oldest(unit, now) : null;
      if (wave != null) {
        dispatch(unit, wave);
        dispatches++;
        counts.sent(unit);
        waitCycles += now - wave.listedAt;
        flat |= wave.head().isFlat;
      } else {
        counts.waits(unit, cause(unit, now));
      }
    }
  }

  private void choose(int unit, long now) {
    if (candidates.becomes(ready[unit], taken)) {
      counts.ready(unit);
      int slot = pick(unit);
      if (slot == WarpScheduler.NONE) {
        counts.refused(unit);
        return;
      }
      list(unit, cu.waves[slot]);
      cu.waves[slot].listedAt = now;
      if (WaveSet.differs(ready[unit], taken)) {
        return;
      }
    }
    readyUnits &= ~(1L << unit);
  }

  /** Why a unit with something in its list takes nothing. */
  private Cause cause(int unit, long now) {
    return switch (unit) {
      case GLOBAL_PIPE -> {
        boolean flat = allFlat();
        if (cu.isBusy(unit, now) || flat && !cu.pipeReady(LDS_PIPE, now)) {
          yield flat ? Cause.FLAT_MEM_ISSUE : Cause.VECTOR_MEM_ISSUE;
        }
        if (cu.global.isBusBusy(now)) {
          yield flat ? Cause.FLAT_MEM_BUS_BUSY : Cause.VECTOR_MEM_BUS_BUSY;
        }
        if (cu.global.readyAt(now) > now) {
          yield flat ? Cause.FLAT_MEM_COALESCER : Cause.VECTOR_MEM_COALESCER;
        }
        yield flat ? Cause.FLAT_MEM_REQS : Cause.VECTOR_MEM_REQS;
      }
      case LDS_PIPE ->
          cu.isBusy(unit, now)
              ? Cause.LOCAL_MEM_ISSUE
              : cu.lds.readyAt() == Long.MAX_VALUE
                  ? Cause.LOCAL_MEM_FIFO
                  : Cause.LOCAL_MEM_BUS_BUSY;
      case SCALAR_PIPE ->
          cu.isBusy(unit, now)
              ? Cause.SCALAR_MEM_ISSUE
              : cu.scalar.readyAt() == Long.MAX_VALUE
                  ? Cause.SCALAR_MEM_FIFO
                  : Cause.SCALAR_MEM_BUS_BUSY;
      default -> unit < SCALAR_ALU ? Cause.VECTOR_ALU : Cause.SCALAR_ALU;
    };
  }

  private boolean allFlat() {
    WaveSet list = listed[GLOBAL_PIPE];
    for (int slot = list.first(); slot >= 0; slot = list.after(slot)) {
      if (!cu.waves[slot].head().isFlat) {
        return false;
      }
    }
    return true;
  }

  /** Writes what was counted by unit, of compute units alike. */
  static void putCounts(List<ScheduleStage> stages, Map<String, Number> all) {
    UnitCounts sum = new UnitCounts();
    stages.forEach(stage -> sum.add(stage.counts));
    sum.put(stages.get(0).order, all);
  }

  /** Whether no wave is ready or listed. */
  boolean isIdle() {
    return (readyUnits | listedUnits) == 0;
  }

  /** Next cycle at which this stage may have something to do, if it sent nothing to execution. */
  long nextCycle(long now) {
    for (long units = readyUnits; units != 0; units &= units - 1) {
      if (WaveSet.differs(ready[Long.numberOfTrailingZeros(units)], taken)) {
        return now + 1;
      }
    }
    long next = Long.MAX_VALUE;
    for (long units = listedUnits; units != 0; units &= units - 1) {
      int unit = Long.numberOfTrailingZeros(units);
      next = Math.min(next, Math.max(now + 1, cu.pipeReadyAt(unit, now)));
    }
    return next;
  }

  /** Puts a wave on a ready list. */
  void ready(Wavefront wave, int unit) {
    wave.readyUnit = unit;
    ready[unit].add(wave);
    if (!wave.headTaken) {
      readyUnits |= 1L << unit;
    }
  }

  /** The wave's instruction has executed: if it is ready with the next one, that may be taken. */
  void executed(Wavefront wave) {
    if (wave.readyUnit >= 0) {
      readyUnits |= 1L << wave.readyUnit;
    }
  }

  /** Takes the wave off the ready lists. */
  void forget(Wavefront wave) {
    if (wave.readyUnit >= 0) {
      ready[wave.readyUnit].remove(wave);
      wave.readyUnit = -1;
    }
  }

  /** Which of the candidates goes. Who is not ready for a unit is held, as far as it knows. */
  private int pick(int unit) {
    int slot;
    if (eligible.length == 0) {
      long notReady = ~candidates.word(0);
      cu.keepMostUrgent(candidates);
      long waves = candidates.word(0);
      slot = arbiter[unit].choose(waves, notReady, 0);
      if (slot >= 0 && slot < Long.SIZE && (waves >>> slot & 1) != 0) {
        arbiter[unit].issued(slot);
        return slot;
      }
    } else {
      cu.keepMostUrgent(candidates);
      for (int word = 0; word < eligible.length; word++) {
        eligible[word] = candidates.word(word);
      }
      slot = arbiter[unit].chooseOfMany(eligible);
    }
    if (slot == WarpScheduler.NONE) {
      return slot;
    }
    if (slot < 0 || slot >= cu.waves.length || !candidates.contains(cu.waves[slot])) {
      throw new UnfinishedSimulationException(
          "issue.policy "
              + cu.spec.issue().policy()
              + " chose wave "
              + slot
              + ", expected one that is ready, or "
              + WarpScheduler.NONE);
    }
    arbiter[unit].issued(slot);
    return slot;
  }

  private void list(int unit, Wavefront wave) {
    ready[unit].remove(wave);
    wave.readyUnit = -1;
    taken.add(wave);
    listed[unit].add(wave);
    listedUnits |= 1L << unit;
    wave.headTaken = true;
    TimedInstruction instruction = wave.head();
    if (unit == SCALAR_PIPE || unit == LDS_PIPE) {
      wave.lgkmCount++;
    } else if (unit == GLOBAL_PIPE) {
      wave.vmCount++;
      if (instruction.isFlat) {
        wave.lgkmCount++;
      }
      if (instruction.isStore) {
        wave.expCount++;
      }
    }
    switch (instruction.control) {
      case WAITCNT -> wave.phase = Phase.WAITCNT;
      case SLEEP -> wave.phase = Phase.SLEEP;
      case BARRIER -> {
        if (wave.group.hasBarrier()) {
          wave.phase = Phase.BARRIER;
        }
      }
      default -> {}
    }
    cu.check.add(wave);
  }

  /** The listed wave with the oldest instruction that may go, or null. */
  private Wavefront oldest(int unit, long now) {
    Wavefront best = null;
    // A FLAT access may need either pipe, so it takes both.
    boolean flatMayGo = unit != GLOBAL_PIPE || cu.pipeReady(LDS_PIPE, now);
    WaveSet list = listed[unit];
    for (int slot = list.first(); slot >= 0; slot = list.after(slot)) {
      Wavefront wave = cu.waves[slot];
      if ((best == null || goesBefore(wave, best))
          && (flatMayGo || !wave.head().isFlat)
          && (unit != GLOBAL_PIPE || cu.global.mayIssue(wave))) {
        best = wave;
      }
    }
    return best;
  }

  private static boolean goesBefore(Wavefront wave, Wavefront other) {
    return wave.priority != other.priority
        ? wave.priority > other.priority
        : wave.headSequence() < other.headSequence();
  }

  private void dispatch(int unit, Wavefront wave) {
    listed[unit].remove(wave);
    if (listed[unit].isEmpty()) {
      listedUnits &= ~(1L << unit);
    }
    dispatched[unit] = wave.slot;
    dispatchedUnits |= 1L << unit;
    TimedInstruction instruction = wave.head();
    Wavefront.setReady(wave.vectorReady, instruction.vectorResults, Wavefront.PENDING);
    Wavefront.setReady(wave.scalarReady, instruction.scalarResults, Wavefront.PENDING);
    if (unit == GLOBAL_PIPE) {
      cu.global.takeToken();
    }
    cu.check.add(wave);
  }
}
