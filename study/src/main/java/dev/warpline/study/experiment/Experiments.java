package dev.warpline.study.experiment;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * A folder of experiments: {@code kernels.tsv} with the kernels, whose trace caches lie beside it,
 * and {@code rules.tsv} with what must happen to each of them on each changed machine.
 */
public final class Experiments {
  /** In place of kernels: all those that no other rule of the change names. */
  private static final String OTHERS = "others";

  private final Path folder;
  private final List<ExperimentKernel> kernels = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();

  /**
   * Reads the tables.
   *
   * @throws IOException with file, line and what was expected; also if a kernel has no rule or two
   *     for one change
   */
  public Experiments(Path folder) throws IOException {
    this.folder = folder;
    for (Line line : lines("kernels.tsv", 4)) {
      kernels.add(
          new ExperimentKernel(
              line.cells[0], (int) line.number(1), line.cells[2].strip(), line.cells[3].strip()));
    }
    List<String> names = kernels.stream().map(ExperimentKernel::name).toList();
    List<Line> lines = lines("rules.tsv", 5);
    for (Line line : lines) {
      List<String> change = List.of(line.cells[0].split(" "));
      List<String> named = List.of(line.cells[1].split(" "));
      if (named.equals(List.of(OTHERS))) {
        named = others(line.cells[0], names, lines);
      }
      for (String name : named) {
        if (!names.contains(name)) {
          throw line.problem("found the kernel \"" + name + "\", expected one of " + names);
        }
        if (rules.stream().anyMatch(r -> r.change().equals(change) && r.kernels().contains(name))) {
          throw line.problem("found a second rule for " + name + " and " + line.cells[0]);
        }
      }
      rules.add(new Rule(change, named, line.number(2), line.number(3), line.cells[4].strip()));
    }
    for (List<String> change : changes()) {
      for (String name : names) {
        if (rules.stream()
            .noneMatch(r -> r.change().equals(change) && r.kernels().contains(name))) {
          throw new IOException(
              folder.resolve("rules.tsv")
                  + ": found no rule for "
                  + name
                  + " and "
                  + String.join(" ", change)
                  + ", expected one for every kernel");
        }
      }
    }
  }

  private static List<String> others(String change, List<String> names, List<Line> lines) {
    List<String> others = new ArrayList<>(names);
    lines.stream()
        .filter(line -> line.cells[0].equals(change))
        .forEach(line -> others.removeAll(List.of(line.cells[1].split(" "))));
    return others;
  }

  /** A line of a table. */
  private record Line(Path file, int number, String[] cells) {
    double number(int cell) throws IOException {
      try {
        return Double.parseDouble(cells[cell].strip());
      } catch (NumberFormatException e) {
        throw problem("found \"" + cells[cell] + "\", expected a number");
      }
    }

    IOException problem(String what) {
      return new IOException(file + ":" + number + ": " + what);
    }
  }

  private List<Line> lines(String name, int cells) throws IOException {
    Path file = folder.resolve(name);
    List<String> all = Files.readAllLines(file);
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).startsWith("#")) {
        continue;
      }
      Line line = new Line(file, i + 1, all.get(i).split("\t", -1));
      if (line.cells.length != cells) {
        throw line.problem(
            "found " + line.cells.length + " columns, expected " + cells + " with tabs between");
      }
      lines.add(line);
    }
    return lines;
  }

  public List<ExperimentKernel> kernels() {
    return List.copyOf(kernels);
  }

  public List<Rule> rules() {
    return List.copyOf(rules);
  }

  /** All changes, in the order of the rules. */
  public List<List<String>> changes() {
    Set<List<String>> changes = new LinkedHashSet<>();
    rules.forEach(rule -> changes.add(rule.change()));
    return List.copyOf(changes);
  }

  /** The rule for a change and a kernel. */
  public Rule rule(List<String> change, ExperimentKernel kernel) {
    return rules.stream()
        .filter(rule -> rule.change().equals(change) && rule.kernels().contains(kernel.name()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Runs experiments on the modern core of a GPU.
   *
   * @param gpu preset or file
   * @param which of the changes (as in {@link Rule#title}), on which kernels
   * @param parallel runs at a time, each on one thread
   * @param done told of each outcome, in the order of changes and kernels
   */
  public List<Outcome> run(
      String gpu, BiPredicate<String, ExperimentKernel> which, int parallel, Consumer<Outcome> done)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(parallel);
    try {
      Map<ExperimentKernel, Future<Double>> before = new LinkedHashMap<>();
      Map<List<Object>, Future<Double>> after = new LinkedHashMap<>();
      for (List<String> change : changes()) {
        GpuDescription changed = Gpus.load(gpu, change);
        for (ExperimentKernel kernel : kernels) {
          if (!which.test(String.join(" ", change), kernel)) {
            continue;
          }
          if (!before.containsKey(kernel)) {
            GpuDescription own = Gpus.load(gpu);
            before.put(kernel, pool.submit(task(own, kernel)));
          }
          after.put(List.of(change, kernel), pool.submit(task(changed, kernel)));
        }
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (List<String> change : changes()) {
        for (ExperimentKernel kernel : kernels) {
          Future<Double> time = after.get(List.of(change, kernel));
          if (time != null) {
            Outcome outcome =
                new Outcome(rule(change, kernel), kernel, before.get(kernel).get(), time.get());
            outcomes.add(outcome);
            done.accept(outcome);
          }
        }
      }
      return outcomes;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Callable<Double> task(GpuDescription gpu, ExperimentKernel kernel) {
    return () -> microseconds(gpu, kernel);
  }

  private double microseconds(GpuDescription gpu, ExperimentKernel kernel) throws IOException {
    try (TraceSet program = Traces.open(folder.resolve(kernel.name() + ".wlt"))) {
      RunOptions options = new RunOptions(1, 0, 0, (launch, name) -> launch <= kernel.launch());
      List<KernelResult> results =
          Core.MODERN.machine(gpu).run(program, options, Progress.NONE).kernels();
      if (results.size() < kernel.launch()) {
        throw new IOException(
            kernel.name()
                + ".wlt: found "
                + results.size()
                + " launches, expected at least "
                + kernel.launch());
      }
      return results.get(kernel.launch() - 1).cycles() / gpu.clocks().coreMHz();
    }
  }
}
