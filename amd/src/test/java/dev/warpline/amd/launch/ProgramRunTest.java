package dev.warpline.amd.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelRange;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launch files that do what the host's part of a program does. */
class ProgramRunTest {
  private static final Path CODE = Path.of("..", "examples", "amd", "co").toAbsolutePath();
  private static final Path EXAMPLES = Path.of("..", "examples", "amd", "launch");

  @TempDir Path folder;

  private LaunchRun run(String code, String... lines) throws IOException {
    Path file = folder.resolve("launch.yaml");
    Files.writeString(
        file, "code: " + CODE + "/" + code + ".{target}.co\n" + String.join("\n", lines) + "\n");
    return new LaunchRun(file, Gpus.load("vega10", List.of("amd.computeUnits=4")));
  }

  private static List<String> failures(LaunchRun run) throws IOException {
    return run.functional(RunOptions.DEFAULT, Progress.NONE).failedChecks();
  }

  @Test
  void aLoopEndsWhenTheKernelSaysSo() throws IOException {
    LaunchRun bfs =
        new LaunchRun(
            EXAMPLES.resolve("bfs.yaml"), Gpus.load("vega10", List.of("amd.computeUnits=4")));
    LaunchRun.Outcome outcome = bfs.timed(RunOptions.DEFAULT, Progress.NONE);
    assertThat(outcome.failedChecks()).isEmpty();
    int rounds = outcome.result().kernels().size();
    assertThat(rounds).as("more levels than one, fewer than places").isBetween(3, 50);
    assertThat(bfs.functional(RunOptions.DEFAULT, Progress.NONE).result().kernels())
        .hasSize(rounds);
    assertThat(outcome.result().activities().stream().filter(a -> a.name().equals("changed")))
        .as("set before and read after every round")
        .hasSize(2 * rounds);
  }

  @Test
  void aLoopThatNeverEndsAsItShouldIsAFailedCheck() throws IOException {
    assertThat(
            failures(
                run(
                    "stream",
                    "buffers: {a: {bytes: 256}}",
                    "steps:",
                    "  - loop:",
                    "      times: 3",
                    "      until: {buffer: a, type: float, above: 5}",
                    "      steps:",
                    "        - launch: {kernel: relu, grid: [64], group: [64], arguments: [a, a,"
                        + " 64]}")))
        .singleElement()
        .asString()
        .contains("launch.yaml:6:")
        .contains("steps[0].loop.until: did not hold after the 3 rounds");
  }

  @Test
  void queuesOverlapAndSignalsOrderThem() throws IOException {
    LaunchRun.Outcome outcome =
        new LaunchRun(EXAMPLES.resolve("streams.yaml"), Gpus.load("vega10"))
            .timed(RunOptions.DEFAULT, Progress.NONE);
    assertThat(outcome.failedChecks()).isEmpty();
    List<KernelResult> kernels = outcome.result().kernels();
    assertThat(kernels).extracting(KernelResult::id).containsExactly(1, 2, 3);
    assertThat(kernels.get(1).start()).as("both at a time").isLessThan(kernels.get(0).end());
    List<Activity> all = outcome.result().activities();
    Activity last =
        all.stream().filter(a -> a.name().equals("vector_add")).findFirst().orElseThrow();
    for (Activity activity : all) {
      if (activity.name().equals("relu")) {
        assertThat(activity.complete()).isLessThanOrEqualTo(last.start());
      }
    }
    assertThat(outcome.result().cycles())
        .as("the program ends with its last completion")
        .isEqualTo(all.stream().mapToLong(Activity::complete).max().orElseThrow());
    long added = all.stream().mapToLong(Activity::cycles).sum();
    assertThat(Activity.busyCycles(all)).isLessThan(added);
  }

