package dev.warpline.study;

import dev.warpline.engine.FinishedKernels;
import dev.warpline.engine.Origin;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.FieldUse;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

  /** On this GPU: a preset's name or a YAML file; null for what the code was made for. */
  public Simulation gpu(String nameOrFile) {
    return new Simulation(program, nameOrFile, core, settings, options, progress);
  }

  /** With a model of the SM other than the one the GPU's description is best at. */
  public Simulation core(Core model) {
    return new Simulation(program, gpu, model, settings, options, progress);
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
   * Runs it, from cold caches.
   *
   * @throws UnfinishedSimulationException if it ends early, with the kernels that ended before
   */
  public RunResult run() throws IOException {
    FinishedKernels finished = new FinishedKernels(progress);
    try (TraceSet trace = Traces.open(program)) {
      String name = gpu == null ? Target.presetFor(trace) : gpu;
      Map<String, String> configuration = configuration(Gpus.explain(name, settings));
      GpuDescription description = Gpus.load(name, settings);
      Core model = Target.core(trace.name(), description, core);
      return model
          .machine(description)
          .run(trace, options, finished)
          .withWarnings(FieldUse.of(model.word()).warnings(Gpus.changes(name, settings)))
          .withWarnings(Target.warnings(trace, description))
          .withWarnings(trace.diagnostics().messages())
          .withConfiguration(configuration)
          .withOrigin(Origin.of(command(), program, files(program), configuration));
    } catch (UnfinishedSimulationException e) {
      throw e.finished().isEmpty()
          ? new UnfinishedSimulationException(e.getMessage(), finished.kernels())
          : e;
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

  /** The files that belong to a trace: itself, or of a folder the list and what it may name. */
  public static List<Path> files(Path trace) throws IOException {
    boolean list = trace.toString().endsWith(".g");
    if (!Files.isDirectory(trace) && !list) {
      return List.of(trace);
    }
    try (Stream<Path> files = Files.list(list ? trace.toAbsolutePath().getParent() : trace)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().startsWith("kernel"))
          .filter(file -> !file.toString().endsWith(Traces.CACHE_SUFFIX))
          .sorted()
          .toList();
    }
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
