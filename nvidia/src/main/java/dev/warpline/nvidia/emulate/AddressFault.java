package dev.warpline.nvidia.emulate;

/** An access to memory that is not there. */
final class AddressFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  AddressFault(String message) {
    super(message);
  }
}
