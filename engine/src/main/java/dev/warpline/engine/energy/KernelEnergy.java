package dev.warpline.engine.energy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.EnergyEvent.Component;
import dev.warpline.engine.gpu.EnergySpec;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a kernel costs.
 *
 * @param seconds how long it takes: its cycles, and longer where the power limit slows the clock
 * @param joules all of its energy, the board's idle power included: that of the mean card
 * @param betweenCards by how much it differs from card to card: standard deviation over joules
 * @param coreMHz mean core clock, below that of the description if power is at its limit
 * @param parts joules by component, those of {@link Component}
 * @param events how often each event happened, by the name of its field; seconds for SMs
 * @param lines joules by instruction; empty unless the run was profiled
 * @param trace power over time; null unless the run was profiled
 */
@JsonPropertyOrder({
  // Methods have no order of their own; without this two runs may differ in it.
  "seconds",
  "joules",
  "betweenCards",
  "coreMHz",
  "parts",
  "events",
  "lines",
  "trace",
  "watts",
  "energyDelay"
})
public record KernelEnergy(
    double seconds,
    double joules,
    double betweenCards,
    double coreMHz,
    Map<String, Double> parts,
    Map<String, Double> events,
    List<Line> lines,
    PowerTrace trace) {

  private static final double PICO = 1e-12;

  /** Steps in which the clock that fits the power limit is looked for. */
  private static final int STEPS = 60;

  /** Joules of one static instruction, idle power left out. */
  public record Line(int pc, double joules) {}

  /**
   * The energy of a kernel.
   *
   * @param counts how often each event happened
   * @param cycles core cycles that it took
   */
  public static KernelEnergy of(
      EnergySpec spec, Map<EnergyEvent, Double> counts, double cycles, double coreMHz) {
    Map<Component, Double> joules = new EnumMap<>(Component.class);
    for (Component component : Component.values()) {
      joules.put(component, 0.0);
    }
    Map<String, Double> events = new LinkedHashMap<>();
    double dynamic = 0;
    for (EnergyEvent event : EnergyEvent.values()) {
      double count = counts.getOrDefault(event, 0.0);
      double energy = count * spec.picojoules(event) * PICO;
      joules.merge(event.component(), energy, Double::sum);
      dynamic += energy;
      if (count != 0) {
        events.put(event.field(), count);
      }
    }
    double seconds = cycles / coreMHz * 1e-6;
    double speed = speed(spec.power(), dynamic / seconds);
    double volts = volts(spec.power(), speed);
    double slower = seconds / speed;
    Map<String, Double> parts = new LinkedHashMap<>();
    double all = 0;
    double between = 0;
    for (Component component : Component.values()) {
      double part = joules.get(component) * volts * volts;
      part += component == Component.STATIC ? spec.power().idleW() * slower : 0;
      parts.put(component.label(), part);
      all += part;
      between += part * spec.cards().of(component);
    }
    return new KernelEnergy(
        slower, all, between / all, coreMHz * speed, parts, events, List.of(), null);
  }

  /** The share of its clock at which the core keeps the power limit. */
  private static double speed(EnergySpec.Power power, double dynamicWatts) {
    if (power.idleW() + dynamicWatts <= power.limitW() || dynamicWatts <= 0) {
      return 1;
    }
    double low = 0.1;
    double high = 1;
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      double volts = volts(power, middle);
      if (power.idleW() + dynamicWatts * middle * volts * volts > power.limitW()) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  private static double volts(EnergySpec.Power power, double speed) {
    return 1 - power.voltageSlope() * (1 - speed);
  }

  /** The same with what was recorded of instructions and time. */
  public KernelEnergy with(List<Line> byLine, PowerTrace overTime) {
    return new KernelEnergy(
        seconds, joules, betweenCards, coreMHz, parts, events, byLine, overTime);
  }

  /** The same work in another time: idle power changes with it, the rest does not. */
  public KernelEnergy lasting(double share) {
    double still = parts.getOrDefault(Component.STATIC.label(), 0.0) * (share - 1);
    Map<String, Double> longer = new LinkedHashMap<>(parts);
    longer.merge(Component.STATIC.label(), still, Double::sum);
    return new KernelEnergy(
        seconds * share, joules + still, betweenCards, coreMHz, longer, events, List.of(), null);
  }

  /** As columns of a table: joules, watts, energy-delay product, joules by component. */
  public Map<String, Object> columns() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("joules", joules);
    columns.put("watts", watts());
    columns.put("energy_delay", energyDelay());
    parts.forEach((part, its) -> columns.put("joules." + part.replace(' ', '_'), its));
    return columns;
  }

  /** The energy of kernels that run one after the other; null if one has none. */
  public static KernelEnergy sum(List<KernelEnergy> kernels) {
    if (kernels.isEmpty() || kernels.stream().anyMatch(Objects::isNull)) {
      return null;
    }
    double seconds = 0;
    double joules = 0;
    double between = 0;
    double cycles = 0;
    Map<String, Double> parts = new LinkedHashMap<>();
    Map<String, Double> events = new LinkedHashMap<>();
    for (KernelEnergy kernel : kernels) {
      seconds += kernel.seconds;
      joules += kernel.joules;
      between += kernel.joules * kernel.betweenCards;
      cycles += kernel.seconds * kernel.coreMHz;
      kernel.parts.forEach((part, its) -> parts.merge(part, its, Double::sum));
      kernel.events.forEach((event, count) -> events.merge(event, count, Double::sum));
    }
    return new KernelEnergy(
        seconds,
        joules,
        joules == 0 ? 0 : between / joules,
        seconds == 0 ? 0 : cycles / seconds,
        parts,
        events,
        List.of(),
        null);
  }

  /** Average power in watts. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double watts() {
    return seconds == 0 ? 0 : joules / seconds;
  }

  /** Energy-delay product in joule-seconds. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double energyDelay() {
    return joules * seconds;
  }
}
