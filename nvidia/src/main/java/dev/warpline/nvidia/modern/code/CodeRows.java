package dev.warpline.nvidia.modern.code;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Registers;
import java.util.Set;
import java.util.TreeSet;

/**
 * A kernel's static instructions in the terms of the modern core, a column for each thing that its
 * stages ask: an array with an element per row of the code table, filled by {@link RowDecoder}. A
 * new column is declared here and filled there; growing finds it by itself.
 *
 * <p>Grows when the trace shows new instructions; only between windows, so SMs may read it freely.
 */
public final class CodeRows {
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

  /** Rows that there is room for at first. */
  private static final int FIRST_ROWS = 256;

  /** Sources by position. */
  public static final int POSITIONS = 4;

  /** Of those, the ones that fixed-latency instructions read in their window. */
  public static final int READ_IN_WINDOW = 3;

  /** A barrier whose number is not known. */
  public static final int UNNAMED = -1;

  private final ModernCoreSpec spec;
  private final CodeTable code;
  private final RowDecoder decoder;
  private final Set<String> notModelled = new TreeSet<>();
  private int size;

  /**
   * What issue asks of every instruction, gathered from other columns into a word: its unit in the
   * lowest bits, then the flags below.
   */
  public int[] traits = new int[FIRST_ROWS];

  public static final int TRAIT_UNIT = 0xf;

  /** Fixed latency, one cycle of dispatch, no action, nobody to be told: the usual arithmetic. */
  public static final int TRAIT_SIMPLE = 1 << 4;

  /** Whether it reads a constant, whether it waits for a dependence counter. */
  public static final int TRAIT_CONSTANT = 1 << 5;

  public static final int TRAIT_WAITS = 1 << 6;

  public int[] pc = new int[FIRST_ROWS];
  public byte[] action = new byte[FIRST_ROWS];
  public byte[] unit = new byte[FIRST_ROWS];
  public int[] interval = new int[FIRST_ROWS];

  /** Cycles that the dispatch port is held. */
  public int[] dispatch = new int[FIRST_ROWS];

  /** Cycles by which dispatch delays the stall counter's start. */
  public int[] lateStall = new int[FIRST_ROWS];

  /** Whether the next instruction is known only when this one is resolved. */
  public boolean[] branches = new boolean[FIRST_ROWS];

  public byte[] stall = new byte[FIRST_ROWS];
  public boolean[] yields = new boolean[FIRST_ROWS];
  public byte[] writeBarrier = new byte[FIRST_ROWS];
  public byte[] readBarrier = new byte[FIRST_ROWS];
  public byte[] waitMask = new byte[FIRST_ROWS];

  /** Whether no counter and no scoreboard has to be told of it. */
  public boolean[] quiet = new boolean[FIRST_ROWS];

  public boolean[] fixed = new boolean[FIRST_ROWS];
  public int[] latency = new int[FIRST_ROWS];
  public int[] constantLine = new int[FIRST_ROWS];

  /** Line that an LDC with an immediate address reads, -1 if not known. */
  public int[] loadLine = new int[FIRST_ROWS];

  /** Up to four source registers by position (A, B, C, wide part), -1 where none. */
  public short[] operands = new short[FIRST_ROWS * POSITIONS];

  public byte[] operandWords = new byte[FIRST_ROWS * POSITIONS];

  /** Reads of the first three positions by register bank, eight bits for each. */
  public long[] bankReads = new long[FIRST_ROWS];

  public byte[] reuse = new byte[FIRST_ROWS];

  public byte[] space = new byte[FIRST_ROWS];
  public byte[] access = new byte[FIRST_ROWS];
  public byte[] bytes = new byte[FIRST_ROWS];
  public boolean[] bypassesL1 = new boolean[FIRST_ROWS];
  public boolean[] floating = new boolean[FIRST_ROWS];
  public boolean[] compareSwap = new boolean[FIRST_ROWS];

  /** Whether it moves 8x8 matrices: LDSM, STSM. */
  public boolean[] matrix = new boolean[FIRST_ROWS];

  public int[] barrier = new int[FIRST_ROWS];
  public int[] barrierWarps = new int[FIRST_ROWS];
  public int[] depbarCounter = new int[FIRST_ROWS];
  public int[] depbarLimit = new int[FIRST_ROWS];
  public int[] depbarZero = new int[FIRST_ROWS];

