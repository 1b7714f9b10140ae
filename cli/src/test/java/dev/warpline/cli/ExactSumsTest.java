package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every cycle of every warp has exactly one reason, however time is added up. Run it on a folder of
 * other traces with {@code -Dwarpline.traces=DIR}.
 */
class ExactSumsTest {
  private static final Path EXAMPLES = Path.of("../examples/traces");
  private static final RunOptions RECORDED =
      RunOptions.DEFAULT.withThreads(2).withProfile(ProfileOptions.NO_TIMELINE);

  static List<Arguments> examplesOnEachCore() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    for (Path trace : traces(EXAMPLES)) {
      cases.add(Arguments.of(trace.getFileName().toString(), "h200", Core.MODERN));
      cases.add(Arguments.of(trace.getFileName().toString(), "rtx3070", Core.CLASSIC));
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("examplesOnEachCore")
  void theReasonsOfEveryWarpAddUpToItsLifetime(String trace, String gpu, Core core)
      throws IOException {
    List<KernelResult> kernels = check(EXAMPLES.resolve(trace), gpu, core);
    if (trace.startsWith("sgemm")) {
      // Tiles of a matrix are read by many blocks: the first finds them in DRAM, others in L2.
      assertThat(kernels.get(0).profile().stalls())
          .containsKeys(StallReason.L2_HIT, StallReason.DRAM);
    }
  }

  @Test
  void soTheyDoForEveryTraceOfAGivenFolder() throws IOException {
    String folder = System.getProperty("warpline.traces");
    assumeTrue(folder != null, "no other traces: name a folder with -Dwarpline.traces=DIR");
    List<String> notRun = new ArrayList<>();
    List<Path> traces = traces(Path.of(folder));
    assertThat(traces).isNotEmpty();
    for (Path trace : traces) {
      check(trace, "h200", Core.MODERN);
      try {
        check(trace, "h200", Core.CLASSIC);
      } catch (UnfinishedSimulationException e) {
        notRun.add(trace.getFileName() + ": " + e.getMessage());
      }
    }
    System.out.printf(
        "%d traces add up on the modern core, %d on the classic core; not run there: %s%n",
        traces.size(), traces.size() - notRun.size(), notRun);
  }

  private static List<Path> traces(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static List<KernelResult> check(Path trace, String gpu, Core core) throws IOException {
    Simulation simulation = Simulation.of(trace).gpu(gpu).core(core).options(RECORDED);
    List<KernelResult> kernels = simulation.run().kernels();
    assertThat(kernels).isNotEmpty();
    for (KernelResult kernel : kernels) {
      KernelProfile profile = kernel.profile();
      String which = trace + " on " + core + ", kernel " + kernel.id();
      assertThat(profile.discrepancies()).as(which).isEmpty();
      assertThat(profile.warpCycles()).as(which).isPositive();
      assertThat(profile.stalls().get(StallReason.SELECTED))
          .as(which)
          .isEqualTo(profile.lines().stream().mapToLong(KernelProfile.Line::executed).sum())
          .isLessThanOrEqualTo(kernel.warpInstructions());
    }
    return kernels;
  }
}
