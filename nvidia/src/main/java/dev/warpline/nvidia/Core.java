package dev.warpline.nvidia;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.nvidia.classic.ClassicMachine;
import dev.warpline.nvidia.modern.ModernMachine;
import java.util.Locale;

/** The two models of an NVIDIA SM, each with the memory side that belongs to it. */
public enum Core {
  /** GPGPU-Sim's pipeline as Accel-Sim drives it. */
  CLASSIC,
  /** Control bits, as compiled for Volta and later. */
  MODERN;

  /** The name that results have: {@code classic} or {@code modern}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The best model that a description offers: modern where it does. */
  public static Core bestFor(GpuDescription gpu) {
    return gpu.offersModern() ? MODERN : CLASSIC;
  }

  /**
   * A machine with cold caches.
   *
   * @throws DescriptionException if the description lacks what the model needs
   */
  public Machine machine(GpuDescription gpu) throws DescriptionException {
    return machine(gpu, false);
  }

  /**
   * A machine.
   *
   * @param cold whether caches are emptied before every kernel, not only the first (modern core;
   *     the classic one follows its description's own flush options)
   */
  public Machine machine(GpuDescription gpu, boolean cold) throws DescriptionException {
    return this == CLASSIC ? new ClassicMachine(gpu) : new ModernMachine(gpu, cold);
  }
}
