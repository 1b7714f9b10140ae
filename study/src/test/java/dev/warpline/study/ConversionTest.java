package dev.warpline.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TextWriter;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trace that was converted to text takes the same time. */
class ConversionTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"cpasync.tar.xz", "wgmma_s4.wlt"})
  @Tag("long")
  void theModernCoreFindsNoDifference(String example) throws IOException {
    Path original = Path.of("..", "examples", "traces", example);
    Path text = folder.resolve("text");
    try (TraceSet set = Traces.open(original, Diagnostics.strict())) {
      TextWriter.write(set, text, done -> {});
    }
    List<KernelResult> expected = run(original);
    List<KernelResult> results = run(text);
    assertThat(results).hasSameSizeAs(expected);
    for (int i = 0; i < results.size(); i++) {
      assertThat(results.get(i).cycles()).isEqualTo(expected.get(i).cycles());
      assertThat(results.get(i).statistics()).isEqualTo(expected.get(i).statistics());
      assertThat(results.get(i).warnings()).isEqualTo(expected.get(i).warnings());
    }
  }

  private static List<KernelResult> run(Path trace) throws IOException {
    return Simulation.of(trace).core(Core.MODERN).run().kernels();
  }
}
