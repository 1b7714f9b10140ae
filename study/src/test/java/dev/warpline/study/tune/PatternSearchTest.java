package dev.warpline.study.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.study.sweep.Range;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PatternSearchTest {
  private static final Range X = new Range("x", 0, 10, false, false);
  private static final Range WHOLE = new Range("n", 1, 1000, true, true);

  /** Every machine that a search asks for, until it ends. */
  private static List<List<String>> asked(
      PatternSearch search, Function<double[], double[]> errors) {
    List<List<String>> all = new ArrayList<>();
    for (List<List<String>> some = search.ask(); !some.isEmpty(); some = search.ask()) {
      all.addAll(some);
      search.tell(some.stream().map(values -> errors.apply(numbers(values))).toList());
    }
    return all;
  }

  private static double[] errors(double... kernels) {
    return kernels;
  }

  private static double[] numbers(List<String> values) {
    return values.stream().mapToDouble(Double::parseDouble).toArray();
  }

  @Test
  void findsTheGroundOfAValleyThatNoSingleFieldLeadsAlong() {
    PatternSearch search = new PatternSearch(List.of(X, X), new double[] {0.9, 0.9}, 400, 1);
    asked(search, p -> errors((p[0] - 2) / 10, 3 * (p[0] - p[1])));
    assertThat(numbers(search.best())[0]).isBetween(1.9, 2.1);
    assertThat(search.error()).isLessThan(0.05);
  }

  @Test
  void findsAWholeNumberExactly() {
    PatternSearch search = new PatternSearch(List.of(WHOLE, X), new double[] {0.1, 0.2}, 200, 1);
    asked(search, p -> errors(Math.log(p[0] / 37), (p[1] - 5) / 10));
    assertThat(search.best().get(0)).isEqualTo("37");
    assertThat(numbers(search.best())[1]).isBetween(4.9, 5.1);
  }

  @Test
  void staysInsideItsRangesAndItsBudgetAndAsksForNothingTwice() {
    PatternSearch search = new PatternSearch(List.of(WHOLE, X), new double[] {0, 1}, 25, 7);
    List<List<String>> all = asked(search, p -> errors(1000 - p[0], 10 - p[1]));
    assertThat(all).hasSizeLessThanOrEqualTo(25).doesNotHaveDuplicates();
    assertThat(all)
        .allMatch(v -> numbers(v)[0] >= 1 && numbers(v)[0] <= 1000)
        .allMatch(v -> numbers(v)[1] >= 0 && numbers(v)[1] <= 10);
    assertThat(search.best()).isEqualTo(List.of("1000", "10"));
  }

  @Test
  void theSameAnswersLeadToTheSameQuestions() {
    Set<List<List<String>>> ways = new LinkedHashSet<>();
    for (int i = 0; i < 2; i++) {
      PatternSearch search = new PatternSearch(List.of(X, X), new double[] {0.5, 0.5}, 60, 3);
      ways.add(asked(search, p -> errors(p[0] - 2 * p[1], p[0] % 3)));
    }
    assertThat(ways).hasSize(1);
  }

  @Test
  void goesAroundMachinesThatCannotBe() {
    PatternSearch search = new PatternSearch(List.of(X), new double[] {0.1}, 60, 1);
    asked(search, p -> errors(p[0] > 3 && p[0] < 4 ? Double.POSITIVE_INFINITY : p[0] - 8));
    assertThat(numbers(search.best())[0]).isBetween(7.9, 8.1);
  }
}
