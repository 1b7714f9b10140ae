package dev.warpline.cli;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;

/**
 * One line on a terminal that says how far a long command is. It appears after a second, changes a
 * few times a second, and leaves nothing behind. Where there is no terminal it says nothing.
 */
final class ProgressLine implements AutoCloseable {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long STEP_NANOS = 150_000_000L;
  private static final int WIDTH = 30;

  private final PrintStream terminal;
  private final long start = System.nanoTime();
  private long next = start + FIRST_NANOS;
  private int shown;

  ProgressLine() {
    terminal = onTerminal() ? System.err : null;
  }

  /** From JDK 22 on there is a console without a terminal too, and a method that tells. */
  private static boolean onTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /** Work done so far, of a known whole. */
  void show(String what, long done, long all) {
    if (!due()) {
      return;
    }
    double share = all == 0 ? 1 : Math.min(1, (double) done / all);
    int filled = (int) Math.round(share * WIDTH);
    print(
        String.format(
            Locale.ROOT,
            "%s [%s%s] %3.0f %%",
            what,
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            100 * share));
  }

  /** Work done so far, where the whole is not known. */
  void show(String text) {
    if (due()) {
      print(text);
    }
  }

  /** Whether it is time for a line. */
  boolean due() {
    if (terminal == null || System.nanoTime() < next) {
      return false;
    }
    next = System.nanoTime() + STEP_NANOS;
    return true;
  }

  private void print(String line) {
    terminal.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
    terminal.flush();
    shown = line.length();
  }

  @Override
  public void close() {
    clear();
  }

  /** Makes room for a line of text; what comes next is shown below it. */
  void clear() {
    if (shown > 0) {
      terminal.print("\r" + " ".repeat(shown) + "\r");
      terminal.flush();
      shown = 0;
    }
  }
}
