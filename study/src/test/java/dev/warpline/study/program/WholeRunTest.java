package dev.warpline.study.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.state.Checkpoints;
import dev.warpline.nvidia.Core;
import dev.warpline.study.settings.TinyProgram;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs run as a whole on an H200 of eight SMs. */
class WholeRunTest {
  private static final double ENDLESS = Double.POSITIVE_INFINITY;

  private static final String[] TWO_STREAMS = {
    "  - {copy: toDevice, bytes: 64 KiB, stream: left}",
    "  - {copy: toHost, bytes: 64 KiB, stream: right}",
    "  - repeat: 3",
    "    do:",
    "      - {launch: one, stream: left}",
    "      - {launch: two, stream: right}",
    "      - {launch: two, stream: left}",
    "  - {record: done, stream: left}",
    "  - {wait: done, stream: right}",
    "  - graph:",
    "      - {node: a, launch: one}",
    "      - {node: b, launch: two, after: a}",
    "      - {node: c, fill: 1 MiB, after: a}",
    "    stream: right",
    "  - {synchronize: right}"
  };

  @TempDir Path folder;

  @BeforeEach
  void traces() throws IOException {
    Files.createDirectory(folder.resolve("tiny"));
    TinyProgram.write(folder.resolve("tiny"), 16);
  }

  private TraceSet program(String... lines) throws IOException {
    Path file = folder.resolve("p.yaml");
    Files.writeString(
        file,
        """
        program: test
        kernels:
          one: tiny
          two: {trace: tiny, kernel: 2}
        streams:
          left: {blocking: false}
          right: {blocking: false}
        do:
        """
            + String.join("\n", lines)
            + "\n");
    return Traces.open(file);
  }

  private static GpuDescription gpu() throws IOException {
    return Gpus.load("h200", List.of("sm.count=8"));
  }

  private static RunResult run(TraceSet program, ProgramChanges changes, boolean reuse)
      throws IOException {
    return run(program, changes, reuse, RunOptions.DEFAULT.withThreads(1));
  }

  private static RunResult run(
      TraceSet program, ProgramChanges changes, boolean reuse, RunOptions options)
      throws IOException {
    try (program) {
      return new WholeRun(gpu(), Core.MODERN, false, false, reuse, changes)
          .of(program, options, Progress.NONE);
    }
  }

  private static ProgramChanges without(String regex) {
    return new ProgramChanges(Pattern.compile(regex), null, Map.of(), 0, ENDLESS);
  }

  private static ProgramChanges fuse(String regex) {
    return new ProgramChanges(null, Pattern.compile(regex), Map.of(), 0, ENDLESS);
  }

  private static ProgramChanges onSms(Map<String, String> sms) {
    return new ProgramChanges(null, null, sms, 0, ENDLESS);
  }

  /** Everything that a program's result says of time. */
  private static List<Object> times(RunResult run) {
    List<Object> all = new ArrayList<>(run.kernels());
    all.addAll(run.activities());
    all.add(run.program());
    return all;
  }

  @Test
  void streamsGiveTheSameResultsOnAnyNumberOfThreads() throws IOException {
    RunResult one = run(program(TWO_STREAMS), ProgramChanges.NONE, false);
    assertThat(one.kernels()).hasSize(11);
    assertThat(one.kernels().get(1).start())
        .as("side by side")
        .isLessThan(one.kernels().get(0).end());
    for (int threads : new int[] {2, 5}) {
      RunOptions options = RunOptions.DEFAULT.withThreads(threads);
      assertThat(times(run(program(TWO_STREAMS), ProgramChanges.NONE, false, options)))
          .isEqualTo(times(one));
    }
  }

  @Test
  void aProgramThatWasStoppedGoesOnAsIfItHadNot() throws IOException {
    RunResult straight = run(program(TWO_STREAMS), ProgramChanges.NONE, false);
    Path file = folder.resolve("state");
    Checkpoints writes = new Checkpoints(Map.of("run", "this"));
    writes.writeTo(file);
    writes.everyCycles(2 * straight.program().cycles() / 5);
    RunOptions first = RunOptions.DEFAULT.withThreads(1).withCheckpoints(writes);
    assertThat(times(run(program(TWO_STREAMS), ProgramChanges.NONE, false, first)))
        .isEqualTo(times(straight));
    assertThat(writes.written()).isBetween(1L, 2L);
    Checkpoints reads = new Checkpoints(Map.of("run", "this"));
    reads.resume(file);
    RunOptions second = RunOptions.DEFAULT.withThreads(2).withCheckpoints(reads);
    assertThat(times(run(program(TWO_STREAMS), ProgramChanges.NONE, false, second)))
        .isEqualTo(times(straight));
  }

