package dev.warpline.engine;

import java.util.function.BiPredicate;

/**
 * A choice of kernels that begins and ends with one of them: those before are not timed, and
 * nothing after the last one needs to be done at all.
 */
public final class KernelRange implements BiPredicate<Integer, String> {
  private final BiPredicate<Integer, String> inside;
  private final BiPredicate<Integer, String> first;
  private final BiPredicate<Integer, String> last;
  private boolean begun;
  private boolean over;

  /**
   * @param inside which kernels of the range are chosen
   * @param first the kernel that it begins with, null for the first of all
   * @param last the kernel that it ends with, null for the last of all
   */
  public KernelRange(
      BiPredicate<Integer, String> inside,
      BiPredicate<Integer, String> first,
      BiPredicate<Integer, String> last) {
    this.inside = inside;
    this.first = first;
    this.last = last;
  }

  /** Asked once for every kernel, in launch order. */
  @Override
  public boolean test(Integer number, String name) {
    if (number == 1) {
      begun = first == null;
      over = false;
    }
    begun |= first != null && first.test(number, name);
    boolean chosen = begun && !over && inside.test(number, name);
    over |= begun && last != null && last.test(number, name);
    return chosen;
  }

  /** Whether the last kernel has been met. */
  public boolean isOver() {
    return over;
  }

  /** Whether the first kernel has been met. */
  public boolean hasBegun() {
    return begun;
  }
}
