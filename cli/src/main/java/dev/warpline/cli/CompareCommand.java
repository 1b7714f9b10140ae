package dev.warpline.cli;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Target;
import dev.warpline.study.oracle.OracleComparison;
import dev.warpline.study.oracle.OracleTable;
import dev.warpline.study.oracle.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares with Accel-Sim's own results. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Run the workloads of another simulator's result table and print how far ours are from them."
    },
    optionListHeading = "%nOptions:%n")
final class CompareCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Option(
      names = "--oracle",
      paramLabel = "CSV",
      required = true,
      description = "Their results: a row per workload with cycles, accesses, misses.")
  Path oracle;

  @Mixin WorkloadOptions workloads;

  @Option(names = "--core", description = "Model of the SM (default: ${DEFAULT-VALUE}).")
  Core core = Core.CLASSIC;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Threads that simulate.")
  int threads = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("rtx3070");
    Target.core(workloads.traces.toString(), description, core);
    gpu.warn(core.word());
    OracleComparison comparison = new OracleComparison();
    boolean finished = true;
    boolean any = false;
    out.println(OracleComparison.header());
    for (OracleTable.Row row : OracleTable.read(oracle).rows()) {
      if (workloads.only.matcher(row.workload()).find()) {
        any = true;
        try {
          Path trace = Workload.find(workloads.traces, row.workload());
          Workload run = Workload.run(core.machine(description), trace, row.workload(), threads);
          out.println(comparison.line(row, run));
        } catch (UnfinishedSimulationException e) {
          out.println(row.workload() + ": " + e.getMessage());
          finished = false;
        }
        out.flush();
      }
    }
    if (!any) {
      throw new IOException(oracle + ": no workload matches \"" + workloads.only + "\"");
    }
    comparison.summary().forEach(out::println);
    out.flush();
    return finished ? ExitCode.OK : ExitCode.UNFINISHED;
  }
}
