package dev.warpline.amd.cu;

/** What the scoreboard check says of a wave in a cycle. Names after gem5's stallCycles. */
enum Stall {
  WF_STOP("WFStop"),
  IB_EMPTY("IBEmpty"),
  WAIT_CNT("WaitCnt"),
  SLEEP("Sleep"),
  BARRIER_WAIT("BarrierWait"),
  VGPR_BUSY("VgprBusy"),
  SGPR_BUSY("SgprBusy"),
  MATRIX_CORE("MatrixCore"),
  INSTR_READY("InstrReady");

  final String gem5Name;

  Stall(String gem5Name) {
    this.gem5Name = gem5Name;
  }
}
