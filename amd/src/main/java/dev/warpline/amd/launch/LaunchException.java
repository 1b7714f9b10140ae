package dev.warpline.amd.launch;

import java.io.IOException;

/** A launch file asks for something that cannot be done; the message says where and why. */
public final class LaunchException extends IOException {
  private static final long serialVersionUID = 1L;

  LaunchException(String place, String what) {
    super(place + ": " + what);
  }

  LaunchException(String place, Throwable cause) {
    super(place + ": " + cause.getMessage(), cause);
  }
}
