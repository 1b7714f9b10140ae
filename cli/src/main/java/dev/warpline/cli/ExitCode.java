package dev.warpline.cli;

/** What the process returns; documented in docs/guide.md. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int INTERNAL = 1;
  public static final int USAGE = 2;
  public static final int BAD_INPUT = 3;
  public static final int UNFINISHED = 4;
  public static final int CHECK_FAILED = 5;

  private ExitCode() {}
}
