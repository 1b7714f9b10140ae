package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
  private static final String VECADD = "../examples/traces/vecadd";
  private static final String REDUCE = "../examples/traces/reduce.wlt";
  private static final String ADD = "../examples/amd/launch/vector_add.yaml";

  @TempDir Path folder;

  @Test
  void aResultSaysWhatItRestsOn() throws Exception {
    Path json = folder.resolve("out.json");
    assertThat(Warpline.run("run", REDUCE, "--gpu=h200", "--json=" + json).code()).isZero();
    RunResult run = Results.readJson(json);
    byte[] trace = Files.readAllBytes(Path.of(REDUCE));
    assertThat(run.origin().version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(run.origin().build()).matches("unknown|[0-9a-f]{12}(\\+changes)?");
    assertThat(run.origin().command())
        .isEqualTo("warpline run " + REDUCE + " --gpu=h200 --json=" + json);
    assertThat(run.origin().input()).isEqualTo(REDUCE);
    assertThat(run.origin().inputBytes()).isEqualTo(trace.length);
    assertThat(run.origin().inputSha256()).isEqualTo(sha256(trace));
    StringBuilder description = new StringBuilder();
    run.configuration().forEach((k, v) -> description.append(k + "=" + v + "\n"));
    assertThat(run.origin().descriptionSha256())
        .isEqualTo(sha256(description.toString().getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void soDoesTheResultOfALaunchFile() throws Exception {
    Path json = folder.resolve("out.json");
    assertThat(Warpline.run("run", ADD, "--functional", "--json=" + json).code()).isZero();
    RunResult run = Results.readJson(json);
    assertThat(run.origin().input()).isEqualTo(ADD);
    assertThat(run.origin().inputBytes()).isGreaterThan(Files.size(Path.of(ADD)));
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  @Test
  void resultsOfOlderVersionsAreReadStill() throws Exception {
    Path json = folder.resolve("out.json");
    assertThat(Warpline.run("run", VECADD, "--gpu=h200", "--json=" + json).code()).isZero();
    ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(json.toFile());
    assertThat(tree.get("cycles").asLong()).isPositive();
    ObjectNode kernel = (ObjectNode) tree.get("kernels").get(0);
    assertThat(kernel.get("end").asLong()).isEqualTo(kernel.get("cycles").asLong());
    tree.remove(List.of("origin", "alternatives", "warnings", "unfinished", "cycles"));
    kernel.remove(List.of("start", "end"));
    Files.writeString(json, tree.toString());
    RunResult old = Results.readJson(json);
    assertThat(old.alternatives()).isEmpty();
    assertThat(old.cycles()).isEqualTo(kernel.get("cycles").asLong());
  }

  @Test
  void theTimeOfAProgramWhoseKernelsOverlapIsTheLastEnd() {
    StringWriter text = new StringWriter();
    RunResult run =
        new RunResult(
            "gpu",
            "classic",
            1000,
            List.of(kernel(1, 0, 2000), kernel(2, 500, 2500), kernel(3, 600, 1000)),
            new RunResult.Simulation(1, 1, 1, 1));
    RunText.print(run, new PrintWriter(text, true));
    assertThat(run.cycles()).isEqualTo(3000);
    assertThat(text.toString())
        .contains("3 kernels, some at the same time, 3,000 cycles, 0.003 ms")
        .contains("from cycle 500 to 3,000");
    assertThat(Results.table(run).get(1)).containsEntry("start", 500L).containsEntry("end", 3000L);
  }

  private static KernelResult kernel(int id, long start, long cycles) {
    return new KernelResult(
        id, "k" + id, start, cycles, 10, 320, 0.5, "grid", Map.of(), Map.of(), List.of());
  }

  @Test
  void aKernelThatIsNotThereIsAnErrorThatNamesThoseThatAre() {
    Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--kernel=nosuch");
    assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("no kernel is nosuch").contains("1 _Z6vecaddPKfS0_Pfi");
    Warpline amd = Warpline.run("run", ADD, "--kernel=nosuch", "--functional");
    assertThat(amd.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(amd.err()).contains("it launches vector_add");
  }

  @Test
  void aTableWithoutAMatchIsAnError() throws Exception {
    Path table =
        Files.writeString(
            folder.resolve("t.csv"), "workload,cycles_median,cycles\nvecadd,1000,1000\n");
    String traces = "../examples/traces";
    for (List<String> words :
        List.of(
            List.of("validate", "--hardware=" + table, "--traces=" + traces, "--only=nosuch"),
            List.of("compare", "--oracle=" + table, "--traces=" + traces, "--only=nosuch"),
            List.of("bench", "--traces=" + traces, "--only=nosuch"),
            List.of("bench", "--traces=" + traces, "--only=nosuch", "--recording"),
            List.of("bench-amd", "--launches=" + folder),
            List.of(
                "validate-amd",
                "--times=../examples/amd/mi300a-times.csv",
                "--code=../examples/amd/co",
                "--only=nosuch"))) {
      Warpline run = Warpline.run(words.toArray(String[]::new));
      assertThat(run.code()).as(words.toString()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.err()).startsWith("warpline: ");
    }
  }

  @Test
  void anOptionThatCannotActOnALaunchFileIsRefusedByName() {
    for (String option : List.of("--cold", "--core=modern", "--config=x", "--stats=accel-sim")) {
      Warpline run = Warpline.run("run", ADD, option);
      assertThat(run.code()).as(option).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains(option.replaceAll("=.*", ""));
    }
    for (String option :
        List.of("--what-if=a=1", "--max-cycles=5", "--report=a.html", "--timeline=a.json")) {
      Warpline run = Warpline.run("run", ADD, "--functional", option);
      assertThat(run.code()).as(option).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains(option.replaceAll("=.*", "")).contains("--functional");
    }
  }

  @Test
  void coldCachesAreRefusedWhereTheyCannotBeHad() {
    Warpline run = Warpline.run("run", VECADD, "--gpu=rtx3070", "--core=classic", "--cold");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--cold").contains("detailedMemory.l2.flush=true");
  }

  @Test
  void anAmdLaunchThatWasNotChosenIsExecutedButNotListed() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("launch.yaml"),
            "code: "
                + Path.of("../examples/amd/co").toAbsolutePath()
                + "/stream.{target}.co\n"
                + "buffers:\n"
                + "  a: {bytes: 4096, pattern: {type: float, start: 1}}\n"
                + "  b: {bytes: 4096}\n"
                + "  c: {bytes: 4096}\n"
                + "launches:\n"
                + "- {kernel: vector_add, grid: [1024], group: [128], arguments: [a, a, b, 1024]}\n"
                + "- {kernel: vector_add, grid: [1024], group: [128], arguments: [b, b, c, 1024]}\n"
                + "- {kernel: relu, grid: [1024], group: [64], arguments: [c, a, 1024]}\n"
                + "checks: [{buffer: a, type: float, pattern: {type: float, start: 4}}]\n");
    Path json = folder.resolve("out.json");
    for (String how : List.of("--threads=1", "--functional")) {
      Warpline run = Warpline.run("run", file.toString(), how, "--kernel=2", "--json=" + json);
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(Results.readJson(json).kernels())
          .extracting(KernelResult::id, KernelResult::name)
          .containsExactly(org.assertj.core.groups.Tuple.tuple(2, "vector_add"));
    }
    Warpline byName =
        Warpline.run("run", file.toString(), "--threads=1", "--kernel=relu", "--json=" + json);
    assertThat(byName.code()).isZero();
    assertThat(Results.readJson(json).kernels()).extracting(KernelResult::id).containsExactly(3);
  }

  @Test
  void noCacheHasMoreHitsThanReads() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("launch.yaml"),
            "code: "
                + Path.of("../examples/amd/co").toAbsolutePath()
                + "/stream.{target}.co\n"
                + "buffers: {a: {bytes: 65536}, b: {bytes: 65536}, c: {bytes: 65536}}\n"
                + "launches: [{kernel: vector_add, grid: [16384], group: [256],"
                + " arguments: [a, b, c, 16384], repeat: 3}]\n");
    Warpline run = Warpline.run("run", file.toString(), "--gpu=mi300a", "--threads=1");
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("memory ");
    List<Double> shares =
        Pattern.compile("([\\d.]+) % hits")
            .matcher(run.out())
            .results()
            .map(found -> Double.valueOf(found.group(1)))
            .toList();
    assertThat(shares).isNotEmpty().allMatch(share -> share <= 100);
  }

  @Test
  void withoutTimeThereAreNoCycles() throws Exception {
    Path csv = folder.resolve("out.csv");
    Warpline run = Warpline.run("run", ADD, "--gpu=mi300a", "--functional", "--csv=" + csv);
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("no time simulated")
        .contains("wave instructions")
        .doesNotContain("cycles")
        .doesNotContain("occupancy");
    assertThat(run.err()).isEmpty();
    assertThat(Files.readString(csv)).doesNotContain("cycles").contains("warp_instructions");
  }
}
