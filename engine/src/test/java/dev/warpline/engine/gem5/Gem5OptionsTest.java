package dev.warpline.engine.gem5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Gem5OptionsTest {
  private final Gem5Options options = new Gem5Options();

  @ParameterizedTest
  @CsvSource({
    "--num-compute-units 8, amd.computeUnits=8",
    "--num-compute-units=8, amd.computeUnits=8",
    "--tcp-size 32KiB, amd.tcp.bytes=32768",
    "--tcc-size 1MB, amd.tcc.bytes=1048576",
    "--gpu-clock 1.5GHz, clocks.coreMHz=1500.0",
    "--WB_L2, amd.tcc.writeBack=true",
    "--CUExecPolicy ROUND-ROBIN, amd.issue.policy=lrr",
  })
  void anOptionIsASetting(String option, String setting) throws Exception {
    assertThat(options.settings(List.of(option))).containsExactly(setting);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--num-compute-unit 8|did you mean num-compute-units",
        "--wf-size 32|has no counterpart: the three instruction sets",
        "--CUExecPolicy OLDEST|found \"OLDEST\", expected one of OLDEST-FIRST, ROUND-ROBIN",
        "--tcp-size big|expected a size",
        "--gpu-clock fast|expected a clock",
        "--num-compute-units|found 0 values, expected one"
      })
  void whatCannotBeIsRefusedByName(String option, String message) {
    assertThatThrownBy(() -> options.settings(List.of(option))).hasMessageContaining(message);
  }

  @Test
  void everyFieldOfTheTableExists() {
    Set<String> names =
        Gpus.fields().stream().map(ExplainedField::path).collect(Collectors.toSet());
    options.fields().values().forEach(fields -> assertThat(names).containsAll(fields));
  }

  @Test
  void thePageHasEveryOption() throws Exception {
    String page = Files.readString(Path.of("../docs/gem5.md"));
    options
        .fields()
        .forEach(
            (name, fields) -> {
              assertThat(page).contains("`--" + name + "`");
              fields.forEach(field -> assertThat(page).contains("`" + field + "`"));
            });
  }

  @Test
  void thePresetIsTheMachineOfGem5sScripts() throws Exception {
    GpuDescription gem5 = Gpus.load("gem5");
    assertThat(gem5.clocks().coreMHz()).isEqualTo(1000);
    AmdSpec spec = gem5.amd();
    assertThat(spec.computeUnits()).isEqualTo(4);
    assertThat(spec.pipes().vrfToCoalescerBytes()).as("--glbmem-wr-bus-width").isEqualTo(32);
    assertThat(spec.pipes().coalescerToVrfBytes()).as("--glbmem-rd-bus-width").isEqualTo(32);
    assertThat(spec.waves()).isEqualTo(AmdSpec.gem5().waves());
    assertThat(spec.translation()).isEqualTo(AmdSpec.gem5().translation());
    assertThat(spec.memory())
        .usingRecursiveComparison()
        .ignoringFields("dram")
        .isEqualTo(AmdSpec.gem5().memory());
    assertThat(spec.memory().peakGigabytes(gem5.clocks())).isEqualTo(16);
    assertThat(spec.packetProcessor()).isEqualTo(AmdSpec.gem5().packetProcessor());
  }
}
