package dev.warpline.study.sweep;

import java.util.List;
import java.util.Map;

/**
 * Something that a study varies: of each axis a point has one choice.
 *
 * @param choices what there is to choose from
 */
record Axis(List<Choice> choices) {
  /**
   * Fields that get values together.
   *
   * @param place where it stands in the study's file
   * @param values by dotted path, as {@code --set} takes them; or a formula behind {@code =}
   */
  record Choice(String place, Map<String, String> values) {}
}
