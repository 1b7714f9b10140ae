package dev.warpline.study.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.Core;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every rule sees its cause in a kernel that was made to have it, and not in the repaired twin. */
class TwinsTest {
  private static final Path PAGE = Path.of("../docs/advice.md");

  /** A small H200 whose launches cost nothing, so that kernels of some thousand cycles count. */
  private static final List<String> SMALL =
      List.of(
          "sm.count=2",
          "flowMemory.l2MiB=2",
          "modern.launch.kernelCycles=0",
          "modern.launch.drainCycles=0",
          "modern.launch.fillInterval=1");

  private static final String BEGIN = "<!-- twins -->\n";
  private static final String END = "<!-- /twins -->";
  private static final String HEAD =
      "| rule | the kernel; its twin | estimated gain | the twin's gain |\n|---|---|---|---|\n";

  private static final List<Outcome> OUTCOMES = new ArrayList<>();

  /** What became of two kernels; a gain is NaN where there is no finding. */
  private record Outcome(
      Twins.Twin twin, List<String> seen, List<String> seenInTwin, double estimate, double real) {
    boolean found() {
      return seen.contains(twin.rule());
    }

    boolean near() {
      return Math.abs(estimate - real) <= 0.25 * real;
    }

    @Override
    public String toString() {
      return row() + " sees " + seen + ", in the twin " + seenInTwin;
    }

    String row() {
      return String.format(
          Locale.ROOT,
          "| `%s` | %s | %s | %s |",
          twin.rule(),
          twin.made(),
          twin.gain() ? String.format(Locale.ROOT, "%.1f %%", 100 * estimate) : "",
          twin.gain() ? String.format(Locale.ROOT, "%.1f %%", 100 * real) : "");
    }
  }

  private static final Map<List<String>, GpuDescription> GPUS = new HashMap<>();

  private static GpuDescription gpu(List<String> settings) {
    return GPUS.computeIfAbsent(
        settings,
        all -> {
          try {
            return Gpus.load("h200", all);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static RunResult run(Twins.Kernel kernel, List<String> settings) {
    try {
      return Core.MODERN
          .machine(gpu(settings))
          .run(
              kernel.trace(),
              RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE),
              Progress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> settings(List<String> base, List<String> more) {
    List<String> all = new ArrayList<>(base);
    all.addAll(more);
    return all;
  }

  private static Outcome outcome(Twins.Twin twin) {
    List<String> settings = settings(SMALL, twin.settings());
    RunResult with = run(twin.with(), settings);
    RunResult without = run(twin.without(), settings);
    List<Finding> found = Findings.of(with, with.kernels().get(0));
    Finding finding =
        found.stream().filter(f -> f.rule().equals(twin.rule())).findFirst().orElse(null);
    double estimate = Double.NaN;
    if (finding != null && finding.relief().exists()) {
      List<String> relief = finding.relief().settings();
      RunResult relieved = run(twin.with(), settings(settings, relief));
      RunResult both = with.withAlternatives(List.of(new RunResult.Alternative(relief, relieved)));
      estimate =
          Findings.of(both, with.kernels().get(0)).stream()
              .filter(f -> f.rule().equals(twin.rule()))
              .findFirst()
              .orElseThrow()
              .gain();
    }
    double real = 1 - (double) without.cycles() / with.cycles();
    return new Outcome(twin, rules(with), rules(without), estimate, real);
  }

  private static List<String> rules(RunResult run) {
    KernelResult kernel = run.kernels().get(0);
    return Findings.of(run, kernel).stream().map(Finding::rule).toList();
  }

  @BeforeAll
  static void simulate() {
    Twins.all().forEach(twin -> OUTCOMES.add(outcome(twin)));
  }

  @Test
  void everyRuleSeesItsCause() {
    assertThat(OUTCOMES)
        .allSatisfy(o -> assertThat(o.seen()).as(o.row()).contains(o.twin().rule()));
  }

  @Test
  void noRuleSeesItsCauseInTheRepairedTwin() {
    assertThat(OUTCOMES)
        .allSatisfy(o -> assertThat(o.seenInTwin()).as(o.row()).doesNotContain(o.twin().rule()));
  }

  @Test
  void aReliefGainsWhatTheRepairGains() {
    assertThat(OUTCOMES.stream().filter(o -> o.twin().gain())).hasSizeGreaterThan(10);
    assertThat(OUTCOMES.stream().filter(o -> o.twin().gain()))
        .allSatisfy(o -> assertThat(o.near()).as(o.row()).isTrue());
  }

  @Test
  void thePageSaysWhatCameOut() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    String rows = OUTCOMES.stream().map(Outcome::row).collect(Collectors.joining("\n", HEAD, "\n"));
    String now = page.substring(0, from) + rows + page.substring(page.indexOf(END));
    if ("write".equals(System.getProperty("warpline.advice"))) {
      Files.writeString(PAGE, now);
    } else {
      assertThat(page).as("-Dwarpline.advice=write writes it").isEqualTo(now);
    }
  }

  @Test
  void everyRuleHasTwins() {
    Set<String> rules = new TreeSet<>();
    AdviceRules.PARTS.forEach(rule -> rules.add(rule.name()));
    AdviceRules.WAITS.forEach(rule -> rules.add(rule.name()));
    AdviceRules.PATTERNS.forEach(rule -> rules.add(rule.name()));
    OUTCOMES.forEach(outcome -> rules.remove(outcome.twin().rule()));
    assertThat(rules).isEmpty();
  }

  @Test
  void everyReasonToWaitBelongsToOneRule() {
    List<StallReason> reasons = new ArrayList<>();
    AdviceRules.WAITS.forEach(rule -> reasons.addAll(rule.reasons()));
    List<StallReason> all = new ArrayList<>(List.of(StallReason.values()));
    all.remove(StallReason.SELECTED);
    assertThat(reasons).containsExactlyInAnyOrderElementsOf(all);
  }
}
