package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.SourceCost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel compiled with -lineinfo, from its launch to what its source lines cost. */
class SourceLinesTest {
  private static final Path CODE = Path.of("../examples/tracing").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void linesOfSourceCostWhatTheirInstructionsDoAndAnInlinedLoadIsFoundWhereItIsWritten()
      throws Exception {
    Path launch =
        Files.writeString(
            folder.resolve("small.yaml"),
            """
            code: %s
            buffers:
              b1: {address: 0x7f5492000000, bytes: 4096}
              b2: {address: 0x7f5491e00000, bytes: 4096}
            launches:
              - kernel: _Z6reducePKfPfi
                code: reduce
                grid: [2,1,1]
                block: [256,1,1]
                parameters: "00000092547f00000000e091547f000000040000"
            """
                .formatted(CODE));
    Path trace = folder.resolve("trace");
    Warpline traced = Warpline.run("trace", launch.toString(), "-o", trace.toString());
    assertThat(traced.code()).as(traced.err()).isZero();
    Path json = folder.resolve("out.json");
    Warpline run =
        Warpline.run(
            "run",
            trace.toString(),
            "--gpu=h200",
            "--lines=3",
            "--source=" + CODE,
            "--profile",
            "--json=" + json);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("Data from DRAM +reduce\\.cu:5  x \\+= a\\[i\\];");
    RunResult result = Results.readJson(json);
    assertThat(result.sources().get(0).readFrom()).isEqualTo(CODE.resolve("reduce.cu").toString());
    List<SourceCost> costs = SourceCost.of(result.kernels().get(0).profile());
    assertThat(costs.stream().mapToLong(SourceCost::warpCycles).sum())
        .isEqualTo(result.kernels().get(0).profile().warpCycles());
    assertThat(costs.get(0).sectors()).isEqualTo(1024 * 4 / 32);
    Warpline elsewhere = Warpline.run("run", trace.toString(), "--gpu=h200", "--lines=1");
    assertThat(elsewhere.out()).contains("/src/reduce.cu: not found").contains("--source");
  }
}
