package dev.warpline.memory;

/** Which cache of a core asks memory, and is told. */
public enum Client {
  /** The first-level data cache, or what passes it by: L1, TCP. */
  DATA,
  /** The instruction cache: L1I, SQC. */
  INSTRUCTIONS,
  /** AMD's scalar cache. */
  SCALARS
}
