package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.FlowMemorySpec;

/**
 * What the clocks of the links and of L2 mean in core cycles, computed once: how long the links and
 * the slices take, and how many bytes the links move in a core cycle.
 */
record FlowTimes(
    double request,
    double reply,
    int spread,
    double far,
    double groupReadBytes,
    double groupWriteBytes,
    double linkBytes,
    double hit,
    double readSector,
    double leastRead,
    double writeSector,
    double partialWrite,
    double localWrite,
    double nextPartial,
    double partialTurn,
    double makeWhole,
    double atomic,
    double atomicWord,
    double atomicFloat) {

  /** How long a slice reads some sectors of a line. */
  double read(int sectors) {
    return Math.max(leastRead, sectors * readSector);
  }

  static FlowTimes of(FlowMemorySpec spec, ClockSpec clocks) {
    return new FlowTimes(
        clocks.fromInterconnect(spec.requestCycles()),
        clocks.fromInterconnect(spec.replyCycles()),
        spec.spread(clocks),
        clocks.fromInterconnect(spec.farCycles()),
        clocks.interconnectRate(spec.groupReadBytes()),
        clocks.interconnectRate(spec.groupWriteBytes()),
        clocks.interconnectRate(spec.linkBytes()),
        clocks.fromL2(spec.l2Cycles()),
        clocks.fromL2(spec.l2SectorCycles()),
        clocks.fromL2(spec.l2ReadCycles()),
        clocks.fromL2(spec.l2WriteCycles()),
        clocks.fromL2(spec.l2PartialWriteCycles()),
        clocks.fromL2(spec.l2LocalWriteCycles()),
        clocks.fromL2(spec.l2NextPartialCycles()),
        clocks.fromL2(spec.l2PartialTurnCycles()),
        clocks.fromL2(spec.l2MakeWholeCycles()),
        clocks.fromL2(spec.l2AtomicCycles()),
        clocks.fromL2(spec.atomicWordCycles()),
        clocks.fromL2(spec.atomicFloatCycles()));
  }
}
