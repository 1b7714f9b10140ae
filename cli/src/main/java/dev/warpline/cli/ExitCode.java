package dev.warpline.cli;

/** What the process returns; documented in docs/guide.md. */
final class ExitCode {
  static final int OK = 0;
  static final int INTERNAL = 1;
  static final int USAGE = 2;
  static final int BAD_INPUT = 3;
  static final int UNFINISHED = 4;
  static final int CHECK_FAILED = 5;

  private ExitCode() {}
}
