package dev.warpline.amd.samples;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.hsa.FenceScope;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaQueue;
import dev.warpline.amd.hsa.LoadedCode;
import dev.warpline.amd.hsa.Transfer;
import dev.warpline.engine.Activity;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What a host asks of queues, for parameters that no single kernel shows. */
final class HostScenes {
  private static final int ITEMS = 4096;

  private HostScenes() {}

  /** Copies of all kinds one after the other, then fills in three queues at once. */
  static Map<String, Number> copies(AmdSpec spec) {
    return run(
        spec,
        device -> {
          HsaQueue queue = device.createQueue(8);
          transfer(device, queue, Activity.Kind.TO_DEVICE, 900_000);
          transfer(device, queue, Activity.Kind.TO_DEVICE, 4 << 20);
          transfer(device, queue, Activity.Kind.ON_DEVICE, 4 << 20);
          device.drain();
          for (int i = 0; i < 3; i++) {
            transfer(device, device.createQueue(4), Activity.Kind.FILL, 1 << 20);
          }
          device.drain();
        });
  }

  private static void transfer(HsaDevice device, HsaQueue queue, Activity.Kind kind, int bytes) {
    device.transfer(queue, new Transfer(kind, "x", bytes, false, () -> {}), null);
  }

  /** Thirteen queues with a kernel each. */
  static Map<String, Number> queues(AmdSpec spec) {
    return run(
        spec,
        device -> {
          Launcher launcher = new Launcher(device);
          for (int i = 0; i < 13; i++) {
            launcher.launch(device.createQueue(4), true, FenceScope.AGENT);
          }
          device.drain();
        });
  }

  /** Three kernels in a queue that need not wait for each other. */
  static Map<String, Number> concurrent(AmdSpec spec) {
    return run(
        spec,
        device -> {
          Launcher launcher = new Launcher(device);
          HsaQueue queue = device.createQueue(8);
          for (int i = 0; i < 3; i++) {
            launcher.launch(queue, false, FenceScope.AGENT);
          }
          device.drain();
        });
  }

  /** The same kernel twice, the second time after a fence that reaches the host. */
  static Map<String, Number> fences(AmdSpec spec) {
    return run(
        spec,
        device -> {
          Launcher launcher = new Launcher(device);
          HsaQueue queue = device.createQueue(8);
          launcher.launch(queue, true, FenceScope.SYSTEM);
          launcher.launch(queue, true, FenceScope.SYSTEM);
          device.drain();
        });
  }

  private static Map<String, Number> run(AmdSpec spec, Consumer<HsaDevice> scene) {
    try (HsaDevice device = new HsaDevice(spec, ClockSpec.all(1000), 1)) {
      scene.accept(device);
      Map<String, Number> all = new TreeMap<>(device.statistics());
      long last = device.activities().stream().mapToLong(Activity::complete).max().orElse(0);
      all.put("cycles", last);
      return all;
    }
  }

  /** Launches a kernel on buffers of its own. */
  private static final class Launcher {
    private final HsaDevice device;
    private final LoadedCode code;
    private final Kernel kernel;
    private final long in;
    private final long out;

    Launcher(HsaDevice device) {
      this.device = device;
      try {
        String file = "stream." + device.target().processor() + ".co";
        code = device.load(CodeObject.read(Path.of("..", "examples", "amd", "co", file)));
        kernel = code.kernel("relu");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      in = device.memory().allocate(4 * ITEMS);
      out = device.memory().allocate(4 * ITEMS);
    }

    void launch(HsaQueue queue, boolean barrier, FenceScope acquire) {
      KernargSegment arguments = new KernargSegment(kernel).set(0, in).set(1, out).set(2, ITEMS);
      int[] grid = {ITEMS, 1, 1};
      int[] group = {64, 1, 1};
      device.dispatch(
          queue, code, kernel, grid, group, arguments, null, barrier, acquire, FenceScope.AGENT);
    }
  }
}
