package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Which GPU and core the commands take, and what they say of it. */
class GpuChoiceTest {
  private static final String HOPPER = "../examples/traces/vecadd";
  private static final String AMD = "../examples/amd/launch/saxpy.yaml";

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aTraceOfHopperRunsOnTheH200AndSaysSo() throws IOException {
    Path json = folder.resolve("run.json");
    assertThat(run("run", HOPPER, "--threads", "1", "--json", json.toString())).isZero();
    assertThat(out.toString()).startsWith("NVIDIA H200 SXM, modern core");
    assertThat(err.toString()).startsWith("no --gpu given, taking h200");
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.path("gpu").asText()).isEqualTo("NVIDIA H200 SXM");
    assertThat(result.path("warnings")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"qv100", "rtx2060", "titanx", "rtx3070", "a100"})
  void aPresetRunsByDefaultOnTheCoreItOffersWithAWarningOfTheGeneration(String gpu)
      throws IOException {
    Path json = folder.resolve("run.json");
    assertThat(run("run", HOPPER, "--gpu", gpu, "--threads", "1", "--json", json.toString()))
        .isZero();
    assertThat(err.toString()).contains("warning: the code is for SM 90 (Hopper)");
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.path("core").asText()).isEqualTo("classic");
    assertThat(result.path("warnings").toString()).contains("another generation");
  }

  @ParameterizedTest
  @CsvSource({"run", "validate"})
  void theModernCoreIsRefusedWhereItIsNotTheGpusOwn(String command) throws IOException {
    String[] words =
        command.equals("run")
            ? new String[] {"run", HOPPER, "--gpu", "qv100", "--core", "modern"}
            : new String[] {
              "validate",
              "--gpu=qv100",
              "--core=modern",
              "--hardware=" + hardware(),
              "--traces=../examples/traces"
            };
    assertThat(run(words)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .contains("warpline: NVIDIA Quadro V100 does not offer the modern core: nothing of it is");
  }

  @Test
  void aTraceIsNoProgramForAnAmdGpu() {
    assertThat(run("run", HOPPER, "--gpu", "mi300a")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .contains("vecadd: is the trace of an NVIDIA program, and AMD Instinct MI300A is a GPU of");
  }

  @Test
  void aLaunchFileIsNoProgramForAnNvidiaGpu() {
    assertThat(run("run", AMD, "--gpu", "h200")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString())
        .contains("saxpy.yaml: is a launch file of an AMD program, and NVIDIA H200 SXM is a GPU");
  }

  @Test
  void validationTakesTheGpuOfItsTracesAndShowsHowLongSmsWereActive() throws IOException {
    assertThat(
            run(
                "validate",
                "--hardware=" + hardware(),
                "--traces=../examples/traces",
                "--threads=1"))
        .isZero();
    assertThat(err.toString()).contains("on NVIDIA H200 SXM");
    assertThat(out.toString()).contains("SM act").containsPattern("SM active +absolute error");
  }

  @Test
  void theListSaysWhatEveryCoreRestsOn() throws IOException {
    assertThat(run("gpus")).isZero();
    for (String name : Gpus.names()) {
      GpuDescription gpu = Gpus.load(name);
      if (gpu.vendor() == GpuDescription.Vendor.AMD) {
        assertThat(out.toString()).contains(gpu.gcnCore().validation(), gpu.gcnCore().basis());
      } else {
        assertThat(out.toString())
            .contains(gpu.classicCore().validation(), gpu.classicCore().basis())
            .contains(
                gpu.offersModern()
                    ? gpu.modernCore().validation()
                    : "not offered: " + gpu.modernCore().basis());
      }
    }
  }

  @Test
  void anExplanationSaysWhereNumbersComeFrom() throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("own.yaml"), "inherits: h200\nsm:\n  warps: 32 # my wish\n");
    assertThat(run("gpus", "show", "h100")).isZero();
    assertThat(out.toString())
        .contains("[published: NVIDIA H100 whitepaper, the same GH100 chip; as h200 (measured: ");
    assertThat(run("gpus", "show", own.toString())).isZero();
    assertThat(out.toString()).contains("[not stated: my wish]");
  }

  /** The counters that matter here; the numbers are of no consequence. */
  private Path hardware() throws IOException {
    return Files.writeString(
        folder.resolve("hardware.csv"),
        "workload,cycles_median,sm__cycles_active.max\nvecadd,3500,900\n");
  }

  private int run(String... words) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(words);
  }
}
