package dev.warpline.trace;

import java.io.IOException;

/** Input that cannot be read: in strict mode any {@link Problem}, otherwise one without remedy. */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public TraceFormatException(Problem problem) {
    super(problem.message());
    this.problem = problem;
  }

  /** What is wrong, in parts. */
  public Problem problem() {
    return problem;
  }
}
