package dev.warpline.study.program;

import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.nvidia.Machine;
import dev.warpline.nvidia.modern.launch.Residency;
import dev.warpline.nvidia.program.ProgramTimes;
import dev.warpline.nvidia.program.Schedule;
import dev.warpline.nvidia.program.ScheduleReplay;
import dev.warpline.nvidia.program.SmPartitions;
import dev.warpline.study.sample.SampledRun;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.program.StreamProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Runs a program as a whole. Of a kernel list only the kernels take time, and the machine knows
 * when they start; what has copies and a host is run by its schedule.
 *
 * @param gpu the machine's description
 * @param core which model of it
 * @param cold whether caches are emptied before every kernel
 * @param withHost whether the host, gaps and copies cost time even if the program does not say more
 *     of them than a kernel list does
 * @param reuse whether launches of the same work are simulated once
 * @param changes what is asked of the program beside what it says
 */
public record WholeRun(
    GpuDescription gpu,
    Core core,
    boolean cold,
    boolean withHost,
    boolean reuse,
    ProgramChanges changes) {
  private static final double NS = 1e3;

  /** Runs it. */
  public RunResult of(TraceSet trace, RunOptions options, Progress progress) throws IOException {
    return of(trace, options, progress, null);
  }

  /**
   * Runs it.
   *
   * @param made a machine of this description that nobody has used; null to make one
   */
  public RunResult of(TraceSet trace, RunOptions options, Progress progress, Machine made)
      throws IOException {
    Machine machine = made == null ? core.machine(gpu, cold) : made;
    return run(trace, options, progress, machine).withWarnings(changes.unmet(trace.program()));
  }

  private RunResult run(TraceSet trace, RunOptions options, Progress progress, Machine machine)
      throws IOException {
    StreamProgram program = changes.of(trace.program());
    boolean timed = program.host() || withHost;
    if (core == Core.CLASSIC) {
      RunResult result = machine.run(trace, options, progress);
      return timed
          ? result.withWarnings(
              List.of(
                  "the classic core starts kernels as Accel-Sim does: copies, events and the host"
                      + " take no time"))
          : result;
    }
    SmPartitions partitions = new SmPartitions(program.streams(), gpu.sm().count());
    boolean shared = program.streams().stream().anyMatch(stream -> !stream.sms().isEmpty());
    if (!timed && (changes.fuse() != null || changes.isPart())) {
      throw new DescriptionException(
          trace.name()
              + ": found a kernel list, whose kernels have no gaps and no times to choose by;"
              + " expected a program, a capture, or --with-host");
    }
    if (!timed && !shared) {
      return kernels(trace, without(options), progress, machine);
    }
    Schedule schedule =
        new Schedule(program, gpu, timed)
            .on(partitions)
            .within(changes.fromUs() * NS, changes.untilUs() * NS);
    RunResult result;
    if (options.sample() > 0 || reuse) {
      if (shared) {
        throw new DescriptionException(
            trace.name()
                + ": found streams with SMs of their own, which --sample and --reuse leave out;"
                + " expected neither");
      }
      RunResult alone = kernels(trace, without(options), progress, machine);
      result = placed(trace, program, schedule, alone);
    } else {
      result = machine.run(trace, schedule, options, progress);
    }
    if (timed && gpu.program() == null) {
      result =
          result.withWarnings(
              List.of(
                  gpu.name()
                      + " has no section program: calls of the host, gaps and copies take no"
                      + " time"));
    }
    List<KernelResult> inOrder = new ArrayList<>(result.kernels());
    inOrder.sort(Comparator.comparingInt(KernelResult::id));
    return result
        .withKernels(inOrder)
        .withActivities(schedule.activities())
        .withProgram(ProgramTimes.of(program, schedule));
  }

  /** The same choice of kernels less those that are to be left out. */
  private RunOptions without(RunOptions options) {
    BiPredicate<Integer, String> chosen = options.kernels();
    return changes.without() == null
        ? options
        : options.withKernels(
            (number, name) -> chosen.test(number, name) && !changes.without().matcher(name).find());
  }

  /** Runs the kernels by themselves. */
  private RunResult kernels(TraceSet trace, RunOptions options, Progress progress, Machine machine)
      throws IOException {
    return reuse
        ? SampledRun.reusing(machine, cold, trace, options, progress)
        : SampledRun.of(machine, cold, trace, options, progress);
  }

  /** Puts kernels whose times are known at the times at which the schedule starts them. */
  private RunResult placed(
      TraceSet trace, StreamProgram program, Schedule schedule, RunResult alone)
      throws IOException {
    Map<Integer, KernelResult> byIndex = new HashMap<>();
    alone.kernels().forEach(kernel -> byIndex.put(kernel.id() - 1, kernel));
    Map<Integer, Double> widths = program.inOneStream() ? Map.of() : widths(trace);
    new ScheduleReplay(
            schedule,
            launch -> {
              KernelResult kernel = byIndex.get(launch);
              return new ScheduleReplay.Kernel(
                  kernel == null ? 0 : kernel.cycles(), widths.getOrDefault(launch, 0.0));
            })
        .run();
    Map<Integer, Activity> times = new HashMap<>();
    schedule.activities().forEach(activity -> times.put(activity.kernel(), activity));
    List<KernelResult> kernels = new ArrayList<>();
    for (KernelResult kernel : alone.kernels()) {
      Activity its = times.get(kernel.id());
      if (its == null) {
        continue;
      }
      kernels.add(
          kernel.as(kernel.id(), kernel.name(), its.start(), its.cycles(), kernel.sampling()));
    }
    return alone.withKernels(kernels);
  }

  /** The share of the GPU that each launch's blocks can fill. */
  private Map<Integer, Double> widths(TraceSet trace) throws IOException {
    Map<String, Double> byFile = new HashMap<>();
    Map<Integer, Double> all = new HashMap<>();
    for (TraceCommand command : trace.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        if (!byFile.containsKey(launch.file())) {
          KernelHeader header = trace.header(launch);
          int places = Math.max(1, Residency.of(gpu.sm(), header).blocks()) * gpu.sm().count();
          byFile.put(launch.file(), Math.min(1, (double) header.grid().count() / places));
        }
        all.put(launch.index(), byFile.get(launch.file()));
      }
    }
    return all;
  }
}
