package dev.warpline.amd.cu;

import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.amd.exec.GroupState;
import dev.warpline.amd.exec.WaveState;

/** Makes the architectural state of groups and waves that start on a compute unit. */
public interface WaveFactory {
  /** The code the group's kernel runs. */
  CodeImage code(GroupPlacement placement);

  /** Where waves of the group write down their time, null if nowhere. */
  default WaveProfile profile(GroupPlacement placement) {
    return null;
  }

  /** A new group: its place in the grid and its share of the LDS. */
  GroupState group(GroupPlacement placement);

  /** Wave number {@code wave} of a group, its registers as the ABI wants them. */
  WaveState wave(GroupPlacement placement, GroupState group, int wave);
}
