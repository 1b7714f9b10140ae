package dev.warpline.policy;

/**
 * Something that decides, made anew for each place that needs one, so it may keep state. An
 * implementation is public, has a public constructor without parameters and says with {@link Named}
 * what it is called.
 */
public interface Policy {
  /**
   * Takes the numbers that follow the name in a description, as in {@code two-level:8}.
   *
   * @throws IllegalArgumentException says what was expected
   */
  default void configure(int... numbers) {
    if (numbers.length > 0) {
      throw new IllegalArgumentException("takes no numbers");
    }
  }
}
