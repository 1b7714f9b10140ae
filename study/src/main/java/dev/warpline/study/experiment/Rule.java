package dev.warpline.study.experiment;

import java.util.List;

/**
 * What a change of the machine must do to kernels.
 *
 * @param change settings, as {@code --set} takes them
 * @param kernels the kernels of which this is said
 * @param least least speed-up: time before over time after
 * @param most largest speed-up
 * @param why the reason, a sentence
 */
public record Rule(
    List<String> change, List<String> kernels, double least, double most, String why) {
  /** The change in one line. */
  public String title() {
    return String.join(" ", change);
  }
}
