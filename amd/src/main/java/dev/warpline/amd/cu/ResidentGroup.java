package dev.warpline.amd.cu;

import dev.warpline.amd.dispatch.GroupPlacement;

/** A work-group on a compute unit: its waves that have not ended and its barrier. */
final class ResidentGroup {
  final GroupPlacement placement;

  /** Its waves that have not ended. */
  private int alive;

  private int arrived;

  ResidentGroup(GroupPlacement placement) {
    this.placement = placement;
    alive = placement.waves();
  }

  /** A barrier means nothing to a group of one wave. */
  boolean hasBarrier() {
    return placement.waves() > 1;
  }

  /** A wave reached the barrier; true when all living waves have, and may go on. */
  boolean arrive() {
    arrived++;
    return releases();
  }

  /** A wave ended; true when those waiting at the barrier may go on. */
  boolean leave() {
    alive--;
    return alive > 0 && arrived > 0 && releases();
  }

  boolean hasEnded() {
    return alive == 0;
  }

  private boolean releases() {
    if (arrived < alive) {
      return false;
    }
    arrived = 0;
    return true;
  }
}
