package dev.warpline.study;

import dev.warpline.engine.gpu.CoresSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Generation;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.nvidia.Core;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a traced program runs on. The one place that decides it, for every command: which GPU where
 * nobody named one, which core, and whether they fit the program.
 */
public final class Target {
  private Target() {}

  /**
   * The preset for a program whose user named no GPU: the nearest by SM number to the one that the
   * program's first kernel was compiled for, the first of the list among equals.
   *
   * @throws DescriptionException if the trace does not say what it was compiled for
   */
  public static String presetFor(TraceSet program) throws IOException {
    int version = smVersion(program);
    if (version <= 0) {
      throw new DescriptionException(
          program.name() + ": does not say which SM its code is for; name a GPU, e.g. --gpu h200");
    }
    return presetFor(version);
  }

  static String presetFor(int version) throws IOException {
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String name : Gpus.names()) {
      GpuDescription gpu = Gpus.load(name);
      if (gpu.vendor() == GpuDescription.Vendor.NVIDIA) {
        int far = distance(version, gpu.sm().version());
        if (far < least) {
          least = far;
          nearest = name;
        }
      }
    }
    return nearest;
  }

  /** Another generation is farther than any SM of the same, another first digit farther still. */
  private static int distance(int code, int gpu) {
    int numbers = Math.abs(code - gpu);
    return Generation.of(code) == Generation.of(gpu)
        ? numbers
        : 1000 + 100 * Math.abs(code / 10 - gpu / 10) + numbers;
  }

  /**
   * The core for a program.
   *
   * @param program its name, for messages
   * @param wanted the core that the user asked for, null for the best that the GPU offers
   * @throws DescriptionException if the GPU is not NVIDIA's or does not offer the core
   */
  public static Core core(String program, GpuDescription gpu, Core wanted)
      throws DescriptionException {
    if (gpu.vendor() != GpuDescription.Vendor.NVIDIA) {
      throw new DescriptionException(
          program
              + ": is the trace of an NVIDIA program, and "
              + gpu.name()
              + " is a GPU of AMD; expected a GPU of NVIDIA, or an AMD launch file (.yaml)");
    }
    Core core = wanted == null ? Core.bestFor(gpu) : wanted;
    checkOffered(gpu, core);
    return core;
  }

  /**
   * What the user should know of a program on a core of a GPU: whether its code is for another
   * generation, whether what was measured on one card does not hold.
   */
  public static List<String> warnings(TraceSet program, GpuDescription gpu, Core core)
      throws IOException {
    List<String> warnings = new ArrayList<>(otherGeneration(program, gpu));
    if (core == Core.MODERN) {
      warnings.addAll(Topology.warnings(gpu));
    }
    return warnings;
  }

  private static List<String> otherGeneration(TraceSet program, GpuDescription gpu)
      throws IOException {
    int version = smVersion(program);
    Generation code = Generation.of(version);
    Generation machine = Generation.of(gpu.sm().version());
    if (version <= 0 || code == machine) {
      return List.of();
    }
    return List.of(
        "the code is for SM "
            + version
            + " ("
            + code
            + "), "
            + gpu.name()
            + " has SM "
            + gpu.sm().version()
            + " ("
            + machine
            + "): another generation, which cannot run this code");
  }

  private static void checkOffered(GpuDescription gpu, Core core) throws DescriptionException {
    boolean modern = core == Core.MODERN;
    if (modern ? gpu.offersModern() : gpu.offersClassic()) {
      return;
    }
    CoresSpec.Statement said = modern ? gpu.modernCore() : gpu.classicCore();
    boolean described =
        modern
            ? gpu.modern() != null && gpu.flowMemory() != null
            : gpu.classic() != null && gpu.detailedMemory() != null;
    String word = modern ? "modern" : "classic";
    String sections = modern ? "modern and flowMemory" : "classic and detailedMemory";
    throw new DescriptionException(
        gpu.name()
            + " does not offer the "
            + word
            + " core"
            + (said.offered() ? ", whose sections are " + sections : ": " + said.basis())
            + (described
                ? " (to try it nevertheless: --set cores." + word + ".offered=true)"
                : ""));
  }

  private static int smVersion(TraceSet program) throws IOException {
    for (TraceCommand command : program.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        return program.header(launch).binaryVersion();
      }
    }
    return 0;
  }
}
