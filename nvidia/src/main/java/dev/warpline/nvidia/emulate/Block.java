package dev.warpline.nvidia.emulate;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.trace.Dim3;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A thread block: its warps, their shared memory and barriers. Used for one block after another.
 */
final class Block {
  private static final int BARRIERS = 16;

  private final Launch launch;
  private final BlockMemory shared;
  private final Warp[] warps;
  private final int threads;
  private final int[] arrived = new int[BARRIERS];
  private final int[] expected = new int[BARRIERS];
  private final int[] votes = new int[BARRIERS];
  private final int[] voters = new int[BARRIERS];
  private final long mostText = Runtime.getRuntime().maxMemory() / 6;
  private int x;
  private int y;
  private int z;

  Block(Launch launch) {
    this.launch = launch;
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

  /** Runs one block to its end. */
  void run(int blockX, int blockY, int blockZ, KernelSteps program) throws EmulationException {
    place(blockX, blockY, blockZ);
    shared.clear();
    for (int i = 0; i < BARRIERS; i++) {
      clear(i);
    }
    for (Warp warp : warps) {
      warp.start(threads - warp.id * Warp.LANES);
    }
    boolean left = true;
    while (left) {
      left = false;
      boolean moved = false;
      for (Warp warp : warps) {
        moved |= warp.paths.active != 0;
        program.run(warp);
        left |= !warp.paths.ended();
      }
      if (left && !moved) {
        throw deadlock();
      }
      checkLength();
    }
  }

  /** A block's trace is held until its end: one that never ends must not fill the memory. */
  private void checkLength() {
    long text = 0;
    for (Warp warp : warps) {
      text += warp.trace.length();
    }
    if (text > mostText) {
      throw new UnfinishedSimulationException(
          place()
              + ": its trace is longer than "
              + (mostText >> 20)
              + " MiB, for which there is no memory; an endless loop?");
    }
  }

  private UnfinishedSimulationException deadlock() {
    StringBuilder text = new StringBuilder(place() + ": deadlock; waiting:");
    for (Warp warp : warps) {
      if (!warp.paths.ended()) {
        text.append(String.format("%n  warp %d: %s", warp.id, warp.paths.describe()));
      }
    }
    return new UnfinishedSimulationException(text.toString());
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
   * @param waits whether they wait there
   * @param count threads that the barrier expects, 0 for all of the block
   * @param vote lanes whose predicate is true, for BAR.RED
   */
  void arrive(Warp warp, Step step, int mask, boolean waits, int count, int vote) {
    int barrier = step.barrier;
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

  /** Writes what the block executed. */
  void write(OutputStream out) throws IOException {
    StringBuilder head = new StringBuilder("#BEGIN_TB\n\nthread block = ");
    head.append(x).append(',').append(y).append(',').append(z).append("\n\n");
    out.write(head.toString().getBytes(StandardCharsets.US_ASCII));
    for (Warp warp : warps) {
      String title = "warp = " + warp.id + "\ninsts = " + warp.trace.lines() + "\n";
      out.write(title.getBytes(StandardCharsets.US_ASCII));
      warp.trace.writeTo(out);
      out.write('\n');
    }
    out.write("#END_TB\n\n".getBytes(StandardCharsets.US_ASCII));
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
