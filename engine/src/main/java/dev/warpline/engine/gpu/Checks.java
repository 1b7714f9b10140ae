package dev.warpline.engine.gpu;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;

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

  /** A field that says how many places there are, and one that names how addresses choose one. */
  static void hash(
      String field, int places, int bytes, String hashField, Chosen<AddressHash> hash) {
    try {
      hash.get().begin(places, bytes);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field + ": found " + places + ", " + e.getMessage() + " with " + hashField + " " + hash);
    }
  }
}
