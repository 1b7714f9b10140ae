package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {
  private static final Path EXAMPLES = Path.of("..", "examples", "traces");

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private static String example(String name) {
    return EXAMPLES.resolve(name).toString();
  }

  @Test
  void aTextTraceIsDescribed() {
    assertThat(run("inspect", example("vecadd"), "--strict")).isZero();
    assertThat(out.toString())
        .contains(
            "1 kernel, 2 copies to the GPU",
            "vecadd(float const*, float const*, float*, int)",
            "control bits: yes, disassembly: yes",
            "640 warp instructions, 19,456 thread instructions, 30.4 lanes active on average");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void theJsonHasTheDocumentedFields() throws IOException {
    Path json = folder.resolve("out.json");
    assertThat(run("inspect", example("cpasync.tar.xz"), "--json", json.toString())).isZero();
    JsonNode tree = new ObjectMapper().readTree(json.toFile());
    assertThat(tree.path("warnings")).isEmpty();
    JsonNode kernel = tree.path("kernels").path(0);
    assertThat(kernel.path("id").asInt()).isEqualTo(1);
    assertThat(kernel.path("name").asText()).isEqualTo("cpasync(float4 const*, float*, int)");
    assertThat(kernel.path("warpInstructions").asLong()).isEqualTo(19648);
    assertThat(kernel.path("threadInstructions").asLong()).isEqualTo(528384);
    assertThat(kernel.path("opcodes").path("LDGSTS").asLong()).isPositive();
    for (String field : documentedKernelFields()) {
      assertThat(kernel.has(field)).as(field).isTrue();
    }
    assertThat(kernel.size()).isEqualTo(documentedKernelFields().size());
  }

  /** The fields in the second table of docs/inspect.md. */
  private static java.util.List<String> documentedKernelFields() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "inspect.md"));
    return text.substring(text.indexOf("Each kernel:"))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(2, line.indexOf('|', 2)))
        .flatMap(cell -> java.util.Arrays.stream(cell.split(",")))
        .map(name -> name.replace('`', ' ').strip())
        .toList();
  }

  @Test
  void onlyTheChosenKernelsAreShown() {
    assertThat(run("inspect", example("vecadd"), "--kernel", "2-5")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("vecadd: no kernel is 2-5, expected one of 1 to 1");
    assertThat(run("inspect", example("vecadd"), "--kernel", "nosuch"))
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("vecadd: no kernel is named like nosuch");
    assertThat(out.toString()).doesNotContain("warp instructions");
    assertThat(run("inspect", example("vecadd"), "--kernel", "vec,nosuch")).isZero();
    assertThat(out.toString()).contains("warp instructions");
    assertThat(err.toString())
        .contains("warning: ../examples/traces/vecadd: no kernel is named like nosuch");
    assertThat(run("inspect", example("vecadd"), "--kernel", "5-2")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aBadLineIsReportedAndCountedAndFailsOnlyInStrictMode() throws IOException {
    for (String file : new String[] {"kernelslist.g", "kernel-1.traceg"}) {
      Files.copy(EXAMPLES.resolve("vecadd").resolve(file), folder.resolve(file));
    }
    Path kernel = folder.resolve("kernel-1.traceg");
    Files.writeString(
        kernel, Files.readString(kernel).replaceFirst("0010 ffffffff", "0010 fffffff"));
    String message =
        kernel + ":24:6: found \"fffffff\", expected a lane mask of 8 hexadecimal digits";
    assertThat(run("inspect", folder.toString(), "--strict")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).isEqualToIgnoringNewLines("warpline: " + message);
    assertThat(run("inspect", folder.toString(), "--json", "-")).isZero();
    JsonNode tree = new ObjectMapper().readTree(out.toString());
    assertThat(tree.path("warnings").path(0).asText()).isEqualTo(message);
    assertThat(tree.path("skipped").path("instructions").asInt()).isEqualTo(1);
    assertThat(tree.path("kernels").path(0).path("warpInstructions").asInt()).isEqualTo(639);
  }

  @Test
  void aTraceWithoutAnyReadableKernelIsBadInput() throws IOException {
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    assertThat(run("inspect", folder.toString())).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("kernel-1.traceg: found no such file");
  }

  @Test
  void aTraceBecomesACacheAndTextAgainWithTheSameInstructions() throws IOException {
    for (String file :
        new String[] {"kernelslist.g", "kernel-1.traceg", "kernel-1.sass", "kernel-1.ctrl"}) {
      Files.copy(EXAMPLES.resolve("vecadd").resolve(file), folder.resolve(file));
    }
    assertThat(run("convert", folder.toString())).isZero();
    Path cache = folder.resolve("kernelslist.wlt");
    assertThat(out.toString()).startsWith(cache + ": 640 warp instructions, ");
    Path text = folder.resolve("text");
    assertThat(run("convert", cache.toString(), "--to", "text", "-o", text.toString())).isZero();
    assertThat(lines(text.resolve("kernel-1.traceg")))
        .isEqualTo(lines(folder.resolve("kernel-1.traceg")));
    assertThat(Files.readString(text.resolve("kernelslist.g")))
        .isEqualTo(Files.readString(folder.resolve("kernelslist.g")));
  }

  /** The instruction lines of a trace. */
  private static java.util.List<String> lines(Path trace) throws IOException {
    return Files.readAllLines(trace).stream()
        .map(String::strip)
        .filter(line -> line.matches("[0-9a-f]{4} .*"))
        .toList();
  }

  @Test
  void sidecarsHaveControlBitsAndConstants() throws IOException {
    Path tracing = Path.of("../examples/tracing");
    for (String suffix : java.util.List.of(".cubin", ".sass")) {
      Files.copy(tracing.resolve("reduce" + suffix), folder.resolve("kernel-1" + suffix));
    }
    assertThat(run("convert", folder.toString(), "--control-sidecar")).isZero();
    assertThat(folder.resolve("kernel-1.ctrl")).content().startsWith("# control bits of _Z");
    assertThat(folder.resolve("kernel-1.constants"))
        .content()
        .startsWith("# constant operands of _Z")
        .contains("\n0000 0 28\n");
  }

  @Test
  void convertSaysWhatItNeeds() {
    assertThat(run("convert", example("reduce.wlt"))).isEqualTo(ExitCode.USAGE);
    assertThat(run("convert", example("vecadd"), "--to", "text")).isEqualTo(ExitCode.USAGE);
    assertThat(run("convert", example("vecadd/kernel-1.sass"), "--control-sidecar"))
        .isEqualTo(ExitCode.BAD_INPUT);
  }
}
