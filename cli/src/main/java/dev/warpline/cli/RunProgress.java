package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import java.util.Locale;

/** Shows how much is done, cycles, rate and time left on a terminal. */
final class RunProgress implements Audience.Show {
  private final ProgressLine line = new ProgressLine();
  private int id;
  private long blocks;
  private long began;

  @Override
  public void kernelStarted(int kernel, String name, long count) {
    id = kernel;
    blocks = count;
    began = System.nanoTime();
  }

  @Override
  public void advanced(
      long cycles, long blocksDone, long warpInstructions, long expectedInstructions) {
    if (!line.due()) {
      return;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    double share = Progress.share(blocksDone, blocks, warpInstructions, expectedInstructions);
    line.show(text(cycles, blocksDone, warpInstructions, share, seconds));
  }

  /** What is shown. */
  String text(long cycles, long blocksDone, long warpInstructions, double share, double seconds) {
    String left =
        share == 0
            ? ""
            : String.format(Locale.ROOT, ", %.0f s left", seconds * (1 - share) / share);
    return String.format(
        Locale.ROOT,
        "kernel %d: %.0f %%, %d of %d blocks, cycle %d, %.0f k warp instructions/s%s",
        id,
        100 * share,
        blocksDone,
        blocks,
        cycles,
        warpInstructions / seconds / 1e3,
        left);
  }

  @Override
  public void kernelFinished(KernelResult result) {
    began = System.nanoTime();
  }

  @Override
  public void close() {
    line.close();
  }
}
