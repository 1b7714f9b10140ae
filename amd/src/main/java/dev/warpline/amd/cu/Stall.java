package dev.warpline.amd.cu;

import dev.warpline.engine.profile.StallReason;

/** What the scoreboard check says of a wave in a cycle: gem5's stallCycles. */
enum Stall {
  WF_STOP(StallReason.MISC),
  IB_EMPTY(StallReason.FETCH),
  WAIT_CNT(StallReason.L1_MISS),
  SLEEP(StallReason.SLEEPING),
  BARRIER_WAIT(StallReason.BARRIER),
  VGPR_BUSY(StallReason.WAIT),
  SGPR_BUSY(StallReason.SCALAR_WAIT),
  MATRIX_CORE(StallReason.UNIT_BUSY),
  INSTR_READY(StallReason.NOT_SELECTED);

  /** Why the wave waits, as far as the check alone can say. */
  final StallReason reason;

  Stall(StallReason reason) {
    this.reason = reason;
  }
}
