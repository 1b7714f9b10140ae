package dev.warpline.study;

import dev.warpline.engine.FinishedKernels;
import dev.warpline.engine.Origin;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.nvidia.Core;
import dev.warpline.study.program.ProgramChanges;
import dev.warpline.study.program.WholeRun;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One simulation, asked for in Java. Every step gives a new one, so a simulation can be kept and
 * varied:
 *
 * <pre>
 *   Simulation base = Simulation.of(Path.of("trace")).gpu("h200").profiled();
 *   RunResult now = base.run();
 *   RunResult then = base.set("flowMemory.l2MiB=2x").run();
 * </pre>
 */
public final class Simulation {
  private final Path program;
  private final String gpu;
  private final Core core;
  private final List<String> settings;
  private final RunOptions options;
  private final Progress progress;

  private Simulation(
      Path program,
      String gpu,
      Core core,
      List<String> settings,
      RunOptions options,
      Progress progress) {
    this.program = program;
    this.gpu = gpu;
    this.core = core;
    this.settings = settings;
    this.options = options;
    this.progress = progress;
  }

  /**
   * A simulation of a traced program: a folder, an archive or a trace cache. It runs on the preset
   * that its code was made for ({@link Target#presetFor}) unless another GPU is named.
   */
  public static Simulation of(Path program) {
    return new Simulation(program, null, null, List.of(), RunOptions.DEFAULT, Progress.NONE);
  }

  /**
   * On this GPU: a preset's name, a YAML file or a folder with an Accel-Sim configuration; null for
   * what the code was made for.
   */
  public Simulation gpu(String nameOrFile) {
    return new Simulation(program, nameOrFile, core, settings, options, progress);
  }

  /** With a model of the SM other than the one the GPU's description is best at. */
  public Simulation core(Core model) {
    return new Simulation(program, gpu, model, settings, options, progress);
  }

  /** With a model of the SM by its name, as the command line takes it. */
  public Simulation core(String name) throws DescriptionException {
    for (Core model : Core.values()) {
      if (model.name().equalsIgnoreCase(name)) {
        return core(model);
      }
    }
    throw new DescriptionException(
        "core \"" + name + "\": expected " + String.join(" or ", coreNames()));
  }

  /** The names of the models of an SM. */
  public static List<String> coreNames() {
    return Arrays.stream(Core.values()).map(Core::word).toList();
  }

  /** With a field of the GPU changed, e.g. {@code sm.l1.sizeKiB=128} or {@code ...=2x}. */
  public Simulation set(String setting) {
    List<String> more = new ArrayList<>(settings);
    more.add(setting);
    return new Simulation(program, gpu, core, List.copyOf(more), options, progress);
  }

  /** With a profile in every kernel's result. */
  public Simulation profiled() {
    return options(options.withProfile(ProfileOptions.NO_TIMELINE));
  }

  /** With other options: threads, limits, kernels, what to record. */
  public Simulation options(RunOptions other) {
    return new Simulation(program, gpu, core, settings, other, progress);
  }

  /** Watched by somebody. */
  public Simulation progress(Progress watcher) {
    return new Simulation(program, gpu, core, settings, options, watcher);
  }

  /**
   * Finds out, without the trace, whether it can be run. Where no GPU was named, the settings must
   * be right for one preset at least.
   *
   * @throws DescriptionException if the GPU, a setting or the core cannot be
   */
  public void check() throws IOException {
    if (gpu != null) {
      GpuDescription description = new GpuSource(gpu).load(settings);
      Target.core(program.getFileName().toString(), description, core).machine(description);
      return;
    }
    IOException first = null;
    for (String name : Gpus.names()) {
      try {
        Gpus.load(name, settings);
        return;
      } catch (DescriptionException e) {
        first = first == null ? e : first;
      }
    }
    throw first;
  }

  /** Finds out whether a trace can be opened, e.g. that a trace cache is whole. */
  public static void checkTrace(Path program) throws IOException {
    Traces.open(program).close();
  }

  /**
   * Runs it, from cold caches.
   *
   * @throws UnfinishedSimulationException if it ends early, with the kernels that ended before
   */
  public RunResult run() throws IOException {
    FinishedKernels finished = new FinishedKernels(progress);
    try {
      return run(finished, nothing -> {});
    } catch (UnfinishedSimulationException e) {
      throw e.finished().isEmpty()
          ? new UnfinishedSimulationException(e.getMessage(), finished.kernels())
          : e;
    }
  }

  /**
   * Runs it as far as it gets: if something ends it after its first kernel, the kernels that had
   * ended are the result, which says why there are no more.
   */
  public RunResult attempt() throws IOException {
    FinishedKernels finished = new FinishedKernels(progress);
    List<RunResult> begun = new ArrayList<>();
    try {
      return run(finished, begun::add);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (finished.kernels().isEmpty()) {
        throw e;
      }
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      return begun.get(0).withKernels(finished.kernels()).withUnfinished(why);
    }
  }

  /**
   * Runs it.
   *
   * @param begun told the result before the first kernel
   */
  private RunResult run(FinishedKernels finished, Consumer<RunResult> begun) throws IOException {
    try (TraceSet trace = Traces.open(program)) {
      GpuSource source = new GpuSource(gpu == null ? Target.presetFor(trace) : gpu);
      Map<String, String> configuration = configuration(source.explain(settings));
      GpuDescription description = source.load(settings);
      Core model = Target.core(trace.name(), description, core);
      if (options.sample() > 0 && model == Core.CLASSIC) {
        throw new DescriptionException(
            program + ": only the modern core samples, found the classic one of " + source);
      }
      List<String> warnings = new ArrayList<>(source.warnings(model.word(), settings));
      warnings.addAll(Target.warnings(trace, description, model));
      begun.accept(
          new RunResult(
                  description.name(),
                  model.word(),
                  description.clocks().coreMHz(),
                  List.of(),
                  new RunResult.Simulation(options.threads(), 0, 0, 0))
              .withConfiguration(configuration)
              .withWarnings(warnings));
      return new WholeRun(description, model, false, false, false, ProgramChanges.NONE)
          .of(trace, options, finished)
          .withWarnings(warnings)
          .withWarnings(trace.diagnostics().messages())
          .withConfiguration(configuration)
          .withOrigin(Origin.of(command(), program, files(program), configuration));
    }
  }

  private String command() {
    StringBuilder words = new StringBuilder("Simulation.of(" + program + ")");
    if (gpu != null) {
      words.append(".gpu(").append(gpu).append(')');
    }
    settings.forEach(setting -> words.append(".set(").append(setting).append(')'));
    return (core == null ? words : words.append(".core(").append(core).append(')')) + ".run()";
  }

  /** The files that belong to a trace. */
  public static List<Path> files(Path trace) throws IOException {
    return Traces.files(trace);
  }

  /** The settings of a GPU as results carry them: value with unit by dotted name. */
  public static Map<String, String> configuration(List<ExplainedField> fields) {
    Map<String, String> values = new LinkedHashMap<>();
    for (ExplainedField field : fields) {
      if (!field.section()) {
        String unit = field.unit().isEmpty() ? "" : " " + field.unit();
        values.put(field.path(), field.value() + unit);
      }
    }
    return values;
  }
}
