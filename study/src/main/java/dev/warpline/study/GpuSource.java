package dev.warpline.study;

import dev.warpline.engine.accelsim.AccelSimGpu;
import dev.warpline.engine.accelsim.AccelSimOptions;
import dev.warpline.engine.gpu.BaseGpu;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.FieldUse;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the description of a GPU comes from.
 *
 * @param nameOrFile a preset's name, a YAML file, or a folder with an Accel-Sim configuration
 */
public record GpuSource(String nameOrFile) {
  private static final List<String> CONFIGURATION = List.of("gpgpusim.config", "trace.config");

  /** The GPU with some fields changed. */
  public GpuDescription load(List<String> settings) throws IOException {
    Path folder = folder();
    return folder == null
        ? Gpus.load(nameOrFile, settings)
        : Gpus.changed(AccelSimGpu.describe(title(), options(folder)), title(), settings);
  }

  /** The GPU as it stands, to make many from it. */
  public BaseGpu base() throws IOException {
    Path folder = folder();
    return folder == null
        ? Gpus.base(nameOrFile)
        : Gpus.base(AccelSimGpu.describe(title(), options(folder)), title());
  }

  /** What {@link #load} gives, explained field by field. */
  public List<ExplainedField> explain(List<String> settings) throws IOException {
    Path folder = folder();
    return folder == null
        ? Gpus.explain(nameOrFile, settings)
        : Gpus.explain(AccelSimGpu.describe(title(), options(folder)), title(), settings);
  }

  /** What a core does not read of the settings, and what an Accel-Sim configuration has in vain. */
  public List<String> warnings(String core, List<String> settings) throws IOException {
    Path folder = folder();
    FieldUse use = FieldUse.of(core);
    if (folder == null) {
      return use.warnings(Gpus.changes(nameOrFile, settings));
    }
    List<String> warnings = new ArrayList<>(options(folder).warnings());
    warnings.addAll(use.warnings(Gpus.changes(settings)));
    return warnings;
  }

  /** The option files of a folder with an Accel-Sim configuration, in the order they are read. */
  public static List<Path> optionFiles(Path folder) {
    List<Path> files = new ArrayList<>();
    for (String name : CONFIGURATION) {
      if (Files.exists(folder.resolve(name))) {
        files.add(folder.resolve(name));
      }
    }
    return files;
  }

  private static AccelSimOptions options(Path folder) throws IOException {
    return AccelSimOptions.read(optionFiles(folder), List.of());
  }

  private String title() {
    return Path.of(nameOrFile).toAbsolutePath().getFileName().toString();
  }

  private Path folder() {
    try {
      Path path = Path.of(nameOrFile);
      return !Gpus.names().contains(nameOrFile) && Files.isDirectory(path) ? path : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }
}
