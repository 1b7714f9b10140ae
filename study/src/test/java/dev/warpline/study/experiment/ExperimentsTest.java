package dev.warpline.study.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changed machines do what they should. A build runs the experiments that take little time; with
 * {@code -Dwarpline.experiments=all} all of them run. docs/what-if.md has the numbers of all.
 */
class ExperimentsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path FOLDER = ROOT.resolve("examples/what-if");
  private static final Path PAGE = ROOT.resolve("docs/what-if.md");

  /** Kernels that take a blink, and run with every change. */
  private static final List<String> QUICK = List.of("ffma_chain", "gatomic_one");

  /** What else runs in a build: the changes that matter most to a kernel. */
  private static final Map<String, Pattern> PART =
      Map.of(
          "chase_dram", Pattern.compile("coreMHz|dramMHz"),
          "strided32", Pattern.compile("l2MiB=0.25x"),
          "saxpy4", Pattern.compile("dramMHz"),
          "monte_carlo", Pattern.compile("coreMHz|sm.count=0.5x"));

  @TempDir Path folder;

  private static BiPredicate<String, ExperimentKernel> chosen() {
    boolean all = "all".equals(System.getProperty("warpline.experiments"));
    return (change, kernel) ->
        all
            || QUICK.contains(kernel.name())
            || PART.containsKey(kernel.name()) && PART.get(kernel.name()).matcher(change).find();
  }

  @Test
  void changedMachinesDoWhatTheyShould() throws IOException, InterruptedException {
    List<Outcome> outcomes =
        new Experiments(FOLDER)
            .run("h200", chosen(), Runtime.getRuntime().availableProcessors(), outcome -> {});
    assertThat(outcomes).hasSizeGreaterThan(30);
    assertThat(outcomes.stream().filter(outcome -> !outcome.holds()))
        .as("not as examples/what-if/rules.tsv expects; ./warpline experiments runs all")
        .isEmpty();
  }

  @Test
  void tenKindsOfKernelsHaveARuleForEveryChangeAndAReason() throws IOException {
    Experiments experiments = new Experiments(FOLDER);
    assertThat(experiments.kernels())
        .extracting(ExperimentKernel::kind)
        .doesNotHaveDuplicates()
        .hasSize(10);
    assertThat(experiments.rules())
        .allSatisfy(
            rule -> {
              assertThat(rule.why()).endsWith(".").hasSizeGreaterThan(20);
              assertThat(rule.least()).isBetween(0.01, rule.most());
            });
  }

  @Test
  void thePageHasEveryNumberAndAllAreAsExpected() throws IOException {
    Experiments experiments = new Experiments(FOLDER);
    List<String> page = Files.readAllLines(PAGE);
    List<String> head = cells(line(page, "| change |"));
    assertThat(head.subList(1, head.size()))
        .containsExactlyElementsOf(
            experiments.kernels().stream().map(ExperimentKernel::name).toList());
    for (List<String> change : experiments.changes()) {
      List<String> row = cells(line(page, "| `" + String.join(" ", change) + "` |"));
      List<Outcome> wrong = new ArrayList<>();
      for (int i = 0; i < experiments.kernels().size(); i++) {
        ExperimentKernel kernel = experiments.kernels().get(i);
        double speedUp = Double.parseDouble(row.get(i + 1));
        Outcome outcome = new Outcome(experiments.rule(change, kernel), kernel, speedUp, 1);
        if (!outcome.holds()) {
          wrong.add(outcome);
        }
      }
      assertThat(wrong).isEmpty();
    }
    for (Rule rule : experiments.rules()) {
      assertThat(page).anyMatch(line -> line.endsWith("): " + rule.why()));
    }
  }

  private static String line(List<String> page, String start) {
    return page.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  private static List<String> cells(String line) {
    return Pattern.compile("\\|").splitAsStream(line.substring(1)).map(String::strip).toList();
  }

  @Test
  void aKernelWithoutARuleIsAnErrorThatNamesBoth() throws IOException {
    Files.writeString(folder.resolve("kernels.tsv"), "a\t1\tcompute\tadds\nb\t1\ttiny\tnothing\n");
    Files.writeString(folder.resolve("rules.tsv"), "sm.count=2x\ta\t1\t2\tMore SMs.\n");
    assertThatThrownBy(() -> new Experiments(folder))
        .hasMessageContaining("rules.tsv: found no rule for b and sm.count=2x");
    Files.writeString(
        folder.resolve("rules.tsv"),
        "sm.count=2x\ta\t1\t2\tMore SMs.\nsm.count=2x\tothers\tx\t2\tMore SMs.\n");
    assertThatThrownBy(() -> new Experiments(folder))
        .hasMessageContaining("rules.tsv:2: found \"x\", expected a number");
  }

  @Test
  void othersAreThoseThatNoRuleOfTheChangeNames() throws IOException {
    Files.writeString(folder.resolve("kernels.tsv"), "a\t1\tcompute\tadds\nb\t1\ttiny\tnothing\n");
    Files.writeString(
        folder.resolve("rules.tsv"),
        "sm.count=2x\tothers\t1\t1\tTiny.\nsm.count=2x\ta\t1\t2\tMore SMs.\n");
    assertThat(new Experiments(folder).rules().get(0).kernels()).containsExactly("b");
  }
}
