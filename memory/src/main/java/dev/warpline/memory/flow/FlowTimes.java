package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.FlowMemorySpec;
import java.util.Arrays;

/**
 * What the clocks of the links and of L2 mean in core cycles, computed once: how long the links and
 * the slices take.
 *
 * @param smRead by number of sectors, how long they take on the way into an SM; likewise into and
 *     out of a GPC, and between the partitions
 */
record FlowTimes(
    double request,
    double reply,
    int spread,
    double far,
    double[] smRead,
    double[] groupRead,
    double[] groupWrite,
    double[] link,
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
  private static final int SECTOR = 32;

  /** How long a slice reads some sectors of a line. */
  double read(int sectors) {
    return Math.max(leastRead, sectors * readSector);
  }

  private static double[] bySectors(double bytesPerCycle) {
    double[] cycles = new double[1 + FlowMemorySpec.LINE / SECTOR];
    Arrays.setAll(cycles, sectors -> sectors * SECTOR / bytesPerCycle);
    return cycles;
  }

  double smRead(int sectors) {
    return smRead[sectors];
  }

  double groupRead(int sectors) {
    return groupRead[sectors];
  }

  double groupWrite(int sectors) {
    return groupWrite[sectors];
  }

  double link(int sectors) {
    return link[sectors];
  }

  static FlowTimes of(FlowMemorySpec spec, ClockSpec clocks) {
    return new FlowTimes(
        clocks.fromInterconnect(spec.requestCycles()),
        clocks.fromInterconnect(spec.replyCycles()),
        spec.spread(clocks),
        clocks.fromInterconnect(spec.farCycles()),
        bySectors(spec.smReadBytes()),
        bySectors(clocks.interconnectRate(spec.groupReadBytes())),
        bySectors(clocks.interconnectRate(spec.groupWriteBytes())),
        bySectors(clocks.interconnectRate(spec.linkBytes())),
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
