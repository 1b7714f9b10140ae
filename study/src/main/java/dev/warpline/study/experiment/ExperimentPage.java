package dev.warpline.study.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The outcomes of all experiments as a page of Markdown. */
public final class ExperimentPage {
  private final Experiments experiments;

  public ExperimentPage(Experiments experiments) {
    this.experiments = experiments;
  }

  /** The page: what the kernels are, all numbers at a glance, and why each is what it is. */
  public String text(String gpu, List<Outcome> outcomes) {
    StringBuilder page = new StringBuilder();
    page.append("# What if?\n\n")
        .append("Kernels of different kinds on machines that differ from `")
        .append(gpu)
        .append("` in one thing (modern core): how many times as fast each is, in time, not in")
        .append(" cycles.\nWhat should follow a change does, what should not move does not;")
        .append(" each number has the range that is asserted for it and the reason.\n\n")
        .append("```\n./warpline experiments --page docs/what-if.md\n```\n\n")
        .append("runs them all and writes this page; a test runs a part of them on every build.")
        .append(" The kernels and the rules stand in `examples/what-if` (`kernels.tsv`,")
        .append(" `rules.tsv`):\na line there is an experiment more.\n\n");
    page.append("| kernel | kind | what it does |\n|---|---|---|\n");
    for (ExperimentKernel kernel : experiments.kernels()) {
      page.append("| `")
          .append(kernel.name())
          .append("` | ")
          .append(kernel.kind())
          .append(" | ")
          .append(kernel.about())
          .append(" |\n");
    }
    matrix(outcomes, page);
    for (List<String> change : experiments.changes()) {
      section(change, outcomes, page);
    }
    return page.toString();
  }

  private void matrix(List<Outcome> outcomes, StringBuilder page) {
    page.append("\n## All at a glance\n\n| change |");
    experiments.kernels().forEach(kernel -> page.append(' ').append(kernel.name()).append(" |"));
    page.append("\n|---|").append("---|".repeat(experiments.kernels().size())).append('\n');
    for (List<String> change : experiments.changes()) {
      page.append("| `").append(String.join(" ", change)).append("` |");
      for (ExperimentKernel kernel : experiments.kernels()) {
        page.append(' ')
            .append(
                outcomes.stream()
                    .filter(o -> o.rule().change().equals(change) && o.kernel().equals(kernel))
                    .map(ExperimentPage::number)
                    .findFirst()
                    .orElse(""))
            .append(" |");
      }
      page.append('\n');
    }
  }

  private void section(List<String> change, List<Outcome> outcomes, StringBuilder page) {
    page.append("\n## `").append(String.join(" ", change)).append("`\n\n");
    for (Rule rule : experiments.rules()) {
      if (!rule.change().equals(change)) {
        continue;
      }
      List<String> shown = new ArrayList<>();
      for (Outcome outcome : outcomes) {
        if (outcome.rule().equals(rule)) {
          shown.add("`" + outcome.kernel().name() + "` " + number(outcome));
        }
      }
      page.append("- ")
          .append(shown.stream().collect(Collectors.joining(", ")))
          .append(
              String.format(Locale.ROOT, " (%s to %s): ", plain(rule.least()), plain(rule.most())))
          .append(rule.why())
          .append('\n');
    }
  }

  private static String number(Outcome outcome) {
    String number = String.format(Locale.ROOT, "%.3f", outcome.speedUp());
    return outcome.holds() ? number : "**" + number + "**";
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
