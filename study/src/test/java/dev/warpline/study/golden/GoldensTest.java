package dev.warpline.study.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.study.golden.GoldenResult.Place;
import dev.warpline.study.validate.HardwareTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Results of the examples are those of {@code examples/goldens}, and as near to the hardware as is
 * said here. Small examples run on every GPU and core; larger ones on two, the largest only where
 * {@code -Pcampaign} asks for all.
 */
class GoldensTest {
  private static final Path ROOT = Path.of("..");
  private static final boolean ALL = "all".equals(System.getProperty("warpline.goldens"));

  private static final Place MODERN = new Place("h200", "modern");
  private static final Place CLASSIC = new Place("rtx3070", "classic");

  /** Warp instructions up to which every place, and one of each core, runs in a build. */
  private static final long SMALL = 120_000;

  private static final long MEDIUM = 2_000_000;

  /** GPUs that are others with other numbers: the least examples are enough for them. */
  private static final Set<String> SIBLINGS = Set.of("gem5", "mi250x", "mi300x");

  private static final long LEAST = 10_000;

  /** The modern core's error against an H200 in percent of cycles, at most. */
  private static final Map<String, Double> BOUNDS =
      Map.of(
          "attention", 5.0,
          "hgemm_wmma", 4.0,
          "mandelbrot", 5.0,
          "reduce", 2.0,
          "sgemm_tiled", 4.0,
          "wgmma_s4", 4.0);

  private final Goldens goldens = new Goldens(ROOT);

  private boolean runs(Place place, List<GoldenResult> stored) {
    long instructions =
        stored.stream().mapToLong(r -> Long.parseLong(r.get("instructions"))).max().orElse(0);
    return ALL
        || instructions <= (SIBLINGS.contains(place.gpu()) ? LEAST : SMALL)
        || instructions <= MEDIUM && (place.equals(MODERN) || place.equals(CLASSIC));
  }

  /** As {@link Example#run}, but in two places time is recorded, which must add up. */
  private static GoldenResult run(Example example, Place place) throws IOException {
    if (!place.equals(MODERN) && !place.equals(CLASSIC)) {
      return example.run(place);
    }
    RunOptions recorded = RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE);
    RunResult result = example.simulate(place, recorded);
    ExactSumsTest.check(example.name() + " on " + place, result.kernels());
    return GoldenResult.of(place, result);
  }

  @TestFactory
  Stream<DynamicTest> everyExampleGivesWhatItGave() throws IOException {
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    List<DynamicTest> tests = new ArrayList<>();
    for (Example example : Example.in(ROOT.resolve("examples"))) {
      List<GoldenResult> stored = goldens.stored(example.name());
      List<Place> places = example.places();
      tests.add(
          DynamicTest.dynamicTest(
              example.name() + " has a result for every GPU and core",
              () ->
                  assertThat(stored)
                      .extracting(GoldenResult::place)
                      .containsExactlyInAnyOrderElementsOf(places)));
      for (Place place : places) {
        if (runs(place, stored)) {
          Callable<GoldenResult> run = () -> run(example, place);
          Future<GoldenResult> result = workers.submit(run);
          tests.add(
              DynamicTest.dynamicTest(
                  example.name() + " on " + place, () -> compare(example, stored, result)));
        }
      }
    }
    workers.shutdown();
    return tests.stream().onClose(workers::shutdownNow);
  }

  private static void compare(
      Example example, List<GoldenResult> stored, Future<GoldenResult> result) throws Exception {
    GoldenResult now;
    try {
      now = result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    for (GoldenResult before : stored) {
      if (before.place().equals(now.place()) && !now.since(before).isEmpty()) {
        fail(
            "%s%nIf that is meant: ./warpline goldens --rewrite --reason \"why\"",
            new Goldens.Change(example.name(), now.place(), before, now));
      }
    }
  }

  @Test
  void goldenResultsChangeOnlyWithANewEditionThatTheChangelogNames() throws IOException {
    assertThat(goldens.complaints()).isEmpty();
  }

  /** Golden results are what the simulator gives, see above: nothing has to run for this. */
  @Test
  void theModernCoreIsAsNearToTheHardwareAsSaid() throws IOException {
    Map<String, Double> errors = new TreeMap<>();
    for (HardwareTable.Row row : HardwareTable.read(ROOT.resolve("examples/h200.csv")).rows()) {
      GoldenResult ours =
          goldens.stored(row.workload()).stream()
              .filter(result -> result.place().equals(MODERN))
              .findFirst()
              .orElseThrow();
      double cycles = Double.parseDouble(ours.get(GoldenResult.CYCLES));
      double measured = row.number("cycles_median").orElseThrow();
      errors.put(row.workload(), 100 * Math.abs(cycles - measured) / measured);
      // Equal but for polling loops and a few divergent branches.
      assertThat(Double.parseDouble(ours.get("instructions")))
          .as("instructions of " + row.workload())
          .isCloseTo(row.number("smsp__inst_executed.sum").orElseThrow(), withinPercentage(1));
    }
    assertThat(errors.keySet()).isEqualTo(BOUNDS.keySet());
    assertThat(errors).allSatisfy((name, error) -> assertThat(error).isLessThan(BOUNDS.get(name)));
  }
}