  /** Whether a constant load has a register index that the listing names. */
  public boolean[] indexed = new boolean[FIRST_ROWS];

  /** Whether a memory address comes from uniform registers and immediates alone. */
  public boolean[] uniformAddress = new boolean[FIRST_ROWS];

  /** Numbers that {@link #reads} and {@link #writes} use, those of {@link Registers}. */
  public static final int REGISTERS = Registers.COUNT;

  /** For kernels without control bits: registers of every kind that are read and written. */
  public int[][] reads = new int[FIRST_ROWS][];

  public int[][] writes = new int[FIRST_ROWS][];

  /** Register banks that the result goes to, as a mask, and that of its last register. */
  public byte[] writeBanks = new byte[FIRST_ROWS];

  public byte[] lastBank = new byte[FIRST_ROWS];
  public boolean[] guarded = new boolean[FIRST_ROWS];

  /** For {@link #ASYNC}: what of it, and its operands. */
  public byte[] async = new byte[FIRST_ROWS];

  /** Groups that may be left, or registers per thread. */
  public int[] groups = new int[FIRST_ROWS];

  public int[] columns = new int[FIRST_ROWS];
  public int[] operandLines = new int[FIRST_ROWS];
  public boolean[] sharedOperand = new boolean[FIRST_ROWS];
  public boolean[] commitsGroup = new boolean[FIRST_ROWS];
  public boolean[] announces = new boolean[FIRST_ROWS];
  public boolean[] clusterAddress = new boolean[FIRST_ROWS];
  public boolean[] tensorMap = new boolean[FIRST_ROWS];

  /** Whether the trace says which matrix product closes a group. */
  public boolean commitsKnown;

  public boolean controlled = true;
  public boolean hasDepbar;

  /** Whether any constant load has a register index that the listing names. */
  public boolean hasIndexed;

  /**
   * @param binaryVersion SM version that the code was compiled for
   */
  public CodeRows(ModernCoreSpec spec, CodeTable code, int binaryVersion) {
    this.spec = spec;
    this.code = code;
    decoder = new RowDecoder(this, spec, binaryVersion);
  }

  public int size() {
    return size;
  }

  /** What is not modelled as it stands, in words. */
  public Set<String> notModelled() {
    return notModelled;
  }

  void note(String words) {
    notModelled.add(words);
  }

  /** Decodes the rows that were added to the code table since the last call. */
  public void update(boolean controlBits) {
    controlled =
        controlBits && spec.issue().dependences() == ModernCoreSpec.Dependences.CONTROL_BITS;
    while (size < code.size()) {
      if (size == pc.length) {
        Columns.grow(this, size, 2 * size);
      }
      decoder.decode(size, code.get(size));
      traits[size] = traits(size);
      bankReads[size] = bankReads(size);
      size++;
    }
  }

  private int traits(int row) {
    boolean simple = fixed[row] && quiet[row] && action[row] == PLAIN && dispatch[row] <= 1;
    boolean waits = waitMask[row] != 0 || action[row] == DEPBAR;
    return unit[row]
        | (simple ? TRAIT_SIMPLE : 0)
        | (constantLine[row] >= 0 ? TRAIT_CONSTANT : 0)
        | (waits ? TRAIT_WAITS : 0);
  }

  private long bankReads(int row) {
    long reads = 0;
    for (int position = 0; position < READ_IN_WINDOW; position++) {
      int first = operands[POSITIONS * row + position];
      int words = first < 0 ? 0 : operandWords[POSITIONS * row + position];
      for (int register = first; register < first + words; register++) {
        if (!readBefore(row, position, register)) {
          reads += 1L << 8 * (register % spec.issue().banks());
        }
      }
    }
    return reads;
  }

  /** Whether a register is an operand in an earlier position, too: it is read once. */
  public boolean readBefore(int row, int position, int register) {
    for (int p = POSITIONS * row; p < POSITIONS * row + position; p++) {
      if (operands[p] >= 0 && register >= operands[p] && register < operands[p] + operandWords[p]) {
        return true;
      }
    }
    return false;
  }

  /** The unit that a row goes to, and for how many cycles it is taken. */
  void unit(int row, int theUnit, int cycles) {
    unit[row] = (byte) theUnit;
    interval[row] = cycles;
  }
}
