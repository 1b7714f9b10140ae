package dev.warpline.study.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.study.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every kernel of a folder of traces gets a first finding with a gain: {@code
 * -Dwarpline.traces=FOLDER}, optionally {@code -Dwarpline.gpu=NAME}. Prints them as a table.
 */
class SuiteAdviceTest {
  /** Causes that are taken away: the bottleneck and what else weighs most. */
  private static final int RELIEFS = 2;

  @Test
  void everyKernelGetsAFirstFindingWithAGain() throws IOException {
    String folder = System.getProperty("warpline.traces");
    assumeTrue(folder != null, "no traces: name a folder with -Dwarpline.traces=FOLDER");
    List<Path> traces;
    try (Stream<Path> all = Files.list(Path.of(folder))) {
      traces = all.filter(file -> !file.getFileName().toString().startsWith(".")).sorted().toList();
    }
    assertThat(traces).isNotEmpty();
    List<String> without = new ArrayList<>();
    for (Path trace : traces) {
      advise(trace, without);
    }
    assertThat(without).as("kernels whose first finding has no gain").isEmpty();
  }

  private static void advise(Path trace, List<String> without) throws IOException {
    Simulation simulation =
        Simulation.of(trace).gpu(System.getProperty("warpline.gpu", "h200")).profiled();
    RunResult run = simulation.run();
    List<RunResult.Alternative> alternatives = new ArrayList<>();
    for (List<String> relief : Findings.reliefs(run, RELIEFS)) {
      Simulation other = simulation;
      for (String setting : relief) {
        other = other.set(setting);
      }
      try {
        alternatives.add(new RunResult.Alternative(relief, other.run()));
      } catch (UnfinishedSimulationException | IOException e) {
        without.add(trace.getFileName() + " with " + relief + ": " + e.getMessage());
      }
    }
    RunResult all = run.withAlternatives(alternatives);
    for (KernelResult kernel : all.kernels()) {
      String name = trace.getFileName().toString().replaceAll("\\..*", "");
      Finding first = Findings.of(all, kernel).get(0);
      if (first.gain() == null) {
        without.add(name + " " + kernel.id() + ": " + first.title());
        continue;
      }
      System.out.printf(
          Locale.ROOT,
          "| `%s`%s | %s | `%s` | %.1f %% |%n",
          name,
          all.kernels().size() == 1 ? "" : " " + kernel.id(),
          first.title(),
          first.rule(),
          100 * first.gain());
    }
  }
}
