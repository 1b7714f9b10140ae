package dev.warpline.trace.inspect;

import dev.warpline.isa.MemorySpace;

/**
 * How a kernel used one memory space.
 *
 * @param space global, shared, local, ...
 * @param requests warp instructions that touched it with at least one lane
 * @param sectors 32-byte sectors of all requests, each counted once per request
 * @param footprintBytes distinct sectors times 32
 */
public record SpaceUse(MemorySpace space, long requests, long sectors, long footprintBytes) {
  /** Sectors per request, 0 without requests. */
  public double sectorsPerRequest() {
    return requests == 0 ? 0 : (double) sectors / requests;
  }
}
