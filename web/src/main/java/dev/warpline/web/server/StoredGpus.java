package dev.warpline.web.server;

import dev.warpline.engine.accelsim.AccelSimGpu;
import dev.warpline.engine.accelsim.AccelSimOptions;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.GpuSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The GPUs that a run can be asked for: the presets, and in the store descriptions ({@code
 * NAME.yaml}) and Accel-Sim configurations (a folder {@code NAME} with {@code gpgpusim.config} and
 * {@code trace.config}). One from the store reads presets and its neighbours, nothing else.
 */
final class StoredGpus {
  private static final String FOLDER = "gpus";
  private static final List<String> CONFIGURATION = List.of("gpgpusim.config", "trace.config");

  /** A GPU to choose. */
  record Choice(String name, String kind) {}

  private final Store store;
  private final List<String> presets = new ArrayList<>();

  StoredGpus(Store store) throws IOException {
    this.store = store;
    for (String name : Gpus.names()) {
      if (Gpus.load(name).vendor() == GpuDescription.Vendor.NVIDIA) {
        presets.add(name);
      }
    }
  }

  List<Choice> choices() throws IOException {
    List<Choice> choices = new ArrayList<>();
    presets.forEach(name -> choices.add(new Choice(name, "preset")));
    for (String name : store.names(FOLDER)) {
      Path file = store.folder(FOLDER).resolve(name);
      if (isYaml(name)) {
        choices.add(new Choice(name, "description"));
      } else if (Files.exists(file.resolve(CONFIGURATION.get(0)))) {
        choices.add(new Choice(name, "Accel-Sim configuration"));
      }
    }
    return choices;
  }

  /**
   * What a simulation is told to get this GPU, after a look that it keeps to its folder.
   *
   * @return a preset's name or a path
   */
  String source(String name, List<String> settings) throws Refused {
    if (presets.contains(name)) {
      return name;
    }
    List<String> names = new ArrayList<>();
    try {
      choices().forEach(choice -> names.add(choice.name()));
      if (!names.contains(name)) {
        throw new Refused(
            400, "no GPU \"" + name + "\"; expected one of " + String.join(", ", names));
      }
      Path file = store.file(FOLDER, name);
      check(file, settings);
      return file.toString();
    } catch (IOException e) {
      throw new Refused(400, store.inside(e.getMessage()));
    }
  }

  /** Keeps a description, if it is one. */
  void saveDescription(String name, byte[] content) throws IOException, Refused {
    if (!isYaml(name)) {
      throw new Refused(
          415, name + ": expected a description (.yaml) or gpgpusim.config and trace.config");
    }
    replace(store.place(FOLDER, name), content);
  }

  /** Keeps a file of an Accel-Sim configuration, if the configuration is one with it. */
  void saveOptions(String name, String file, byte[] content) throws IOException, Refused {
    if (!CONFIGURATION.contains(file)) {
      throw new Refused(415, file + ": expected " + String.join(" or ", CONFIGURATION));
    }
    if (Gpus.names().contains(name) || isYaml(name)) {
      throw new Refused(400, name + ": expected a name that is no preset's and no file's");
    }
    Path folder = store.place(FOLDER, name);
    if (file.equals(CONFIGURATION.get(1)) && !Files.exists(folder.resolve(CONFIGURATION.get(0)))) {
      throw new Refused(400, name + ": expected gpgpusim.config before trace.config");
    }
    replace(folder.resolve(file), content);
  }

  /** Puts a file in its place to look at it there, and takes it back if it is no good. */
  private synchronized void replace(Path target, byte[] content) throws IOException, Refused {
    byte[] before = Files.exists(target) ? Files.readAllBytes(target) : null;
    store.save(target, content);
    boolean good = false;
    try {
      Path parent = target.getParent();
      check(parent.equals(store.folder(FOLDER)) ? target : parent, List.of());
      good = true;
    } catch (IOException e) {
      throw new Refused(400, store.inside(e.getMessage()));
    } finally {
      if (!good && before != null) {
        Files.write(target, before);
      } else if (!good) {
        remove(target);
      }
    }
  }

  private void remove(Path file) throws IOException {
    Files.deleteIfExists(file);
    Path parent = file.getParent();
    if (!parent.equals(store.folder(FOLDER))) {
      Files.deleteIfExists(parent);
    }
  }

  void delete(String name) throws Refused {
    Path file = store.file(FOLDER, name);
    try (Stream<Path> files = Files.walk(file)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new Refused(409, name + " cannot be deleted: " + store.inside(e.getMessage()));
    }
  }

  /** Reads a description or a configuration, and nothing outside the folder of them. */
  private void check(Path file, List<String> settings) throws IOException {
    if (!Files.isDirectory(file)) {
      String name = file.getFileName().toString();
      GpuDescription gpu = Gpus.loadWithin(store.folder(FOLDER), name, settings);
      if (gpu.vendor() != GpuDescription.Vendor.NVIDIA) {
        throw new IOException(name + ": found an AMD GPU, expected one that runs NVIDIA traces");
      }
      return;
    }
    AccelSimOptions options = AccelSimOptions.readWithin(file, GpuSource.optionFiles(file));
    String name = file.getFileName().toString();
    Gpus.changed(AccelSimGpu.describe(name, options), name, settings);
  }

  private static boolean isYaml(String name) {
    String small = name.toLowerCase(Locale.ROOT);
    return small.endsWith(".yaml") || small.endsWith(".yml");
  }
}
