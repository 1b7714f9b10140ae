package dev.warpline.isa;

/**
 * What a core must do with an instruction beside sending it to its pipe: the column {@code role} of
 * the opcode tables. Cores decide by role, pipe and modifiers rather than by name.
 */
public enum Role {
  NONE,
  /** What comes next is known only when it is resolved. */
  BRANCH,
  /** Ends its lanes. */
  EXIT,
  /** Fetches a special register from outside of the sub-core. */
  SPECIAL,
  /** Exchanges words between lanes. */
  SHUFFLE,
  /** Meets the other warps of the block. */
  BARRIER,
  /** The classic core starts it twice as often as others of its unit, as Accel-Sim does. */
  DOUBLE_RATE,
  /** Waits for a dependence counter. */
  DEPBAR,
  /** Closes a group of copies to shared memory. */
  COMMIT,
  /** Waits until earlier accesses are visible. */
  FENCE,
  SLEEP,
  /** Acts on a cache without moving data to or from registers. */
  CACHE,
  /** Copies from global to shared memory, lane by lane. */
  COPY,
  /** Moves 8x8 matrices between shared memory and registers. */
  MATRIX,
  /** An operation on an asynchronous barrier in shared memory; its modifiers say which. */
  MBARRIER,
  /** Arrives at an asynchronous barrier when earlier copies are done. */
  ARRIVE,
  BULK_LOAD,
  BULK_STORE,
  /** A bulk copy; its modifiers say which way. */
  BULK_COPY,
  BULK_REDUCE,
  BULK_PREFETCH,
  /** Waits for bulk stores. */
  BULK_FLUSH,
  /** A matrix product of a warpgroup. */
  PRODUCT,
  /** Orders the products of a warpgroup; its modifiers say how. */
  WARPGROUP,
  /** Gives registers to the pool of the block, or takes some. */
  POOL,
  CLUSTER_ARRIVE,
  CLUSTER_WAIT,
  /** Orders asynchronous work; takes no time of its own. */
  ORDER,
  /** Known by name, but no core models it. */
  UNMODELLED
}
