package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.SmActivity;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Where the time of real kernels goes: attribution, report, timeline, what-if. */
class WhyTest {
  private static final Path ROOT = Path.of("..");
  private static final Path VECADD = ROOT.resolve("examples/traces/vecadd");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "vecadd, h200, MODERN",
    "cpasync.tar.xz, h200, MODERN",
    "vecadd, rtx3070, CLASSIC",
  })
  void recordingChangesNoResult(String trace, String gpu, Core core) throws Exception {
    Simulation simulation =
        Simulation.of(ROOT.resolve("examples/traces").resolve(trace)).gpu(gpu).core(core);
    RunResult plain = simulation.run();
    RunResult run = simulation.profiled().run();
    assertThat(run.kernels()).hasSameSizeAs(plain.kernels());
    for (int i = 0; i < run.kernels().size(); i++) {
      KernelResult kernel = run.kernels().get(i);
      KernelResult unrecorded = plain.kernels().get(i);
      assertThat(kernel.cycles()).isEqualTo(unrecorded.cycles());
      assertThat(kernel.statistics()).isEqualTo(unrecorded.statistics());
      assertThat(kernel.stalls()).isEqualTo(unrecorded.stalls());
      assertThat(kernel.profile().stalls().get(StallReason.SELECTED))
          .isEqualTo(kernel.warpInstructions());
      assertThat(kernel.profile().lines().stream().mapToLong(KernelProfile.Line::lanes).sum())
          .isEqualTo(kernel.threadInstructions());
    }
  }

  @Test
  void theReasonsOfAnAmdWaveAddUpToItsLifetime() throws Exception {
    Path json = folder.resolve("amd.json");
    Path report = folder.resolve("amd.html");
    warpline(
        "run",
        ROOT.resolve("examples/amd/launch/reduce_sum.yaml").toString(),
        "--gpu=mi300a",
        "--threads=1",
        "--report=" + report,
        "--json=" + json);
    KernelResult kernel = Results.readJson(json).kernels().get(0);
    KernelProfile profile = kernel.profile();
    assertThat(profile.warpCycles()).isPositive();
    assertThat(profile.discrepancies()).isEmpty();
    assertThat(profile.lines().stream().mapToLong(KernelProfile.Line::executed).sum())
        .isEqualTo(kernel.warpInstructions());
    Map<String, Long> byKey = new HashMap<>();
    profile.stalls().forEach((reason, cycles) -> byKey.put(reason.key(), cycles));
    assertThat(kernel.stalls()).isEqualTo(byKey);
    assertThat(Files.readString(report))
        .contains("s_endpgm")
        .contains("s_waitcnt")
        .contains("\"profiler\":\"gem5\"");
  }

  @ParameterizedTest
  @CsvSource({"h200, MODERN", "rtx3070, CLASSIC"})
  void aWaitForDataIsChargedToTheLevelThatAnswered(String gpu, Core core) throws Exception {
    Simulation simulation = Simulation.of(ROOT.resolve("examples/traces/reduce.wlt"));
    KernelProfile profile =
        simulation.gpu(gpu).core(core).profiled().run().kernels().get(0).profile();
    Map<StallReason, Long> stalls = profile.stalls();
    // Every datum is read once, so nothing but device memory has it.
    assertThat(stalls).containsKey(StallReason.DRAM);
    assertThat(stalls).doesNotContainKeys(StallReason.L1_HIT, StallReason.L1_MISS);
    KernelProfile.Line load =
        profile.lines().stream()
            .filter(line -> line.opcode().startsWith("LDG"))
            .max(Comparator.comparingLong(KernelProfile.Line::sectors))
            .orElseThrow();
    assertThat(load.dramSectors()).isPositive();
    assertThat(load.l1Hits() + load.l2Hits() + load.dramSectors()).isEqualTo(load.sectors());
  }

  @Test
  void soItIsOnAnAmdGpu() throws Exception {
    Path json = folder.resolve("amd.json");
    warpline(
        "run",
        ROOT.resolve("examples/amd/launch/vector_add.yaml").toString(),
        "--gpu=mi300a",
        "--threads=1",
        "--profile",
        "--json=" + json);
    KernelProfile profile = Results.readJson(json).kernels().get(0).profile();
    assertThat(profile.stalls()).containsKey(StallReason.DRAM);
    assertThat(profile.lines().stream().mapToLong(KernelProfile.Line::dramSectors).sum())
        .isPositive();
  }

  @Test
  void theProfileIsTheSameForAnyNumberOfThreads() throws Exception {
    RunOptions options = RunOptions.DEFAULT.withProfile(new ProfileOptions(0, 2000, 2));
    Simulation simulation = Simulation.of(VECADD);
    KernelProfile one = simulation.options(options).run().kernels().get(0).profile();
    KernelProfile three =
        simulation.options(options.withThreads(3)).run().kernels().get(0).profile();
    assertThat(json(three)).isEqualTo(json(one));
  }

  @ParameterizedTest
  @CsvSource({"h200, MODERN", "rtx3070, CLASSIC"})
  void whoWatchesSeesTheSmsAtWorkAndChangesNothing(String gpu, Core core) throws Exception {
    List<List<SmActivity>> seen = new ArrayList<>();
    Progress watcher =
        new Progress() {
          @Override
          public boolean watchesSms() {
            return true;
          }

          @Override
          public void sms(long cycles, List<SmActivity> activity) {
            seen.add(activity);
          }

          @Override
          public long pauseNanos() {
            return 0;
          }
        };
    Simulation simulation = Simulation.of(VECADD).gpu(gpu).core(core).profiled();
    RunResult watched = simulation.progress(watcher).run();
    assertThat(json(watched.kernels())).isEqualTo(json(simulation.run().kernels()));
    assertThat(seen).hasSizeGreaterThan(3);
    assertThat(seen)
        .anySatisfy(
            activity ->
                assertThat(activity)
                    .anyMatch(sm -> sm.blocks() > 0 && sm.warps() > 0 && sm.reasons()[0] > 0));
    long issued = 0;
    for (List<SmActivity> activity : seen) {
      long now = activity.stream().mapToLong(sm -> sm.reasons()[0]).sum();
      assertThat(now).isGreaterThanOrEqualTo(issued);
      issued = now;
    }
  }

  @Test
  void aRunWritesItsReportItsTimelineAndItsTables() throws Exception {
    Path report = folder.resolve("out.html");
    Path timeline = folder.resolve("out.json");
    Path table = folder.resolve("out.parquet");
    String text =
        warpline(
            "run",
            VECADD.toString(),
            "--gpu=h200",
            "--report=" + report,
            "--timeline=" + timeline,
            "--parquet=" + table);
    assertThat(text).contains("cycles");
    assertThat(Files.readString(report)).contains("FADD").contains("Limited by");
    assertThat(Files.size(report)).isLessThan(5_000_000);
    assertThat(Files.readAllBytes(table)).startsWith('P', 'A', 'R', '1');
    ChromeTrace trace = ChromeTrace.read(timeline);
    assertThat(categories(trace)).contains("memory", "dram", "selected");
    assertThat(trace.flows).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "mandelbrot.wlt, h200, MODERN",
    "cpasync.tar.xz, h200, MODERN",
    "mandelbrot.wlt, rtx3070, CLASSIC",
  })
  @Tag("long")
  void theTimelineOfTenThousandCyclesOfAnSmOpensInAStrictReader(String name, String gpu, Core core)
      throws Exception {
    Path timeline = folder.resolve("sm.json");
    warpline(
        "run",
        ROOT.resolve("examples/traces").resolve(name).toString(),
        "--gpu=" + gpu,
        "--core=" + core,
        "--timeline=" + timeline,
        "--window=0:10000",
        "--sms=1");
    ChromeTrace trace = ChromeTrace.read(timeline);
    assertThat(trace.processes.values()).filteredOn(p -> p.startsWith("SM ")).hasSize(1);
    List<ChromeTrace.Track> warps =
        trace.threads.keySet().stream()
            .filter(track -> trace.threads.get(track).matches("warp \\d+"))
            .toList();
    assertThat(warps).hasSizeGreaterThanOrEqualTo(4);
    long last = 0;
    for (ChromeTrace.Track warp : warps) {
      List<ChromeTrace.Slice> states = trace.slices.get(warp);
      assertThat(states).allMatch(state -> state.depth() == 0 && state.until() <= 10_000);
      last = Math.max(last, states.get(states.size() - 1).until());
    }
    assertThat(last).isGreaterThan(3_000);
    assertThat(categories(trace)).contains("selected");
    assertThat(trace.flows).isNotEmpty();
    assertThat(trace.counters.keySet()).contains("1/IPC", "1/active warps");
    double issued = trace.counters.get("1/IPC").values().stream().mapToDouble(v -> v).sum();
    assertThat(issued).isPositive();
  }

  private static Set<String> categories(ChromeTrace trace) {
    Set<String> categories = new HashSet<>();
    trace.slices.values().forEach(its -> its.forEach(slice -> categories.add(slice.category())));
    return categories;
  }

  @Test
  void whatIfPrintsTheDifferenceOfASecondSimulation() {
    String text =
        warpline("run", VECADD.toString(), "--gpu=h200", "--what-if=flowMemory.dramNs=3x");
    assertThat(text).containsPattern("what if flowMemory.dramNs=3x:");
    assertThat(text)
        .containsPattern("kernel 1 {2}[\\d,]+ -> [\\d,]+ cycles, [\\d.]+ -> [\\d.]+ us \\(\\+\\d");
    assertThat(text).contains("Data from DRAM");
  }

  @Test
  void aTimelineThatCannotBeWrittenIsRefusedBeforeTheRun() {
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setErr(new PrintWriter(err));
    assertThat(line.execute("run", VECADD.toString(), "--timeline=out.txt")).isEqualTo(2);
    assertThat(err.toString()).contains("out.txt").contains(".json");
    assertThat(line.execute("run", VECADD.toString(), "--timeline=o.json", "--window=9:3"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("FROM:UNTIL");
  }

  @Test
  void theExampleOfTheJavaInterfaceCompilesAndRuns() throws Exception {
    Matcher block =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/why.md")));
    assertThat(block.find()).isTrue();
    assertThat(block.group(1).lines().count()).isLessThanOrEqualTo(10);
    String code =
        "import dev.warpline.engine.*;\nimport dev.warpline.study.*;\n"
            + "import dev.warpline.study.advice.*;\nimport java.nio.file.*;\n"
            + "public class Example {\n  public static void main(String[] a) throws Exception {\n"
            + block.group(1).replace("examples/", ROOT.resolve("examples") + "/")
            + "}\n}\n";
    Path source = Files.writeString(folder.resolve("Example.java"), code);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", folder.toString(), source.toString());
    assertThat(status).isZero();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream console = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader.loadClass("Example").getMethod("main", String[].class).invoke(null, (Object) null);
    } finally {
      System.setOut(console);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("takes \\d+ cycles");
  }

  @Test
  void everyReasonIsInTheDocumentationWithTheProfilersNames() throws Exception {
    String text = Files.readString(ROOT.resolve("docs/why.md"));
    for (StallReason reason : StallReason.values()) {
      assertThat(text)
          .contains(
              String.format(
                  "| %s | `%s` | `%s` | %s | %s |",
                  reason.label(),
                  reason.key(),
                  reason.nsight(),
                  reason.gem5() == null ? "" : "`" + reason.gem5() + "`",
                  reason.explanation()));
    }
  }

  private static String json(Object value) throws Exception {
    return new ObjectMapper().writeValueAsString(value);
  }

  private static String warpline(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out));
    assertThat(line.execute(arguments)).as(List.of(arguments).toString()).isZero();
    return out.toString();
  }

  @Test
  void theLogPrintsWhatItIsAskedForInsideItsWindow() {
    Warpline run =
        Warpline.run(
            "run",
            VECADD.toString(),
            "--gpu=rtx3070",
            "--log=issue",
            "--window=0:20",
            "--set",
            "launch.kernelCycles=0");
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = run.out().lines().filter(line -> line.contains(" SM 0 warp ")).toList();
    assertThat(lines).isNotEmpty().allMatch(line -> line.matches(" +1?\\d SM 0 warp \\d issue .+"));
  }

  @Test
  void theModernCoreLogsItsDependenceCounters() {
    Warpline run =
        Warpline.run(
            "run",
            VECADD.toString(),
            "--gpu=h200",
            "--log=scoreboard,fetch,issue",
            "--window=0:4000");
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines =
        run.out().lines().filter(l -> l.matches(" *\\d+ SM \\d+ warp .*")).toList();
    for (String what : List.of("fetch ", "decode ", "issue ", "reserve SB", "release SB")) {
      assertThat(lines).as(what).anyMatch(line -> line.contains(what));
    }
    List<Long> cycles = lines.stream().map(l -> Long.valueOf(l.strip().split(" ")[0])).toList();
    assertThat(cycles).isSorted();
  }

  @Test
  void aLogThatCannotBeWrittenIsRefused() {
    String vecadd = VECADD.toString();
    Warpline data = Warpline.run("run", vecadd, "--gpu=rtx3070", "--log=issue", "--json=-");
    assertThat(data.code()).isEqualTo(2);
    assertThat(data.err()).contains("--log prints on standard output");
    assertThat(Warpline.run("run", vecadd, "--gpu=rtx3070", "--log=foo").code()).isEqualTo(2);
  }
}
