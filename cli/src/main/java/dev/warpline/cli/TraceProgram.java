package dev.warpline.cli;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Simulation;
import dev.warpline.study.Target;
import dev.warpline.study.program.ProgramChanges;
import dev.warpline.study.program.WholeRun;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceFormatException;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A traced program on an NVIDIA GPU.
 *
 * @param input the trace and which of its kernels
 * @param opening opens it
 * @param core model of the SM, null for the GPU's best
 * @param cold whether caches are emptied before every kernel
 * @param sampled whether it is to be sampled
 * @param whole what is asked of it as a whole
 * @param changes the same, checked
 * @param checked keeps a machine from the check to the run
 */
record TraceProgram(
    TraceOptions input,
    TraceOpening opening,
    Core core,
    boolean cold,
    boolean sampled,
    ProgramOptions whole,
    ProgramChanges changes,
    CheckedMachine checked)
    implements Program {
  private static final int NAMED = 10;

  @Override
  public String standardGpu() throws IOException {
    return Target.presetFor(opening.look());
  }

  private Core model(GpuDescription gpu) {
    return core == null ? Core.bestFor(gpu) : core;
  }

  @Override
  public void check(GpuDescription gpu) throws IOException {
    Core model = Target.core(input.trace.toString(), gpu, core);
    if (cold && model == Core.CLASSIC) {
      throw WrongUse.of(
          input.spec,
          "--cold: acts on the modern core only; the classic one follows --set"
              + " classic.l1.flush=true and --set detailedMemory.l2.flush=true");
    }
    if (whole.modernOnly() != null && model == Core.CLASSIC) {
      throw WrongUse.of(
          input.spec,
          whole.modernOnly()
              + ": acts on the modern core only, found the classic core of "
              + gpu.name());
    }
    if (sampled && model == Core.CLASSIC) {
      throw WrongUse.of(
          input.spec,
          "--sample: acts on the modern core only, found the classic core of " + gpu.name());
    }
    checked.keep(gpu, model.machine(gpu, cold));
  }

  @Override
  public String core(GpuDescription gpu) {
    return model(gpu).word();
  }

  @Override
  public void ready(int simulations) throws IOException {
    Restart.ifLong(opening.look(), simulations);
  }

  @Override
  public Attempt run(GpuDescription gpu, RunOptions options, Progress progress) {
    Core model = model(gpu);
    RunResult nothing = Attempt.nothing(gpu, model.word(), options.threads());
    List<String> messages = new ArrayList<>();
    return Attempt.of(
            nothing,
            progress,
            watcher -> {
              try (TraceSet program = opening.take()) {
                messages.addAll(Target.warnings(program, gpu, model));
                try {
                  RunResult result =
                      new WholeRun(gpu, model, cold, whole.withHost, whole.reuse, changes)
                          .of(program, options, watcher, checked.take(gpu));
                  if (result.kernels().isEmpty()) {
                    throw nothingToSimulate(program);
                  }
                  if (input.unmetMessage() != null) {
                    messages.add(input.unmetMessage());
                  }
                  return result;
                } finally {
                  messages.addAll(program.diagnostics().messages());
                }
              }
            })
        .withWarnings(messages);
  }

  /** Why no kernel was simulated, with the kernels that there are. */
  private IOException nothingToSimulate(TraceSet program) {
    List<String> names = new ArrayList<>();
    int launches = 0;
    for (TraceCommand command : program.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        launches++;
        if (names.size() < NAMED) {
          names.add(launch.index() + 1 + " " + name(program, launch));
        }
      }
    }
    if (launches == 0) {
      return new IOException(input.trace + ": found no kernel to simulate");
    }
    return new IOException(
        input.trace
            + ": "
            + (input.choice.kernels.isEmpty()
                ? "no kernel could be simulated"
                : "no kernel is " + String.join(",", input.choice.kernels))
            + "; the trace has "
            + String.join(", ", names)
            + (launches > names.size() ? " and " + (launches - names.size()) + " more" : ""));
  }

  private static String name(TraceSet program, TraceCommand.Launch launch) {
    try (KernelTrace kernel = program.open(launch)) {
      return kernel.header().name();
    } catch (TraceFormatException e) {
      return launch.file() + " (cannot be read)";
    } catch (IOException e) {
      return launch.file() + " (" + e.getMessage() + ")";
    }
  }

  @Override
  public List<Path> files(GpuDescription gpu) throws IOException {
    return Simulation.files(input.trace);
  }
}
