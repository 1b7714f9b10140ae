package dev.warpline.nvidia.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every field of the section program acts. */
class ProgramCostsTest {
  /** Values for fields that eightfold would be out of bounds or the same. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "most", "1",
          "nodeNs", "4000",
          "smallBytes", "0",
          "smallFillBytes", "1000000",
          "bothWaysShare", "0.5");

  /** A program that has a bit of everything. */
  private static long cycles(String... settings) throws IOException {
    Written written = new Written().stream(1, 0, false).stream(2, 0, false).stream(3, 0, false);
    written
        .copy(3, StreamTask.Way.TO_HOST, 3 << 20, true)
        .copy(2, StreamTask.Way.TO_DEVICE, 1 << 20, true)
        .copy(1, StreamTask.Way.TO_DEVICE, 3 << 20, true)
        .kernel(1)
        .kernel(1)
        .add(1, new StreamTask.RecordEvent(1, true))
        .add(3, new StreamTask.WaitEvent(1))
        .kernel(3)
        .add(2, new StreamTask.WaitEvent(1))
        .kernel(2)
        .add(2, new StreamTask.Fill(1 << 20))
        .copy(2, StreamTask.Way.ON_DEVICE, 1 << 20, true)
        .copy(2, StreamTask.Way.TO_DEVICE, 64, true)
        .copy(2, StreamTask.Way.TO_HOST, 1 << 20, true)
        .add(0, new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0))
        .copy(2, StreamTask.Way.TO_DEVICE, 1 << 16, false)
        .copy(2, StreamTask.Way.TO_HOST, 1 << 16, false);
    List<StreamTask.Node> nodes = written.nodes(new Integer[][] {{}, {0}, {0}});
    nodes.add(new StreamTask.Node(90, 0, 3, List.of(1, 2), new StreamTask.Fill(1 << 16)));
    return written
        .add(2, new StreamTask.Graph(nodes))
        .add(0, new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0))
        .add(2, new StreamTask.RecordEvent(2, false))
        .kernel(2)
        .run(settings)
        .time()
        .cycles();
  }

  @Test
  void everyFieldChangesTheTimeOfAProgram() throws IOException {
    long before = cycles();
    for (ExplainedField field : Gpus.fields()) {
      String path = field.path();
      if (field.section() || !path.startsWith("program.")) {
        continue;
      }
      String other = OTHERS.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "8x");
      assertThat(cycles(path + "=" + other)).as(path).isNotEqualTo(before);
    }
  }

  @Test
  void withoutCostsOnlyTheOrderCounts() throws IOException {
    assertThat(cycles("program=none")).isLessThan(cycles());
  }
}
