package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.KernelHeader;

/** A kernel on an SM: what its warps there have in common, and where their time goes. */
public final class ResidentKernel {
  /** Bits of a number of a line of code, and of one of constants, that tell kernels apart. */
  public static final int CODE_SHIFT = 17;

  public static final int CONSTANT_SHIFT = 10;

  /** Kernels that an SM tells apart: more than it has places for blocks. */
  public static final int MOST = 64;

  /** The launch, and the number of its code: launches of one number run the same code. */
  public final int launch;

  public final int program;

  public final CodeRows code;
  public final KernelHeader header;

  /** Number of its first line of code among those that the SM's caches hold, likewise constants. */
  public final int firstLine;

  public final int constants;

  /** Its blocks on the SM. */
  public int blocks;

  /** When the kernel has ended that this one may wait for; 0 if there is none. */
  public long predecessorEnd;

  /** Its warps that wait for that. */
  private long awaiting;

  final SmRecorder recorder;

  /** Time of its warps by reason, where no recorder keeps that. */
  final long[] stalls = new long[StallReason.COUNT];

  /** Of all SMs: time of its warps where it has lost its place since. */
  private final long[] gone;

  /**
   * @param gone of all SMs: time of its warps where it has lost its place since
   * @param place where its constants stand among those of the SM's kernels
   * @param codePlace the same of its code, which it may share
   * @param recorder null if nobody looks on
   */
  public ResidentKernel(
      int launch,
      int program,
      CodeRows code,
      KernelHeader header,
      int place,
      int codePlace,
      SmRecorder recorder,
      long[] gone) {
    this.gone = gone;
    this.launch = launch;
    this.program = program;
    this.code = code;
    this.header = header;
    this.recorder = recorder;
    constants = place << CONSTANT_SHIFT;
    firstLine = codePlace << CODE_SHIFT;
  }

  /** A warp waits for the end of the kernel before this one; until when, as far as is known. */
  public long await(int w) {
    if (predecessorEnd == Warps.NEVER) {
      awaiting |= 1L << w;
    }
    return predecessorEnd;
  }

  /** The kernel before this one has ended; returns the warps that wait for that. */
  public long predecessorEnded(long when) {
    predecessorEnd = when;
    long waiting = awaiting;
    awaiting = 0;
    return waiting;
  }

  /** Another kernel takes its place: what is counted here is kept elsewhere. */
  void leave() {
    for (int reason = 0; reason < stalls.length; reason++) {
      gone[reason] += stalls[reason];
    }
  }

  /** Time of its warps so far, by reason. */
  public long[] stalls() {
    return recorder == null ? stalls : recorder.total();
  }
}
