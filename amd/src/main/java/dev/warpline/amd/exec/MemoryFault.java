package dev.warpline.amd.exec;

/**
 * An access to device memory or LDS that no allocation covers, or that is not aligned as it must
 * be.
 */
public final class MemoryFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long address;
  private final int bytes;

  MemoryFault(String what, long address, int bytes) {
    super(what);
    this.address = address;
    this.bytes = bytes;
  }

  public long address() {
    return address;
  }

  public int bytes() {
    return bytes;
  }
}
