package dev.warpline.engine.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.EnergyEvent.Component;
import dev.warpline.engine.gpu.EnergySpec;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.StallReason;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a kernel costs follows from its events and its time. */
class KernelEnergyTest {
  private static final double MHZ = 1000;

  /** A millisecond of it. */
  private static final double CYCLES = 1e6;

  private static EnergySpec spec(String... settings) throws IOException {
    return Gpus.load("h200", List.of(settings)).energy();
  }

  private static Map<EnergyEvent, Double> counts(double each) {
    Map<EnergyEvent, Double> counts = new EnumMap<>(EnergyEvent.class);
    for (EnergyEvent event : EnergyEvent.values()) {
      counts.put(event, event == EnergyEvent.SM ? 1e-3 : each);
    }
    return counts;
  }

  @Test
  void aKernelThatDoesNothingCostsIdlePower() throws IOException {
    KernelEnergy energy = KernelEnergy.of(spec("energy.power.idleW=100"), Map.of(), CYCLES, MHZ);
    assertThat(energy.joules()).isCloseTo(0.1, within(1e-12));
    assertThat(energy.watts()).isCloseTo(100, within(1e-9));
    assertThat(energy.energyDelay()).isCloseTo(1e-4, within(1e-12));
  }

  @Test
  void eventsCostWhatTheDescriptionSays() throws IOException {
    EnergySpec spec = spec("energy.power.idleW=0", "energy.lane.fp32=10", "energy.warp.issue=100");
    KernelEnergy energy =
        KernelEnergy.of(spec, Map.of(EnergyEvent.FP32, 32e9, EnergyEvent.ISSUE, 1e9), CYCLES, MHZ);
    assertThat(energy.parts().get(Component.ARITHMETIC.label())).isCloseTo(0.32, within(1e-9));
    assertThat(energy.parts().get(Component.ISSUE.label())).isCloseTo(0.1, within(1e-9));
    assertThat(energy.joules()).isCloseTo(0.42, within(1e-9));
    assertThat(energy.coreMHz()).isEqualTo(MHZ);
  }

  @Test
  void partsAddUp() throws IOException {
    KernelEnergy energy = KernelEnergy.of(spec(), counts(1e6), CYCLES, MHZ);
    double sum = energy.parts().values().stream().mapToDouble(part -> part).sum();
    assertThat(sum).isCloseTo(energy.joules(), within(1e-12));
  }

  @Test
  void atThePowerLimitTheClockFallsUntilPowerIsThere() throws IOException {
    EnergySpec spec =
        spec("energy.power.idleW=100", "energy.power.limitW=700", "energy.warp.issue=1000");
    KernelEnergy energy = KernelEnergy.of(spec, Map.of(EnergyEvent.ISSUE, 1e9), CYCLES, MHZ);
    assertThat(energy.watts()).isCloseTo(700, within(0.1));
    assertThat(energy.coreMHz()).isBetween(500.0, 0.95 * MHZ);
    assertThat(energy.seconds()).isCloseTo(1e-3 * MHZ / energy.coreMHz(), within(1e-9));
    assertThat(energy.joules()).isLessThan(1.1 * energy.seconds() / 1e-3);
  }

  @Test
  void everyFieldOfTheSectionActs() throws IOException {
    double before = KernelEnergy.of(spec(), counts(1e6), CYCLES, MHZ).joules();
    double limited = KernelEnergy.of(spec(), counts(1e9), CYCLES, MHZ).joules();
    List<String> fields =
        Gpus.fields().stream()
            .filter(field -> !field.section() && field.path().startsWith("energy."))
            .filter(field -> !field.path().startsWith("energy.cards."))
            .map(ExplainedField::path)
            .toList();
    assertThat(fields).hasSize(EnergyEvent.values().length + 3);
    for (String field : fields) {
      boolean ofLimit = field.endsWith("limitW") || field.endsWith("voltageSlope");
      String value = field.endsWith("voltageSlope") ? "0.9" : field.endsWith("smW") ? "60" : "600";
      EnergySpec changed = spec(field + "=" + value);
      double after = KernelEnergy.of(changed, counts(ofLimit ? 1e9 : 1e6), CYCLES, MHZ).joules();
      assertThat(after).as(field).isNotEqualTo(ofLimit ? limited : before);
    }
  }

  /** A card that draws more in one part draws more in all: deviations of parts add up. */
  @Test
  void cardsDifferByWhatTheirPartsDo() throws IOException {
    EnergySpec spec =
        spec(
            "energy.power.idleW=100",
            "energy.warp.issue=100",
            "energy.memory.dramRead=100",
            "energy.cards.idle=0.01",
            "energy.cards.sm=0.04",
            "energy.cards.memory=0.1");
    KernelEnergy idle = KernelEnergy.of(spec, Map.of(), CYCLES, MHZ);
    KernelEnergy issue = KernelEnergy.of(spec, Map.of(EnergyEvent.ISSUE, 1e9), CYCLES, MHZ);
    KernelEnergy stream = KernelEnergy.of(spec, Map.of(EnergyEvent.DRAM_READ, 3e9), CYCLES, MHZ);
    assertThat(idle.betweenCards()).isCloseTo(0.01, within(1e-9));
    assertThat(issue.betweenCards()).isCloseTo((0.01 + 0.04) / 2, within(1e-9));
    assertThat(stream.betweenCards()).isCloseTo((0.01 + 0.1 * 3) / 4, within(1e-9));
    assertThat(KernelEnergy.sum(List.of(idle, issue)).betweenCards())
        .isCloseTo((0.01 + 0.01 + 0.04) / 3, within(1e-9));
  }

  @Test
  void aProgramCostsWhatItsKernelsCost() throws IOException {
    KernelEnergy one = KernelEnergy.of(spec(), counts(1e6), CYCLES, MHZ);
    KernelEnergy two = KernelEnergy.sum(List.of(one, one));
    assertThat(two.joules()).isCloseTo(2 * one.joules(), within(1e-12));
    assertThat(two.watts()).isCloseTo(one.watts(), within(1e-9));
    assertThat(KernelEnergy.sum(Arrays.asList(one, null))).isNull();
  }

  @Test
  void powerOverTimeAddsUpToTheEnergyAndLiesWhereTheWorkWas() throws IOException {
    KernelEnergy energy = KernelEnergy.of(spec(), counts(1e3), 1000, MHZ);
    long[] later = {0, 10};
    KernelProfile.Series series =
        new KernelProfile.Series(
            600,
            Map.of(StallReason.SELECTED, new long[] {30, 10}),
            later,
            later,
            later,
            later,
            later,
            later);
    PowerTrace trace = PowerTrace.of(energy, series, 1000);
    double joules = 0.6e-6 * trace.total()[0] + 0.4e-6 * trace.total()[1];
    assertThat(joules).isCloseTo(energy.joules(), within(1e-6 * energy.joules()));
    assertThat(trace.watts().get(Component.DRAM.label())[0]).isZero();
    double[] issue = trace.watts().get(Component.ISSUE.label());
    assertThat(issue[0] / issue[1]).isCloseTo(2, within(1e-9));
    assertThat(trace.every(5000).total()).hasSize(1);
  }

  @Test
  void aGpuThatNobodyMeasuredHasNone() throws IOException {
    GpuDescription h100 = Gpus.load("h100");
    assertThat(h100.energy()).isNull();
    assertThat(Gpus.load("rtx3070").energy()).isNull();
  }
}
