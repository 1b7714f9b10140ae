package dev.warpline.nvidia.modern.warp;

import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.BlockTrace;

/**
 * A warp slot of an SM and the warp in it. Other units read its fields and change them through
 * {@link Warps} and {@link WarpTime} only.
 */
public final class ResidentWarp {
  /** Number of the slot. */
  public final int slot;

  final int subCore;

  /** The warps of its sub-core by when they may issue. */
  final ReadyWarps among;

  public boolean live;

  /** Whether it issued its last instruction. */
  public boolean ended;

  public BlockTrace trace;

  /** What it is a warp of, and three things of that which are asked for in every cycle. */
  public ResidentKernel kernel;

  public CodeRows code;
  public int firstLine;

  /** Whether control bits see to its dependences. */
  public boolean controlled;

  long[] stalls;

  /** Place of its block, and its number in it. */
  public int block;

  public int warpOfBlock;

  // The code and the block's rows of it: what trace and code have, without a step in between.
  CodeRow[] table;
  int[] rows;

  /** Index of the next instruction in the block's trace, and of the one behind the last. */
  public int at;

  public int end;

  /** That next instruction, as long as there is one. */
  public CodeRow row;

  /** Larger is younger. */
  public long age;

  /** When the stall counter of the last instruction runs out. */
  public long stallUntil;

  /** Memory instructions that have not completed (loads) or not left the SM (stores). */
  public int inFlight;

  /** Cycle of the last event of an ended warp. */
  public long endAt;

  /** Why its next instruction cannot issue earlier. */
  byte reason;

  /** When the next instruction has been fetched and decoded. */
  long fetchAt;

  byte fetchReason;

  /** A fence, sleep or the like: no issue before this. */
  long heldUntil;

  byte heldReason;

  /** A barrier: before this nothing issues; if it defers, what {@link CodeRow#passesBarriers}. */
  long barredUntil;

  boolean barrierDefers;

  /** Up to where its time is charged to a reason. */
  long charged;

  /** Up to where and why it was refused although it was ready. */
  long refusedUntil;

  /** For how many cycles in all since it issued last. */
  long refusedCycles;

  byte refusedReason;

  /** An instruction of its block by its index. */
  public CodeRow rowAt(int index) {
    return table[rows[index]];
  }

  ResidentWarp(int slot, int subCore, ReadyWarps among) {
    this.slot = slot;
    this.subCore = subCore;
    this.among = among;
  }
}