  @Test
  void aPacketMayWaitForALaterOneWithTimeAndWithout() throws IOException {
    String[] lines = {
      "buffers: {a: {bytes: 256, pattern: {type: float, start: 3}}, b: {bytes: 256}, c: {bytes:"
          + " 256}}",
      "steps:",
      "  - copy: {to: c, from: b, queue: 1, after: [made], async: yes}",
      "  - launch: {kernel: relu, grid: [64], group: [64], arguments: [a, b, 64], signal: made}",
      "checks: [{buffer: c, type: float, pattern: {type: float, start: 3}}]"
    };
    LaunchRun run = run("stream", lines);
    assertThat(failures(run)).isEmpty();
    assertThat(run.timed(RunOptions.DEFAULT, Progress.NONE).failedChecks()).isEmpty();
    RunOptions skipping = RunOptions.DEFAULT.withKernels((n, name) -> false);
    assertThatThrownBy(() -> run.timed(skipping, Progress.NONE))
        .as("also where the launch is not timed")
        .hasMessageContaining("none of its kernels was chosen");
  }

  @Test
  void aWaitForEverIsToldByTheNamesOfSignals() throws IOException {
    LaunchRun run =
        run(
            "stream",
            "buffers: {a: {bytes: 256}}",
            "steps:",
            "  - launch: {kernel: relu, grid: [64], group: [64], arguments: [a, a, 64], after: [x],"
                + " signal: x}");
    assertThatThrownBy(() -> run.timed(RunOptions.DEFAULT, Progress.NONE))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("waits for signals x");
    assertThatThrownBy(() -> failures(run))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("waits for ever")
        .hasMessageContaining("launch.yaml:4:");
  }

  @Test
  void aSignalThatNobodyCompletesIsRefusedBeforeAnythingRuns() throws IOException {
    LaunchRun run =
        run(
            "stream",
            "buffers: {a: {bytes: 256}}",
            "steps:",
            "  - copy: {to: a, values: {type: int, list: [1]}, signal: copied}",
            "  - barrier: {queue: 1, after: [copid]}");
    assertThatThrownBy(run::check)
        .hasMessageContaining("launch.yaml:5:")
        .hasMessageContaining("found a wait for signal copid, expected one of copied");
  }

  @Test
  void dataAreCopiedSetReadAndCompared() throws IOException {
    ByteBuffer input = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    input.putInt(5).putInt(6).putInt(7).putInt(8);
    Files.write(folder.resolve("in.bin"), input.array());
    LaunchRun run =
        run(
            "stream",
            "buffers: {a: {bytes: 32}, b: {bytes: 32}, f: {bytes: 64}}",
            "steps:",
            "  - copy: {to: a, at: 16, file: in.bin}",
            "  - copy: {to: b, from: a, fromAt: 16, bytes: 8}",
            "  - set: {buffer: b, at: 8, bytes: 4, value: 0xff}".replace("0xff", "255"),
            "  - swap: [a, b]",
            "  - check: {buffer: a, type: int, values: [5, 6, -1, 0]}",
            "  - check: {buffer: b, type: int, values: [0, 0, 0, 0, 5, 6, 9]}",
            "  - loop:",
            "      {times: 2, variable: k, from: 3, steps: [{read: {buffer: a, at: 4*(k-3), bytes: 4,"
                + " file: 'out.{k}.bin'}}]}",
            "  - launch: {kernel: relu, grid: [16], group: [16], arguments: [f, f, 16]}");
    for (LaunchRun.Outcome outcome :
        List.of(
            run.functional(RunOptions.DEFAULT, Progress.NONE),
            run.timed(RunOptions.DEFAULT, Progress.NONE))) {
      assertThat(outcome.failedChecks())
          .singleElement()
          .asString()
          .contains("steps[5].check: buffer b, element 6: found 7, expected 9");
      assertThat(Files.readAllBytes(folder.resolve("out.3.bin"))).containsExactly(5, 0, 0, 0);
      assertThat(Files.readAllBytes(folder.resolve("out.4.bin"))).containsExactly(6, 0, 0, 0);
    }
  }

