package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joules in what a run prints and writes. */
class EnergyOutputTest {
  private static final String VECADD = "../examples/traces/vecadd";

  @TempDir Path folder;

  private static final String[] PARTS = {
    "static",
    "issue",
    "registers",
    "arithmetic",
    "tensor cores",
    "shared memory",
    "L1",
    "L2 and network",
    "DRAM"
  };

  @Test
  void powerOverTimeAddsUpToTheEnergyOfTheJson() throws IOException {
    Path power = folder.resolve("power.csv");
    Path json = folder.resolve("run.json");
    Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--power=" + power, "--json=" + json);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("energy  ").contains("energy-delay");
    assertThat(run.out()).containsPattern(" mJ \\(\\+-[1-9] % between cards\\), \\d+\\.\\d W");
    JsonNode kernel = new ObjectMapper().readTree(json.toFile()).at("/kernels/0");
    double joules = kernel.at("/energy/joules").asDouble();
    assertThat(kernel.at("/energy/betweenCards").asDouble()).isBetween(0.01, 0.1);
    double parts = 0;
    for (String part : PARTS) {
      parts += kernel.at("/energy/parts/" + part).asDouble();
    }
    assertThat(parts).isCloseTo(joules, within(1e-9 * joules));
    List<String> rows = Files.readAllLines(power);
    assertThat(rows.get(0)).isEqualTo("kernel,cycle,watts," + String.join(",", PARTS));
    long interval = kernel.at("/energy/trace/intervalCycles").asLong();
    long cycles = kernel.at("/cycles").asLong();
    double sum = 0;
    for (String row : rows.subList(1, rows.size())) {
      long from = Long.parseLong(row.split(",")[1]);
      sum += Double.parseDouble(row.split(",")[2]) * Math.min(interval, cycles - from);
    }
    assertThat(sum / 1980e6).isCloseTo(joules, within(1e-4 * joules));
    assertThat(kernel.at("/energy/lines").size()).isGreaterThan(5);
  }

  @Test
  void accelWattchsNamesAreThereAndAddUp() {
    Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--stats=accelwattch");
    assertThat(run.code()).as(run.err()).isZero();
    double total = 0;
    double sum = 0;
    for (String line : run.out().lines().toList()) {
      if (line.startsWith("kernel_avg_power = ")) {
        total = Double.parseDouble(line.substring(line.indexOf('=') + 1));
      } else if (line.startsWith("gpu_avg_")) {
        assertThat(line).matches("gpu_avg_[A-Z0-9_]+, = \\S+");
        sum += Double.parseDouble(line.substring(line.indexOf('=') + 1));
      }
    }
    assertThat(total).isGreaterThan(100);
    assertThat(sum).isCloseTo(total, within(1e-3 * total));
    assertThat(run.out()).contains("gpu_tot_avg_power = ");
  }

  @Test
  void whatIfTellsTheChangeOfEnergy() {
    Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--what-if=energy.memory.dramRead=2x");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("energy  \\S+ -> \\S+ mJ \\(\\+\\d");
  }

  @Test
  void aMeasurementIsComparedWithWhatTheOthersSayOfIt() throws IOException {
    Path table = folder.resolve("energy.csv");
    Files.writeString(
        table,
        """
        workload,group,use,weight,run,seconds,joules,sm_mhz,counts
        idle,idle,fit,1,monday,1,100,1980,
        stream,dram,fit,1,monday,1,500,1980,memory.dramRead=1e13
        idle,idle,fit,1,tuesday,1,110,1980,
        stream,dram,fit,1,tuesday,1,625,1980,memory.dramRead=1e13
        """);
    String[] command = {
      "validate-energy", "--gpu=h200", "--measured=" + table, "--traces=" + folder, "--fit"
    };
    Path fitted = folder.resolve("monday.yaml");
    Warpline run = Warpline.run(with(command, fitted.toString(), "--again=tuesday"));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("idle +tuesday +110\\.0 +100\\.0 +-9\\.1 %")
        .containsPattern("stream +tuesday +625\\.0 +500\\.0 +-20\\.0 %");
    Warpline all = Warpline.run(with(command, fitted.toString()));
    assertThat(all.out()).contains("between cards: idle 6.7 %, SM 0.0 %, L2 and device memory ");
    assertThat(Warpline.run(with(command, fitted.toString(), "--again=sunday")).err())
        .contains("--again: found sunday, expected one of [monday, tuesday]");
  }

  private static String[] with(String[] command, String... more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void withoutTheSectionThereIsNone() {
    Warpline run = Warpline.run("run", VECADD, "--gpu=h200", "--set=energy=none");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).doesNotContain("energy");
    Warpline power =
        Warpline.run(
            "run", VECADD, "--gpu=h200", "--set=energy=none", "--power=" + folder.resolve("p.csv"));
    assertThat(power.code()).isNotZero();
    assertThat(power.err()).contains("--power: the modern core of NVIDIA H200 SXM has no energies");
  }

  @Test
  void whatNeedsEnergiesIsRefusedBeforeAnythingIsSimulated() {
    Warpline classic = Warpline.run("run", VECADD, "--gpu=rtx3070", "--stats=accelwattch");
    assertThat(classic.code()).isEqualTo(ExitCode.USAGE);
    assertThat(classic.out()).isEmpty();
    assertThat(classic.err()).contains("--stats accelwattch: the classic core of");
    assertThat(Warpline.run("run", VECADD, "--gpu=h200", "--interval=100").err())
        .contains("--interval: acts on --power only");
  }
}
