package dev.warpline.nvidia.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that were captured on an H200 write here what they wrote there, to the last bit. */
class BundledCapturesTest {
  private static void exact(String name) throws IOException {
    List<KernelOutcome> outcomes = new ArrayList<>();
    Path capture = Path.of("..", "examples", "captures", name + ".wcap");
    CaptureExecution.run(capture, outcomes::add, done -> {});
    assertThat(outcomes).isNotEmpty().allSatisfy(one -> assertThat(one.exact()).isTrue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"functions", "tiny_kernels", "virtual_calls", "triton_matmul"})
  void everyKernelIsExact(String name) throws IOException {
    exact(name);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {"dependent_launch", "eight_streams", "fork_join", "graph_chain", "grid_barrier"})
  void soAreThoseOfLargerOnes(String name) throws IOException {
    exact(name);
  }
}
