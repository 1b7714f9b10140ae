package dev.warpline.study.tune;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.nvidia.Core;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.Range;
import dev.warpline.study.sweep.Study;
import dev.warpline.study.sweep.Sweep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Fits fields of a GPU to measured kernels: once to all of them, which gives the values, and once
 * to those outside each fold, which tells what the values are worth on programs that they were not
 * fitted to. The searches go step by step together, since most of what one asks for the others need
 * as well.
 */
public final class Tuner {
  /**
   * What is fitted to what.
   *
   * @param gpu preset or YAML file to start from
   * @param folds parts that are held out in turn
   * @param budget most machines that a search may try
   * @param seed of the folds and of the searches
   */
  public record Task(
      String gpu,
      Core core,
      List<FitField> fields,
      List<Sample> samples,
      int folds,
      int budget,
      int seed) {

    /** Refuses what cannot be done. */
    private void check() throws DescriptionException {
      long programs = samples.stream().map(Sample::program).distinct().count();
      if (programs < 2) {
        throw new DescriptionException(
            "found kernels of 1 program, expected 2 programs at least, so that one can be held out");
      }
      if (folds < 2 || folds > programs) {
        throw new DescriptionException(
            "found " + folds + " folds, expected 2 to " + programs + ", the number of programs");
      }
      Set<String> paths = new LinkedHashSet<>();
      for (FitField field : fields) {
        if (!paths.add(field.path())) {
          throw new DescriptionException("--fit " + field.path() + ": found twice, expected once");
        }
      }
    }

    /** Settings of a machine, as {@code --set} takes them. */
    public List<String> settings(List<String> values) {
      List<String> settings = new ArrayList<>();
      for (int f = 0; f < values.size(); f++) {
        settings.add(fields.get(f).path() + "=" + values.get(f));
      }
      return settings;
    }

    List<String> base() {
      return fields.stream().map(FitField::base).toList();
    }
  }

  /** Somebody who watches. */
  public interface Watcher extends Sweep.Watcher {
    /** The fit to all kernels has become better. */
    void better(List<String> settings, double error, int machines);
  }

  private final Task task;
  private final Machines machines;
  private final Watcher watcher;
  private final Set<Integer> all = new TreeSet<>();

  /**
   * A tuner.
   *
   * @param name what the store keeps the points under
   * @param on where points are simulated; made anew for each step
   * @param renew whether results of another build may be simulated again
   */
  public Tuner(
      Task task,
      String name,
      ResultStore store,
      Supplier<On> on,
      boolean renew,
      StopSignal stop,
      Watcher watcher)
      throws IOException {
    task.check();
    this.task = task;
    this.watcher = watcher;
    machines = new Machines(task, study(task, name, store), store, on, renew, stop, watcher);
    for (int kernel = 0; kernel < task.samples().size(); kernel++) {
      all.add(kernel);
    }
  }

