package dev.warpline.isa.gcn;

/** Words that are no instruction of the target. */
public final class GcnDecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GcnDecodeException(String message) {
    super(message);
  }
}
