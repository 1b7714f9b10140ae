package dev.warpline.cli;

import dev.warpline.engine.accelsim.AccelSimGpu;
import dev.warpline.engine.accelsim.AccelSimOptions;
import dev.warpline.engine.gem5.Gem5Options;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.FieldUse;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that choose and change a GPU; a mixin of every command that simulates. */
final class GpuOptions {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--gpu",
      paramLabel = "NAME|FILE",
      completionCandidates = Presets.class,
      description = {
        "Preset ('warpline gpus' lists them) or YAML file of the GPU (default: the preset that the"
            + " program's code was made for)."
      })
  String gpu;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "Accel-Sim option file instead of --gpu: gpgpusim.config, trace.config, or a folder with"
            + " both. Repeatable; later files win."
      })
  List<Path> configs = new ArrayList<>();

  @Option(
      names = "--option",
      paramLabel = "OPTION",
      description = {
        "Accel-Sim option over those of --config, e.g. \"-gpgpu_n_clusters 10\"; or gem5's for an"
            + " AMD GPU, e.g. \"--num-compute-units 8\". Repeatable."
      })
  List<String> options = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "FIELD=VALUE",
      description = {
        "Change a field of the GPU, e.g. sm.l1.sizeKiB=128; 2x multiplies. Repeatable."
      })
  List<String> settings = new ArrayList<>();

  @Mixin Plugins plugins;

  private AccelSimOptions accelSim;

  /** What a shell proposes. */
  static final class Presets implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Gpus.names().iterator();
    }
  }

  /** Whether the user chose a GPU. */
  boolean named() {
    return gpu != null || !configs.isEmpty();
  }

  /**
   * A GPU and every setting of it, as results carry them.
   *
   * @param description the GPU
   * @param configuration value with unit by dotted name; empty where nobody keeps the result
   */
  record Described(GpuDescription description, Map<String, String> configuration) {}

  /**
   * The chosen GPU.
   *
   * @param otherwise preset when the user chose none
   */
  GpuDescription load(String otherwise) throws IOException {
    return load(otherwise, settings);
  }

  private GpuDescription load(String otherwise, List<String> changes) throws IOException {
    if (configs.isEmpty()) {
      return Gpus.load(preset(otherwise), withGem5(changes));
    }
    GpuDescription described = AccelSimGpu.describe(source(), accelSim());
    return changes.isEmpty() ? described : Gpus.changed(described, source(), changes);
  }

  /** What {@link #load} gives, explained field by field. */
  List<ExplainedField> explain(String otherwise) throws IOException {
    return explain(otherwise, settings);
  }

  private List<ExplainedField> explain(String otherwise, List<String> changes) throws IOException {
    if (configs.isEmpty()) {
      return Gpus.explain(preset(otherwise), withGem5(changes));
    }
    return Gpus.explain(AccelSimGpu.describe(source(), accelSim()), source(), changes);
  }

  /**
   * The chosen GPU with further settings over the user's.
   *
   * @param otherwise preset when the user chose none
   * @param more the further settings
   * @param kept whether somebody keeps the result, and every setting with it
   */
  Described describe(String otherwise, List<String> more, boolean kept) throws IOException {
    List<String> changes = new ArrayList<>(settings);
    changes.addAll(more);
    return new Described(
        load(otherwise, changes),
        kept ? Simulation.configuration(explain(otherwise, changes)) : Map.of());
  }

  /**
   * Names what the user set without effect on a core, and what is nearest that has one.
   *
   * @param core {@code classic}, {@code modern} or {@code gcn}
   * @param more settings of an alternative, over the user's
   */
  List<String> warnings(String core, List<String> more) throws IOException {
    List<String> warnings = new ArrayList<>();
    List<FieldUse.Change> changes = new ArrayList<>();
    if (!configs.isEmpty()) {
      warnings.addAll(accelSim().warnings());
    }
    List<String> set = configs.isEmpty() ? withGem5(settings) : settings;
    changes.addAll(gpu == null ? Gpus.changes(set) : Gpus.changes(gpu, set));
    for (FieldUse.Change change : Gpus.changes(more)) {
      changes.add(
          new FieldUse.Change(change.path(), change.place().replaceFirst("^--set", "--what-if")));
    }
    if (!changes.isEmpty()) {
      warnings.addAll(FieldUse.of(core).warnings(changes));
    }
    return warnings;
  }

  /** Prints what the user set without effect on a core. */
  void warn(String core) throws IOException {
    warnings(core, List.of())
        .forEach(warning -> command.commandLine().getErr().println("warning: " + warning));
  }

  /** The Accel-Sim options where {@code --config} was given, else null. */
  AccelSimOptions accelSim() throws IOException {
    if (configs.isEmpty() || accelSim != null) {
      return accelSim;
    }
    List<Path> files = new ArrayList<>();
    for (Path config : configs) {
      if (Files.isDirectory(config)) {
        files.add(config.resolve("gpgpusim.config"));
        if (Files.exists(config.resolve("trace.config"))) {
          files.add(config.resolve("trace.config"));
        }
      } else {
        files.add(config);
      }
    }
    List<String> words = new ArrayList<>();
    options.forEach(option -> words.addAll(List.of(option.strip().split("\\s+"))));
    accelSim = AccelSimOptions.read(files, words);
    return accelSim;
  }

  /** The limit of core cycles that an Accel-Sim configuration sets, 0 for none. */
  long maxCycles() throws IOException {
    return configs.isEmpty() ? 0 : accelSim().longInteger("-gpgpu_max_cycle");
  }

  /** gem5's options as settings, before the user's own. */
  private List<String> withGem5(List<String> changes) throws IOException {
    List<String> all = new ArrayList<>(gem5Settings());
    all.addAll(changes);
    return all;
  }

  private List<String> gem5Settings() throws IOException {
    return options.isEmpty() ? List.of() : new Gem5Options().settings(options);
  }

  String preset(String otherwise) {
    if (options.stream().anyMatch(option -> !Gem5Options.isGem5(option))) {
      throw wrongUse(
          "--option changes Accel-Sim options: it needs --config; gem5's begin with two dashes");
    }
    String chosen = gpu == null ? otherwise : gpu;
    if (chosen == null) {
      throw wrongUse("name a GPU with --gpu, or an Accel-Sim configuration with --config");
    }
    return chosen;
  }

  private String source() {
    if (gpu != null) {
      throw wrongUse("--gpu and --config both name a GPU: expected one of them");
    }
    Path first = configs.get(0).toAbsolutePath();
    return (Files.isDirectory(first) ? first : first.getParent()).getFileName().toString();
  }

  /** The same choice as words of a command line. */
  List<String> words(String otherwise) {
    List<String> words = new ArrayList<>();
    if (configs.isEmpty()) {
      words.addAll(List.of("--gpu", preset(otherwise)));
    }
    configs.forEach(config -> words.addAll(List.of("--config", config.toString())));
    options.forEach(option -> words.add("--option=" + option));
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    plugins.jars.forEach(jar -> words.addAll(List.of("--plugin", jar.toString())));
    return words;
  }

  private RuntimeException wrongUse(String message) {
    return WrongUse.of(command, message);
  }
}
