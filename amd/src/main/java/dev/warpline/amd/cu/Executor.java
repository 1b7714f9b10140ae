package dev.warpline.amd.cu;

import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.MemoryAccess;
import dev.warpline.amd.exec.Semantics;
import dev.warpline.engine.gpu.ClockSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Executes instructions for the compute units of one shader array and decides when data move.
 *
 * <p>All arrays of a window run at the same time, so none of them may write memory: stores and
 * atomics are kept and performed between windows in the order of their cycles. Loads see memory as
 * it was when the window began, except that a wave with a kept store keeps its loads too, so that
 * it sees its own stores. A window is shorter than any round trip to memory, so no wave can notice.
 * LDS and scratch belong to one group or wave and are changed at once.
 */
final class Executor {
  /** The clock that s_memrealtime reads, whatever the core's is. */
  private static final double REAL_TIME_MHZ = 100;

  private final DeviceMemory memory;
  private final double realTimePerCycle;
  private final Semantics semantics = new Semantics();
  private final ArrayDeque<MemoryAccess> unused = new ArrayDeque<>();
  private final List<MemoryAccess> kept = new ArrayList<>();
  private long[] keptAt = new long[64];
  private MemoryAccess current = new MemoryAccess();
  private long window;

  Executor(DeviceMemory memory, ClockSpec clocks) {
    this.memory = memory;
    realTimePerCycle = REAL_TIME_MHZ / clocks.coreMHz();
  }

  /** Executes an instruction that does not touch memory. */
  void execute(Wavefront wave, TimedInstruction instruction) {
    semantics.execute(wave.state, instruction.operation, current);
  }

  /**
   * Executes a memory instruction; the result tells which lanes touch what, until the next call.
   */
  MemoryAccess access(Wavefront wave, TimedInstruction instruction, long now) {
    MemoryAccess access = current;
    wave.state.clock = now;
    wave.state.realTime = (long) (now * realTimePerCycle);
    semantics.execute(wave.state, instruction.operation, access);
    if (!instruction.operation.isAccess()) {
      access.lanes = 0;
      access.ldsLanes = 0;
      access.scratchLanes = 0;
      return access;
    }
    boolean shared = (access.lanes & ~access.ldsLanes & ~access.scratchLanes) != 0;
    boolean writes = access.isStore() || access.isAtomic();
    // LDS belongs to the group, whose waves meet at barriers inside a window: never late.
    boolean ldsOnly = (access.lanes & ~access.ldsLanes) == 0;
    if (!ldsOnly && ((shared && writes) || wave.keptInWindow == window)) {
      keep(wave, access, now);
    } else {
      access.complete(memory);
    }
    return access;
  }

  private void keep(Wavefront wave, MemoryAccess access, long now) {
    if (kept.size() == keptAt.length) {
      keptAt = java.util.Arrays.copyOf(keptAt, keptAt.length * 2);
    }
    keptAt[kept.size()] = now;
    kept.add(access);
    wave.keptInWindow = window;
    current = unused.isEmpty() ? new MemoryAccess() : unused.removeLast();
  }

  int keptCount() {
    return kept.size();
  }

  long keptAt(int i) {
    return keptAt[i];
  }

  /** Lets a kept access happen. */
  void performKept(int i) {
    kept.get(i).complete(memory);
  }

  /** The window is over and all that was kept has been performed. */
  void nextWindow() {
    unused.addAll(kept);
    kept.clear();
    window++;
  }
}
