package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever ends a run, what it had simulated by then is written and marked. */
class NothingLostTest {
  private static final Path VECADD = Path.of("../examples/traces/vecadd");
  private static final Path CODE = Path.of("../examples/amd/co").toAbsolutePath();

  @TempDir Path folder;

  /** A program that launches the same kernel again and again. */
  private Path program(int launches) throws IOException {
    Path program = Files.createDirectories(folder.resolve("program"));
    for (String name : List.of("kernel-1.traceg", "kernel-1.ctrl", "kernel-1.sass")) {
      Files.copy(VECADD.resolve(name), program.resolve(name));
    }
    Files.writeString(program.resolve("kernelslist.g"), "kernel-1.traceg\n".repeat(launches));
    return program;
  }

  private RunResult unfinished(Path json, String why) throws IOException {
    RunResult result = Results.readJson(json);
    assertThat(result.unfinished()).contains(why);
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"modern", "classic"})
  void aLimitLeavesTheKernelsThatEndedBeforeIt(String core) throws IOException {
    Path program = program(3);
    Path json = folder.resolve("out.json");
    Path csv = folder.resolve("out.csv");
    String gpu = core.equals("modern") ? "--gpu=h200" : "--gpu=rtx3070";
    long first =
        Long.parseLong(
            Warpline.run("run", VECADD.toString(), gpu, "--core=" + core, "--csv=-")
                .out()
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .split(",")[4]);
    Warpline run =
        Warpline.run(
            "run",
            program.toString(),
            gpu,
            "--core=" + core,
            "--max-cycles=" + (first + 100),
            "--json=" + json,
            "--csv=" + csv,
            "--parquet=" + folder.resolve("out.parquet"),
            "--report=" + folder.resolve("out.html"),
            "--timeline=" + folder.resolve("timeline.json"));
    assertThat(run.code()).isEqualTo(ExitCode.UNFINISHED);
    assertThat(run.err()).contains("limit of " + (first + 100) + " cycles").contains("unfinished");
    assertThat(run.out()).contains("kernel 1 ").contains("unfinished: ").doesNotContain("kernel 2");
    assertThat(unfinished(json, "limit").kernels()).extracting(KernelResult::id).containsExactly(1);
    assertThat(Files.readString(csv)).contains(",unfinished\n").contains("stopped at the limit");
    assertThat(folder.resolve("out.parquet")).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("out.html"))).contains("stopped at the limit");
    assertThat(folder.resolve("timeline.json")).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(strings = {"modern", "classic"})
  void anErrorInTheThirdKernelLeavesTheFirstTwo(String core) throws IOException {
    Path program = program(2);
    Files.writeString(
        program.resolve("kernelslist.g"),
        "kernel-1.traceg\nkernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n");
    String text = Files.readString(VECADD.resolve("kernel-1.traceg"));
    Files.writeString(
        program.resolve("kernel-2.traceg"),
        text.replaceFirst("-grid dim = .*", "-grid dim = oops"));
    Path json = folder.resolve("out.json");
    String gpu = core.equals("modern") ? "--gpu=h200" : "--gpu=rtx3070";
    Warpline run =
        Warpline.run(
            "run", program.toString(), gpu, "--core=" + core, "--strict", "--json=" + json);
    assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("kernel-2.traceg").contains("those of the 2 kernels");
    assertThat(unfinished(json, "kernel-2.traceg").kernels()).hasSize(2);
  }

  private Path launches(String second) throws IOException {
    return Files.writeString(
        folder.resolve("launch.yaml"),
        "code: "
            + CODE
            + "/stream.{target}.co\n"
            + "buffers: {a: {bytes: 4096}, b: {bytes: 4096}, c: {bytes: 4096}}\n"
            + "launches:\n"
            + "- {kernel: vector_add, grid: [1024], group: [128], arguments: [a, b, c, 1024]}\n"
            + "- {kernel: vector_add, grid: [1024], group: [128], arguments: ["
            + second
            + "]}\n");
  }

  @Test
  void aFaultOfTheSecondLaunchLeavesTheFirst() throws IOException {
    Path json = folder.resolve("out.json");
    Path file = launches("0, b, c, 1024");
    for (String[] how : new String[][] {{}, {"--functional"}}) {
      List<String> words =
          new ArrayList<>(List.of("run", file.toString(), "--threads=1", "--json=" + json));
      words.addAll(List.of(how));
      Warpline run = Warpline.run(words.toArray(String[]::new));
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(unfinished(json, "launch.yaml").kernels()).hasSize(1);
      Files.delete(json);
    }
  }

  @Test
  void aLimitOnAnAmdGpuLeavesTheLaunchesThatEnded() throws IOException {
    Path json = folder.resolve("out.json");
    Path file = launches("a, b, c, 1024");
    assertThat(Warpline.run("run", file.toString(), "--threads=1", "--json=" + json).code())
        .isZero();
    long end = Results.readJson(json).kernels().get(1).end();
    Warpline run =
        Warpline.run(
            "run", file.toString(), "--threads=1", "--max-cycles=" + (end - 300), "--json=" + json);
    assertThat(run.code()).isEqualTo(ExitCode.UNFINISHED);
    assertThat(unfinished(json, "limit of").kernels()).hasSize(1);
  }

  @Test
  void outputsAreTriedBeforeAnythingIsSimulated() throws IOException {
    String absent = folder.resolve("no/such").toString();
    for (String option : List.of("--json", "--csv", "--parquet", "--report", "--timeline")) {
      Warpline run =
          Warpline.run("run", VECADD.toString(), "--gpu=h200", option + "=" + absent + "/a.json");
      assertThat(run.code()).as(option).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.err()).contains(absent + "/a.json: cannot be written: no folder " + absent);
      assertThat(run.out()).isEmpty();
    }
    assertThat(Warpline.run("run", VECADD.toString(), "--json=" + folder).err())
        .contains("it is a folder");
  }

  @Test
  void oneFileIsNotTwoOutputsNorInputAndOutput() throws IOException {
    String file = folder.resolve("a").toString();
    Warpline twice = Warpline.run("run", VECADD.toString(), "--json=" + file, "--csv=" + file);
    assertThat(twice.code()).isEqualTo(ExitCode.USAGE);
    assertThat(twice.err()).contains("--csv " + file + ": that is --json already");
    String cache = "../examples/traces/reduce.wlt";
    assertThat(Warpline.run("run", cache, "--json=" + cache).code()).isEqualTo(ExitCode.USAGE);
    assertThat(Warpline.run("run", cache, "--json=-", "--csv=-").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aFullDiskIsNamedAndTheOtherFilesAreWritten() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/dev/full")));
    Path csv = folder.resolve("out.csv");
    Warpline run =
        Warpline.run("run", VECADD.toString(), "--gpu=h200", "--json=/dev/full", "--csv=" + csv);
    assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("/dev/full: cannot be written: No space left on device");
    assertThat(run.out()).contains("kernel 1 ");
    assertThat(csv).isNotEmptyFile();
  }

  /** Before anything is simulated: an archive is unpacked on a thread of its own. */
  @Test
  void anArchiveThatDoesNotFitIntoMemoryIsALimitAndNoDefect() throws Exception {
    Path err = folder.resolve("small.err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.warpline.cli.Main",
                "run",
                Path.of("..", "examples", "traces", "cpasync.tar.xz").toString(),
                "--gpu=h200")
            .redirectOutput(folder.resolve("small.out").toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(err)).startsWith("warpline: ").contains("needs more than the");
    assertThat(process.exitValue()).isEqualTo(ExitCode.UNFINISHED);
  }

  /** Ctrl-C and SIGTERM, sent to a real process in the middle of a long program. */
  @Test
  void aSignalLeavesTheKernelsThatEndedBeforeIt() throws Exception {
    Path program = program(50_000);
    List<Process> processes = new ArrayList<>();
    List<String> signals = List.of("INT", "TERM");
    for (String signal : signals) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "dev.warpline.cli.Main",
                  "run",
                  program.toString(),
                  "--gpu=h200",
                  "--threads=1",
                  "--json=" + folder.resolve(signal + ".json"),
                  "--csv=" + folder.resolve(signal + ".csv"))
              .redirectOutput(folder.resolve(signal + ".out").toFile())
              .redirectError(folder.resolve(signal + ".err").toFile())
              .start());
    }
    for (int i = 0; i < 2; i++) {
      Process process = processes.get(i);
      // Processor time, because a busy machine may give it little: enough for some kernels.
      while (process.isAlive()
          && process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() < 2500) {
        Thread.sleep(50);
      }
      assertThat(process.isAlive()).isTrue();
      new ProcessBuilder("kill", "-" + signals.get(i), Long.toString(process.pid()))
          .start()
          .waitFor();
    }
    for (int i = 0; i < 2; i++) {
      String signal = signals.get(i);
      Process process = processes.get(i);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(signal.equals("INT") ? 130 : 143);
      RunResult result = unfinished(folder.resolve(signal + ".json"), "interrupted");
      assertThat(result.kernels()).isNotEmpty();
      assertThat(Files.readString(folder.resolve(signal + ".out")))
          .contains("kernel 1 ")
          .contains("unfinished: interrupted");
      assertThat(Files.readString(folder.resolve(signal + ".err"))).contains("interrupted");
      assertThat(Files.readString(folder.resolve(signal + ".csv"))).contains("interrupted");
    }
    try (var all = Files.list(folder)) {
      assertThat(all.map(file -> file.getFileName().toString()).filter(f -> f.contains(".part")))
          .isEmpty();
    }
  }

  /** Ctrl-C ends the program that runs beside Warpline, and nothing else is said. */
  @Test
  void aSignalEndsTheProgramOfHip() throws Exception {
    Path said = folder.resolve("hip.err");
    Path started = folder.resolve("started");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.warpline.cli.Main",
                "hip",
                "--gpu=mi210",
                "--",
                "sh",
                "-c",
                "echo $$ > " + started + ".new; mv " + started + ".new " + started + "; sleep 600")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    while (process.isAlive() && !Files.exists(started)) {
      Thread.sleep(50);
    }
    assumeTrue(process.isAlive(), "there is no C compiler for the library");
    long child = Long.parseLong(Files.readString(started).strip());
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(Files.readString(said))
        .contains("interrupted by a signal")
        .doesNotContain("error inside");
    assertThat(ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false)).isFalse();
  }
}
