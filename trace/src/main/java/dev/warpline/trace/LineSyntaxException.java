package dev.warpline.trace;

/** An instruction line that does not follow the grammar; made only for input that is wrong. */
public final class LineSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  final int position;
  final String expected;

  /**
   * @param position where the wrong field begins, see {@link LineFields#position}
   * @param expected what should stand there
   */
  public LineSyntaxException(int position, String expected) {
    super(expected, null, false, false);
    this.position = position;
    this.expected = expected;
  }
}
