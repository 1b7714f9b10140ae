package dev.warpline.study.energy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.energy.KernelEnergy;
import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.engine.gpu.EnergySpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.nvidia.Machine;
import dev.warpline.study.validate.Validation;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured kernels beside simulated ones. Kernels were looped, so that caches hold what the launch
 * before left there; each is simulated twice, and the second time counts. In a loop the launch of a
 * kernel is prepared while the one before still runs: what a launch takes before its first block
 * ({@code modern.launch.kernelCycles}) is left out of the time.
 */
public final class EnergyValidation {
  /**
   * A kernel, measured and simulated.
   *
   * @param energy what the model says it costs, in the time that was simulated
   */
  public record Comparison(MeasuredEnergy measured, KernelEnergy energy) {
    /** Relative error of average power. */
    public double powerError() {
      return energy.watts() / measured.watts() - 1;
    }

    /** Relative error of the energy of a launch. */
    public double energyError() {
      return energy.joules() / measured.joules() - 1;
    }
  }

  private EnergyValidation() {}

  /**
   * Simulates a kernel with warm caches.
   *
   * @param trace of which the first launch is meant
   */
  public static EnergyFit.Simulated simulate(GpuDescription gpu, Path trace, StopSignal stop)
      throws IOException {
    Machine machine = Core.MODERN.machine(gpu);
    RunOptions first = RunOptions.DEFAULT.withKernels((launch, name) -> launch == 1).withStop(stop);
    try (TraceSet program = Traces.open(trace)) {
      machine.run(program, first, Progress.NONE);
      RunResult result = machine.run(program, first, Progress.NONE);
      KernelResult kernel = result.kernels().get(0);
      return new EnergyFit.Simulated(
          kernel.cycles() - gpu.modern().launch().kernelCycles(),
          result.coreMHz(),
          kernel.energy().events());
    }
  }

  /**
   * Simulates every kernel of some rows that needs it, once.
   *
   * @param known kernels that were simulated before
   */
  public static Map<String, EnergyFit.Simulated> simulate(
      GpuDescription gpu,
      List<MeasuredEnergy> rows,
      Map<String, EnergyFit.Simulated> known,
      Path traces,
      StopSignal stop,
      Watcher watcher)
      throws IOException {
    Map<String, Path> found = new LinkedHashMap<>();
    for (MeasuredEnergy row : rows) {
      if (row.needsTrace() && !known.containsKey(row.workload())) {
        found.put(row.workload(), Validation.find(traces, row.workload()));
      }
    }
    Map<String, EnergyFit.Simulated> all = new LinkedHashMap<>(known);
    for (Map.Entry<String, Path> one : found.entrySet()) {
      watcher.next(one.getKey(), all.size() - known.size(), found.size());
      all.put(one.getKey(), simulate(gpu, one.getValue(), stop));
    }
    return all;
  }

  /** Told which kernel is next. */
  public interface Watcher {
    void next(String workload, int done, int of);
  }

  /**
   * The rows that a fit takes: what a table says, or what was simulated of it. Where the clock was
   * below the description's, so was the voltage: events count less.
   */
  public static List<EnergyFit.Row> rows(
      GpuDescription gpu,
      List<MeasuredEnergy> measured,
      Map<String, EnergyFit.Simulated> simulated) {
    List<EnergyFit.Row> rows = new ArrayList<>();
    for (MeasuredEnergy row : measured) {
      if (row.use() == MeasuredEnergy.Use.FIT) {
        Map<String, Double> counts =
            row.needsTrace() ? simulated.get(row.workload()).events() : row.counts();
        double speed = Math.min(1, row.megahertz() / gpu.clocks().coreMHz());
        double volts = 1 - gpu.energy().power().voltageSlope() * (1 - speed);
        Map<EnergyEvent, Double> events = EnergyFit.byEvent(counts);
        events.replaceAll((event, count) -> count * volts * volts);
        rows.add(new EnergyFit.Row(row, events));
      }
    }
    return rows;
  }

  /**
   * Rows of one use that nothing was fitted to, with what some energies say of them. A kernel
   * without a trace does what the table says, in the cycles that were measured.
   */
  public static List<Comparison> check(
      EnergySpec spec,
      double coreMHz,
      MeasuredEnergy.Use use,
      List<MeasuredEnergy> measured,
      Map<String, EnergyFit.Simulated> simulated) {
    List<Comparison> all = new ArrayList<>();
    for (MeasuredEnergy row : measured) {
      if (row.use() == use) {
        double cycles = row.seconds() * 1e6 * Math.min(coreMHz, row.megahertz());
        EnergyFit.Simulated kernel =
            row.needsTrace()
                ? simulated.get(row.workload())
                : new EnergyFit.Simulated(cycles, coreMHz, row.counts());
        all.add(new Comparison(row, EnergyFit.energy(spec, kernel)));
      }
    }
    return all;
  }
}
