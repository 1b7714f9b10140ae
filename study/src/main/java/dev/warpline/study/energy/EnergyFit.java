package dev.warpline.study.energy;

import dev.warpline.engine.energy.KernelEnergy;
import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.EnergyEvent.Component;
import dev.warpline.engine.gpu.EnergySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Energies of events such that measured kernels cost what was measured: non-negative least squares
 * of relative errors, by their weights. What the board draws without work is one of the unknowns.
 *
 * @param idleW power without work
 * @param values energy of each event: picojoules, watts for SMs
 * @param cards how far measurements of the same kernels differ
 * @param groups by group that was held out: its kernels' errors of power without it
 * @param errors relative error of power of each kernel that was fitted to
 */
public record EnergyFit(
    double idleW,
    Map<EnergyEvent, Double> values,
    EnergySpec.Cards cards,
    Map<String, List<Double>> groups,
    List<Double> errors) {

  private static final double PICO = 1e-12;

  /** Share of the clock from which on a kernel counts as not slowed. */
  private static final double AT_FULL_CLOCK = 0.995;

  /** A measured kernel with what it does. */
  public record Row(MeasuredEnergy measured, Map<EnergyEvent, Double> counts) {}

  /** Fits to rows, and once more without each group. */
  public static EnergyFit of(List<Row> rows) {
    double[] x = solve(rows);
    Map<String, List<Double>> groups = new LinkedHashMap<>();
    for (Row row : rows) {
      groups.putIfAbsent(row.measured().group(), new ArrayList<>());
    }
    groups.forEach(
        (group, errors) -> {
          List<Row> others =
              rows.stream().filter(row -> !row.measured().group().equals(group)).toList();
          double[] without = solve(others);
          for (Row row : rows) {
            if (row.measured().group().equals(group)) {
              errors.add(error(row, without));
            }
          }
        });
    Map<EnergyEvent, Double> values = new EnumMap<>(EnergyEvent.class);
    for (EnergyEvent event : EnergyEvent.values()) {
      double value = x[1 + event.ordinal()];
      values.put(event, event == EnergyEvent.SM ? value : value / PICO);
    }
    return new EnergyFit(
        x[0], values, cards(rows, x), groups, rows.stream().map(row -> error(row, x)).toList());
  }

  /**
   * How far power without work and above it differs between measurements of the same kernel, by
   * what most of that kernel's energy goes to. What ran below the full clock tells nothing: it was
   * at the power limit, which is the same for all cards.
   */
  private static EnergySpec.Cards cards(List<Row> rows, double[] x) {
    double full = rows.stream().mapToDouble(row -> row.measured().megahertz()).max().orElse(0);
    Map<List<String>, List<Row>> kernels = new LinkedHashMap<>();
    for (Row row : rows) {
      MeasuredEnergy one = row.measured();
      if (one.megahertz() > AT_FULL_CLOCK * full) {
        kernels
            .computeIfAbsent(List.of(one.group(), one.workload()), k -> new ArrayList<>())
            .add(row);
      }
    }
    double[] squares = new double[3];
    double[] freedom = new double[3];
    for (List<Row> kernel : kernels.values()) {
      boolean idle = kernel.get(0).measured().group().equals(MeasuredEnergy.IDLE);
      int where = idle ? 0 : mostlyMemory(kernel.get(0), x) ? 2 : 1;
      double[] watts =
          kernel.stream().mapToDouble(row -> row.measured().watts() - (idle ? 0 : x[0])).toArray();
      double mean = Arrays.stream(watts).average().orElse(0);
      squares[where] += Arrays.stream(watts).map(w -> (w - mean) * (w - mean)).sum();
      freedom[where] += (watts.length - 1) * mean * mean;
    }
    double[] deviations = new double[3];
    for (int i = 0; i < deviations.length; i++) {
      deviations[i] = freedom[i] == 0 ? 0 : Math.sqrt(squares[i] / freedom[i]);
    }
    return new EnergySpec.Cards(deviations[0], deviations[1], deviations[2]);
  }

  private static boolean mostlyMemory(Row row, double[] x) {
    double memory = 0;
    double all = 0;
    for (Map.Entry<EnergyEvent, Double> one : row.counts().entrySet()) {
      double joules = one.getValue() * x[1 + one.getKey().ordinal()];
      Component component = one.getKey().component();
      memory += component == Component.L2 || component == Component.DRAM ? joules : 0;
      all += joules;
    }
    return memory > all / 2;
  }

  private static double[] solve(List<Row> rows) {
    double[][] a = new double[rows.size()][];
    double[] b = new double[rows.size()];
    for (int i = 0; i < a.length; i++) {
      a[i] = equation(rows.get(i));
      b[i] = Math.sqrt(rows.get(i).measured().weight());
      double joules = rows.get(i).measured().joules();
      for (int k = 0; k < a[i].length; k++) {
        a[i][k] *= b[i] / joules;
      }
    }
    double[] scale = new double[1 + EnergyEvent.values().length];
    for (double[] row : a) {
      for (int k = 0; k < scale.length; k++) {
        scale[k] = Math.max(scale[k], row[k]);
      }
    }
    for (double[] row : a) {
      for (int k = 0; k < scale.length; k++) {
        row[k] /= scale[k] == 0 ? 1 : scale[k];
      }
    }
    double[] x = NonNegative.solve(a, b);
    for (int k = 0; k < x.length; k++) {
      x[k] /= scale[k] == 0 ? 1 : scale[k];
    }
    return x;
  }

  /** What joules are made of: seconds of idle power, and events. */
  private static double[] equation(Row row) {
    double[] factors = new double[1 + EnergyEvent.values().length];
    factors[0] = row.measured().seconds();
    row.counts().forEach((event, count) -> factors[1 + event.ordinal()] = count);
    return factors;
  }

  private static double error(Row row, double[] x) {
    double[] factors = equation(row);
    double joules = 0;
    for (int k = 0; k < x.length; k++) {
      joules += factors[k] * x[k];
    }
    return joules / row.measured().joules() - 1;
  }

  /** The section of a description that says so. */
  public EnergySpec spec(double limitW, double voltageSlope) {
    Map<EnergyEvent, Double> v = values;
    return new EnergySpec(
        new EnergySpec.Power(idleW, v.get(EnergyEvent.SM), limitW, voltageSlope),
        cards,
        new EnergySpec.Warp(
            v.get(EnergyEvent.ISSUE),
            v.get(EnergyEvent.UNIFORM),
            v.get(EnergyEvent.CONTROL),
            v.get(EnergyEvent.CONSTANT)),
        new EnergySpec.Lane(
            v.get(EnergyEvent.FP32),
            v.get(EnergyEvent.MULTIPLY),
            v.get(EnergyEvent.WIDE_MULTIPLY),
            v.get(EnergyEvent.ALU),
            v.get(EnergyEvent.HALF),
            v.get(EnergyEvent.FP64),
            v.get(EnergyEvent.SPECIAL),
            v.get(EnergyEvent.LOAD_STORE),
            v.get(EnergyEvent.SHUFFLE),
            v.get(EnergyEvent.REGISTER)),
        new EnergySpec.Tensor(
            v.get(EnergyEvent.TENSOR_F16),
            v.get(EnergyEvent.TENSOR_TF32),
            v.get(EnergyEvent.TENSOR_INT8),
            v.get(EnergyEvent.TENSOR_F64),
            v.get(EnergyEvent.GROUP_F16),
            v.get(EnergyEvent.GROUP_TF32),
            v.get(EnergyEvent.GROUP_INT8),
            v.get(EnergyEvent.GROUP_F8)),
        new EnergySpec.Memory(
            v.get(EnergyEvent.SHARED),
            v.get(EnergyEvent.L1),
            v.get(EnergyEvent.COPY),
            v.get(EnergyEvent.NETWORK),
            v.get(EnergyEvent.REQUEST),
            v.get(EnergyEvent.L2_READ),
            v.get(EnergyEvent.L2_WRITE),
            v.get(EnergyEvent.L2_ATOMIC),
            v.get(EnergyEvent.L2_FAR),
            v.get(EnergyEvent.DRAM_READ),
            v.get(EnergyEvent.DRAM_WRITE),
            v.get(EnergyEvent.DRAM_ROW)));
  }

  /** Events by the names of their fields as a map over events. */
  static Map<EnergyEvent, Double> byEvent(Map<String, Double> fields) {
    Map<EnergyEvent, Double> counts = new EnumMap<>(EnergyEvent.class);
    for (EnergyEvent event : EnergyEvent.values()) {
      Double count = fields.get(event.field());
      if (count != null) {
        counts.put(event, count);
      }
    }
    return counts;
  }

  /** What a kernel costs with these energies, in the time that was simulated for it. */
  static KernelEnergy energy(EnergySpec spec, Simulated kernel) {
    return KernelEnergy.of(spec, byEvent(kernel.events()), kernel.cycles(), kernel.coreMHz());
  }

  /**
   * A simulated kernel.
   *
   * @param events how often each event happened, by its field
   */
  public record Simulated(double cycles, double coreMHz, Map<String, Double> events) {}
}
