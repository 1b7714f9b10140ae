package dev.warpline.cli;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Target;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Local;
import dev.warpline.study.sweep.Sweep;
import dev.warpline.study.tune.FitField;
import dev.warpline.study.tune.Sample;
import dev.warpline.study.tune.Samples;
import dev.warpline.study.tune.TunedDescription;
import dev.warpline.study.tune.Tuner;
import dev.warpline.study.tune.Tuning;
import dev.warpline.study.tune.TuningText;
import dev.warpline.study.validate.HardwareTable;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Fits fields of a GPU to hardware counters. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Fit fields of a GPU to measured kernels, see what the fit is worth on programs that it was"
          + " not made for, and write a description that says so. Every simulation goes into a"
          + " store: the same command goes on after any end.",
      "",
      "docs/tuning.md explains what it prints. Exit code 4 if it was interrupted; 5, and nothing is"
          + " written, if the fit does not carry over."
    },
    optionListHeading = "%nOptions:%n")
final class TuneCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--gpu",
      paramLabel = "NAME|FILE",
      description = {
        "Preset or YAML file to start from (default: the preset that the first trace was made"
            + " for)."
      })
  String gpu;

  @Option(
      names = "--hardware",
      paramLabel = "CSV",
      required = true,
      description = "Counters, as for validate.")
  Path hardware;

  @Mixin WorkloadOptions workloads;

  @Option(
      names = "--fit",
      paramLabel = "FIELD=LOW..HIGH[:log]",
      required = true,
      description = "A field and how far it may go; log: in equal factors. Repeatable.")
  List<String> fits = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.yaml",
      description = "The description to write (default: tuned.yaml).")
  Path output = Path.of("tuned.yaml");

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      defaultValue = "cycles",
      description = {
        "What to fit: cycles (default), or a counter as validate names it, e.g. \"SM active\"."
      })
  String metric;

  @Option(
      names = "--core",
      paramLabel = "CORE",
      description =
          "Core to simulate: ${COMPLETION-CANDIDATES} (default: the best that the GPU offers).")
  Core core;

  @Option(
      names = "--folds",
      paramLabel = "K",
      converter = Numbers.Count.class,
      description = {
        "Parts of the programs that are held out in turn (default: 5, or the number of programs if"
            + " that is less)."
      })
  Integer folds;

  @Option(
      names = "--budget",
      paramLabel = "N",
      converter = Numbers.Count.class,
      description = "Most machines that each search may try (default: ${DEFAULT-VALUE}).")
  int budget = 100;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Numbers.Count.class,
      description = "Of the folds and the searches (default: ${DEFAULT-VALUE}).")
  int seed = 1;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = "Where results go (default: FILE.db beside the output).")
  Path store;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Kernels at a time (default: the processors of this machine).")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--memory",
      paramLabel = "MiB",
      converter = Numbers.Mebibytes.class,
      description = "What they may need together (default: three quarters of Java's heap).")
  Long memory;

  @Option(
      names = "--renew",
      description = {
        "Simulate again what the store has of another build of Warpline; those results are kept."
      })
  boolean renew;

  @Mixin Plugins plugins;

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    WholeFile.check(output);
    HardwareTable table = HardwareTable.read(hardware);
    List<Sample> samples =
        Samples.of(table, hardware, workloads.traces, workloads.only, Samples.metric(metric));
    String source = source(samples.get(0).trace());
    List<ExplainedField> explained = Gpus.explain(source, List.of());
    GpuDescription base = Gpus.load(source);
    Core model = Target.core(workloads.traces.toString(), base, core);
    List<FitField> fields = new ArrayList<>();
    for (String fit : fits) {
      fields.add(FitField.parse(fit, explained, model.word()));
    }
    Tuner.Task task =
        new Tuner.Task(
            source,
            model,
            fields,
            samples,
            folds == null ? Tuner.folds(samples) : folds,
            budget,
            seed);
    for (FitField field : fields) {
      if (!field.startsInside()) {
        err.printf(
            "warning: %s is %s, outside %s; the search starts at the nearer end%n",
            field.path(), field.base(), field.limits());
      }
    }
    err.flush();
    return tune(task, base);
  }

  private String source(Path first) throws IOException {
    if (gpu == null) {
      try (TraceSet program = Traces.open(first)) {
        return Target.presetFor(program);
      }
    }
    if (Gpus.names().contains(gpu)) {
      return gpu;
    }
    if (Files.isDirectory(Path.of(gpu))) {
      throw new DescriptionException(
          "--gpu " + gpu + ": found a folder, expected a preset or a YAML file");
    }
    if (Files.exists(output) && Files.isSameFile(output, Path.of(gpu))) {
      throw new DescriptionException(
          output + ": is what --gpu names, expected another file to write");
    }
    return Files.exists(Path.of(gpu)) ? Path.of(gpu).toAbsolutePath().toString() : gpu;
  }

  private int tune(Tuner.Task task, GpuDescription base) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    String name = output.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    Path where = store == null ? output.toAbsolutePath().resolveSibling(name + ".db") : store;
    long bytes = memory == null ? Runtime.getRuntime().maxMemory() / 4 * 3 : memory << 20;
    StopSignal stop = new StopSignal();
    Tuning tuning;
    try (Interrupt interrupt = new Interrupt(stop);
        ProgressLine line = new ProgressLine();
        ResultStore opened = ResultStore.open(where)) {
      Tuner tuner =
          new Tuner(
              task,
              name,
              opened,
              () -> new Local(threads, bytes, stop),
              renew,
              stop,
              new Display(line, err));
      out.printf(
          "on %s, %s core; fitted to %d kernels of %d programs, %d folds%n",
          base.name(),
          task.core().word(),
          task.samples().size(),
          task.samples().stream().map(Sample::program).distinct().count(),
          task.folds());
      out.flush();
      interrupt.simulating(true);
      tuning = tuner.run();
      interrupt.simulating(false);
      line.close();
      int code = answer(tuning, base, where, stop, out, err);
      out.flush();
      err.flush();
      return code;
    }
  }

  private int answer(
      Tuning tuning,
      GpuDescription base,
      Path where,
      StopSignal stop,
      PrintWriter out,
      PrintWriter err)
      throws IOException {
    String tried =
        String.format(
            Locale.ROOT,
            "%,d machines, %,d simulations now; %s",
            tuning.machines(),
            tuning.simulated(),
            where);
    if (!tuning.finished()) {
      out.println(tried);
      err.println("warpline: " + stop.reason() + "; the same command goes on; nothing was written");
      if (!tuning.values().isEmpty()) {
        List<String> best = tuning.values().stream().map(Tuning.Value::value).toList();
        err.printf(
            "warpline: best so far, on the kernels fitted to %s, not cross-validated: %s%n",
            TuningText.percent(tuning.after()), sets(tuning.task().settings(best)));
      }
      return ExitCode.UNFINISHED;
    }
    out.println();
    TuningText.lines(tuning).forEach(out::println);
    out.println(tried);
    if (!tuning.carriesOver()) {
      err.println("warpline: " + output + " was not written: go on with what --gpu named");
      return ExitCode.CHECK_FAILED;
    }
    TunedDescription.write(
        tuning,
        base.name(),
        hardware.getFileName().toString(),
        Point.sha256(Files.readAllBytes(hardware)),
        output);
    out.println(output + " written");
    return ExitCode.OK;
  }

  private static String sets(List<String> settings) {
    return String.join(" ", settings.stream().map(setting -> "--set " + setting).toList());
  }

  /** Shows how far it is, and every improvement. */
  private record Display(ProgressLine line, PrintWriter err) implements Tuner.Watcher {
    @Override
    public void failed(Point point, String message) {
      line.clear();
      err.printf(
          "warpline: %s, %s: %s%n",
          Path.of(point.trace()).getFileName(), sets(point.settings()), message);
      err.flush();
    }

    @Override
    public void advanced(Sweep.State state) {
      int ended = state.count().done() + state.count().failed();
      line.show(String.format(Locale.ROOT, "%,d simulations, %d running", ended, state.running()));
    }

    @Override
    public void better(List<String> settings, double error, int machines) {
      line.clear();
      err.printf(
          "%4d machines: %s with %s%n",
          machines, TuningText.percent(error), String.join(" ", settings));
      err.flush();
    }
  }
}
