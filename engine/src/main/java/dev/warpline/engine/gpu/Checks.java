package dev.warpline.engine.gpu;

/** What must hold between the fields of a description. */
final class Checks {
  private Checks() {}

  /** Ends the making of a record whose fields do not fit each other. */
  static void require(boolean holds, String expectation) {
    if (!holds) {
      throw new IllegalArgumentException(expectation);
    }
  }

  /** A field that chooses bits of an address. */
  static void powerOfTwo(String field, long value) {
    require(Long.bitCount(value) == 1, field + ": found " + value + ", expected a power of two");
  }
}
