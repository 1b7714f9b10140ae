package dev.warpline.engine.gpu;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Where a number of a description comes from: the comment beside it, {@code KIND: REFERENCE}. A
 * comment of a user's file may say anything; it has no kind then.
 *
 * @param kind what sort of source it is; null where nobody said
 * @param reference the program, publication, formula or reason
 * @param gpu whose value it is where it was taken from another description, else null
 * @param original what that description says of it, else null
 */
public record Evidence(Kind kind, String reference, String gpu, Evidence original) {
  /** Nobody said. */
  public static final Evidence NONE = new Evidence(null, "", null, null);

  /** Sorts of sources, the best first. */
  public enum Kind {
    /** On the GPU itself, with a program that is kept in docs/hardware. */
    MEASURED,
    /** By the vendor or in the literature. */
    PUBLISHED,
    /** Computed from such numbers by the formula that stands there. */
    DERIVED,
    /** Chosen so that simulated kernels take their measured time. */
    FITTED,
    /** Our choice. */
    GUESSED,
    /** Changed for this run; no file can say so. */
    SET
  }

  /** Kinds that a comment can name. */
  public static final Set<Kind> STATED =
      Collections.unmodifiableSet(EnumSet.range(Kind.MEASURED, Kind.GUESSED));

  /** A comment of any file. */
  static Evidence of(String comment) {
    int colon = comment.indexOf(':');
    Kind kind = colon < 0 ? null : kind(comment.substring(0, colon));
    String reference = kind == null ? comment : comment.substring(colon + 1).strip();
    return reference.isEmpty() ? NONE : new Evidence(kind, reference, null, null);
  }

  /**
   * A comment of a preset, which must name its kind and a reference.
   *
   * @param place of the value, for the message
   */
  static Evidence strict(String comment, String place) throws DescriptionException {
    Evidence evidence = of(comment);
    if (evidence.kind == null) {
      throw new DescriptionException(
          place
              + ": found the source \""
              + comment
              + "\", expected KIND: REFERENCE with one of "
              + String.join(", ", STATED.stream().map(Binder::word).toList()));
    }
    return evidence;
  }

  /** The same value in another description, which says {@code this} of taking it over. */
  Evidence borrowing(String lender, Evidence theirs) {
    return new Evidence(kind, reference, lender, theirs);
  }

  /** Of a reference to another GPU's value: a guess that they are alike where nothing is said. */
  Evidence referringTo(String lender, Evidence theirs) {
    if (original != null) {
      return new Evidence(kind, reference, gpu, original.referringTo(lender, theirs));
    }
    Evidence claim = kind == null ? new Evidence(Kind.GUESSED, reference, null, null) : this;
    return claim.borrowing(lender, theirs);
  }

  private static Kind kind(String word) {
    for (Kind kind : STATED) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    return null;
  }

  /** Whether it is a guess, or was taken over from one, or by one. */
  public boolean isGuess() {
    return kind == null || kind == Kind.GUESSED || original != null && original.isGuess();
  }

  /** As {@code gpus show} prints it. */
  @Override
  public String toString() {
    String own = kind == null ? "not stated" : Binder.word(kind);
    if (!reference.isEmpty()) {
      own += ": " + reference;
    }
    return gpu == null
        ? own
        : own + (reference.isEmpty() ? ": as " : "; as ") + gpu + " (" + original + ")";
  }
}
