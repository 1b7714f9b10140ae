package dev.warpline.nvidia.emulate;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.WarpTrace;

/** A thread block: its warps, their shared memory and barriers. Used for one after another. */
final class Block {
  private static final int BARRIERS = 16;

  private final Launch launch;
  private final BlockCluster cluster;
  private final int rank;
  private final BlockMemory shared;
  private final Warp[] warps;
  private final int threads;
  private final int[] arrived = new int[BARRIERS];
  private final int[] expected = new int[BARRIERS];
  private final int[] votes = new int[BARRIERS];
  private final int[] voters = new int[BARRIERS];
  private final long mostTrace = Runtime.getRuntime().maxMemory() / 4;
  private boolean ended = true;
  private int x;
  private int y;
  private int z;

  Block(Launch launch, BlockCluster cluster, int rank) {
    this.launch = launch;
    this.cluster = cluster;
    this.rank = rank;
    Dim3 size = launch.block();
    threads = size.x() * size.y() * size.z();
    shared = new BlockMemory(launch.sharedWindow());
    warps = new Warp[(threads + Warp.LANES - 1) / Warp.LANES];
    for (int i = 0; i < warps.length; i++) {
      warps[i] = new Warp(this, i);
    }
  }

  /** The block that the warps are of from now on. */
  void place(int blockX, int blockY, int blockZ) {
    x = blockX;
    y = blockY;
    z = blockZ;
  }

  /** Makes it another block of the grid, before its first instruction. */
  void start(int blockX, int blockY, int blockZ) {
    place(blockX, blockY, blockZ);
    shared.clear();
    for (int i = 0; i < BARRIERS; i++) {
      clear(i);
    }
    for (Warp warp : warps) {
      warp.start(threads - warp.id * Warp.LANES);
    }
    ended = false;
  }

  /** Whether all its warps have ended. */
  boolean ended() {
    return ended;
  }

  /**
   * Gives each of its warps a turn.
   *
   * @return whether one of them could execute something
   */
  boolean turn(KernelSteps program) throws EmulationException {
    boolean left = false;
    boolean moved = false;
    for (Warp warp : warps) {
      moved |= program.run(warp);
      left |= !warp.paths.ended();
    }
    ended = !left;
    checkLength();
    return moved;
  }

  /** A block's trace is held until its end: one that never ends must not fill the memory. */
  private void checkLength() {
    long bytes = 0;
    for (Warp warp : warps) {
      bytes += warp.trace == null ? 0 : warp.trace.bytes();
    }
    if (bytes > mostTrace) {
      throw new UnfinishedSimulationException(
          place()
              + ": its trace is longer than "
              + (mostTrace >> 20)
              + " MiB, for which there is no memory; an endless loop?");
    }
  }

  /** What its warps are at and hold in their registers; not in memory. */
  void hashRegisters(StateHash hash) {
    hash.add(ended ? 1 : 0);
    for (Warp warp : warps) {
      if (!ended) {
        warp.hash(hash);
      }
    }
  }

  /** What its shared and local memory hold. */
  void hashMemory(StateHash hash) {
    shared.hash(hash);
    for (Warp warp : warps) {
      warp.local.hash(hash);
    }
  }

  /**
   * What its warps wait for, none of which can go on.
   *
   * @param what is wrong
   */
  String describe(String what) {
    StringBuilder text = new StringBuilder(place() + ": " + what + "; waiting:");
    for (Warp warp : warps) {
      if (!warp.paths.ended()) {
        text.append(String.format("%n  warp %d: %s", warp.id, warp.paths.describe()));
      }
    }
    return text.toString();
  }

  private void clear(int barrier) {
    arrived[barrier] = 0;
    expected[barrier] = 0;
    votes[barrier] = 0;
    voters[barrier] = 0;
  }

  /**
   * Lanes reach a barrier.
   *
   * @param barrier its number
   * @param waits whether they wait there
   * @param count threads that the barrier expects, 0 for all of the block
   * @param vote lanes whose predicate is true, for BAR.RED
   */
  void arrive(Warp warp, Step step, int barrier, int mask, boolean waits, int count, int vote) {
    expected[barrier] = count;
    votes[barrier] += Integer.bitCount(vote & mask);
    voters[barrier] += Integer.bitCount(mask);
    if (waits) {
      warp.paths.syncBlock(mask, barrier);
    } else {
      arrived[barrier] += Integer.bitCount(mask);
      warp.paths.pc += SassInstruction.BYTES;
    }
    release(barrier, step);
  }

