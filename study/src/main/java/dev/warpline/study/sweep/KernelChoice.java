package dev.warpline.study.sweep;

import java.util.List;
import java.util.function.BiPredicate;

/**
 * Some of a program's launches.
 *
 * @param choices launch numbers from 1, ranges, or parts of names; empty for all launches
 */
record KernelChoice(List<String> choices) implements BiPredicate<Integer, String> {
  @Override
  public boolean test(Integer number, String name) {
    return choices.isEmpty() || choices.stream().anyMatch(choice -> wants(choice, number, name));
  }

  private static boolean wants(String choice, int number, String name) {
    if (!choice.matches("\\d{1,9}(-\\d{1,9})?")) {
      return name.contains(choice);
    }
    String[] ends = choice.split("-");
    return number >= Integer.parseInt(ends[0]) && number <= Integer.parseInt(ends[ends.length - 1]);
  }
}
