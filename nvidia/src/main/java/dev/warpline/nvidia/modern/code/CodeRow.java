package dev.warpline.nvidia.modern.code;

import dev.warpline.isa.Registers;
import java.util.Arrays;

/**
 * A static instruction in the terms of the modern core: what its stages ask, filled once by {@link
 * RowDecoder} and read by all SMs.
 */
public final class CodeRow {
  /** What an instruction does at issue, beside occupying a unit. */
  public static final byte PLAIN = 0;

  public static final byte MEMORY = 1;
  public static final byte CONSTANT_LOAD = 2;
  public static final byte XU = 3;
  public static final byte SPECIAL_REGISTER = 4;
  public static final byte BARRIER = 5;
  public static final byte EXIT = 6;
  public static final byte DEPBAR = 7;
  public static final byte COPY_COMMIT = 8;
  public static final byte MEMBAR = 9;
  public static final byte SLEEP = 10;
  public static final byte SHUFFLE = 11;
  public static final byte CACHE_CONTROL = 12;
  public static final byte BARRIER_ARRIVE = 13;
  public static final byte ASYNC = 14;

  /** Dependent launches may start, as far as the block is concerned. */
  public static final byte LET_GO = 15;

  /** A dependent launch waits for the end of the kernel before it. */
  public static final byte AWAIT_KERNEL = 16;

  /** Units of a sub-core. */
  public static final int UNIT_FMA = 0;

  public static final int UNIT_ALU = 1;
  public static final int UNIT_FP64 = 2;
  public static final int UNIT_XU = 3;
  public static final int UNIT_UNIFORM = 4;
  public static final int UNIT_TENSOR = 5;
  public static final int UNIT_BRANCH = 6;
  public static final int UNIT_NONE = 7;
  public static final int UNIT_LSU = 8;
  public static final int UNIT_CONSTANT = 9;
  public static final int UNITS = 10;

  /** What a memory instruction touches. */
  public static final byte SPACE_GLOBAL = 0;

  public static final byte SPACE_SHARED = 1;
  public static final byte SPACE_LOCAL = 2;
  public static final byte SPACE_GENERIC = 3;
  public static final byte SPACE_COPY = 4;

  public static final byte LOAD = 0;
  public static final byte STORE = 1;
  public static final byte ATOMIC = 2;
  public static final byte REDUCTION = 3;

  /** Sources by position. */
  public static final int POSITIONS = 4;

  /** Of those, the ones that fixed-latency instructions read in their window. */
  public static final int READ_IN_WINDOW = 3;

  /** Banks that there nearly always are. */
  public static final int PAIR = 2;

  /** A barrier whose number is not known. */
  public static final int UNNAMED = -1;

  /** Its number in the code table. */
  public final int index;

  /** Fixed latency, one cycle of dispatch, no action, nobody to be told: the usual arithmetic. */
  public boolean simple;

  /** Whether it waits for a dependence counter. */
  public boolean waits;

  /**
   * Whether it issues while its warp waits at a barrier that {@link #defers}: what goes to a queue
   * and branches do not.
   */
  public boolean passesBarriers;

  public int pc;
  public byte action;
  public byte unit;
  public int interval;

  /** Cycles that the dispatch port is held. */
  public int dispatch;

  /** Cycles by which dispatch delays the stall counter's start. */
  public int lateStall;

  /** Whether the next instruction is known only when this one is resolved. */
  public boolean branches;

  /** Until the next instruction can issue if it follows, or can be fetched if it is elsewhere. */
  public int fallThrough;

  public int jump;

  public byte stall;

  /** Until its warp's next instruction may issue, as far as stall counter and dispatch say. */
  public int nextAfter;

  public boolean yields;
  public byte writeBarrier;
  public byte readBarrier;
  public byte waitMask;

  /** Whether no counter and no scoreboard has to be told of it. */
  public boolean quiet;

  public boolean fixed;
  public int latency;
  public int constantLine;

  /** Line that an LDC with an immediate address reads, -1 if not known. */
  public int loadLine;

  /** Up to four source registers by position (A, B, C, wide part), -1 where none. */
  public final short[] operands = new short[POSITIONS];

  public final byte[] operandWords = new byte[POSITIONS];

  /** What it reads in its window: whether anything, and from which register banks. */
  public boolean readsInWindow;

  private BankReads[] bankReads;

  /** From the first two banks. */
  public BankReads evenReads;

  public BankReads oddReads;

  public byte reuse;

  public byte space;
  public byte access;
  public byte bytes;
  public boolean bypassesL1;
  public boolean floating;
  public boolean compareSwap;

  /** Whether a word becomes larger by how many lanes name it: ATOMS.POPC.INC. */
  public boolean countsLanes;

  /** Whether it moves 8x8 matrices: LDSM, STSM. */
  public boolean matrix;

  public int barrier;

  /** Whether a barrier blocks only what comes to a queue behind it. */
  public boolean defers;

  public int barrierWarps;
  public int depbarCounter;
  public int depbarLimit;
  public int depbarZero;

  /** Whether a constant load has a register index that the listing names. */
  public boolean indexed;

  /** Whether a memory address comes from uniform registers and immediates alone. */
  public boolean uniformAddress;

  /** Numbers that {@link #reads} and {@link #writes} use, those of {@link Registers}. */
  public static final int REGISTERS = Registers.COUNT;

  /** For kernels without control bits: registers of every kind that are read and written. */
  public int[] reads;

  public int[] writes;

  /** Register banks that the result goes to, as a mask, and that of its last register. */
  public byte writeBanks;

  public byte lastBank;
  public boolean guarded;

  /** For {@link #ASYNC}: what of it, and its operands. */
  public byte async;

  /** Groups that may be left, or registers per thread. */
  public int groups;

  public int columns;
  public int operandLines;
  public boolean sharedOperand;
  public boolean commitsGroup;
  public boolean announces;
  public boolean clusterAddress;
  public boolean tensorMap;

  CodeRow(int index) {
    this.index = index;
  }

  /** Works out what follows from the other fields. */
  void complete(int banks) {
    simple = fixed && quiet && action == PLAIN && dispatch <= 1;
    nextAfter = Math.max(1, stall) + lateStall;
    waits = waitMask != 0 || action == DEPBAR;
    passesBarriers = fixed && action == PLAIN && !branches;
    bankReads = new BankReads[Math.max(PAIR, banks)];
    Arrays.setAll(bankReads, bank -> new BankReads());
    readsInWindow = false;
    for (int position = 0; position < READ_IN_WINDOW; position++) {
      int first = operands[position];
      int words = first < 0 ? 0 : operandWords[position];
      for (int register = first; register < first + words; register++) {
        boolean again = readBefore(position, register);
        boolean kept = (reuse >>> position & 1) != 0;
        bankReads[register % banks].add(position, register, again, kept);
        readsInWindow = true;
      }
    }
    evenReads = bankReads[0];
    oddReads = bankReads[1];
  }

  /** What it reads from a bank in its window. */
  public BankReads readsOf(int bank) {
    return bankReads[bank];
  }

  /** Whether a register is an operand in an earlier position, too: it is read once. */
  public boolean readBefore(int position, int register) {
    for (int p = 0; p < position; p++) {
      if (operands[p] >= 0 && register >= operands[p] && register < operands[p] + operandWords[p]) {
        return true;
      }
    }
    return false;
  }

  /** The unit that it goes to, and for how many cycles that is taken. */
  void unit(int theUnit, int cycles) {
    unit = (byte) theUnit;
    interval = cycles;
  }
}
