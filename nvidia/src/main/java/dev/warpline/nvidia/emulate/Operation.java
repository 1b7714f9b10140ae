package dev.warpline.nvidia.emulate;

/** What an instruction does to the lanes of a mask. */
interface Operation {
  void execute(Warp warp, int mask);
}
