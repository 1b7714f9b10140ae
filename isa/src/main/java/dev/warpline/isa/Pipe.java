package dev.warpline.isa;

/** Execution pipe of the modern core that an opcode goes to. */
public enum Pipe {
  /** 16-lane integer, logic, compare, select, move. */
  ALU,
  /** FP32 multiply-add. */
  FMA,
  /** The half of the FMA pipe that also multiplies integers. */
  FMA_HEAVY,
  FP16,
  FP64,
  /** Transcendentals, conversions, bit counting. */
  XU,
  UNIFORM,
  TENSOR,
  /** Warpgroup matrix products. */
  GMMA,
  BRANCH,
  /** Loads, stores, atomics, shuffles. */
  LSU,
  TEXTURE,
  /** Constant loads by address (LDC). */
  CONSTANT,
  /** Tensor and bulk copies. */
  TMA,
  /** Fixed-latency odds and ends: NOP, VOTE, BAR, DEPBAR. */
  MISC
}
