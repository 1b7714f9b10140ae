package dev.warpline.amd.cu;

import dev.warpline.amd.cu.TimedInstruction.Control;
import dev.warpline.amd.cu.Wavefront.Phase;

/**
 * Decides for a wave whether its next instruction may go, and if not why. A wave is looked at when
 * something it may wait for has changed; a known end of a wait is entered as a wake-up.
 */
final class ScoreboardCheck {
  private final ComputeUnit cu;

  ScoreboardCheck(ComputeUnit cu) {
    this.cu = cu;
  }

  void look(Wavefront wave, long now) {
    if (wave.phase == Phase.STOPPED) {
      return;
    }
    cu.schedule.forget(wave);
    cu.setStatus(wave, decide(wave, now), now);
  }

  private Stall decide(Wavefront wave, long now) {
    if (wave.phase == Phase.WAITCNT) {
      if (!wave.waitArmed || !wave.countersMet()) {
        return Stall.WAIT_CNT;
      }
      wave.waitArmed = false;
      wave.phase = Phase.RUNNING;
    }
    if (wave.phase == Phase.SLEEP) {
      if (now < wave.sleepUntil || wave.headTaken) {
        return Stall.SLEEP;
      }
      wave.phase = Phase.RUNNING;
      cu.fetchLook.add(wave);
    }
    if (wave.phase == Phase.BARRIER) {
      return Stall.BARRIER_WAIT;
    }
    TimedInstruction next = wave.next();
    if (next == null) {
      return Stall.IB_EMPTY;
    }
    if (now < wave.notBefore) {
      cu.wakeAt(wave, wave.notBefore, now);
      return Stall.INSTR_READY;
    }
    if (next.isVector) {
      long ready = Wavefront.readyAt(wave.vectorReady, next.vectorRegisters);
      if (ready > now) {
        cu.wakeAt(wave, ready, now);
        return Stall.VGPR_BUSY;
      }
    }
    long ready = Wavefront.readyAt(wave.scalarReady, next.scalarRegisters);
    if (ready > now) {
      cu.wakeAt(wave, ready, now);
      return Stall.SGPR_BUSY;
    }
    if (next.control == Control.END && (wave.headTaken || !wave.countersZero())) {
      return Stall.WAIT_CNT;
    }
    if (next.isMatrix && cu.matrixFree[wave.simd] > now) {
      cu.wakeAt(wave, cu.matrixFree[wave.simd], now);
      return Stall.MATRIX_CORE;
    }
    int unit =
        switch (next.unit) {
          case TimedInstruction.SIMD -> wave.simd;
          case TimedInstruction.SCALAR_ALU -> wave.scalarUnit;
          default -> next.unit;
        };
    cu.schedule.ready(wave, unit);
    return Stall.INSTR_READY;
  }
}
