package dev.warpline.memory.flow;

/** How much of a kernel's time nobody asks for any more: {@link Lane}s forget what was in it. */
final class Past {
  private long until;

  /** Reservations begin no earlier from now on. */
  void reaches(long cycle) {
    until = cycle;
  }

  long until() {
    return until;
  }
}
