package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import java.util.Locale;

/** Shows blocks done, cycles, rate and time left on a terminal. */
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
  public void advanced(long cycles, long blocksDone, long warpInstructions) {
    double seconds = (System.nanoTime() - began) / 1e9;
    String left =
        blocksDone == 0
            ? ""
            : String.format(
                Locale.ROOT, ", %.0f s left", seconds * (blocks - blocksDone) / blocksDone);
    line.show(
        String.format(
            Locale.ROOT,
            "kernel %d: %d of %d blocks, cycle %d, %.0f k warp instructions/s%s",
            id,
            blocksDone,
            blocks,
            cycles,
            warpInstructions / seconds / 1e3,
            left));
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
