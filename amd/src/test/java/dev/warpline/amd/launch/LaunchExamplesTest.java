package dev.warpline.amd.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every launch file of the examples runs on every AMD preset, and its checks hold. */
class LaunchExamplesTest {
  private static final Path LAUNCHES = Path.of("..", "examples", "amd", "launch");

  @TestFactory
  List<DynamicTest> everyExampleRunsFunctionally() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(LAUNCHES)) {
      for (Path file : files.sorted().toList()) {
        for (String gpu : List.of("vega10", "mi210", "mi300a")) {
          boolean matrixCores = Files.readString(file).contains("/mfma.");
          if (!matrixCores || !gpu.equals("vega10")) {
            tests.add(
                DynamicTest.dynamicTest(
                    file.getFileName() + " on " + gpu,
                    () -> {
                      LaunchRun run = new LaunchRun(file, Gpus.load(gpu));
                      assertThat(run.functional(RunOptions.DEFAULT, Progress.NONE).failedChecks())
                          .isEmpty();
                    }));
          }
        }
      }
    }
    return tests;
  }
}
