package dev.warpline.isa;

/**
 * What Accel-Sim's tables know of an opcode: decides pipe, latency and statistics of the classic
 * core.
 */
public enum Category {
  SP,
  INT,
  ALU,
  SFU,
  DP,
  /** Specialised units 1 to 8: branch, texture, tensor, uniform datapath, warpgroup matrix, ... */
  SPEC1,
  SPEC2,
  SPEC3,
  SPEC4,
  SPEC5,
  SPEC6,
  SPEC7,
  SPEC8,
  LOAD,
  STORE,
  MEMBAR,
  BRANCH,
  CALL,
  RET,
  EXIT,
  BARRIER,
  /** Bulk and tensor copies of Hopper's copy engine. */
  TMA,
  /** Asynchronous-barrier instructions: SYNCS, ARRIVES, FENCE. */
  SYNC
}
