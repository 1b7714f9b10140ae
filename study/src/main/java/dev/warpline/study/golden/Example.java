package dev.warpline.study.golden;

import dev.warpline.amd.launch.LaunchException;
import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One example of the repository: a traced program or an AMD launch file.
 *
 * @param name as its golden file is called
 * @param launch whether it is a launch file
 */
record Example(String name, Path file, boolean launch) {
  private static final String AMD_CORE = "gcn";

  /** All examples below a folder, in a fixed order. */
  static List<Example> in(Path examples) throws IOException {
    List<Example> all = new ArrayList<>();
    try (Stream<Path> traces = Files.list(examples.resolve("traces"))) {
      for (Path file : traces.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (Files.isDirectory(file) || name.endsWith(".wlt") || name.contains(".tar")) {
          all.add(new Example(stem(name), file, false));
        }
      }
    }
    try (Stream<Path> launches = Files.list(examples.resolve("amd").resolve("launch"))) {
      for (Path file : launches.sorted().toList()) {
        all.add(new Example("amd-" + stem(String.valueOf(file.getFileName())), file, true));
      }
    }
    return all;
  }

  private static String stem(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** Every preset and core that might run it. */
  List<GoldenResult.Place> places() throws IOException {
    List<GoldenResult.Place> places = new ArrayList<>();
    for (String gpu : Gpus.names()) {
      GpuDescription description = Gpus.load(gpu);
      if (launch) {
        if (description.amd() != null) {
          places.add(new GoldenResult.Place(gpu, AMD_CORE));
        }
      } else if (description.amd() == null) {
        if (description.offersModern()) {
          places.add(new GoldenResult.Place(gpu, name(Core.MODERN)));
        }
        if (description.offersClassic()) {
          places.add(new GoldenResult.Place(gpu, name(Core.CLASSIC)));
        }
      }
    }
    return places;
  }

  private static String name(Core core) {
    return core.name().toLowerCase(Locale.ROOT);
  }

  /** Runs it on one thread; a GPU that cannot run it has a result that says so. */
  GoldenResult run(GoldenResult.Place place) throws IOException {
    try {
      return GoldenResult.of(place, simulate(place, RunOptions.DEFAULT));
    } catch (DescriptionException | LaunchException | UnfinishedSimulationException refusal) {
      return GoldenResult.refused(place, refusal.getMessage());
    } catch (NoSuchFileException absent) {
      return GoldenResult.refused(place, "no " + Path.of(absent.getFile()).getFileName());
    }
  }

  /** Runs it from cold caches. */
  RunResult simulate(GoldenResult.Place place, RunOptions options) throws IOException {
    GpuDescription gpu = Gpus.load(place.gpu());
    if (launch) {
      LaunchRun.Outcome outcome = new LaunchRun(file, gpu).timed(options, Progress.NONE);
      if (!outcome.failedChecks().isEmpty()) {
        throw new IOException(file + " on " + place + ": " + outcome.failedChecks());
      }
      return outcome.result();
    }
    Core core = Core.valueOf(place.core().toUpperCase(Locale.ROOT));
    try (TraceSet program = Traces.open(file)) {
      return core.machine(gpu).run(program, options, Progress.NONE);
    }
  }
}
