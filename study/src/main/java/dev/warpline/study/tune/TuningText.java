package dev.warpline.study.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A fit in words. */
public final class TuningText {
  private TuningText() {}

  /** What came of it. */
  public static List<String> lines(Tuning tuning) {
    List<String> lines = new ArrayList<>();
    int width = tuning.values().stream().mapToInt(v -> v.field().path().length()).max().orElse(5);
    String row = "%-" + width + "s %12s %12s  %-24s %-16s %s";
    lines.add(
        String.format(
            Locale.ROOT,
            row,
            "field",
            "before",
            "fitted",
            "over the folds",
            "range",
            "error at its ends"));
    for (Tuning.Value value : tuning.values()) {
      lines.add(
          String.format(
              Locale.ROOT,
              row,
              value.field().path(),
              value.field().base(),
              value.value(),
              value.span(),
              value.field().limits(),
              percent(value.errorAtLow()) + ", " + percent(value.errorAtHigh())));
    }
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%-5s %8s  %-20s %-20s %s",
            "fold",
            "held out",
            "error of the others",
            "error held out",
            "programs held out"));
    for (int i = 0; i < tuning.folds().size(); i++) {
      Tuning.Fold fold = tuning.folds().get(i);
      lines.add(
          String.format(
              Locale.ROOT,
              "%-5d %8d  %-20s %-20s %s",
              i + 1,
              fold.kernels(),
              change(fold.fittedBefore(), fold.fittedAfter()),
              change(fold.heldOutBefore(), fold.heldOutAfter()),
              names(fold.programs())));
    }
    lines.add(
        String.format(
                Locale.ROOT,
                "%-5s %8d  %-20s %-20s",
                "all",
                tuning.task().samples().size(),
                change(tuning.before(), tuning.after()),
                change(tuning.before(), tuning.heldOut()))
            .stripTrailing());
    lines.add("");
    tuning.values().forEach(value -> lines.addAll(remarks(value)));
    if (!tuning.failures().isEmpty()) {
      lines.add(
          tuning.failures().size()
              + " kernels had no result on some machines, which count as the worst, e.g. "
              + tuning.failures().get(0));
    }
    lines.add(verdict(tuning));
    return lines;
  }

  private static List<String> remarks(Tuning.Value value) {
    List<String> remarks = new ArrayList<>();
    String path = value.field().path();
    if (!value.moves()) {
      remarks.add(
          path
              + ": not determined by these kernels: none of them changes from one end of the range"
              + " to the other; it stays as it is");
    } else if (value.own() < Tuning.OWN) {
      remarks.add(
          path
              + ": not determined by these kernels: the other fields together do the same to them");
    } else if (!value.determined()) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%s: not determined by these kernels: its value differs by %.0f %% of the range from"
                  + " fold to fold",
              path,
              100 * value.scatter()));
    } else if (value.atEnd()) {
      remarks.add(path + ": at an end of its range; the best may lie outside");
    }
    return remarks;
  }

  private static String verdict(Tuning tuning) {
    String figures =
        String.format(
            Locale.ROOT,
            "error held out %s, before %s, on the kernels fitted to %s",
            percent(tuning.heldOut()),
            percent(tuning.before()),
            percent(tuning.after()));
    return tuning.carriesOver()
        ? "The fit carries over to programs it was not fitted to: " + figures + "."
        : "The fit does NOT carry over to programs it was not fitted to: " + figures + ".";
  }

  private static String change(double before, double after) {
    return percent(before) + " -> " + percent(after);
  }

  private static String names(List<String> programs) {
    return programs.size() <= 6
        ? String.join(", ", programs)
        : String.join(", ", programs.subList(0, 5)) + " and " + (programs.size() - 5) + " more";
  }

  /** An error as people read it. */
  public static String percent(double error) {
    return Double.isFinite(error)
        ? String.format(Locale.ROOT, "%.2f %%", 100 * error)
        : "no result";
  }
}
