package dev.warpline.nvidia.capture;

import dev.warpline.nvidia.capture.CaptureEvent.Allocate;
import dev.warpline.nvidia.emulate.EmulatedGpu;
import java.util.BitSet;

/** The sums of an allocation's pages, and which pages are known to differ from the GPU's. */
final class MemorySums {
  final Allocate memory;

  /** Pages whose contents are not those that the GPU had. */
  final BitSet wrong = new BitSet();

  /** What the recorded sum was over ours when they were compared last. */
  long apart;

  private final long[] sums;
  private final BitSet known = new BitSet();
  private final byte[] content = new byte[Sums.PAGE];

  MemorySums(Allocate memory) {
    this.memory = memory;
    sums = new long[Math.toIntExact(memory.pages())];
  }

  int pages() {
    return sums.length;
  }

  private int bytes(int page) {
    return (int) Math.min(Sums.PAGE, memory.bytes() - (long) page * Sums.PAGE);
  }

  /** The sum of a page as it was when it was last asked for, or of the zeros it held at first. */
  private long sum(int page) {
    if (!known.get(page)) {
      known.set(page);
      sums[page] = Sums.of(new byte[bytes(page)], bytes(page), (long) page * Sums.PAGE);
    }
    return sums[page];
  }

  /** Takes the sum of a page from its contents; returns whether it is another one now. */
  boolean update(int page, EmulatedGpu gpu) {
    long before = sum(page);
    gpu.peek(memory.address() + (long) page * Sums.PAGE, content, bytes(page));
    sums[page] = Sums.of(content, bytes(page), (long) page * Sums.PAGE);
    return sums[page] != before;
  }

  /** The sum of the allocation. */
  long total() {
    long total = 0;
    for (int page = 0; page < sums.length; page++) {
      total += sum(page);
    }
    return total;
  }
}