  @Test
  void launchesOfTheSameWorkAreSimulatedOnceIfAskedFor() throws IOException {
    String[] loop = {
      "  - repeat: 15",
      "    do:",
      "      - {launch: one, stream: left}",
      "      - {launch: two, stream: left}",
      "  - {synchronize: device}"
    };
    RunResult all = run(program(loop), ProgramChanges.NONE, false);
    RunResult few = run(program(loop), ProgramChanges.NONE, true);
    assertThat(few.kernels()).hasSize(30);
    assertThat((double) few.program().cycles() / all.program().cycles()).isBetween(0.98, 1.02);
    assertThat(few.kernels().stream().mapToLong(KernelResult::simulatedInstructions).sum())
        .isLessThan(
            all.kernels().stream().mapToLong(KernelResult::simulatedInstructions).sum() / 2);
  }

  @Test
  void withoutAKernelNeitherItNorItsCallTakesTime() throws IOException {
    RunResult all = run(program(TWO_STREAMS), ProgramChanges.NONE, false);
    RunResult less = run(program(TWO_STREAMS), without("tiny2"), false);
    assertThat(less.kernels()).extracting(KernelResult::name).containsOnly("tiny1");
    assertThat(less.program().operations()).isEqualTo(all.program().operations() - 7);
    assertThat(less.program().cycles()).isLessThan(all.program().cycles());
    assertThat(run(program(TWO_STREAMS), without("tinny"), false).warnings())
        .anyMatch(warning -> warning.contains("no kernel is named like tinny"));
  }

  @Test
  void fusedKernelsHaveNoGapsBetweenThem() throws IOException {
    String[] chain = {"  - {launch: one, repeat: 6}", "  - {synchronize: device}"};
    RunResult all = run(program(chain), ProgramChanges.NONE, false);
    RunResult fused = run(program(chain), fuse("tiny"), false);
    assertThat(fused.kernels()).hasSize(6);
    // Five calls of 3.5 us less, which the GPU had to wait for.
    assertThat((all.program().cycles() - fused.program().cycles()) / 1980.0).isBetween(10.0, 17.5);
    KernelResult first = fused.kernels().get(0);
    assertThat(fused.kernels().get(1).start()).isLessThanOrEqualTo(first.end());
  }

  @Test
  void aStreamUsesItsSmsAlone() throws IOException {
    String[] one = {"  - {launch: one, stream: left}", "  - {synchronize: device}"};
    RunResult all = run(program(one), ProgramChanges.NONE, false);
    RunResult two = run(program(one), onSms(Map.of("left", "2-3")), false);
    RunResult share = run(program(one), onSms(Map.of("left", "25%")), false);
    assertThat(two.kernels().get(0).cycles()).isGreaterThan(all.kernels().get(0).cycles());
    assertThat(two.kernels().get(0).statistics().get("sm.activeCycles").longValue())
        .isLessThanOrEqualTo(2 * two.kernels().get(0).cycles());
    assertThat(share.kernels().get(0).cycles())
        .isBetween(
            (long) (0.9 * two.kernels().get(0).cycles()),
            (long) (1.1 * two.kernels().get(0).cycles()));
    assertThatThrownBy(() -> run(program(one), onSms(Map.of("left", "0-8")), false))
        .hasMessageContaining("stream left: found SM 8, expected one of 0 to 7");
    assertThatThrownBy(() -> run(program(one), onSms(Map.of("middle", "0")), false))
        .hasMessageContaining("found SMs of stream middle, expected one of [default, left, right]");
    assertThatThrownBy(() -> run(program(one), onSms(Map.of("left", "0")), true))
        .hasMessageContaining("SMs of their own, which --sample and --reuse leave out");
  }

  @Test
  void aPartByTimeHasTheKernelsThatStartInIt() throws IOException {
    String[] two = {
      "  - {launch: one}",
      "  - {host: 100 us}",
      "  - {launch: two}",
      "  - {host: 100 us}",
      "  - {launch: one}"
    };
    RunResult part = run(program(two), new ProgramChanges(null, null, Map.of(), 50, 150), false);
    assertThat(part.kernels()).extracting(KernelResult::id).containsExactly(2);
  }

  @Test
  void aKernelListHasNoGapsToFuseAwayAndNoTimesToChooseBy() {
    assertThatThrownBy(() -> run(Traces.open(folder.resolve("tiny")), fuse("tiny"), false))
        .hasMessageContaining("found a kernel list")
        .hasMessageContaining("--with-host");
  }

  @Test
  void aKernelListRunsWithoutSomeOfItsKernelsAndOnSomeSms() throws IOException {
    RunResult less = run(Traces.open(folder.resolve("tiny")), without("tiny1"), false);
    assertThat(less.kernels()).extracting(KernelResult::id).containsExactly(2);
    RunResult all = run(Traces.open(folder.resolve("tiny")), ProgramChanges.NONE, false);
    RunResult some = run(Traces.open(folder.resolve("tiny")), onSms(Map.of("0", "0")), false);
    assertThat(some.cycles()).isGreaterThan(all.cycles());
  }
}