  /** What the store says of the points: which traces and GPU; their fields came one by one. */
  private static Study study(Task task, String name, ResultStore store) throws IOException {
    StringBuilder text = new StringBuilder("# The points were chosen by 'warpline tune'.\n");
    text.append("study: ").append(quoted(name)).append("\ntraces:\n");
    task.samples().stream()
        .map(sample -> sample.trace().toAbsolutePath().toString())
        .distinct()
        .forEach(trace -> text.append("  - ").append(quoted(trace)).append('\n'));
    text.append("gpus: [").append(quoted(task.gpu())).append("]\n");
    text.append("cores: [").append(task.core().word()).append("]\n");
    Path file = store.file().toAbsolutePath().resolveSibling(name + ".yaml");
    return Study.parse(text.toString(), file);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /**
   * Fits.
   *
   * @return what came of it; unfinished if it was stopped
   * @throws UnfinishedSimulationException if a kernel cannot be simulated on the GPU as it stands
   */
  public Tuning run() throws IOException {
    List<String> base = task.base();
    if (!machines.simulate(Map.of(base, all))) {
      return Tuning.unfinished(task, machines, null, Double.NaN);
    }
    double before = machines.error(base, all);
    if (Double.isInfinite(before)) {
      throw new UnfinishedSimulationException(
          "not every kernel can be simulated on "
              + task.gpu()
              + " as it stands: "
              + String.join("; ", machines.failures()));
    }
    List<Range> ranges = task.fields().stream().map(FitField::range).toList();
    double[] start = task.fields().stream().mapToDouble(FitField::start).toArray();
    List<Set<Integer>> heldOut = Samples.folds(task.samples(), task.folds(), task.seed());
    List<Set<Integer>> fittedTo = new ArrayList<>(List.of(all));
    List<PatternSearch> searches = new ArrayList<>();
    for (Set<Integer> fold : heldOut) {
      Set<Integer> rest = new TreeSet<>(all);
      rest.removeAll(fold);
      fittedTo.add(rest);
    }
    fittedTo.forEach(
        kernels -> searches.add(new PatternSearch(ranges, start, task.budget(), task.seed())));
    if (!search(searches, fittedTo)) {
      PatternSearch whole = searches.get(0);
      return Tuning.unfinished(task, machines, whole.best(), whole.error());
    }
    return judge(before, searches, fittedTo, heldOut);
  }

  /** False if it was stopped. */
  private boolean search(List<PatternSearch> searches, List<Set<Integer>> kernels)
      throws IOException {
    double least = Double.POSITIVE_INFINITY;
    while (true) {
      List<List<List<String>>> questions = new ArrayList<>();
      Map<List<String>, Collection<Integer>> wanted = new LinkedHashMap<>();
      for (int s = 0; s < searches.size(); s++) {
        List<List<String>> question = searches.get(s).ask();
        questions.add(question);
        for (List<String> values : question) {
          wanted.computeIfAbsent(values, v -> new TreeSet<>()).addAll(kernels.get(s));
        }
      }
      if (wanted.isEmpty()) {
        return true;
      }
      if (!machines.simulate(wanted)) {
        return false;
      }
      for (int s = 0; s < searches.size(); s++) {
        Set<Integer> own = kernels.get(s);
        if (!questions.get(s).isEmpty()) {
          searches
              .get(s)
              .tell(questions.get(s).stream().map(v -> machines.errors(v, own)).toList());
        }
      }
      PatternSearch whole = searches.get(0);
      if (whole.error() < least) {
        least = whole.error();
        watcher.better(task.settings(whole.best()), least, machines.count());
      }
    }
  }

  /** Tries the fits on what they were not made for, and what each field is good for. */
  private Tuning judge(
      double before,
      List<PatternSearch> searches,
      List<Set<Integer>> fittedTo,
      List<Set<Integer>> heldOut)
      throws IOException {
    List<String> base = task.base();
    List<String> fitted = fitted(before, searches.get(0));
    Map<List<String>, Collection<Integer>> wanted = new LinkedHashMap<>();
    wanted.put(fitted, all);
    List<List<List<String>>> ends = new ArrayList<>();
    for (int f = 0; f < fitted.size(); f++) {
      Range range = task.fields().get(f).range();
      ends.add(List.of(with(fitted, f, range.from()), with(fitted, f, range.to())));
      ends.get(f).forEach(end -> wanted.put(end, all));
    }
    List<List<String>> folded = new ArrayList<>();
    for (int fold = 0; fold < heldOut.size(); fold++) {
      Set<Integer> rest = fittedTo.get(fold + 1);
      List<String> values = fitted(machines.error(base, rest), searches.get(fold + 1));
      folded.add(values);
      wanted.merge(values, all, (a, b) -> all);
    }
    if (!machines.simulate(wanted)) {
      return Tuning.unfinished(task, machines, fitted, machines.error(fitted, all));
    }
    List<Tuning.Fold> folds = new ArrayList<>();
    double held = 0;
    for (int fold = 0; fold < heldOut.size(); fold++) {
      Set<Integer> out = heldOut.get(fold);
      Set<Integer> rest = fittedTo.get(fold + 1);
      List<String> values = folded.get(fold);
      folds.add(
          new Tuning.Fold(
              out.stream().map(k -> task.samples().get(k).program()).distinct().toList(),
              out.size(),
              values,
              machines.error(base, rest),
              machines.error(values, rest),
              machines.error(base, out),
              machines.error(values, out)));
      held += machines.error(values, out) * out.size();
    }
    double[][] effects = new double[fitted.size()][];
    for (int f = 0; f < fitted.size(); f++) {
      effects[f] = effect(ends.get(f).get(0), ends.get(f).get(1));
    }
    List<Tuning.Value> values = new ArrayList<>();
    for (int f = 0; f < fitted.size(); f++) {
      values.add(value(f, fitted, ends.get(f), folded, Effects.own(effects, f)));
    }
    return new Tuning(
        task,
        values,
        folds,
        before,
        machines.error(fitted, all),
        held / all.size(),
        machines.count(),
        machines.simulated(),
        machines.failures(),
        true);
  }

  /** What a search found; what there was before where that is no worse. */
  private List<String> fitted(double before, PatternSearch search) {
    return search.error() < before ? search.best() : task.base();
  }

  private Tuning.Value value(
      int f, List<String> fitted, List<List<String>> ends, List<List<String>> folded, double own) {
    FitField field = task.fields().get(f);
    List<String> overFolds = folded.stream().map(values -> values.get(f)).toList();
    double low = 1;
    double high = 0;
    for (String value : overFolds) {
      double share = field.range().share(Double.parseDouble(value));
      low = Math.min(low, share);
      high = Math.max(high, share);
    }
    boolean moves = ends.stream().anyMatch(end -> differs(end, fitted));
    return new Tuning.Value(
        field,
        fitted.get(f),
        overFolds,
        high - low,
        own,
        machines.error(ends.get(0), all),
        machines.error(ends.get(1), all),
        moves);
  }

  /** What a change from one machine to the other does to the kernels. */
  private double[] effect(List<String> from, List<String> to) {
    double[] a = machines.errors(from, all);
    double[] effect = machines.errors(to, all);
    for (int kernel = 0; kernel < a.length; kernel++) {
      double change = effect[kernel] - a[kernel];
      effect[kernel] = Double.isFinite(change) ? change : 0;
    }
    return effect;
  }

  /** Whether any kernel takes another time on the two. */
  private boolean differs(List<String> one, List<String> other) {
    double[] a = machines.errors(one, all);
    double[] b = machines.errors(other, all);
    for (int kernel = 0; kernel < a.length; kernel++) {
      if (a[kernel] != b[kernel]) {
        return true;
      }
    }
    return false;
  }

  private static List<String> with(List<String> values, int field, double value) {
    List<String> changed = new ArrayList<>(values);
    changed.set(field, Range.text(value));
    return changed;
  }

  /** The number of folds where nobody said: five, or as many as there are programs. */
  public static int folds(List<Sample> samples) {
    return (int) Math.min(5, samples.stream().map(Sample::program).distinct().count());
  }
}
