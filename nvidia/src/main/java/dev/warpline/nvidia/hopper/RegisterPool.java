package dev.warpline.nvidia.hopper;

/**
 * The registers that the warpgroups of a block hand to each other (USETMAXREG): a release puts
 * registers of a warp into the block's pool, a request takes them or waits until enough are there.
 */
public final class RegisterPool {
  private static final int STEP = 8;
  private static final int LEAST = 24;
  private static final int MOST = 256;

  private final int[] held;
  private int free;

  /** A pool for a block whose warps start with {@code perThread} registers per thread. */
  public RegisterPool(int warps, int perThread) {
    held = new int[warps];
    java.util.Arrays.fill(held, (perThread + STEP - 1) / STEP * STEP);
  }

  /** Registers per thread that a warp holds. */
  public int held(int warp) {
    return held[warp];
  }

  /** Registers per thread and warp that are free in the pool. */
  public int free() {
    return free;
  }

  /** A warp keeps only so many registers. */
  public void release(int warp, int perThread) {
    check(perThread);
    if (perThread < held[warp]) {
      free += held[warp] - perThread;
      held[warp] = perThread;
    }
  }

  /** A warp asks for so many registers; false if the pool has too few and the warp must wait. */
  public boolean request(int warp, int perThread) {
    check(perThread);
    int more = perThread - held[warp];
    if (more > free) {
      return false;
    }
    if (more > 0) {
      free -= more;
      held[warp] = perThread;
    }
    return true;
  }

  private static void check(int perThread) {
    if (perThread < LEAST || perThread > MOST || perThread % STEP != 0) {
      throw new IllegalArgumentException(
          "setmaxnreg of " + perThread + " registers, expected a multiple of 8 from 24 to 256");
    }
  }
}
