package dev.warpline.nvidia.capture;

import java.io.IOException;

/** A capture that cannot be: the message says file, line and why. */
public final class CaptureException extends IOException {
  private static final long serialVersionUID = 1;

  CaptureException(String file, String found, String expected) {
    super(file + ": found " + found + ", expected " + expected);
  }

  CaptureException(String file, long line, String found, String expected) {
    this(file + ":" + line, found, expected);
  }
}
