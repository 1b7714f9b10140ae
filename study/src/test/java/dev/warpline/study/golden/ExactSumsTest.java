package dev.warpline.study.golden;

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

/**
 * Every cycle of every warp has exactly one reason, however time is added up. {@link GoldensTest}
 * asks it of the examples; other traces are named with {@code -Dwarpline.traces=DIR}.
 */
class ExactSumsTest {
  private static final RunOptions RECORDED =
      RunOptions.DEFAULT.withThreads(2).withProfile(ProfileOptions.NO_TIMELINE);

  @Test
  void theReasonsOfEveryWarpAddUpToItsLifetimeForEveryTraceOfAGivenFolder() throws IOException {
    String folder = System.getProperty("warpline.traces");
    assumeTrue(folder != null, "no other traces: name a folder with -Dwarpline.traces=DIR");
    List<String> notRun = new ArrayList<>();
    List<Path> traces;
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      traces = files.filter(file -> !file.toString().endsWith(".md")).sorted().toList();
    }
    assertThat(traces).isNotEmpty();
    for (Path trace : traces) {
      check(trace, Core.MODERN);
      try {
        check(trace, Core.CLASSIC);
      } catch (UnfinishedSimulationException e) {
        notRun.add(trace.getFileName() + ": " + e.getMessage());
      }
    }
    System.out.printf(
        "%d traces add up on the modern core, %d on the classic core; not run there: %s%n",
        traces.size(), traces.size() - notRun.size(), notRun);
  }

  private static void check(Path trace, Core core) throws IOException {
    Simulation simulation = Simulation.of(trace).gpu("h200").core(core).options(RECORDED);
    check(trace + " on " + core, simulation.run().kernels());
  }

  static void check(String what, List<KernelResult> kernels) {
    assertThat(kernels).isNotEmpty();
    for (KernelResult kernel : kernels) {
      KernelProfile profile = kernel.profile();
      String which = what + ", kernel " + kernel.id();
      assertThat(profile.discrepancies()).as(which).isEmpty();
      assertThat(profile.warpCycles()).as(which).isPositive();
      assertThat(profile.stalls().get(StallReason.SELECTED))
          .as(which)
          .isEqualTo(profile.lines().stream().mapToLong(KernelProfile.Line::executed).sum())
          .isLessThanOrEqualTo(kernel.warpInstructions());
    }
  }
}
