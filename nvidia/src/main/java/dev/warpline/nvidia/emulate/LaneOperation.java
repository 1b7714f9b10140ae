package dev.warpline.nvidia.emulate;

/** What an instruction does to the lanes of a mask. */
interface LaneOperation {
  void execute(Warp warp, int mask);
}
