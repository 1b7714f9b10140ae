package dev.warpline.policy.prefetch;

import dev.warpline.policy.Named;
import dev.warpline.policy.Prefetcher;

/** Always the lines that follow, wherever warps move. */
@Named(value = "next-line", about = "the lines that follow each line used, as many as it may")
public final class NextLine implements Prefetcher {
  private int lines;
  private long line;

  @Override
  public void begin(int lines) {
    this.lines = lines;
  }

  @Override
  public void moved(long line, boolean missed) {
    this.line = line;
  }

  @Override
  public long first() {
    return line + 1;
  }

  @Override
  public long last() {
    return line + lines;
  }
}
