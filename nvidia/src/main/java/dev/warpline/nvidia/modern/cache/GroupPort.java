package dev.warpline.nvidia.modern.cache;

import dev.warpline.memory.flow.Requests;

/**
 * An SM's way to the cache of its GPC. A line that was asked for is expected as early as it can
 * come; the SM may run up to then before it has to be told when it really comes.
 */
public final class GroupPort {
  private final Requests requests;
  private final double hops;
  private long unknownFrom = Long.MAX_VALUE;

  /**
   * @param hops stations between the SM and the cache
   */
  public GroupPort(Requests requests, double hops) {
    this.requests = requests;
    this.hops = hops;
  }

  public void startKernel() {
    unknownFrom = Long.MAX_VALUE;
  }

  /** Cycles to the cache and back, of which each station takes some. */
  public int way(int cycles, double hopCycles) {
    return cycles + (int) Math.round(hops * hopCycles);
  }

  /**
   * Asks for a line.
   *
   * @param count lines that come together, {@link Requests#LAUNCHED} if the launch brings it
   * @param way cycles there and back
   * @return the earliest cycle at which it can come
   */
  public long ask(long now, long address, int count, int way, int client, int number) {
    requests.addLine(now, address, count, way, client, number);
    long earliest = now + way;
    unknownFrom = Math.min(unknownFrom, earliest);
    return earliest;
  }

  /** From this cycle on it matters what was answered. */
  public long unknownFrom() {
    return unknownFrom;
  }

  /** All that was asked has been answered. */
  public void answered() {
    unknownFrom = Long.MAX_VALUE;
  }
}
