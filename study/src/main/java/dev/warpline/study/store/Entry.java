package dev.warpline.study.store;

import dev.warpline.engine.RunResult;
import java.util.Map;

/**
 * A place of a study with what is known of its point.
 *
 * @param state how far it is
 * @param message why it failed, null otherwise
 * @param seconds how long its simulation took
 * @param result what came of it, null unless it is done
 * @param configuration all fields of its GPU, value with unit by dotted name
 */
public record Entry(
    Member member,
    State state,
    String message,
    double seconds,
    RunResult result,
    Map<String, String> configuration) {

  /** How far a point is. */
  public enum State {
    OPEN,
    CLAIMED,
    DONE,
    FAILED;

    /** As the store writes it. */
    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    static State of(String word) {
      return valueOf(word.toUpperCase(java.util.Locale.ROOT));
    }
  }
}