  @Test
  void aScalarOfUnknownTypeIsRefusedAndTheMessageSaysHowToWriteIt() throws IOException {
    String[] lines = {
      "buffers:",
      "  x: {bytes: 128, pattern: {type: half, start: 3}}",
      "  y: {bytes: 128, pattern: {type: half, start: 1}}",
      "launches:",
      "  - {kernel: half_axpy, grid: [64], group: [64], arguments: [x, y, 2, int 64]}",
      "checks: [{buffer: y, type: half, pattern: {type: half, start: 7}}]"
    };
    assertThatThrownBy(() -> failures(run("half", lines)))
        .hasMessageContaining("launch.yaml:6:68: launches[0].arguments[2]: found \"2\"")
        .hasMessageContaining("expected a type before it")
        .hasMessageContaining("int 2 or float 2");
    lines[4] = lines[4].replace(" 2,", " float 2,");
    assertThat(failures(run("half", lines))).isEmpty();
    lines[4] = lines[4].replace(" float 2,", " 2.0,");
    assertThat(failures(run("half", lines))).as("a point says it, too").isEmpty();
    lines[4] = lines[4].replace(" 2.0,", " double 2,");
    assertThatThrownBy(() -> failures(run("half", lines)))
        .hasMessageContaining("which has 8 bytes")
        .hasMessageContaining("expected 4 bytes");
  }

  @Test
  void aStructureIsLaidOutAsInC() throws IOException {
    String[] lines = {
      "buffers:",
      "  in: {bytes: 1024, pattern: {type: float, start: 1}}",
      "  out: {bytes: 256}",
      "launches:",
      "  - kernel: structures",
      "    grid: [64]",
      "    group: [64]",
      "    arguments:",
      "      - struct float 0.5, int 10, short[2] -3 4",
      "      - in",
      "      - out",
      "checks: [{buffer: out, type: float, values: [9, 16, 9, 16]}]"
    };
    assertThat(failures(run("program", lines))).isEmpty();
    lines[8] = "      - struct { float 0.5 struct { int 10 } short -3 short 4 }";
    assertThat(failures(run("program", lines))).as("the same, nested").isEmpty();
    lines[8] = "      - struct float 0.5 int 10 short -3";
    assertThat(failures(run("program", lines)))
        .as("the last member is missing, but the room for it is there")
        .singleElement()
        .asString()
        .contains("element 1: found 12, expected 16");
    lines[8] = "      - struct float 0.5 int 10";
    assertThatThrownBy(() -> failures(run("program", lines)))
        .hasMessageContaining("which has 8 bytes")
        .hasMessageContaining("expected 12 bytes");
    lines[8] = "      - struct float 0.5 ints 10";
    assertThatThrownBy(() -> failures(run("program", lines)))
        .hasMessageContaining("found \"ints\", expected a type: bool, char");
  }

  @Test
  void aGlobalVariableOfTheCodeIsABuffer() throws IOException {
    assertThat(
            failures(
                run(
                    "program",
                    "buffers:",
                    "  in: {values: {type: int, list: [1, 2, 3, 4]}}",
                    "  out: {bytes: 16}",
                    "  scale: {symbol: scale, values: {type: int, list: [100]}}",
                    "  weights: {symbol: weights, bytes: 32}",
                    "steps:",
                    "  - set: {buffer: weights, type: int, value: 7}",
                    "  - launch: {kernel: globals, grid: [64], group: [64], arguments: [in, out,"
                        + " int 4]}",
                    "  - check: {buffer: out, type: int, values: [107, 207, 307, 407]}")))
        .isEmpty();
  }

  @Test
  void gridsAndArgumentsAreExpressionsOfLoopVariables() throws IOException {
    LaunchRun.Outcome outcome =
        run(
                "stream",
                "buffers: {a: {bytes: 1024, pattern: {type: float, start: 2}}, b: {bytes: 1024}}",
                "steps:",
                "  - loop:",
                "      times: 3",
                "      variable: k",
                "      steps:",
                "        - launch: {kernel: relu, grid: [64 << k], group: [64], arguments: [a,"
                    + " b+4*(k*16), 16]}",
                "checks: [{buffer: b, type: float, values: [2, 2]}]")
            .functional(RunOptions.DEFAULT, Progress.NONE);
    assertThat(outcome.failedChecks()).isEmpty();
    assertThat(outcome.result().kernels().get(2).warpInstructions())
        .isGreaterThan(outcome.result().kernels().get(0).warpInstructions());
    assertThatThrownBy(
            () ->
                failures(
                    run(
                        "stream",
                        "buffers: {a: {bytes: 64}}",
                        "launches:",
                        "  - {kernel: relu, grid: [k], group: [64], arguments: [a, a, 16]}")))
        .hasMessageContaining("launch.yaml:4:27: launches[0].grid[0]: found k, expected a whole");
  }

