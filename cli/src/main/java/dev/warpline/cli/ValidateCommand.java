package dev.warpline.cli;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Target;
import dev.warpline.study.validate.Ablation;
import dev.warpline.study.validate.HardwareTable;
import dev.warpline.study.validate.KernelComparison;
import dev.warpline.study.validate.StallAgreement;
import dev.warpline.study.validate.Validation;
import dev.warpline.study.validate.ValidationJson;
import dev.warpline.study.validate.ValidationText;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import dev.warpline.web.report.ValidationPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares simulated kernels with a real GPU's counters. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Run kernels that hardware counters exist for, from cold caches, and compare.",
    optionListHeading = "%nOptions:%n")
final class ValidateCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Option(
      names = "--hardware",
      paramLabel = "CSV",
      required = true,
      description = "Counters: a column per counter, a row per kernel.")
  Path hardware;

  @Mixin WorkloadOptions workloads;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Workloads at a time (default: the processors of this machine).")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--core",
      paramLabel = "CORE",
      description =
          "Core to simulate: ${COMPLETION-CANDIDATES} (default: the best that the GPU offers).")
  Core core;

  @Option(
      names = "--stalls",
      description =
          "Also compare why warps wait with the hardware's warp states, and check that the reasons"
              + " of every warp add up to its lifetime.")
  boolean stalls;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the comparison as JSON.")
  Path json;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Also write a page with a correlation plot.")
  Path report;

  @Option(
      names = "--ablate",
      paramLabel = "FILE.tsv",
      description =
          "Then compare once more with each mechanism of this list taken away, and say what it is"
              + " worth (docs/validation.md).")
  Path ablate;

  /** The preset where the user chose no GPU. */
  private String preset;

  @Override
  public Integer call() throws IOException, InterruptedException {
    for (Path file : Stream.of(json, report).filter(Objects::nonNull).toList()) {
      WholeFile.check(file);
    }
    PrintWriter out = spec.commandLine().getOut();
    HardwareTable table = HardwareTable.read(hardware);
    GpuDescription description = description(table);
    Core model = Target.core(workloads.traces.toString(), description, core);
    gpu.warn(model.word());
    Map<Ablation, GpuDescription> ablated = ablated();
    out.println(ValidationText.header());
    StopSignal stop = new StopSignal();
    try (Interrupt interrupt = new Interrupt(stop)) {
      interrupt.simulating(true);
      List<KernelComparison> all =
          validation(table, model, description)
              .run(
                  workloads.only,
                  threads,
                  stop,
                  one -> {
                    out.println(ValidationText.line(one));
                    out.flush();
                  });
      interrupt.simulating(false);
      int answer = answer(all, description, model, out);
      if (!ablated.isEmpty()) {
        out.println();
        out.println(Ablation.header(all));
        out.flush();
        interrupt.simulating(true);
      }
      for (Map.Entry<Ablation, GpuDescription> one : ablated.entrySet()) {
        List<KernelComparison> without =
            validation(table, model, one.getValue())
                .run(workloads.only, threads, stop, comparison -> {});
        if (stop.reason() != null) {
          break;
        }
        out.println(one.getKey().line(all, without));
        out.flush();
      }
      interrupt.simulating(false);
      return answer;
    }
  }

  private Validation validation(HardwareTable table, Core model, GpuDescription description) {
    return new Validation(
        table,
        workloads.traces,
        () -> model.machine(description, true),
        stalls ? ProfileOptions.NO_TIMELINE : null);
  }

  /** The GPUs without a mechanism, all of them checked before the first simulation. */
  private Map<Ablation, GpuDescription> ablated() throws IOException {
    Map<Ablation, GpuDescription> all = new LinkedHashMap<>();
    if (ablate != null) {
      for (Ablation one : Ablation.read(ablate)) {
        try {
          all.put(one, gpu.describe(preset, one.settings(), false).description());
        } catch (DescriptionException e) {
          throw new DescriptionException(ablate + ", " + one.name() + ": " + e.getMessage());
        }
      }
    }
    return all;
  }

  private int answer(
      List<KernelComparison> all, GpuDescription description, Core model, PrintWriter out)
      throws IOException {
    ValidationText.summary(all).forEach(out::println);
    if (stalls) {
      out.println();
      StallAgreement.text(StallAgreement.of(all)).forEach(out::println);
      out.println(StallAgreement.sums(all));
    }
    out.flush();
    if (json != null) {
      ValidationJson.write(all, json);
    }
    if (report != null) {
      ValidationPage.write(
          all,
          description.name() + ", " + model.toString().toLowerCase(Locale.ROOT) + " core",
          report);
    }
    if (all.stream().noneMatch(KernelComparison::ran)) {
      throw new IOException(workloads.traces + ": nothing could be simulated");
    }
    if (!all.stream().allMatch(KernelComparison::ran)) {
      return ExitCode.UNFINISHED;
    }
    return stalls && !StallAgreement.inexact(all).isEmpty() ? ExitCode.CHECK_FAILED : ExitCode.OK;
  }

  /** The user's GPU, or the one that the first workload was traced for. */
  private GpuDescription description(HardwareTable table) throws IOException {
    List<String> names = table.workloads(workloads.only);
    if (names.isEmpty()) {
      throw new IOException(hardware + ": no workload matches " + workloads.only);
    }
    try (TraceSet program = Traces.open(Validation.find(workloads.traces, names.get(0)))) {
      preset = gpu.named() ? null : Target.presetFor(program);
      GpuDescription chosen = gpu.load(preset);
      PrintWriter err = spec.commandLine().getErr();
      if (chosen.sm() != null) {
        Core model = core == null ? Core.bestFor(chosen) : core;
        Target.warnings(program, chosen, model)
            .forEach(warning -> err.println("warning: " + warning));
      }
      err.println("on " + chosen.name());
      return chosen;
    }
  }
}
