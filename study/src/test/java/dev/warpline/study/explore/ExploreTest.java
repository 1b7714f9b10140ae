package dev.warpline.study.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.study.store.Entry;
import dev.warpline.study.store.Member;
import dev.warpline.study.sweep.Design;
import dev.warpline.study.sweep.Expression;
import dev.warpline.study.sweep.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class ExploreTest {
  private static ResultTable.Row row(int number, String trace, int sms, int mhz, long cycles) {
    KernelResult kernel =
        new KernelResult(1, "k", 0, cycles, 5, 160, 1, "grid", Map.of(), Map.of(), List.of());
    RunResult result =
        new RunResult("G", "modern", mhz, List.of(kernel), new RunResult.Simulation(1, 0, 0, 0));
    Member member =
        new Member(number, "p" + number, trace, "g", "modern", Map.of("sm.count", "" + sms));
    Entry entry =
        new Entry(
            member,
            Entry.State.DONE,
            null,
            1,
            result,
            Map.of("clocks.coreMHz", mhz + " MHz", "name", "G"));
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("trace", trace);
    cells.put("sm.count", (long) sms);
    cells.put("cycles", cycles);
    return new ResultTable.Row(entry, cells);
  }

  private static ResultTable table(ResultTable.Row... rows) {
    return new ResultTable("s", Set.of("sm.count"), List.of(rows));
  }

  @Test
  void aPivotHasACellPerPairOfValuesInTheOrderOfNumbers() throws IOException {
    ResultTable table =
        table(
            row(1, "a", 100, 1, 50),
            row(2, "a", 20, 1, 80),
            row(3, "b", 20, 1, 10),
            row(4, "b", 20, 1, 1000));
    assertThat(Pivot.of(table, "trace", "sm.count", new Expression("cycles"), Aggregate.GEOMEAN))
        .extracting(Map::toString)
        .containsExactly(
            "{trace \\ sm.count=a, 20=80.0, 100=50.0}"
                .replace("80.0", "" + Math.exp(Math.log(80)))
                .replace("50.0", "" + Math.exp(Math.log(50))),
            "{trace \\ sm.count=b, 20="
                + Math.exp((Math.log(10) + Math.log(1000)) / 2)
                + ", 100=null}");
  }

  @Test
  void aFilterKnowsColumnsAndFieldsOfTheGpuAndNamesWhatNobodyHas() throws IOException {
    ResultTable table = table(row(1, "a", 1, 500, 50), row(2, "a", 2, 900, 80));
    assertThat(table.where(new Expression("clocks.coreMHz > 600 and sm.count < 3")).entries())
        .extracting(row -> row.entry().member().number())
        .containsExactly(2);
    assertThatThrownBy(() -> table.where(new Expression("cylces > 1")))
        .hasMessageContaining("no point has \"cylces\" (did you mean cycles?)");
  }

  @Test
  void aMachineIsOnTheFrontIfNoOtherIsAtLeastAsGoodInAllAndBetterInOne() throws IOException {
    ResultTable table =
        table(
            row(1, "a", 1, 1, 100),
            row(2, "b", 1, 1, 400),
            row(3, "a", 2, 1, 90),
            row(4, "b", 2, 1, 500),
            row(5, "a", 4, 1, 50),
            row(6, "b", 4, 1, 200),
            row(7, "a", 8, 1, 10));
    Pareto pareto =
        Pareto.of(
            table,
            List.of(
                new Pareto.Objective(new Expression("cycles"), false),
                new Pareto.Objective(new Expression("sm.count"), false)));
    assertThat(pareto.front())
        .extracting(machine -> machine.point().get("sm.count"))
        .containsExactly(4L, 1L);
    assertThat(pareto.machines()).hasSize(3);
    assertThat(pareto.front().get(0).values()[0]).isCloseTo(100, within(1e-9));
    assertThat(pareto.incomplete()).isEqualTo(1);
    assertThat(new ParetoPlot(pareto).svg()).contains("<circle", "sm.count=4", "less is better");
  }

  @Test
  void aComparisonMatchesPointsByWhatTheyAre() throws IOException {
    ResultTable a = table(row(1, "a", 1, 1, 100), row(2, "b", 1, 1, 100), row(3, "c", 1, 1, 1));
    ResultTable b = table(row(1, "b", 1, 1, 400), row(2, "a", 1, 1, 100));
    StudyComparison comparison = StudyComparison.of(a, b, new Expression("cycles"));
    assertThat(comparison.pairs()).hasSize(2);
    assertThat(comparison.different()).isEqualTo(1);
    assertThat(comparison.pairs().get(0).ratio()).isEqualTo(4);
    assertThat(comparison.mean()).isCloseTo(2, within(1e-9));
    assertThat(comparison.onlyA()).isEqualTo(1);
    assertThat(comparison.onlyB()).isZero();
  }

  private static Design design(Design.Method method, int number, int fields) {
    List<Range> ranges = new ArrayList<>();
    for (int f = 0; f < fields; f++) {
      ranges.add(new Range("f" + f, 0, 1, false, false));
    }
    return new Design(method, number, 7, ranges);
  }

  private static double[] values(Design design, ToDoubleFunction<double[]> function) {
    return design.shares().stream().mapToDouble(function).toArray();
  }

  @Test
  void morrisGivesTheSlopesOfALinearFunctionWithoutSpread() {
    Design design = design(Design.Method.MORRIS, 5, 3);
    double[] values = values(design, x -> 4 * x[0] - 2 * x[1] + 10);
    assertThat(Sensitivity.morris(design, values))
        .allSatisfy(effect -> assertThat(effect.second()).isCloseTo(0, within(1e-6)))
        .extracting(effect -> Math.rint(1e6 * effect.first()) / 1e6)
        .containsExactly(4.0, 2.0, 0.0);
  }

  @Test
  void morrisTellsAFieldThatActsTogetherWithAnotherByItsSpread() {
    Design design = design(Design.Method.MORRIS, 50, 2);
    List<Sensitivity.Effect> effects =
        Sensitivity.morris(design, values(design, x -> 10 * x[0] * x[1]));
    assertThat(effects.get(0).second()).isGreaterThan(1);
  }

  /** The shares of Ishigami's function are known: Saltelli et al. use it for the same. */
  @Test
  void sobolFindsTheKnownSharesOfIshigamisFunction() {
    Design design = design(Design.Method.SOBOL, 4000, 3);
    double[] values =
        values(
            design,
            share -> {
              double[] x = new double[3];
              for (int i = 0; i < 3; i++) {
                x[i] = Math.PI * (2 * share[i] - 1);
              }
              return Math.sin(x[0])
                  + 7 * Math.pow(Math.sin(x[1]), 2)
                  + 0.1 * Math.pow(x[2], 4) * Math.sin(x[0]);
            });
    List<Sensitivity.Effect> effects = Sensitivity.sobol(design, values);
    double[][] known = {{0.314, 0.558}, {0.442, 0.442}, {0, 0.244}};
    for (int f = 0; f < 3; f++) {
      assertThat(effects.get(f).first()).isCloseTo(known[f][0], within(0.06));
      assertThat(effects.get(f).second()).isCloseTo(known[f][1], within(0.06));
    }
  }

  @Test
  void aNumberThatNothingMovesHasNoSensitivity() {
    Design design = design(Design.Method.SOBOL, 8, 2);
    assertThat(Sensitivity.sobol(design, values(design, x -> 3)))
        .allMatch(effect -> effect.first() == 0 && effect.second() == 0);
  }
}
