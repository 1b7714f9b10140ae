package dev.warpline.nvidia.capture;

import dev.warpline.nvidia.emulate.EmulatedGpu;
import dev.warpline.nvidia.emulate.EmulatedModule;
import dev.warpline.nvidia.emulate.EmulationException;
import dev.warpline.nvidia.emulate.KernelLaunch;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelHeader;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The code of a capture, read when a kernel of it is needed. */
final class CaptureModules {
  private final Capture capture;
  private final Map<Integer, Set<String>> kernels = new HashMap<>();
  private final Map<Integer, EmulatedModule> read = new HashMap<>();
  private final Map<Integer, Map<String, Long>> variables = new HashMap<>();
  private final Set<Integer> loaded = new HashSet<>();

  CaptureModules(Capture capture) {
    this.capture = capture;
    for (CaptureEvent event : capture.events()) {
      if (event instanceof CaptureEvent.Launch launch) {
        kernels.computeIfAbsent(launch.module(), key -> new HashSet<>()).add(launch.kernel());
      }
    }
  }

  /** Forgets where variables lie. */
  void forget() {
    variables.clear();
    loaded.clear();
    read.values().forEach(EmulatedModule::forgetVariables);
  }

  void variable(CaptureEvent.Global global) {
    variables
        .computeIfAbsent(global.module(), key -> new HashMap<>())
        .put(global.name(), global.memory().address());
  }

  Map<String, Long> constants(int module) {
    return variables.getOrDefault(module, Map.of());
  }

  private EmulatedModule read(CaptureEvent.Launch launch) throws IOException {
    int number = launch.module();
    if (number == 0) {
      throw new EmulationException(
          capture.name() + ": no code of " + launch.kernel() + " was recorded");
    }
    EmulatedModule module = read.get(number);
    if (module == null) {
      module = new EmulatedModule(capture.cubin(number), capture.cubinTitle(number));
      try (Reader listing = capture.listing(number)) {
        if (listing != null) {
          module.listing(listing, capture.listingTitle(number), kernels.get(number));
        }
      }
      read.put(number, module);
    }
    return module;
  }

  /** A module with its variables where they lie now. */
  EmulatedModule load(CaptureEvent.Launch launch, EmulatedGpu gpu) throws IOException {
    EmulatedModule module = read(launch);
    constants(launch.module()).forEach(module::variable);
    if (loaded.add(launch.module())) {
      gpu.load(module);
    }
    return module;
  }

  ExecutedCode code(CaptureEvent.Launch launch) throws IOException {
    return read(launch).code(launch.kernel());
  }

  KernelHeader header(CaptureEvent.Launch launch, int number) throws IOException {
    return read(launch).header(launch(launch, number));
  }

  KernelLaunch launch(CaptureEvent.Launch launch, int number) {
    return new KernelLaunch(
        number,
        launch.kernel(),
        launch.grid(),
        launch.block(),
        launch.cluster(),
        launch.shared(),
        launch.stream(),
        launch.cooperative(),
        launch.parameters(),
        KernelLaunch.STANDARD_LIMIT);
  }
}
