package dev.warpline.isa;

/**
 * What the table of one GPU generation knows of a mnemonic's first token.
 *
 * @param name first token, e.g. {@code LDG}
 * @param category Accel-Sim's category: the classic core's unit and latency class
 * @param pipe the modern core's execution pipe
 * @param space memory space, {@link MemorySpace#NONE} for other instructions
 * @param reads whether memory is read
 * @param writes whether memory is written
 * @param atomic whether it is a read-modify-write
 * @param fixedLatency whether the compiler knows its latency (no dependence counter needed)
 * @param result what it writes besides memory
 * @param role what the core must do with it beside sending it to its pipe
 * @param flops arithmetic operations of a lane, {@link #BY_SHAPE} for matrix products
 * @param known false for the stand-in of an opcode that the table lacks
 */
public record Opcode(
    String name,
    Category category,
    Pipe pipe,
    MemorySpace space,
    boolean reads,
    boolean writes,
    boolean atomic,
    boolean fixedLatency,
    Result result,
    Role role,
    int flops,
    boolean known) {

  /** A matrix product: see {@link MatrixShape}. */
  public static final int BY_SHAPE = -1;

  /** What an instruction writes besides memory. */
  public enum Result {
    /** Nothing. */
    NONE,
    /** A regular register; predicates before and behind it are results too. */
    REGISTER,
    /** A uniform register, likewise. */
    UNIFORM,
    /** The predicates that come first, at most two. */
    PREDICATE,
    /** A barrier register. */
    BARRIER,
    /** Every operand but the last, which is the predicate that is voted on. */
    VOTE,
    /** The first operand, whatever it is, unless that is memory. */
    FIRST
  }

  /** Whether this is any access to memory, shared memory and constants included. */
  public boolean isMemory() {
    return space != MemorySpace.NONE;
  }
}
