package dev.warpline.nvidia.emulate;

import dev.warpline.isa.Registers;
import dev.warpline.trace.WarpTrace;
import java.util.Arrays;

/**
 * Registers and lanes of one warp.
 *
 * <p>Regular and uniform registers are one file of 32-lane rows, so that an instruction of the
 * uniform datapath is the same instruction on other rows: it computes one value 32 times.
 */
final class Warp {
  static final int LANES = 32;

  static final int ZERO = Registers.RZ;
  static final int UNIFORM = Registers.UR;
  static final int UNIFORM_ZERO = Registers.URZ;

  /** Where writes to RZ and URZ go, so that those stay zero. */
  static final int DISCARD = UNIFORM_ZERO + 1;

  static final int TRUE = Registers.PT - Registers.P;
  static final int UNIFORM_PREDICATE = Registers.UP - Registers.P;
  static final int DISCARD_PREDICATE = Registers.B - Registers.P;

  private static final int BARRIERS = 16;

  /** Groups of warpgroup products that can be waited for. */
  private static final int GROUPS = 16;

  final Block block;
  final int id;

  /** Rows of 32 lanes by their number in {@link Registers}, and the discarded. */
  final int[][] registers = new int[DISCARD + 1][LANES];

  /** Registers that the kernel uses; the others stay zero. */
  int regulars = ZERO;

  int uniforms = UNIFORM_ZERO - UNIFORM;

  /** A bit per lane: P0 to P6, PT, UP0 to UP6, UPT, and the discarded. */
  final int[] predicates = new int[DISCARD_PREDICATE + 1];

  /** The lanes that take part in a convergence barrier, as each of its lanes knows them. */
  final int[][] barriers = new int[BARRIERS][LANES];

  final Paths paths = new Paths(this);
  final LocalMemory local = new LocalMemory();

  private int[][] threads;

  /** What it executed, null if nobody wants to know. */
  WarpTrace trace;

  /** Set by an operation that found nothing to go on with: others get a turn. */
  boolean yields;

  /** Set by an operation that could not be done yet: it is tried again in the next turn. */
  boolean waits;

  /** How often it came to the barrier of its cluster. */
  int clusterArrivals;

  /** How often it came to the barrier of its warpgroup. */
  int groupArrivals;

  /** Warpgroup products that it did its part of. */
  long products;

  /** How many products it had done when it closed each of its last groups. */
  private final long[] groups = new long[GROUPS];

  private int closed;

  /** Lanes that exist and have not exited. */
  int alive;

  /** What BAR.RED left for B2R. */
  int barrierResult;

  /** Instructions executed. */
  long executed;

  /** The most that the clock goes on beyond the instructions when it is read. */
  private static final long LONGEST_LOOK = 1 << 20;

  /** How often the clock was read, and how far that made it go on. */
  private long looks;

  private long looking;

  /** The time that the kernel saw last. */
  long clock;

  Warp(Block block, int id) {
    this.block = block;
    this.id = id;
  }

  /** Makes the warp ready for another block. */
  void start(int lanes) {
    for (int row = 0; row < regulars; row++) {
      Arrays.fill(registers[row], 0);
    }
    for (int row = 0; row < uniforms; row++) {
      Arrays.fill(registers[UNIFORM + row], 0);
    }
    Arrays.fill(predicates, 0);
    predicates[TRUE] = -1;
    predicates[UNIFORM_PREDICATE + TRUE] = -1;
    alive = lanes >= LANES ? -1 : (1 << lanes) - 1;
    executed = 0;
    looks = 0;
    looking = 0;
    clock = 0;
    paths.start(alive);
    yields = false;
    waits = false;
    clusterArrivals = 0;
    groupArrivals = 0;
    products = 0;
    closed = 0;
    local.clear();
    if (trace != null) {
      trace.clear();
    }
  }

  /**
   * The kernel looks at the clock: a cycle for each instruction. Whoever looks again and again
   * waits for time to pass, which then passes ever faster: a tenth of a second after a thousand
   * looks rather than a hundred million.
   */
  void look() {
    looks = Math.min(looks + 1, LONGEST_LOOK);
    looking += Math.min(looks * looks, LONGEST_LOOK);
    clock = executed + looking;
  }

  /** The coordinates of its lanes in the block: x, y, z. */
  int[][] threads() {
    if (threads == null) {
      threads = new int[3][LANES];
      for (int lane = 0; lane < LANES; lane++) {
        int thread = id * LANES + lane;
        int x = block.size().x();
        int y = block.size().y();
        threads[0][lane] = thread % x;
        threads[1][lane] = thread / x % y;
        threads[2][lane] = thread / (x * y);
      }
    }
    return threads;
  }

  /** Where it is, and what its registers hold. */
  void hash(StateHash hash) {
    paths.hash(hash);
    hash.add(predicates, predicates.length);
    for (int row = 0; row < regulars; row++) {
      hash.add(registers[row], LANES);
    }
    for (int row = 0; row < uniforms; row++) {
      hash.add(registers[UNIFORM + row][0]);
    }
    hash.add(products);
    hash.add(clusterArrivals);
    hash.add(groupArrivals);
  }

  /** The products so far are a group. */
  void closeGroup() {
    groups[closed++ % GROUPS] = products;
  }

  /** Products that are done when no more than a number of groups are left. */
  long productsBefore(int left) {
    int group = closed - left;
    return group <= 0 ? 0 : groups[(group - 1) % GROUPS];
  }

  /** Where a predicate of {@link Registers} stands in {@link #predicates}. */
  static int predicate(int register) {
    return register - Registers.P;
  }

  void setPredicate(int index, int mask, int value) {
    predicates[index] = predicates[index] & ~mask | value & mask;
  }
}
