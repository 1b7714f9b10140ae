package dev.warpline.memory.flow;

/** Scatters addresses over slices, sets and channels; no stride up to 64 KB is bad on hardware. */
final class Hash {
  private Hash() {}

  static long mix(long x) {
    x *= 0x9e3779b97f4a7c15L;
    x ^= x >>> 29;
    x *= 0xbf58476d1ce4e5b9L;
    x ^= x >>> 32;
    return x;
  }
}
