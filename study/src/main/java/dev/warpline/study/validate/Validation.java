package dev.warpline.study.validate;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.nvidia.Machine;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs the kernels that hardware counters exist for, each from cold caches, and compares. */
public final class Validation {
  /** Makes the machine for one workload; called once per workload, by several threads. */
  @FunctionalInterface
  public interface Machines {
    Machine create() throws IOException;
  }

  private final HardwareTable hardware;
  private final Path traces;
  private final Machines machines;
  private final ProfileOptions profile;

  public Validation(HardwareTable hardware, Path traces, Machines machines) {
    this(hardware, traces, machines, null);
  }

  /**
   * @param hardware the counters
   * @param traces folder of traces named like the workloads
   * @param machines makes the machine of a workload
   * @param profile what to record of each kernel, null for nothing
   */
  public Validation(
      HardwareTable hardware, Path traces, Machines machines, ProfileOptions profile) {
    this.hardware = hardware;
    this.traces = traces;
    this.machines = machines;
    this.profile = profile;
  }

  /**
   * Runs the workloads whose name matches.
   *
   * @param only which workloads, by name
   * @param parallel workloads at a time; each runs on one thread
   * @param done told of each comparison as it comes, in table order
   */
  public List<KernelComparison> run(Pattern only, int parallel, Consumer<KernelComparison> done)
      throws IOException, InterruptedException {
    return run(only, parallel, new StopSignal(), done);
  }

  /**
   * Runs the workloads whose name matches, until it is told to stop: those not done then are among
   * the comparisons as failures.
   *
   * @param only which workloads, by name
   * @param parallel workloads at a time; each runs on one thread
   * @param stop asks for an early end
   * @param done told of each comparison as it comes, in table order
   */
  public List<KernelComparison> run(
      Pattern only, int parallel, StopSignal stop, Consumer<KernelComparison> done)
      throws IOException, InterruptedException {
    Map<String, List<HardwareTable.Row>> workloads = new LinkedHashMap<>();
    for (HardwareTable.Row row : hardware.rows()) {
      if (only.matcher(row.workload()).find()) {
        workloads.computeIfAbsent(row.workload(), k -> new ArrayList<>()).add(row);
      }
    }
    if (workloads.isEmpty()) {
      throw new IOException(
          "no workload of the hardware's table matches \""
              + only
              + "\"; it has "
              + hardware.rows().stream()
                  .map(HardwareTable.Row::workload)
                  .distinct()
                  .limit(10)
                  .collect(Collectors.joining(", ")));
    }
    ExecutorService pool = Executors.newFixedThreadPool(parallel);
    try {
      List<Future<List<KernelComparison>>> running = new ArrayList<>();
      for (List<HardwareTable.Row> rows : workloads.values()) {
        Callable<List<KernelComparison>> task = () -> compare(rows, stop);
        running.add(pool.submit(task));
      }
      List<KernelComparison> all = new ArrayList<>();
      for (Future<List<KernelComparison>> one : running) {
        for (KernelComparison comparison : one.get()) {
          done.accept(comparison);
          all.add(comparison);
        }
      }
      return all;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private List<KernelComparison> compare(List<HardwareTable.Row> rows, StopSignal stop) {
    List<KernelComparison> comparisons = new ArrayList<>();
    long started = System.nanoTime();
    try (TraceSet program = open(rows.get(0).workload(), stop)) {
      List<Integer> wanted = rows.stream().map(HardwareTable.Row::kernelId).toList();
      RunOptions options =
          new RunOptions(1, 0, 0, (id, name) -> wanted.contains(id), profile, stop);
      List<KernelResult> results = machines.create().run(program, options, Progress.NONE).kernels();
      double seconds = (System.nanoTime() - started) * 1e-9;
      for (HardwareTable.Row row : rows) {
        KernelResult result =
            results.stream().filter(r -> r.id() == row.kernelId()).findFirst().orElse(null);
        String failure = result == null ? "the trace has no kernel " + row.kernelId() : null;
        comparisons.add(new KernelComparison(row, result, failure, seconds / rows.size()));
      }
    } catch (IOException | RuntimeException e) {
      double seconds = (System.nanoTime() - started) * 1e-9;
      for (HardwareTable.Row row : rows) {
        comparisons.add(new KernelComparison(row, null, String.valueOf(e.getMessage()), seconds));
      }
    }
    return comparisons;
  }

  private TraceSet open(String workload, StopSignal stop) throws IOException {
    stop.check();
    return Traces.open(find(traces, workload));
  }

  /** A workload's trace: a folder, an archive or a trace cache of its name. */
  public static Path find(Path traces, String workload) throws IOException {
    for (String suffix :
        List.of(Traces.CACHE_SUFFIX, "", ".tar.xz", ".tar.zst", ".tar.gz", ".tar", ".zip")) {
      Path path = traces.resolve(workload + suffix);
      if (Files.exists(path)) {
        return path;
      }
    }
    throw new IOException(
        traces
            + ": no trace of "
            + workload
            + ", expected a folder, archive or cache of that name");
  }
}
