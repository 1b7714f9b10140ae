package dev.warpline.engine.state;

/** What a reference leads to. */
enum Tag {
  NULL,
  SEEN,
  OUTSIDE,
  /** Code, not state: a lambda of the machine that was built anew stays. */
  CODE,
  OBJECT,
  ARRAY,
  STRING,
  BOXED,
  ENUM,
  RECORD,
  /** A collection that cannot change, its elements behind it. */
  FIXED_LIST,
  FIXED_SET,
  FIXED_MAP,
  /** A collection that can; its elements come later. */
  COLLECTION,
  MAP,
  BITS,
  /** Numbers that threads share. */
  ATOMIC_LONG,
  ATOMIC_LONGS,
  CLASS;

  static final Tag[] ALL = values();
}
