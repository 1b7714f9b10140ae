package dev.warpline.amd.exec;

/**
 * Execution cannot go on. The message names the cause, the instruction, its PC, the kernel, the
 * wave and, if known, the lane.
 */
public final class ExecutionFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long pc;

  ExecutionFault(String message, long pc, Throwable cause) {
    super(message, cause);
    this.pc = pc;
  }

  /** Address of the instruction that could not be executed. */
  public long pc() {
    return pc;
  }
}
