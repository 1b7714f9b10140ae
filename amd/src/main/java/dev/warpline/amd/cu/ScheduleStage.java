package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TimedInstruction.GLOBAL_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.LDS_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_ALU;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.UNITS;

import dev.warpline.amd.cu.Wavefront.Phase;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.policy.WarpScheduler;
import java.util.function.Supplier;

/**
 * Takes one ready wave per unit and cycle into the unit's schedule list, memory units first, and
 * sends the oldest listed instruction whose unit and bus are free next cycle on to execution.
 */
final class ScheduleStage {
  private static final int[] ORDER = {
    GLOBAL_PIPE, LDS_PIPE, SCALAR_PIPE, 0, 1, 2, 3, SCALAR_ALU, 8, 9, 10
  };

  private final ComputeUnit cu;

  /** Which of the waves that are ready for a unit goes first. */
  private final WarpScheduler[] arbiter = new WarpScheduler[UNITS];

  /** Waves on a unit's ready list, and in its schedule list. */
  final long[] ready = new long[UNITS];

  private final long[] listed = new long[UNITS];
  private int listedUnits;

  /** Waves with an instruction in a schedule list or on its way to execution. */
  private long taken;

  private final Wavefront[] dispatched = new Wavefront[UNITS];
  private int dispatchedUnits;

  ScheduleStage(ComputeUnit cu) {
    this.cu = cu;
    Supplier<WarpScheduler> maker = cu.spec.issue().policy();
    int waves = cu.waves.length;
    for (int unit = 0; unit < UNITS; unit++) {
      arbiter[unit] = maker.get();
      arbiter[unit].begin(waves == Long.SIZE ? -1L : (1L << waves) - 1);
    }
  }

  /** A wave has come. */
  void start(Wavefront wave) {
    for (WarpScheduler each : arbiter) {
      each.arrived(wave.slot);
    }
  }

  /** A wave has ended. */
  void end(Wavefront wave) {
    forget(wave);
    for (WarpScheduler each : arbiter) {
      each.left(wave.slot);
    }
  }

  /** Units with an instruction to execute this cycle, as a mask. */
  int dispatchedUnits() {
    return dispatchedUnits;
  }

  /** Takes the wave whose instruction the unit executes now. */
  Wavefront takeDispatched(int unit) {
    Wavefront wave = dispatched[unit];
    dispatched[unit] = null;
    dispatchedUnits &= ~(1 << unit);
    taken &= ~wave.bit;
    return wave;
  }

  void run(long now) {
    for (int unit : ORDER) {
      long candidates = ready[unit] & ~taken;
      int slot = candidates == 0 ? WarpScheduler.NONE : pick(unit, candidates);
      if (slot != WarpScheduler.NONE) {
        list(unit, cu.waves[slot]);
      }
    }
    if (listedUnits == 0) {
      return;
    }
    boolean flat = false;
    for (int units = listedUnits; units != 0; units &= units - 1) {
      // The global pipe comes before the LDS pipe, so a FLAT access claims both.
      int unit = Integer.numberOfTrailingZeros(units);
      if (unit == LDS_PIPE && flat) {
        continue;
      }
      Wavefront wave = cu.pipeReady(unit, now) ? oldest(unit) : null;
      if (wave != null) {
        dispatch(unit, wave);
        flat |= wave.head().isFlat;
      }
    }
  }

  /** Next cycle at which this stage may have something to do. */
  long nextCycle(long now) {
    for (long list : ready) {
      if ((list & ~taken) != 0) {
        return now + 1;
      }
    }
    if (dispatchedUnits != 0) {
      return now + 1;
    }
    long next = Long.MAX_VALUE;
    for (int units = listedUnits; units != 0; units &= units - 1) {
      int unit = Integer.numberOfTrailingZeros(units);
      next = Math.min(next, Math.max(now + 1, cu.pipeReadyAt(unit, now)));
    }
    return next;
  }

  /** Takes the wave off the ready lists. */
  void forget(Wavefront wave) {
    if (wave.readyUnit >= 0) {
      ready[wave.readyUnit] &= ~wave.bit;
      wave.readyUnit = -1;
    }
  }

  private int pick(int unit, long waves) {
    long candidates = cu.mostUrgent(waves);
    // Who is not ready for this unit is held, as far as the unit is concerned.
    int slot = arbiter[unit].choose(candidates, ~waves, 0);
    if (slot == WarpScheduler.NONE) {
      return slot;
    }
    if (slot < 0 || slot >= Long.SIZE || (candidates >>> slot & 1) == 0) {
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
    ready[unit] &= ~wave.bit;
    wave.readyUnit = -1;
    taken |= wave.bit;
    listed[unit] |= wave.bit;
    listedUnits |= 1 << unit;
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
    cu.check |= wave.bit;
  }

  /** The listed wave with the oldest instruction that may go, or null. */
  private Wavefront oldest(int unit) {
    Wavefront best = null;
    for (long list = listed[unit]; list != 0; list &= list - 1) {
      Wavefront wave = cu.waves[Long.numberOfTrailingZeros(list)];
      if ((best == null || goesBefore(wave, best))
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
    listed[unit] &= ~wave.bit;
    if (listed[unit] == 0) {
      listedUnits &= ~(1 << unit);
    }
    dispatched[unit] = wave;
    dispatchedUnits |= 1 << unit;
    TimedInstruction instruction = wave.head();
    Wavefront.setReady(wave.vectorReady, instruction.vectorResults, Wavefront.PENDING);
    Wavefront.setReady(wave.scalarReady, instruction.scalarResults, Wavefront.PENDING);
    if (unit == GLOBAL_PIPE) {
      cu.global.takeToken();
    }
    cu.check |= wave.bit;
  }
}