  @Test
  void aRangeOfKernelsIsTimedAndTheProgramEndsWithIt() throws IOException {
    String[] lines = {
      "buffers: {a: {bytes: 256, pattern: {type: float, start: 3}}, b: {bytes: 256}}",
      "launches:",
      "  - {kernel: relu, grid: [64], group: [64], arguments: [a, b, 64], repeat: 6}",
      "checks: [{buffer: b, type: float, pattern: {type: float, start: 4}}]"
    };
    LaunchRun.Outcome outcome =
        run("stream", lines)
            .timed(
                RunOptions.DEFAULT.withKernels(
                    new KernelRange((n, k) -> true, (n, k) -> n == 3, (n, k) -> n == 4)),
                Progress.NONE);
    assertThat(outcome.result().kernels()).extracting(KernelResult::id).containsExactly(3, 4);
    assertThat(outcome.failedChecks()).as("the end was not reached").isEmpty();
    assertThat(outcome.result().warnings())
        .singleElement()
        .asString()
        .contains("ended after kernel 4 as asked");
    assertThat(outcome.result().activities())
        .as("nothing after the last kernel runs")
        .filteredOn(a -> a.kind() == Activity.Kind.KERNEL)
        .hasSize(2);
  }

  @Test
  void theKernelsOfAHipProgramAreCalledByTheirNamesInTheSource() throws IOException {
    Path program = Path.of("src/test/resources/dev/warpline/amd/code/program").toAbsolutePath();
    Path file = folder.resolve("launch.yaml");
    String text =
        String.join(
            "\n",
            "code: " + program,
            "buffers:",
            "  a: {bytes: 256, pattern: {type: float, start: 3}}",
            "  b: {bytes: 256, pattern: {type: int, start: 5}}",
            "launches:",
            "  - {kernel: scale, grid: [64], group: [64], arguments: [a, 2, 64]}",
            "  - {kernel: shift<int>, grid: [64], group: [64], arguments: [b, -1, true]}",
            "checks:",
            "  - {buffer: a, type: float, pattern: {type: float, start: 6}}",
            "  - {buffer: b, type: int, pattern: {type: int, start: 3}}",
            "");
    Files.writeString(file, text);
    assertThat(failures(new LaunchRun(file, Gpus.load("vega10"))))
        .as("the name tells that 2 is a float")
        .isEmpty();
    Files.writeString(file, text.replace("kernel: scale", "kernel: scala"));
    assertThatThrownBy(() -> new LaunchRun(file, Gpus.load("vega10")).check())
        .hasMessageContaining("launch.yaml:6:14: launches[0].kernel: found no kernel scala")
        .hasMessageContaining("expected one of _Z5scalePffi");
  }

  @Test
  void groupsThatTheDescriptorDoesNotTellApartAreAWarning() throws IOException {
    String[] lines = {
      "buffers: {a: {bytes: 256}}",
      "launches:",
      "  - {kernel: relu, grid: [64, 2], group: [64], arguments: [a, a, 64]}"
    };
    assertThat(
            run("stream", lines).functional(RunOptions.DEFAULT, Progress.NONE).result().warnings())
        .singleElement()
        .asString()
        .contains("launch.yaml:4:")
        .contains("2 groups along y, but the descriptor of kernel relu does not ask for");
    lines[2] = lines[2].replace("64, 2]", "128, 1]").replace("256", "512");
    assertThat(
            run("stream", lines).functional(RunOptions.DEFAULT, Progress.NONE).result().warnings())
        .isEmpty();
  }

  @Test
  void aStepIsOneThing() {
    assertThatThrownBy(
            () ->
                run(
                    "stream",
                    "buffers: {a: {bytes: 64}}",
                    "steps:",
                    "  - {swap: [a, a], waitFor: {}}"))
        .hasMessageContaining("launch.yaml:4:")
        .hasMessageContaining("expected one of launch, copy, set, read, check, barrier, waitFor");
  }
}
