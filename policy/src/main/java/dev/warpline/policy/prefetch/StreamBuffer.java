package dev.warpline.policy.prefetch;

import dev.warpline.policy.Named;
import dev.warpline.policy.Prefetcher;

/** A miss starts a stream; as long as warps move inside it, it stays so many lines ahead. */
@Named(value = "stream-buffer", about = "from the last miss on, a number of lines ahead")
public final class StreamBuffer implements Prefetcher {
  private int lines;
  private long next;
  private long first;
  private long last;

  @Override
  public void begin(int lines) {
    this.lines = lines;
    next = 0;
    first = 0;
    last = -1;
  }

  @Override
  public void moved(long line, boolean missed) {
    if (missed) {
      next = line + 1;
    }
    first = next;
    last = line + lines;
    if (next <= line || next > last + 1) {
      // Outside of the stream.
      last = first - 1;
    } else {
      next = last + 1;
    }
  }

  @Override
  public long first() {
    return first;
  }

  @Override
  public long last() {
    return last;
  }
}
