package dev.warpline.study.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Energies are found again from kernels that were made with them. */
class EnergyFitTest {
  @TempDir Path folder;

  /** Kernels of a machine with 100 W idle, 10 pJ for a lane and 200 pJ for an issue. */
  private static List<EnergyFit.Row> kernels() {
    Random random = new Random(1);
    List<EnergyFit.Row> rows = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      double lanes = 1e13 * random.nextDouble();
      double issued = 1e12 * random.nextDouble();
      double joules = 100 + 10e-12 * lanes + 200e-12 * issued;
      MeasuredEnergy measured =
          new MeasuredEnergy(
              "k" + i,
              "group" + i % 4,
              MeasuredEnergy.Use.FIT,
              1,
              "run",
              1,
              joules,
              1980,
              Map.of("lane.fp32", lanes, "warp.issue", issued));
      rows.add(new EnergyFit.Row(measured, EnergyFit.byEvent(measured.counts())));
    }
    return rows;
  }

  @Test
  void energiesAreFoundAgain() {
    EnergyFit fit = EnergyFit.of(kernels());
    assertThat(fit.idleW()).isCloseTo(100, within(0.1));
    assertThat(fit.values().get(EnergyEvent.FP32)).isCloseTo(10, within(0.01));
    assertThat(fit.values().get(EnergyEvent.ISSUE)).isCloseTo(200, within(0.2));
    assertThat(fit.values().get(EnergyEvent.DRAM_READ)).isZero();
    assertThat(fit.groups()).hasSize(4);
    assertThat(fit.groups().values())
        .allSatisfy(errors -> assertThat(errors).allMatch(error -> Math.abs(error) < 1e-3));
  }

  @Test
  void whatOnlyTheGroupHeldOutDoesIsNotKnownWithoutIt() {
    List<EnergyFit.Row> rows = new ArrayList<>(kernels());
    MeasuredEnergy dram =
        new MeasuredEnergy("d", "dram", MeasuredEnergy.Use.FIT, 1, "run", 1, 300, 1980, Map.of());
    rows.add(new EnergyFit.Row(dram, Map.of(EnergyEvent.DRAM_READ, 4e12)));
    EnergyFit fit = EnergyFit.of(rows);
    assertThat(fit.values().get(EnergyEvent.DRAM_READ)).isCloseTo(50, within(0.1));
    assertThat(fit.groups().get("dram").get(0)).isCloseTo(-2.0 / 3, within(0.01));
  }

  @Test
  void aRowThatWeighsMoreIsMetMoreClosely() {
    double[] errors = new double[2];
    for (int i = 0; i < 2; i++) {
      List<EnergyFit.Row> rows = new ArrayList<>();
      for (double joules : new double[] {200, 300}) {
        double weight = joules == 300 && i == 1 ? 50 : 1;
        MeasuredEnergy row =
            new MeasuredEnergy(
                "k", "g", MeasuredEnergy.Use.FIT, weight, "run", 0, joules, 1980, Map.of());
        rows.add(new EnergyFit.Row(row, Map.of(EnergyEvent.DRAM_READ, 4e12)));
      }
      errors[i] = Math.abs(EnergyFit.of(rows).errors().get(1));
    }
    assertThat(errors[0]).isGreaterThan(0.1);
    assertThat(errors[1]).isLessThan(0.05);
  }

  @Test
  void whatWasMeasuredAgainIsComparedInTheCyclesThatItTook() throws IOException {
    GpuDescription gpu =
        Gpus.load("h200", List.of("energy.power.idleW=100", "energy.warp.issue=1000"));
    MeasuredEnergy idle =
        new MeasuredEnergy(
            "idle", "idle", MeasuredEnergy.Use.REPEAT, 1, "r", 1, 110, 1980, Map.of());
    MeasuredEnergy busy =
        new MeasuredEnergy(
            "k", "g", MeasuredEnergy.Use.REPEAT, 1, "r", 1, 200, 1980, Map.of("warp.issue", 1e11));
    List<EnergyValidation.Comparison> all =
        EnergyValidation.check(
            gpu.energy(), 1980, MeasuredEnergy.Use.REPEAT, List.of(idle, busy), Map.of());
    assertThat(all.get(0).powerError()).isCloseTo(100.0 / 110 - 1, within(1e-9));
    assertThat(all.get(1).powerError()).isCloseTo(0, within(1e-9));
    assertThat(EnergyText.repeats(all))
        .contains("power: mean error 4.55 %, signed -4.55 %, largest 9.09 %, 2 rows");
  }

  /** Two cards with 90 and 110 W idle, of which the second needs a tenth more for each byte. */
  @Test
  void cardsDifferByWhatTheSameKernelDrawsOnThem() {
    List<EnergyFit.Row> rows = new ArrayList<>();
    for (int card = 0; card < 2; card++) {
      for (double bytes : new double[] {0, 4e12, 8e12}) {
        double joules =
            100
                + bytes * (card == 0 ? 47.5e-12 : 52.5e-12)
                + (bytes > 0 ? 0 : card == 0 ? -10 : 10);
        MeasuredEnergy row =
            new MeasuredEnergy(
                "k" + bytes,
                bytes == 0 ? "idle" : "dram",
                MeasuredEnergy.Use.FIT,
                1,
                "run" + card,
                1,
                joules,
                1980,
                Map.of());
        rows.add(
            new EnergyFit.Row(row, bytes == 0 ? Map.of() : Map.of(EnergyEvent.DRAM_READ, bytes)));
      }
    }
    // At the power limit every card draws the same.
    MeasuredEnergy slowed =
        new MeasuredEnergy(
            "k8.0E12", "dram", MeasuredEnergy.Use.FIT, 1e-6, "run2", 1, 700, 1500, Map.of());
    rows.add(new EnergyFit.Row(slowed, Map.of(EnergyEvent.DRAM_READ, 8e12)));
    EnergyFit fit = EnergyFit.of(rows);
    assertThat(fit.cards().idle()).isCloseTo(Math.sqrt(2) * 0.1, within(0.002));
    assertThat(fit.cards().memory()).isCloseTo(Math.sqrt(2) * 0.05, within(0.002));
    assertThat(fit.cards().sm()).isZero();
  }

  @Test
  void anEnergyIsNeverNegative() {
    double[] x = NonNegative.solve(new double[][] {{1, 1}, {1, 2}, {1, 3}}, new double[] {3, 2, 1});
    assertThat(x[1]).isZero();
    assertThat(x[0]).isCloseTo(2, within(1e-9));
  }

  @Test
  void aTableThatCannotBeReadIsRefusedWithItsLine() throws IOException {
    Path file = folder.resolve("energy.csv");
    String head = "workload,group,use,weight,run,seconds,joules,sm_mhz,counts\n";
    Files.writeString(file, head + "a,g,fit,1,r,1,2,1980,lane.fp32=5\n");
    assertThat(MeasuredEnergy.read(file)).hasSize(1);
    Files.writeString(file, head + "a,g,fit,1,r,1,2,1980,lane.fp99=5\n");
    assertThatThrownBy(() -> MeasuredEnergy.read(file))
        .hasMessageContaining(":2: found lane.fp99=5");
    Files.writeString(file, head + "a,g,perhaps,1,r,1,2,1980,\n");
    assertThatThrownBy(() -> MeasuredEnergy.read(file))
        .hasMessageContaining("expected fit, check, repeat or none");
    Files.writeString(file, head + "a,g,fit,1,r,-1,2,1980,\n");
    assertThatThrownBy(() -> MeasuredEnergy.read(file)).hasMessageContaining("seconds");
    Files.writeString(file, "workload,group\n");
    assertThatThrownBy(() -> MeasuredEnergy.read(file)).hasMessageContaining("named use");
  }
}
