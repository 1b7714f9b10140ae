package dev.warpline.nvidia.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recorder of the folder {@code capture}, without CUDA: {@code standin.c} is the program and
 * its GPU. What it records is read and executed here, so both sides agree on the format.
 */
class RecorderTest {
  private static final Path SOURCES = Path.of("../capture").toAbsolutePath().normalize();
  private static final String REDUCE = "../examples/tracing/reduce.cubin";
  private static final String VARIABLES = "../capture/test/variables.cubin";
  private static final List<String> PARTS =
      List.of("text.c", "cubin.c", "sums.c", "recorder.c", "times.c");

  @TempDir static Path built;
  @TempDir Path folder;

  /** How a program ended. */
  private record Ended(int code, String said) {}

  private static Ended run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    return new Ended(process.waitFor(), said);
  }

  @BeforeAll
  static void compile() throws Exception {
    try {
      run(List.of("gcc", "--version"));
    } catch (IOException e) {
      abort("no gcc here");
    }
    for (String main : List.of("test/standin.c", "cut.c")) {
      String name = main.contains("cut") ? "cut" : "standin";
      List<String> command = new ArrayList<>(List.of("gcc", "-std=c11", "-D_GNU_SOURCE"));
      command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"));
      command.addAll(List.of("-fno-sanitize-recover", "-o", built.resolve(name).toString()));
      command.add(SOURCES.resolve(main).toString());
      PARTS.forEach(part -> command.add(SOURCES.resolve(part).toString()));
      command.addAll(List.of("-ldl", "-lpthread"));
      assertThat(run(command)).as("gcc").isEqualTo(new Ended(0, ""));
    }
  }

  /** Records a scenario of standin.c; the capture has the listing that its wrapper would make. */
  private Path record(String scenario, String cubin, String... options) throws Exception {
    Path capture = folder.resolve(scenario);
    List<String> command = new ArrayList<>(List.of(built.resolve("standin").toString()));
    command.addAll(List.of(scenario, capture.toString(), cubin));
    command.addAll(List.of(options));
    Ended ended = run(command);
    assertThat(ended.code()).as(ended.said()).isEqualTo(scenario.equals("killed") ? 9 : 0);
    if (cubin.equals(REDUCE) && Files.exists(capture.resolve("modules/1.cubin"))) {
      Files.writeString(
          capture.resolve("modules/1.sass"),
          "\t\tFunction : _Z6reducePKfPfi\n"
              + Files.readString(Path.of("../examples/tracing/reduce.sass")));
    }
    return capture;
  }

  private static List<String> lines(Path capture, String event) throws IOException {
    return Files.readAllLines(capture.resolve("capture.jsonl")).stream()
        .filter(line -> line.startsWith("{\"event\":\"" + event + "\""))
        .toList();
  }

  private static void executesExactly(Path capture, int launches) throws IOException {
    List<KernelOutcome> outcomes = new ArrayList<>();
    CaptureExecution.run(capture, outcomes::add, done -> {});
    assertThat(outcomes).hasSize(launches).allMatch(KernelOutcome::exact);
  }

  @Test
  void whatIsRecordedIsExecutedToTheLastBit() throws Exception {
    executesExactly(record("plain", REDUCE), 3);
  }

  @Test
  void aPageIsStoredWhenAReplayWouldNotHaveIt() throws Exception {
    Path capture = record("plain", REDUCE);
    // All of the input at first; what the first kernel wrote never; of a change its page alone.
    assertThat(lines(capture, "pages"))
        .hasSize(2)
        .satisfies(
            pages -> {
              assertThat(pages.get(0)).contains("\"allocation\":1,\"first\":0,\"count\":3,");
              assertThat(pages.get(1)).contains("\"allocation\":1,\"first\":1,\"count\":1,");
            });
  }

  @Test
  void memoryIsReadOnceForALaunchUnlessSomethingElseMayHaveWrittenIt() throws Exception {
    Path capture = folder.resolve("looks");
    Ended ended =
        run(List.of(built.resolve("standin").toString(), "plain", capture.toString(), REDUCE));
    // Three launches read all four pages; before the first one and after a copy that is known the
    // pages are read that it wrote.
    assertThat(ended.said()).contains("looks 3 at 17 pages");
  }

  @Test
  void memoryMayComeAndGoBetweenLaunches() throws Exception {
    Path capture = record("again", REDUCE);
    executesExactly(capture, 6);
    assertThat(lines(capture, "pages"))
        .filteredOn(line -> line.contains("\"allocation\":3,"))
        .as("pinned memory that the host wrote")
        .hasSize(2);
  }

  @Test
  void graphsAreExecutedNodeByNode() throws Exception {
    Path capture = record("graph", REDUCE);
    executesExactly(capture, 2);
    assertThat(lines(capture, "copy").get(2)).endsWith("\"graph\":2,\"node\":2,\"after\":[1]}");
  }

  @Test
  void copiesAndSetsWithinTheGpuAreExecutedInsteadOfStored() throws Exception {
    Path capture = record("within", REDUCE);
    executesExactly(capture, 6);
    // The input; then the page that the host changed, there and where it was copied to; then what
    // the host copied over a set, but not the same once more.
    assertThat(lines(capture, "pages"))
        .extracting(line -> line.replaceAll(".*\"allocation\":(.*),\"at\".*", "$1"))
        .containsExactly(
            "1,\"first\":0,\"count\":3",
            "1,\"first\":1,\"count\":1",
            "3,\"first\":1,\"count\":1",
            "1,\"first\":0,\"count\":3");
    assertThat(lines(capture, "copy"))
        .filteredOn(line -> line.endsWith(",\"replay\":true}"))
        .hasSize(3);
    Path packed = folder.resolve("packed.wcap");
    try (OutputStream out = Files.newOutputStream(packed)) {
      CapturePacker.pack(capture, null, true, out, done -> {});
    }
    executesExactly(packed, 6);
  }

  @Test
  void kernelsThatAreLeftOutChangeWhatIsStored() throws Exception {
    Path capture = record("filter", REDUCE, "reduce", "1", "2", "1000000");
    assertThat(lines(capture, "launch"))
        .hasSize(8)
        .filteredOn(line -> !line.contains("\"skipped\":\"filter\""))
        .hasSize(2);
    executesExactly(capture, 2);
  }

  @Test
  void whatWouldNotFitIsLeftOutWhole() throws Exception {
    Path capture = record("plain", REDUCE, "", "0", "-1", "1500");
    assertThat(Files.size(capture.resolve("pages.bin"))).isLessThanOrEqualTo(1500);
    assertThat(lines(capture, "launch").get(2)).contains("\"skipped\":\"--max-bytes is reached\"");
    executesExactly(capture, 2);
  }

  @Test
  void variablesAreMemoryAndConstantsAreStoredWhenTheHostChangesThem() throws Exception {
    Path capture = record("variables", VARIABLES);
    assertThat(lines(capture, "global")).hasSize(2);
    assertThat(lines(capture, "pages"))
        .filteredOn(line -> line.contains("\"allocation\":3,"))
        .hasSize(2);
    assertThat(lines(capture, "refused"))
        .hasSize(3)
        .anyMatch(line -> line.contains("no address of the variable bias in module 1"))
        .anyMatch(line -> line.contains("it uses textures or surfaces"))
        .anyMatch(line -> line.contains("nowhere \\\"quoted\\\"\\u000a"));
    try (Capture read = Capture.open(capture)) {
      assertThat(read.events()).isNotEmpty();
    }
  }

  @Test
  void modulesAreCutToTheKernelsThatWereLaunched() throws Exception {
    Path capture = record("variables", VARIABLES);
    Path cubin = capture.resolve("modules/1.cubin");
    long before = Files.size(cubin);
    assertThat(run(List.of(built.resolve("cut").toString(), capture.toString())))
        .isEqualTo(new Ended(0, ""));
    String left = new String(Files.readAllBytes(cubin), StandardCharsets.ISO_8859_1);
    assertThat(left).contains("_Z6scaledPKfPfi", "counter").doesNotContain("textured", "unused");
    assertThat(Files.size(cubin)).isLessThan(before * 3 / 4);
    // Its line says the new size and sum, or the capture would be refused.
    try (Capture read = Capture.open(capture)) {
      assertThat(read.events()).isNotEmpty();
    }
    Path whole = record("plain", REDUCE);
    assertThat(run(List.of(built.resolve("cut").toString(), whole.toString())).code()).isZero();
    executesExactly(whole, 3);
  }

  @Test
  void aProgramThatIsKilledLeavesACaptureThatIsRefused() throws Exception {
    Path capture = record("killed", REDUCE);
    assertThat(lines(capture, "wrote")).hasSize(3);
    assertThatThrownBy(() -> Capture.open(capture)).isInstanceOf(CaptureException.class);
  }

  @Test
  void aForkedChildWritesNothing() throws Exception {
    Path capture = record("forked", REDUCE);
    assertThat(lines(capture, "end")).hasSize(1);
    executesExactly(capture, 1);
  }

  @Test
  void aFolderThatHasACaptureIsNotTouched() throws Exception {
    Path capture = record("plain", REDUCE);
    String before = Files.readString(capture.resolve("capture.jsonl"));
    Ended again =
        run(List.of(built.resolve("standin").toString(), "plain", capture.toString(), REDUCE));
    assertThat(again.code()).isEqualTo(3);
    assertThat(again.said()).contains("a capture, or another process's, is there");
    assertThat(capture.resolve("capture.jsonl")).hasContent(before);
  }

  @Test
  void timesBelongToOperationsByTheNumbersOfTheirActivities() throws Exception {
    Files.createDirectory(folder.resolve("times"));
    Path capture = record("times", REDUCE);
    assertThat(capture.resolve("times.jsonl"))
        .hasContent(
            """
            {"version":1,"origin":"1000","command":["./a \\"b\\"","é?"]}
            {"n":1,"call":[0,100],"start":900,"end":1100}
            {"n":2,"call":[200,300]}
            {"n":3,"call":[200,300],"start":3000,"end":3500}
            {"n":4,"call":[200,300],"start":4000,"end":4500}
            """);
  }
}
