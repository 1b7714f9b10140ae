package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Any number of SMs or compute units, on any preset, by one setting. */
class AnySizeTest {
  private static final String TRACE = "../examples/traces/vecadd";
  private static final String LAUNCH = "../examples/amd/launch/saxpy.yaml";

  static Stream<Arguments> machines() throws IOException {
    List<Arguments> machines = new ArrayList<>();
    for (String name : Gpus.names()) {
      GpuDescription gpu = Gpus.load(name);
      for (String core : cores(gpu)) {
        machines.add(Arguments.of(name, core, 1));
        machines.add(Arguments.of(name, core, 1024));
      }
    }
    machines.add(Arguments.of("h200", "modern", 7));
    machines.add(Arguments.of("mi300x", "", 7));
    return machines.stream();
  }

  /** The cores that a preset offers; AMD's has no name on the command line. */
  private static List<String> cores(GpuDescription gpu) {
    List<String> cores = new ArrayList<>();
    if (gpu.offersModern()) {
      cores.add("modern");
    }
    if (gpu.offersClassic()) {
      cores.add("classic");
    }
    return gpu.amd() == null ? cores : List.of("");
  }

  @ParameterizedTest(name = "{0} {1} with {2}")
  @MethodSource("machines")
  void aPresetRunsWithAnyNumberOfCores(String name, String core, int count) {
    boolean amd = core.isEmpty();
    List<String> words = new ArrayList<>(List.of("run", amd ? LAUNCH : TRACE, "--gpu", name));
    if (!amd) {
      words.addAll(List.of("--core", core));
    }
    words.addAll(List.of("--set", (amd ? "amd.computeUnits=" : "sm.count=") + count));
    words.addAll(List.of("--threads", "1"));
    Warpline run = Warpline.run(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("cycles");
  }
}
