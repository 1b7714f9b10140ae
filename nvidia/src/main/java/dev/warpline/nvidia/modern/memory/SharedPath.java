package dev.warpline.nvidia.modern.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.async.PathPasses;

/** The path that all memory instructions of an SM take, one pass per cycle. */
public final class SharedPath implements PathPasses {
  private final ModernCoreSpec.LoadStore spec;
  private long free;
  private int stolen;

  /** Passes that loads take when their data comes. */
  private final DueCounts arriving = new DueCounts();

  @Counter(value = "shared path in use", unit = "cycles")
  long pipeCycles;

  public SharedPath(ModernCoreSpec.LoadStore spec) {
    this.spec = spec;
  }

  void startKernel() {
    free = 0;
    stolen = 0;
    arriving.clear();
  }

  long free() {
    return free;
  }

  @Override
  public void steal(int passes) {
    stolen += passes;
  }

  /** Takes so many passes from a cycle on. */
  void steal(long when, int passes) {
    arriving.add(when, passes);
  }

  /** An instruction takes so many passes. */
  void occupy(PathEntry access, int passes) {
    occupy(access, passes, 0);
  }

  /** An instruction takes so many passes, and some more that its sub-core does not wait for. */
  void occupy(PathEntry access, int passes, int more) {
    long now = access.now;
    int cycles = Math.max(spec.gate(), passes) + more;
    stolen += arriving.take(now);
    if (stolen > 0) {
      // Idle cycles since the last instruction were theirs; after that they get every other pass.
      stolen = (int) Math.max(0, stolen - Math.max(0, now - free));
      int taken = Math.min(stolen, cycles);
      stolen -= taken;
      cycles += taken;
    }
    free = now + cycles;
    pipeCycles += cycles;
    access.queue.pathFree = now + (long) spec.passCycles() * passes;
  }
}
