package dev.warpline.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "52, titanx",
    "60, titanx",
    "61, titanx",
    "70, qv100",
    "72, qv100",
    "75, rtx2060",
    "80, a100",
    "86, rtx3070",
    "87, rtx3070",
    "89, rtx3070",
    "90, h200",
    "100, h200",
    "120, h200"
  })
  void theGpuFollowsFromTheCode(int version, String preset) throws IOException {
    try (TraceSet program = program(version)) {
      assertThat(Target.presetFor(program)).isEqualTo(preset);
    }
  }

  @Test
  void aTraceThatDoesNotSayItsSmNeedsAGpu() throws IOException {
    try (TraceSet program = program(0)) {
      assertThatThrownBy(() -> Target.presetFor(program))
          .isInstanceOf(DescriptionException.class)
          .hasMessageContaining("does not say which SM its code is for; name a GPU");
    }
  }

  @Test
  void aSimulationNamesTheGpuThatItChose() throws IOException {
    RunResult result = Simulation.of(write(90)).run();
    assertThat(result.gpu()).isEqualTo("NVIDIA H200 SXM");
    assertThat(result.core()).isEqualTo("modern");
    assertThat(result.warnings()).isEmpty();
  }

  @Test
  void codeOfAnotherGenerationIsAWarning() throws IOException {
    assertThat(Simulation.of(write(90)).gpu("qv100").run().warnings())
        .contains(
            "the code is for SM 90 (Hopper), NVIDIA Quadro V100 has SM 70 (Volta): another"
                + " generation, which cannot run this code");
    assertThat(Simulation.of(write(89)).run().warnings())
        .anyMatch(warning -> warning.startsWith("the code is for SM 89 (Ada)"));
    assertThat(Simulation.of(write(80)).gpu("rtx3070").run().warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mi300a", "mi210", "vega10"})
  void aTraceDoesNotRunOnAnAmdGpu(String gpu) throws IOException {
    Path trace = write(90);
    assertThatThrownBy(() -> Simulation.of(trace).gpu(gpu).run())
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("is the trace of an NVIDIA program, and AMD")
        .hasMessageContaining("is a GPU of AMD; expected a GPU of NVIDIA");
  }

  @ParameterizedTest
  @CsvSource({
    "h200, MODERN",
    "h100, MODERN",
    "a100, CLASSIC",
    "rtx3070, CLASSIC",
    "rtx2060, CLASSIC",
    "qv100, CLASSIC",
    "titanx, CLASSIC"
  })
  void aProgramRunsOnTheBestCoreThatIsOffered(String gpu, Core best) throws IOException {
    RunResult result = Simulation.of(write(Gpus.load(gpu).sm().version())).gpu(gpu).run();
    assertThat(result.core()).isEqualToIgnoringCase(best.name());
    assertThat(result.warnings()).isEmpty();
    assertThat(result.kernels()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a100", "rtx3070", "rtx2060", "qv100", "titanx"})
  void aCoreThatIsNotOfferedIsRefusedWithTheReason(String gpu) throws IOException {
    GpuDescription description = Gpus.load(gpu);
    Path trace = write(description.sm().version());
    assertThatThrownBy(() -> Simulation.of(trace).gpu(gpu).core(Core.MODERN).run())
        .isInstanceOf(DescriptionException.class)
        .hasMessageStartingWith(
            description.name()
                + " does not offer the modern core: "
                + description.modernCore().basis());
  }

  @Test
  void whereItIsDescribedItCanBeTriedNevertheless() throws IOException {
    Simulation simulation = Simulation.of(write(86)).gpu("rtx3070").core(Core.MODERN);
    assertThatThrownBy(simulation::run)
        .hasMessageEndingWith("(to try it nevertheless: --set cores.modern.offered=true)");
    RunResult result = simulation.set("cores.modern.offered=true").run();
    assertThat(result.core()).isEqualTo("modern");
    assertThat(result.configuration()).containsEntry("cores.modern.offered", "true");
  }

  private TraceSet program(int version) throws IOException {
    return Traces.open(write(version));
  }

  /** A kernel of one warp that ends at once. */
  private Path write(int version) throws IOException {
    Path trace = Files.createDirectories(folder.resolve("sm" + version));
    Files.writeString(trace.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Files.write(
        trace.resolve("kernel-1.traceg"),
        List.of(
            "-kernel name = nothing",
            "-kernel id = 1",
            "-grid dim = (1,1,1)",
            "-block dim = (32,1,1)",
            "-shmem = 0",
            "-nregs = 8",
            "-binary version = " + version,
            "-cuda stream id = 0",
            "-shmem base_addr = 0x00007f0000000000",
            "-local mem base_addr = 0x00007e0000000000",
            "-nvbit version = 1.5.5",
            "-accelsim tracer version = 3",
            "",
            "#BEGIN_TB",
            "",
            "thread block = 0,0,0",
            "",
            "warp = 0",
            "insts = 1",
            "0000 ffffffff 0 EXIT 0 0",
            "",
            "#END_TB"));
    return trace;
  }
}
