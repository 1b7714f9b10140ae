package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/studies.md does, on traces that are over in no time. */
class StudiesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  /** A study of the examples with small traces in place of its own. */
  private Path small(String name) throws IOException {
    String text = Files.readString(ROOT.resolve("examples/studies/" + name + ".yaml"));
    String traces = ROOT.resolve("examples/traces") + "/";
    String changed =
        text.replace("../traces/reduce.wlt", traces + "vecadd")
            .replace("../traces/hgemm_wmma.wlt", traces + "cpasync.tar.xz");
    assertThat(changed).isNotEqualTo(text);
    return Files.writeString(folder.resolve(name + ".yaml"), changed);
  }

  private String store(String name) {
    return folder.resolve(name + ".db").toString();
  }

  @Test
  void everyBundledStudyCanBeRun() throws IOException {
    try (Stream<Path> studies = Files.list(ROOT.resolve("examples/studies"))) {
      List<Path> files = studies.filter(file -> file.toString().endsWith(".yaml")).toList();
      assertThat(files).hasSizeGreaterThan(1);
      for (Path file : files) {
        Warpline plan = Warpline.run("sweep", file.toString(), "--dry-run");
        assertThat(plan.err()).isEmpty();
        assertThat(plan.code()).isEqualTo(ExitCode.OK);
        assertThat(plan.out()).doesNotContain("cannot be").contains(" points");
      }
    }
  }

  @Test
  void aStudyIsSweptOnceAndAnsweredOften() throws IOException {
    String study = small("pareto").toString();
    Path parquet = folder.resolve("p.parquet");
    Warpline first = Warpline.run("sweep", study, "--parquet", parquet.toString());
    assertThat(first.err()).isEmpty();
    assertThat(first.code()).isEqualTo(ExitCode.OK);
    assertThat(first.out()).contains("pareto: 48 points; 48 done, 0 failed, 48 simulated now");
    assertThat(Files.readAllBytes(parquet)).startsWith('P', 'A', 'R', '1');
    assertThat(Warpline.run("sweep", study).out()).contains("48 done, 0 failed, 0 simulated now");
    answers(store("pareto"));
  }

  private void answers(String store) throws IOException {
    assertThat(Warpline.run("results", store, "--pivot", "trace,sm.count").out().lines())
        .hasSize(3)
        .element(0)
        .asString()
        .matches("trace \\\\ sm.count +16 +33 +66 +132");
    assertThat(Warpline.run("results", store, "--where", "sm.count > 100 and trace ~ 'vec'").out())
        .contains("6 points, 0 failed, 0 not simulated yet");
    Warpline json =
        Warpline.run("results", store, "--json", "-", "--columns", "trace,clocks.l2MHz,cycles*2");
    JsonNode rows = new ObjectMapper().readTree(json.out());
    assertThat(rows).hasSize(48);
    assertThat(rows.get(0).get("clocks.l2MHz").asInt()).isEqualTo(1700);
    assertThat(rows.get(0).get("cycles*2").asDouble()).isPositive();
    String csv = Warpline.run("results", store, "--csv", "-", "--sort", "cycles").out();
    assertThat(csv.lines()).hasSize(49);
    assertThat(csv).contains("cycles,microseconds,kernels", "l2.");
    Path svg = folder.resolve("p.svg");
    Warpline pareto =
        Warpline.run(
            "results",
            "pareto",
            store,
            "--least",
            "microseconds",
            "--least",
            "sm.count + flowMemory.l2MiB",
            "--svg",
            svg.toString());
    assertThat(pareto.err()).isEmpty();
    assertThat(pareto.out()).contains("of 24 machines are on the front");
    assertThat(Files.readString(svg)).startsWith("<svg").contains("</svg>");
    assertThat(Warpline.run("results", "compare", store, store).out())
        .contains("cycles: 48 points in both, 0 of them different, B/A 1.0000");
    assertThat(Warpline.run("results", "sensitivity", store).err())
        .contains("the study pareto has no section sensitivity");
    assertThat(Warpline.run("results", store, "--where", "cylces > 1").err())
        .contains("no point has \"cylces\" (did you mean cycles?)");
  }

  /** Every command of docs/studies.md, in its order, on the small study. */
  @Test
  void theCommandsOfTheDocumentationWork() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/studies.md")).replace("\\\n", " ");
    List<String> commands =
        Pattern.compile("(?m)^    \\./warpline (.*)$")
            .matcher(text)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(commands).hasSizeGreaterThan(4).anyMatch(line -> line.contains("--html"));
    small("pareto");
    for (String command : commands) {
      List<String> words = words(command);
      Warpline run = Warpline.run(words.toArray(new String[0]));
      assertThat(run.err()).as(command).isEmpty();
      assertThat(run.code()).as(command).isEqualTo(ExitCode.OK);
    }
    assertThat(folder.resolve("pareto.svg")).content().startsWith("<svg");
    assertThat(folder.resolve("pareto.html"))
        .content()
        .startsWith("<!doctype html>")
        .contains("\"study\":\"pareto\"", "\"points\":48", "--set sm.count=16 ");
    Main.commandLine().parseArgs("serve", "--study", "x.db");
    assertThat(text).contains("./warpline serve --study ");
  }

  /** The words of a command, with files in the folder of the test. */
  private List<String> words(String command) {
    return Pattern.compile("\"([^\"]*)\"|(\\S+)")
        .matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .map(word -> word.replace("examples/studies/", ""))
        .map(word -> word.matches("pareto\\.\\w+") ? folder.resolve(word).toString() : word)
        .toList();
  }

  @Test
  void aPageHasAllPointsAndIsAskedForAlone() throws IOException {
    Warpline run = Warpline.run("results", "x.db", "--html", "x.html", "--where", "cycles > 1");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--html has all points and filters them itself");
  }

  @Test
  void aSensitivityStudyRanksItsFields() throws IOException {
    assertThat(Warpline.run("sweep", small("sensitivity").toString()).code())
        .isEqualTo(ExitCode.OK);
    String store = store("sensitivity");
    Warpline ranked = Warpline.run("results", "sensitivity", store, "--csv", "-");
    assertThat(ranked.err()).isEmpty();
    List<String> lines = ranked.out().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).isEqualTo("points of,field,mu*,sigma");
    // One block on one SM: hardly anything but the clock can matter.
    assertThat(lines.get(1)).contains("clocks.coreMHz");
    String[] second = lines.get(2).split(",");
    assertThat(Double.parseDouble(second[second.length - 2])).isLessThan(0.01);
  }

  @Test
  void failedPointsAreToldAndTheExitCodeSaysSo() throws IOException {
    Path study =
        Files.writeString(
            folder.resolve("short.yaml"),
            "traces: " + ROOT.resolve("examples/traces/vecadd") + "\ngpus: h200\nmaxCycles: 10\n");
    Warpline run = Warpline.run("sweep", study.toString());
    assertThat(run.code()).isEqualTo(ExitCode.UNFINISHED);
    assertThat(run.err()).contains("vecadd on h200", "10", "1 points failed", "--failed");
    assertThat(Warpline.run("results", store("short"), "--failed").out()).contains("vecadd", "10");
  }

  @Test
  void mistakesAreNamedWithTheirLine() throws IOException {
    Path study = Files.writeString(folder.resolve("bad.yaml"), "traces: x\nvary:\n  sm.cont: 1\n");
    Warpline run = Warpline.run("sweep", study.toString());
    assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("bad.yaml:3:3: unknown field sm.cont");
    assertThat(folder.resolve("bad.db")).doesNotExist();
    Path other = Files.writeString(folder.resolve("other.db"), "not a database, but precious");
    Warpline into =
        Warpline.run("sweep", small("sensitivity").toString(), "--store", other.toString());
    assertThat(into.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(into.err()).contains("found no SQLite file", "nothing was changed");
    assertThat(other).hasContent("not a database, but precious");
    assertThat(Warpline.run("results").code()).isEqualTo(ExitCode.USAGE);
  }
}
