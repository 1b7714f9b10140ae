package dev.warpline.amd.hsa;

/**
 * How far a packet's fence reaches. An acquire drops what caches hold of others' data before the
 * packet starts, a release makes the packet's own data visible before it is complete.
 */
public enum FenceScope {
  /** No fence. */
  NONE,
  /** All compute units of the GPU: first-level caches, and the TCCs of several dies. */
  AGENT,
  /** The host and other GPUs too: the TCC of a single die as well. */
  SYSTEM;

  private static final int ACQUIRE_BIT = 9;
  private static final int RELEASE_BIT = 11;

  /** Bits of a packet's header. */
  static int header(FenceScope acquire, FenceScope release) {
    return acquire.ordinal() << ACQUIRE_BIT | release.ordinal() << RELEASE_BIT;
  }

  static FenceScope acquire(int header) {
    return of(header >> ACQUIRE_BIT);
  }

  static FenceScope release(int header) {
    return of(header >> RELEASE_BIT);
  }

  /** The fourth value is reserved; the widest scope is safe. */
  private static FenceScope of(int bits) {
    return values()[Math.min(bits & 3, SYSTEM.ordinal())];
  }
}