  /** After lanes have exited, the others may be all that a barrier waits for. */
  void lanesExited() {
    for (int barrier = 0; barrier < BARRIERS; barrier++) {
      if (voters[barrier] != 0) {
        release(barrier, null);
      }
    }
  }

  private void release(int barrier, Step step) {
    int present = arrived[barrier];
    int alive = 0;
    for (Warp warp : warps) {
      int waiting = warp.paths.atBlockBarrier(barrier);
      present += Integer.bitCount(waiting);
      alive += Integer.bitCount(warp.alive);
      if (waiting != 0 && waiting == warp.alive && expected[barrier] != 0) {
        // Barriers with a count count whole warps.
        present += Warp.LANES - Integer.bitCount(waiting);
      }
    }
    int needed = expected[barrier] == 0 ? alive : expected[barrier];
    if (present < needed) {
      return;
    }
    int result = 0;
    if (step != null && step.instruction.has("RED")) {
      result =
          switch (step.instruction.oneOf("POPC", "POPC", "AND", "OR")) {
            case "AND" -> votes[barrier] == voters[barrier] ? -1 : 0;
            case "OR" -> votes[barrier] != 0 ? -1 : 0;
            default -> votes[barrier];
          };
    }
    clear(barrier);
    for (Warp warp : warps) {
      if (warp.paths.atBlockBarrier(barrier) != 0) {
        warp.barrierResult = result;
        warp.paths.release(barrier);
      }
    }
  }

  /** Whether the other warps of a warpgroup have done their parts of its first products, too. */
  boolean productsDone(Warp warp, long count) {
    int first = warp.id & -4;
    for (int i = first; i < Math.min(warps.length, first + 4); i++) {
      if (warps[i].products < count && warps[i].alive != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the warps of a warpgroup have come to its barrier as often as one of them, or ended.
   */
  boolean groupArrived(Warp warp) {
    int first = warp.id & -4;
    for (int i = first; i < Math.min(warps.length, first + 4); i++) {
      if (warps[i].groupArrivals < warp.groupArrivals && warps[i].alive != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether all its warps have come to the barrier of the cluster so often, or ended. */
  boolean arrivedAtCluster(int times) {
    for (Warp warp : warps) {
      if (warp.clusterArrivals < times && warp.alive != 0) {
        return false;
      }
    }
    return true;
  }

  /** Reads global memory, or the parameters where they appear in it. */
  void read(long address, byte[] into) {
    if (!launch.constants().read(address, into)) {
      launch.memory().read(address, into, 0, into.length);
    }
  }

  /** Says which registers its kernel uses, from the first ones on; the others are not cleared. */
  void useRegisters(int regulars, int uniforms) {
    for (Warp warp : warps) {
      warp.regulars = Math.min(regulars, warp.regulars);
      warp.uniforms = Math.min(uniforms, warp.uniforms);
    }
  }

  /** Whether its warps record what they execute from their next start on. */
  void record(boolean wanted) {
    for (Warp warp : warps) {
      warp.trace = wanted ? warp.trace == null ? new WarpTrace() : warp.trace : null;
    }
  }

  /** What its warps executed. */
  WarpTrace[] traces() {
    WarpTrace[] traces = new WarpTrace[warps.length];
    for (int i = 0; i < traces.length; i++) {
      traces[i] = warps[i].trace;
    }
    return traces;
  }

  /** Its number in the grid. */
  long id() {
    Dim3 grid = launch.grid();
    return ((long) z * grid.y() + y) * grid.x() + x;
  }

  /** The cluster that it is one of. */
  BlockCluster cluster() {
    return cluster;
  }

  /** Its number in the cluster. */
  int rank() {
    return rank;
  }

  /** Which kernel and block this is, for messages. */
  String place() {
    return launch.kernel() + ", block " + x + "," + y + "," + z;
  }

  Warp warp(int index) {
    return warps[index];
  }

  ConstantBanks constants() {
    return launch.constants();
  }

  EmulatedMemory memory() {
    return launch.memory();
  }

  long sharedBase() {
    return launch.sharedBase();
  }

  long localBase() {
    return launch.localBase();
  }

  BlockMemory shared() {
    return shared;
  }

  Dim3 size() {
    return launch.block();
  }

  int x() {
    return x;
  }

  int y() {
    return y;
  }

  int z() {
    return z;
  }
}
