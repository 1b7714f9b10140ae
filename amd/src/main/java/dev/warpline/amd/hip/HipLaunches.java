package dev.warpline.amd.hip;

import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * How a program's launches run: timed or only executed, watched, and as far as the user's limits
 * allow.
 */
final class HipLaunches {
  /** What a question for the state of a stream costs: time must pass, or nothing would ever end. */
  private static final double QUERY_NANOS = 1000;

  private static final int EVERY = 256;

  private final HsaDevice device;
  private final RunOptions options;
  private final Progress progress;
  private final boolean functional;
  private final Hostcalls hostcalls;
  private final BooleanSupplier program;
  private final List<KernelResult> executed = new ArrayList<>();
  private long executedInstructions;
  private int number;
  private int windows;
  private int told;
  private String limit;
  private int checks;
  private boolean alone;

  /**
   * @param functional whether nothing takes time
   * @param program whether the program is still there
   */
  HipLaunches(
      HsaDevice device,
      RunOptions options,
      Progress progress,
      boolean functional,
      Hostcalls hostcalls,
      BooleanSupplier program) {
    this.device = device;
    this.options = options;
    this.progress = progress;
    this.functional = functional;
    this.hostcalls = hostcalls;
    this.program = program;
  }

  /** Whether the next launch, of this kernel, is timed. */
  boolean isTimed(Kernel kernel) {
    number++;
    return !functional && options.kernels().test(number, kernel.name());
  }

  /** Gives a kernel the hidden arguments that this runtime has. */
  void complete(KernargSegment arguments, HipDevice.Launch launch) {
    hostcalls.complete(arguments, launch.function().kernel());
  }

  /** Whether nothing takes time. */
  boolean isFunctional() {
    return functional;
  }

  /** Executes a kernel without time, the program's launch of this number. */
  void execute(int which, HipDevice.Launch launch, KernargSegment arguments) {
    Kernel kernel = launch.function().kernel();
    long count =
        device.executeNow(
            launch.function().code(),
            kernel,
            launch.grid(),
            launch.group(),
            arguments,
            launch.cooperative(),
            done -> {
              hostcalls.serve();
              check(device.cycle(), executedInstructions + done);
              if (limit != null) {
                throw new UnfinishedSimulationException(limit);
              }
            });
    executedInstructions += count;
    if (functional && options.kernels().test(which, kernel.name())) {
      KernelResult result =
          new KernelResult(
              which,
              kernel.name(),
              0,
              0,
              count,
              64 * count,
              0,
              "",
              Map.of("cu.instructions", count),
              Map.of(),
              List.of());
      executed.add(result);
      progress.kernelFinished(result);
    }
  }

  /** A little time passes: the program asks whether something is done. */
  void letTimePass() {
    device.letTimePass(QUERY_NANOS);
  }

  /** Watches the simulation; false ends it. */
  boolean goOn(long cycle) {
    hostcalls.serve();
    tellOfEnded();
    if (++windows % EVERY == 0) {
      progress.advanced(cycle, device.groupsFinished(), device.instructions(), 0);
    }
    check(cycle, device.instructions());
    return limit == null;
  }

  private void check(long cycle, long instructions) {
    if (++checks % EVERY == 0 && !program.getAsBoolean()) {
      alone = true;
      limit = "the program has gone";
    } else if (options.stop().reason() != null) {
      limit = options.stop().reason();
    } else if (options.maxCycles() > 0 && cycle >= options.maxCycles()) {
      limit = "stopped at the limit of " + options.maxCycles() + " cycles";
    } else if (options.maxInstructions() > 0 && instructions >= options.maxInstructions()) {
      limit = "stopped at the limit of " + options.maxInstructions() + " warp instructions";
    }
  }

  /** Tells of kernels that have ended since it was last asked. */
  void tellOfEnded() {
    List<KernelResult> all = device.results();
    while (told < all.size()) {
      progress.kernelFinished(all.get(told++));
    }
  }

  /** Whether it was found that the program has gone, so that nobody waits for the rest. */
  boolean isAlone() {
    return alone;
  }

  /** The limit that ended the simulation, or null. */
  String limit() {
    return limit;
  }

  /** What is known of each kernel that ended. */
  List<KernelResult> results() {
    return functional ? executed : device.results();
  }

  long instructions() {
    return executedInstructions + device.instructions();
  }
}
