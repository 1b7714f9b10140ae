package dev.warpline.trace;

/**
 * Something in an input that is not as it should be.
 *
 * @param file name of the file, as the user would know it
 * @param line line from 1, or 0 where lines mean nothing
 * @param column column from 1, or 0
 * @param found what stands there
 * @param expected what would be right
 * @param skipped what a lenient reader leaves out because of it
 */
public record Problem(
    String file, long line, int column, String found, String expected, Skipped skipped) {

  /** The piece of a trace that a lenient reader leaves out. */
  public enum Skipped {
    /** Nothing: read on with a sensible meaning. */
    NOTHING,
    COMMAND,
    INSTRUCTION,
    WARP,
    BLOCK,
    KERNEL
  }

  /** {@code file:line:column: found ..., expected ...}. */
  public String message() {
    StringBuilder text = new StringBuilder(file);
    if (line > 0) {
      text.append(':').append(line);
      if (column > 0) {
        text.append(':').append(column);
      }
    }
    text.append(": found ").append(found);
    if (!expected.isEmpty()) {
      text.append(", expected ").append(expected);
    }
    return text.toString();
  }
}
