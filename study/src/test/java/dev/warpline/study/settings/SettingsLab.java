package dev.warpline.study.settings;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.accelsim.AccelSimGpu;
import dev.warpline.engine.accelsim.AccelSimOptions;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tiny programs and the small GPUs that settings are tried on. */
final class SettingsLab {
  private static final Path CONFIG =
      Path.of("..", "engine", "src", "test", "resources", "dev", "warpline", "engine", "accelsim")
          .resolve("SM86_RTX3070");

  private static final Path AMD_CODE = Path.of("..", "examples", "amd", "co").toAbsolutePath();

  /** A GPU, made small, the core that is tried on it, and what that core reads. */
  enum Subject {
    MODERN(
        "rtx3070",
        Core.MODERN,
        List.of(),
        List.of("clocks.", "sm.", "launch.", "modern.", "flowMemory.")),
    HOPPER("h200", Core.MODERN, List.of(), List.of("modern.async.", "flowMemory.", "modern.")),
    CLASSIC(
        "rtx3070",
        Core.CLASSIC,
        List.of("sm.count=2"),
        List.of("clocks.", "sm.", "launch.", "classic.", "detailedMemory.")),
    AMD("vega10", null, List.of("amd.computeUnits=4"), List.of("clocks.", "amd."));

    final String preset;
    final Core core;
    final List<String> base;
    final List<String> sections;

    Subject(String preset, Core core, List<String> base, List<String> sections) {
      this.preset = preset;
      this.core = core;
      this.base = base;
      this.sections = sections;
    }

    /** Fields that have a value of their own, lists of records left out. */
    List<ExplainedField> fields() throws IOException {
      return Gpus.explain(preset, List.of()).stream()
          .filter(field -> !field.section() && !field.path().contains("["))
          .filter(field -> sections.stream().anyMatch(field.path()::startsWith))
          .toList();
    }
  }

  private final Path program;
  private final Path launch;

  SettingsLab(Path folder) throws IOException {
    program = TinyProgram.write(Files.createDirectory(folder.resolve("tiny")), 3);
    launch =
        Files.writeString(
            folder.resolve("launch.yaml"),
            String.join(
                "\n",
                "code: " + AMD_CODE + "/stream.{target}.co",
                "buffers:",
                "  a: {bytes: 1024, pattern: {type: float, step: 1}}",
                "  b: {bytes: 1024, pattern: {type: float, start: 1, step: 1}}",
                "  c: {bytes: 1024}",
                "launches:",
                "  - {kernel: vector_add, grid: [256], group: [64], arguments: [a, b, c, 256]}",
                ""));
  }

  static AccelSimOptions accelSim(List<String> more) throws IOException {
    return AccelSimOptions.read(
        List.of(CONFIG.resolve("gpgpusim.config"), CONFIG.resolve("trace.config")), more);
  }

  private RunResult runTrace(Core core, GpuDescription gpu, RunOptions options) throws IOException {
    try (TraceSet trace = Traces.open(program)) {
      return core.machine(gpu).run(trace, options, Progress.NONE);
    }
  }

  /** Cycles of the tiny program on the modern core of a GPU. */
  long cycles(String gpu, List<String> settings) throws IOException {
    return runTrace(Core.MODERN, Gpus.load(gpu, settings), RunOptions.DEFAULT).cycles();
  }

  /** Settings of fields; {@code outside} if one of them must be refused. */
  Trial settings(Subject subject, List<String> settings, boolean outside) {
    List<String> all = new ArrayList<>(subject.base);
    all.addAll(settings);
    List<String> names = settings.stream().map(s -> "--set " + s).toList();
    return new Trial(outside, names) {
      @Override
      GpuDescription gpu() throws IOException {
        return Gpus.load(subject.preset, all);
      }

      @Override
      RunResult run(GpuDescription gpu, RunOptions options) throws IOException {
        return subject.core == null
            ? new LaunchRun(launch, gpu).timed(options, Progress.NONE).result()
            : runTrace(subject.core, gpu, options);
      }

      @Override
      public String toString() {
        return subject + " " + settings;
      }
    };
  }

  /** Options of Accel-Sim: names and values in turn. */
  Trial options(String... words) {
    List<String> line = new ArrayList<>(List.of("-gpgpu_n_clusters", "2"));
    line.addAll(Arrays.asList(words));
    List<String> names = Arrays.stream(words).filter(word -> word.startsWith("-")).toList();
    return new Trial(false, names) {
      @Override
      GpuDescription gpu() throws IOException {
        return AccelSimGpu.describe("drawn", accelSim(line));
      }

      @Override
      RunResult run(GpuDescription gpu, RunOptions options) throws IOException {
        return runTrace(Core.CLASSIC, gpu, options);
      }

      @Override
      public String toString() {
        return String.join(" ", line);
      }
    };
  }
}
