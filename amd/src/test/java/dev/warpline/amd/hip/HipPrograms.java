package dev.warpline.amd.hip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The programs of {@code examples/hip}, compiled with clang and run on a simulated GPU. Only with
 * {@code -Phip}: it needs clang 19, HIP's headers and device libraries, and minutes.
 */
final class HipPrograms {
  static final String SWITCH = "warpline.hip";

  private static final boolean ALL = "all".equals(System.getProperty(SWITCH));

  private static final Path SOURCES = Path.of("..", "examples", "hip");

  private final Path folder;

  /** Compiles all programs, at an optimisation level, e.g. {@code -O0}. */
  HipPrograms(String optimisation) throws IOException, InterruptedException {
    folder = Path.of("target", "hip", optimisation.substring(1)).toAbsolutePath();
    Files.createDirectories(folder);
    File log = folder.resolve("build.log").toFile();
    Process build =
        new ProcessBuilder(
                "sh", SOURCES.resolve("build.sh").toString(), folder.toString(), optimisation)
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    assertThat(build.waitFor()).as("build.sh, see %s", log).isZero();
  }

  /** GPUs of both architectures where all is asked for, else the one of an optimisation level. */
  static List<String> gpus(String one) {
    return ALL ? List.of("mi210", "mi300a") : List.of(one);
  }

  /** Names of the programs that check themselves. */
  static List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    for (Path from : List.of(SOURCES, SOURCES.resolve("benchmarks"))) {
      try (Stream<Path> files = Files.list(from)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".hip"))
            .map(name -> name.substring(0, name.length() - ".hip".length()))
            .forEach(names::add);
      }
    }
    names.sort(null);
    return names;
  }

  /**
   * What a program did.
   *
   * @param output its standard output and standard error
   * @param complaints what Warpline said
   */
  record Ended(int exitCode, List<KernelResult> kernels, String output, List<String> complaints) {}

  Ended run(String gpu, boolean functional, String name, String... arguments) throws IOException {
    GpuDescription description = Gpus.load(gpu);
    List<String> command = new ArrayList<>(List.of(folder.resolve(name).toString()));
    if (name.equals("module")) {
      command.add(folder.resolve("module.co").toString());
    }
    command.addAll(List.of(arguments));
    List<String> complaints = new ArrayList<>();
    Path output = folder.resolve(name + "." + gpu + ".out");
    HipRun run =
        new HipRun(command, description, functional, folder.resolve("library"), complaints::add)
            .writeOutputTo(output);
    HipRun.Outcome outcome = run.run(RunOptions.DEFAULT, Progress.NONE);
    return new Ended(
        outcome.exitCode(), outcome.result().kernels(), Files.readString(output), complaints);
  }
}
