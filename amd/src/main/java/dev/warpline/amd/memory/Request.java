package dev.warpline.amd.memory;

/** What a compute unit asks of the shared side. */
public enum Request {
  /** A line for the vector cache. */
  VECTOR_LOAD,
  /** A line written through the vector cache. */
  VECTOR_STORE,
  /** An atomic on a line. */
  VECTOR_ATOMIC,
  /** A line for the instruction cache. */
  FETCH,
  /** A line for the scalar cache. */
  SCALAR_LOAD,
  /** A line written by a scalar store. */
  SCALAR_STORE,
  /** A page for the vector TLB. */
  VECTOR_PAGE,
  /** A page for the instruction TLB. */
  FETCH_PAGE,
  /** A page for the scalar TLB. */
  SCALAR_PAGE;

  private static final Request[] ALL = values();

  static Request of(int ordinal) {
    return ALL[ordinal];
  }

  boolean isPage() {
    return ordinal() >= VECTOR_PAGE.ordinal();
  }

  boolean isLoad() {
    return this == VECTOR_LOAD || this == FETCH || this == SCALAR_LOAD;
  }

  boolean isStore() {
    return this == VECTOR_STORE || this == SCALAR_STORE;
  }
}
