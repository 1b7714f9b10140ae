package dev.warpline.engine.profile;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What a resident warp (AMD: wave) does in a cycle, on every core. Every cycle of a warp's life has
 * exactly one reason. Each names its counterpart in Nsight Compute's warp states and, if there is
 * one, in gem5's stall cycles; several of ours (a wait by the level that answered) may share one of
 * theirs.
 */
public enum StallReason {
  SELECTED("selected", "InstrReady", "Issued", "The warp issued an instruction in this cycle."),
  NOT_SELECTED(
      "not_selected",
      "InstrReady",
      "Not selected",
      "The warp could issue, but its scheduler chose another warp: there are warps enough."),
  WAIT(
      "wait",
      "VgprBusy",
      "Fixed latency",
      "The compiler's stall count (or a fixed-latency result) has not run out."),
  SCALAR_WAIT(
      "wait",
      "SgprBusy",
      "Scalar result",
      "A scalar register is still being written (AMD; vector registers are fixed latency)."),
  L1_HIT(
      "long_scoreboard",
      "WaitCnt",
      "Data from L1",
      "Waits for a global, local or texture access that L1 answered."),
  L1_MISS(
      "long_scoreboard",
      "WaitCnt",
      "Data past L1",
      "Waits for an access that missed L1 and that a memory-side cache answered, or whose level is"
          + " not known."),
  L2_HIT("long_scoreboard", "WaitCnt", "Data from L2", "Waits for an access that L2 answered."),
  DRAM(
      "long_scoreboard",
      "WaitCnt",
      "Data from DRAM",
      "Waits for an access that went to device memory."),
  ATOMIC(
      "long_scoreboard",
      "WaitCnt",
      "Atomic result",
      "Waits for the value that a global atomic returns."),
  ASYNC_COPY(
      "long_scoreboard",
      "Asynchronous copy",
      "Waits for a group of asynchronous copies from global to shared memory."),
  DISTRIBUTED_SHARED(
      "long_scoreboard",
      "Cluster's shared memory",
      "Waits for shared memory of another SM of the cluster."),
  MBARRIER(
      "long_scoreboard",
      "Asynchronous barrier",
      "Waits at an mbarrier for arrivals or for the bytes of a bulk copy."),
  SHARED(
      "short_scoreboard",
      "WaitCnt",
      "Data from shared memory",
      "Waits for a shared-memory (LDS) access."),
  SHUFFLE("short_scoreboard", "Shuffle", "Waits for a lane exchange."),
  CONSTANT_LOAD(
      "short_scoreboard",
      "WaitCnt",
      "Constant load",
      "Waits for a constant load by address, or a scalar load on AMD."),
  MUFU("short_scoreboard", "Special function", "Waits for the transcendental or conversion unit."),
  SPECIAL_REGISTER("short_scoreboard", "Special register", "Waits for a special register's value."),
  SHORT_OTHER(
      "short_scoreboard",
      "Other variable latency",
      "Waits for another variable-latency result inside the SM."),
  TENSOR("wait", "Tensor result", "Waits for the result of a matrix instruction."),
  FP64("wait", "Double-precision result", "Waits for a result of the double-precision unit."),
  GMMA("gmma", "Warpgroup matrix", "Waits for warpgroup matrix products in flight."),
  FETCH(
      "no_instruction",
      "IBEmpty",
      "Instruction fetch",
      "The next instruction is not in the buffer yet."),
  CONSTANT_MISS(
      "imc_miss",
      "Constant operand",
      "A c[bank][offset] operand missed the constant cache at issue."),
  BRANCH("branch_resolving", "Branch", "Waits for a branch target before fetching again."),
  BARRIER("barrier", "BarrierWait", "Barrier", "Waits at a barrier of its block or cluster."),
  MEMBAR("membar", "Memory fence", "Waits for earlier memory operations to be visible."),
  SLEEPING("sleeping", "Sleep", "Sleeping", "All lanes sleep (NANOSLEEP, s_sleep)."),
  GLOBAL_QUEUE(
      "lg_throttle",
      "Global memory queue full",
      "The queue to L1 for global and local accesses is full."),
  MIO_QUEUE(
      "mio_throttle",
      "Memory I/O queue full",
      "The queue to shared memory, special functions and shuffles is full."),
  TEXTURE_QUEUE("tex_throttle", "Texture queue full", "The queue to the texture unit is full."),
  UNIT_BUSY(
      "math_pipe_throttle",
      "MatrixCore",
      "Unit busy",
      "The execution unit cannot take another instruction yet."),
  DISPATCH(
      "dispatch_stall",
      "Dispatch",
      "The dispatcher holds back: register ports, operand collectors or result slots."),
  DRAIN("drain", "WaitCnt", "Drain", "The warp has exited and waits for its stores to leave."),
  MISC(
      "misc",
      "WFStop",
      "Other",
      "Anything else, such as the cycles between launch and first fetch.");

  /** How many reasons there are: the row length of every table by reason. */
  public static final int COUNT = values().length;

  private final String nsight;
  private final String gem5;
  private final String label;
  private final String explanation;

  StallReason(String nsight, String label, String explanation) {
    this(nsight, null, label, explanation);
  }

  StallReason(String nsight, String gem5, String label, String explanation) {
    this.nsight = nsight;
    this.gem5 = gem5;
    this.label = label;
    this.explanation = explanation;
  }

  /** The warp state of Nsight Compute that this belongs to, e.g. {@code long_scoreboard}. */
  public String nsight() {
    return nsight;
  }

  /**
   * The stall cycles of gem5's scoreboard check that this belongs to, e.g. {@code WaitCnt}; null if
   * its compute unit has nothing of the kind.
   */
  public String gem5() {
    return gem5;
  }

  /** A short name for people. */
  public String label() {
    return label;
  }

  /** One sentence: what the warp waits for. */
  public String explanation() {
    return explanation;
  }

  /** The name in results and files, e.g. {@code not_selected}. */
  @JsonValue
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What people read for a name in results: the {@link #label} of a {@link #key}; the name itself
   * where it is none, such as the states of the classic core's schedulers.
   */
  public static String labelOf(String key) {
    for (StallReason reason : values()) {
      if (reason.key().equals(key)) {
        return reason.label;
      }
    }
    return key;
  }

  /** The reason of a {@link #key}, in any case: older results have capitals. */
  @JsonCreator
  public static StallReason ofKey(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }
}
