package dev.warpline.nvidia.modern.echo;

import dev.warpline.trace.BlockTrace;

/** A block on an SM, simulated or not, and of a simulated one those that go with it. */
final class PlacedBlock {
  final int sm;
  final int place;
  final long time;
  final long instructions;

  /** Of its longest warp. */
  final int longest;

  /** What it executes; null once nobody will ask. */
  BlockTrace trace;

  /** Of a simulated block, by the number of the echo among those of its SM. */
  final PlacedBlock[] echoes;

  PlacedBlock(int sm, int place, long time, BlockTrace trace, int echoes) {
    this.sm = sm;
    this.place = place;
    this.time = time;
    this.trace = trace;
    instructions = trace.instructions();
    int most = 0;
    for (int w = 0; w < trace.warps(); w++) {
      most = Math.max(most, trace.count(w));
    }
    longest = most;
    this.echoes = new PlacedBlock[echoes];
  }
}
