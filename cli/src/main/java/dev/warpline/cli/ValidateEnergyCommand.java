package dev.warpline.cli;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.EnergySpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.study.energy.EnergyFit;
import dev.warpline.study.energy.EnergyText;
import dev.warpline.study.energy.EnergyValidation;
import dev.warpline.study.energy.MeasuredEnergy;
import dev.warpline.study.energy.MeasuredEnergy.Use;
import dev.warpline.study.energy.SimulatedTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares simulated joules with measured ones, and fits energies. */
@Command(
    name = "validate-energy",
    mixinStandardHelpOptions = true,
    description = {
      "Compare simulated power and energy with those of kernels that were looped on a GPU; with"
          + " --fit, first fit the energies of events to the rows that are for it"
          + " (docs/energy.md)."
    },
    optionListHeading = "%nOptions:%n")
final class ValidateEnergyCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Option(
      names = "--measured",
      paramLabel = "CSV",
      required = true,
      description = "What was measured: a row per kernel, as energy_counts.py writes them.")
  Path measured;

  @Mixin WorkloadOptions workloads;

  @Option(
      names = "--fit",
      paramLabel = "FILE.yaml",
      description = {
        "Fit energies to the rows with use \"fit\" (non-negative least squares), print the error of"
            + " each group held out, and write a description that inherits from --gpu."
      })
  Path fit;

  @Option(
      names = "--again",
      split = ",",
      paramLabel = "RUN",
      description = {
        "Measurements (column run) whose rows with use \"fit\" are compared in power, and not fitted"
            + " to: what the others say of them."
      })
  Set<String> again = Set.of();

  @Option(
      names = "--simulated",
      paramLabel = "CSV",
      description = {
        "Keep what kernels do in this file, and do not simulate those that it has; delete it when"
            + " the GPU or the simulator changes."
      })
  Path simulations;

  private boolean isAgain(MeasuredEnergy row) {
    return row.use() == Use.FIT && again.contains(row.run());
  }

  @Override
  public Integer call() throws IOException {
    if (fit != null) {
      WholeFile.check(fit);
    }
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("h200");
    if (description.energy() == null) {
      throw new DescriptionException(
          description.name() + ": found no section energy, expected one (docs/energy.md)");
    }
    List<MeasuredEnergy> table = MeasuredEnergy.read(measured);
    Set<String> runs = new TreeSet<>();
    table.forEach(row -> runs.add(row.run()));
    for (String run : again) {
      if (!runs.contains(run)) {
        throw new DescriptionException("--again: found " + run + ", expected one of " + runs);
      }
    }
    List<MeasuredEnergy> rows =
        table.stream()
            .filter(row -> workloads.only.matcher(row.workload()).find())
            .map(row -> isAgain(row) ? row.forUse(Use.REPEAT) : row)
            .filter(row -> row.use() != Use.NONE)
            .filter(row -> fit != null || row.use() != Use.FIT)
            .toList();
    StopSignal stop = new StopSignal();
    try (Interrupt interrupt = new Interrupt(stop)) {
      interrupt.simulating(true);
      Map<String, EnergyFit.Simulated> known =
          simulations == null ? Map.of() : SimulatedTable.read(simulations);
      if (!known.isEmpty()) {
        out.printf("%d kernels from %s%n", known.size(), simulations);
      }
      Map<String, EnergyFit.Simulated> simulated =
          EnergyValidation.simulate(
              description,
              rows,
              known,
              workloads.traces,
              stop,
              (name, done, of) -> {
                spec.commandLine().getErr().printf("%d of %d: %s%n", done + 1, of, name);
                spec.commandLine().getErr().flush();
              });
      interrupt.simulating(false);
      if (simulations != null) {
        SimulatedTable.write(simulated, simulations);
      }
      EnergySpec energies = description.energy();
      if (fit != null) {
        EnergyFit fitted = EnergyFit.of(EnergyValidation.rows(description, rows, simulated));
        EnergyText.fit(fitted).forEach(out::println);
        out.println();
        EnergySpec.Power power = description.energy().power();
        energies = fitted.spec(power.limitW(), power.voltageSlope());
        WholeFile.writeText(
            fit,
            "inherits: "
                + gpu.preset("h200")
                + "\n"
                + EnergyText.section(
                    fitted,
                    power.limitW(),
                    power.voltageSlope(),
                    measured.getFileName().toString()));
      }
      double coreMHz = description.clocks().coreMHz();
      EnergyText.comparison(EnergyValidation.check(energies, coreMHz, Use.CHECK, rows, simulated))
          .forEach(out::println);
      List<EnergyValidation.Comparison> repeats =
          EnergyValidation.check(energies, coreMHz, Use.REPEAT, rows, simulated);
      if (!repeats.isEmpty()) {
        out.println();
        EnergyText.repeats(repeats).forEach(out::println);
      }
      out.flush();
    }
    return ExitCode.OK;
  }
}
