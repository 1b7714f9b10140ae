package dev.warpline.cli;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Machine;

/**
 * The first machine that was made to see whether a description makes one. The simulation that
 * follows takes it: making another costs more than a short kernel.
 */
final class CheckedMachine {
  private GpuDescription gpu;
  private Machine machine;

  /** Keeps a machine, unless there was one before. */
  void keep(GpuDescription its, Machine made) {
    if (gpu == null) {
      gpu = its;
      machine = made;
    }
  }

  /** The machine of a description, once; null if it is not here. */
  Machine take(GpuDescription wanted) {
    if (wanted != gpu) {
      return null;
    }
    Machine taken = machine;
    machine = null;
    return taken;
  }
}
