package dev.warpline.nvidia.emulate;

import java.io.IOException;

/** A kernel or launch that cannot be emulated; the message says where and why. */
public final class EmulationException extends IOException {
  private static final long serialVersionUID = 1;

  public EmulationException(String message) {
    super(message);
  }
}
