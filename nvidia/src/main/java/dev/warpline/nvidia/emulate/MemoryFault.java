package dev.warpline.nvidia.emulate;

/** An access to memory that is not there. */
final class MemoryFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  MemoryFault(String message) {
    super(message);
  }
}
