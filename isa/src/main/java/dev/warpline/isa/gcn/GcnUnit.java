package dev.warpline.isa.gcn;

/** Where an instruction executes: the kind of pipe it needs. */
public enum GcnUnit {
  SCALAR_ALU,
  /** Anything that may change the PC: branches, calls, s_setpc. */
  BRANCH,
  /** Waits, barriers, s_nop, s_sleep, s_endpgm, messages: handled by the sequencer itself. */
  SEQUENCER,
  SCALAR_MEMORY,
  VECTOR_ALU,
  /** MFMA and SMFMAC. */
  MATRIX,
  /** LDS and, with {@link GcnInstruction#gds}, the global data share. */
  LDS,
  /** Per-lane address decides between LDS, scratch and global memory. */
  FLAT,
  GLOBAL,
  SCRATCH,
  /** MUBUF and MTBUF. */
  BUFFER,
  IMAGE
}
