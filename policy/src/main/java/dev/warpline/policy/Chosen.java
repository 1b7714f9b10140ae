package dev.warpline.policy;

import java.util.function.Supplier;

/**
 * A policy that a description chose: its words, and what makes one for each place that needs it.
 * Found once, when the description is read; two of the same words are equal.
 *
 * @param <P> the kind
 */
public final class Chosen<P extends Policy> implements Supplier<P> {
  private final String words;
  private final Supplier<P> maker;

  Chosen(String words, Supplier<P> maker) {
    this.words = words;
    this.maker = maker;
  }

  /**
   * Chooses from all that there are.
   *
   * @throws IllegalArgumentException says what was found and expected
   */
  public static <P extends Policy> Chosen<P> of(Class<P> kind, String words) {
    return Policies.of(kind).maker(words);
  }

  /** Makes one. */
  @Override
  public P get() {
    return maker.get();
  }

  /** The name and its numbers, as in a description. */
  public String words() {
    return words;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Chosen<?> chosen && chosen.words.equals(words);
  }

  @Override
  public int hashCode() {
    return words.hashCode();
  }

  @Override
  public String toString() {
    return words;
  }
}
