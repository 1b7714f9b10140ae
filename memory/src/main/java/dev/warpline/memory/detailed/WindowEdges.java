package dev.warpline.memory.detailed;

/**
 * Edges of the clocks before each core cycle of a window: found once for all channels, because
 * finding them takes divisions.
 */
final class WindowEdges {
  private final ClockDomains clocks;
  private long from = -1;

  /** Edges before a cycle of the window, by its distance from the window's start. */
  final long[] icnt;

  final long[] l2;
  final long[] dram;

  /** L2 edges of each cycle of the window. */
  final int[] l2Each;

  WindowEdges(ClockDomains clocks, int window) {
    this.clocks = clocks;
    icnt = new long[window + 1];
    l2 = new long[window + 1];
    dram = new long[window + 1];
    l2Each = new int[window];
  }

  /** Begins a window at a core cycle. */
  void begin(long start) {
    if (start == from) {
      return;
    }
    from = start;
    for (int i = 0; i < icnt.length; i++) {
      icnt[i] = clocks.icntEdges(start + i);
      l2[i] = clocks.l2Edges(start + i);
      dram[i] = clocks.dramEdges(start + i);
    }
    for (int i = 0; i < l2Each.length; i++) {
      l2Each[i] = (int) (l2[i + 1] - l2[i]);
    }
  }
}
