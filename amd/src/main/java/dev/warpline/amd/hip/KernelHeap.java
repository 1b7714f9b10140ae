package dev.warpline.amd.hip;

import dev.warpline.amd.exec.SharedWindow;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Memory for kernels that call malloc: large pieces, which the device library divides. */
final class KernelHeap implements Hostcalls.Heap {
  /** The library finds the start of such a piece by rounding addresses down. */
  private static final long SLAB = 2 << 20;

  private final SharedWindow window;

  /** By address: the allocation that it lies in. */
  private final Map<Long, Long> allocations = new HashMap<>();

  KernelHeap(SharedWindow window) {
    this.window = window;
  }

  @Override
  public long allocate(long bytes) throws IOException {
    if (bytes <= 0 || bytes > window.size()) {
      return 0;
    }
    long alignment = bytes == SLAB ? SLAB : 1;
    long start = window.allocate(bytes + alignment - 1);
    if (start == 0) {
      return 0;
    }
    long address = (start + alignment - 1) / alignment * alignment;
    allocations.put(address, start);
    return address;
  }

  @Override
  public void free(long address) {
    Long start = allocations.remove(address);
    if (start != null) {
      window.free(start);
    }
  }
}
