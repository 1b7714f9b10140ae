package dev.warpline.cli;

import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.nvidia.capture.Capture;
import dev.warpline.study.Target;
import dev.warpline.study.oracle.AddedCost;
import dev.warpline.study.oracle.ColdStart;
import dev.warpline.study.oracle.ColdStartTable;
import dev.warpline.study.oracle.ExecutionSpeed;
import dev.warpline.study.oracle.OracleTable;
import dev.warpline.study.oracle.SpeedTable;
import dev.warpline.study.oracle.Workload;
import dev.warpline.study.sample.SamplingTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how fast the simulator is. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the speed of the simulator on traces, reading them included, on one thread."
    },
    optionListHeading = "%nOptions:%n")
final class BenchCommand implements Callable<Integer> {
  private static final Pattern TRACE = Pattern.compile("\\.(wlt|tar\\..*|tar|zip)$");

  @Spec CommandSpec spec;

  @Mixin GpuOptions gpu;

  @Option(
      names = "--traces",
      paramLabel = "DIR",
      required = true,
      description = "Folder of traces; trace caches (.wlt) read fastest.")
  Path traces;

  @Option(
      names = "--oracle",
      paramLabel = "CSV",
      description = {
        "Another simulator's results with the column warp_inst_per_s: only its workloads are run,"
            + " and rates are compared."
      })
  Path oracle;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      defaultValue = "",
      description = "Workloads whose name matches.")
  Pattern only;

  @Option(names = "--core", description = "Model of the SM (default: ${DEFAULT-VALUE}).")
  Core core = Core.CLASSIC;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Run every workload once more on so many threads and compare wall time.")
  int threads = 1;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = Numbers.Count.class,
      description = "Runs of each workload, the best counts (default: ${DEFAULT-VALUE}).")
  int repeat = 2;

  @Option(
      names = "--recording",
      description =
          "Instead, run every workload with and without a profile, in turns, and print what"
              + " recording costs.")
  boolean recording;

  @Option(
      names = "--energy",
      description =
          "Instead, run every workload with and without the GPU's section energy, in turns, and"
              + " print what counting energy costs.")
  boolean energy;

  @Option(
      names = "--sampling",
      paramLabel = "ERROR",
      converter = Numbers.Error.class,
      description = {
        "Instead, simulate every workload in full and sampled to this error, e.g. 5%%, and print"
            + " how far the cycles are off, whether the interval holds and what is saved."
      })
  Double sampling;

  @Option(
      names = "--execute",
      description = {
        "Instead, execute every capture of the folder without timing, and print warp instructions"
            + " per second of the executing thread; then execute and simulate it, and simulate it"
            + " from a trace cache."
      })
  boolean execute;

  @Option(
      names = "--cold",
      description = {
        "Instead, start 'warpline run' for every workload in a process of its own and measure it"
            + " from its start to its end, as whoever types it meets it."
      })
  boolean cold;

  @Option(
      names = "--least",
      paramLabel = "N",
      converter = Numbers.Limit.class,
      description = {
        "With --sampling: only kernels of so many warp instructions (default: 1000000). With"
            + " --execute: only these are in the mean (default: 20000)."
      })
  Long least;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    GpuDescription description = gpu.load("rtx3070");
    Target.core(traces.toString(), description, core);
    gpu.warn(core.word());
    if (sampling != null) {
      gainOfSampling(description, out);
      return ExitCode.OK;
    }
    if (execute) {
      speedOfExecution(description, out);
      return ExitCode.OK;
    }
    if (recording) {
      cost(AddedCost.ofRecording(() -> core.machine(description), repeat), description, out);
      return ExitCode.OK;
    }
    if (energy) {
      cost(costOfEnergy(description), description, out);
      return ExitCode.OK;
    }
    if (cold) {
      costOfStarts(out);
      return ExitCode.OK;
    }
    SpeedTable table = new SpeedTable();
    warmUp(description);
    out.println(SpeedTable.header());
    for (Map.Entry<String, Double> workload : workloads().entrySet()) {
      Path trace = Workload.find(traces, workload.getKey());
      Workload one = null;
      Workload many = null;
      // In turns, so that neither meets more compiled code than the other.
      for (int i = 0; i < repeat; i++) {
        one = better(one, run(description, trace, workload.getKey(), 1));
        if (threads > 1) {
          many = better(many, run(description, trace, workload.getKey(), threads));
        }
      }
      out.println(table.line(one, workload.getValue(), many));
      out.flush();
    }
    table.summary().forEach(out::println);
    out.flush();
    return ExitCode.OK;
  }

  private void costOfStarts(PrintWriter out) throws IOException {
    Path launcher = Home.folder().resolve("warpline");
    if (!Files.isExecutable(launcher)) {
      throw new IOException("--cold: found no launcher " + launcher.toAbsolutePath());
    }
    // What the launcher builds and prepares once is not part of a start.
    ColdStart.of(List.of(launcher.toString(), "--version"));
    Map<String, Double> seconds = new LinkedHashMap<>();
    if (oracle != null) {
      for (OracleTable.Row row : OracleTable.read(oracle).rows()) {
        seconds.put(row.workload(), row.get("warp_instructions") / row.get("warp_inst_per_s"));
      }
    }
    ColdStartTable table = new ColdStartTable();
    out.println(ColdStartTable.header());
    for (String name : workloads().keySet()) {
      List<String> words =
          new ArrayList<>(
              List.of(launcher.toString(), "run", Workload.find(traces, name).toString()));
      words.addAll(gpu.words("rtx3070"));
      words.addAll(List.of("--core", core.word(), "--threads", String.valueOf(threads)));
      ColdStart best = null;
      for (int i = 0; i < repeat; i++) {
        ColdStart start = ColdStart.of(words);
        best = best == null || start.wallSeconds() < best.wallSeconds() ? start : best;
      }
      out.println(table.line(name, best, seconds.getOrDefault(name, Double.NaN)));
      out.flush();
    }
    table.summary().forEach(out::println);
    out.flush();
  }

  private AddedCost costOfEnergy(GpuDescription description) throws IOException {
    if (description.energy() == null || core != Core.MODERN) {
      throw new DescriptionException(
          "--energy: found the "
              + core.word()
              + " core and "
              + description.name()
              + ", expected --core MODERN and a GPU with a section energy");
    }
    GpuDescription none = gpu.describe("rtx3070", List.of("energy=none"), false).description();
    return new AddedCost(
        "energy",
        new AddedCost.Way(() -> core.machine(none), RunOptions.DEFAULT),
        new AddedCost.Way(() -> core.machine(description), RunOptions.DEFAULT),
        repeat);
  }

  private void cost(AddedCost cost, GpuDescription description, PrintWriter out)
      throws IOException {
    warmUp(description);
    out.println(AddedCost.header());
    for (String name : workloads().keySet()) {
      out.println(cost.measure(Workload.find(traces, name), name));
      out.flush();
    }
    out.println(cost.summary());
    out.flush();
  }

  private void speedOfExecution(GpuDescription description, PrintWriter out) throws IOException {
    ExecutionSpeed table =
        new ExecutionSpeed(() -> core.machine(description), repeat, least == null ? 20_000 : least);
    List<Path> captures;
    try (Stream<Path> files = Files.list(traces)) {
      captures =
          files
              .filter(Capture::is)
              .filter(file -> only.matcher(file.getFileName().toString()).find())
              .sorted()
              .toList();
    }
    if (captures.isEmpty()) {
      throw new IOException(traces + ": no capture matches \"" + only + "\"");
    }
    out.println(ExecutionSpeed.header());
    for (Path capture : captures) {
      String name = capture.getFileName().toString();
      out.println(table.measure(capture, name.replaceFirst("\\.wcap$", "")));
      out.flush();
    }
    table.summary().forEach(out::println);
    out.flush();
  }

  private void gainOfSampling(GpuDescription description, PrintWriter out) throws IOException {
    SamplingTable table =
        new SamplingTable(
            () -> core.machine(description), sampling, least == null ? 1_000_000 : least);
    warmUp(description);
    out.println(SamplingTable.header());
    for (String name : workloads().keySet()) {
      table.measure(Workload.find(traces, name), name).forEach(out::println);
      out.flush();
    }
    out.println(table.summary());
    out.flush();
  }

  /**
   * Lets the virtual machine compile what every workload uses, so that the first is not special.
   */
  private void warmUp(GpuDescription description) throws IOException {
    for (String name : workloads().keySet().stream().limit(2).toList()) {
      Workload.run(core.machine(description), Workload.find(traces, name), name, 1);
    }
  }

  private Workload run(GpuDescription description, Path trace, String name, int count)
      throws IOException {
    return Workload.run(core.machine(description), trace, name, count);
  }

  private static Workload better(Workload best, Workload run) {
    return best == null || run.wallSeconds() < best.wallSeconds() ? run : best;
  }

  private Map<String, Double> workloads() throws IOException {
    Map<String, Double> chosen = new LinkedHashMap<>();
    if (oracle != null) {
      for (OracleTable.Row row : OracleTable.read(oracle).rows()) {
        chosen.put(row.workload(), row.get("warp_inst_per_s"));
      }
    } else {
      try (Stream<Path> files = Files.list(traces)) {
        List<String> names =
            files
                .filter(f -> Files.isDirectory(f) || TRACE.matcher(f.toString()).find())
                .map(f -> TRACE.matcher(f.getFileName().toString()).replaceFirst(""))
                .distinct()
                .sorted()
                .toList();
        names.forEach(name -> chosen.put(name, Double.NaN));
      }
    }
    chosen.keySet().removeIf(name -> !only.matcher(name).find());
    if (chosen.isEmpty()) {
      throw new IOException(
          (oracle == null ? traces : oracle) + ": no workload matches \"" + only + "\"");
    }
    return chosen;
  }
}
