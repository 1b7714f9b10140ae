package dev.warpline.nvidia.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Executes all kernels of a capture and compares what they wrote with the recorded sums. */
public final class CaptureExecution {
  private CaptureExecution() {}

  /**
   * Executes a capture; what cannot be executed is told and passed over.
   *
   * @param outcomes told of each launch in order
   * @param progress told the warp instructions of the launch that is executed
   * @return what the first line says
   */
  public static CaptureReader.Head run(
      Path path, Consumer<KernelOutcome> outcomes, LongConsumer progress) throws IOException {
    try (Capture capture = Capture.open(path)) {
      Replay replay = new Replay(capture, new CaptureModules(capture), outcomes, true);
      replay.moveTo(capture.events().size(), progress);
      return capture.head();
    }
  }
}
