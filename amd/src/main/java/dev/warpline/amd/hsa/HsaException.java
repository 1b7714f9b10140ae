package dev.warpline.amd.hsa;

/** The program asked the device for something it cannot do; the message says what and why. */
public final class HsaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HsaException(String message) {
    super(message);
  }
}
