package dev.warpline.trace.code;

import java.io.IOException;

/** A cubin, control sidecar or listing that cannot be read. */
public final class CodeFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  CodeFormatException(String file, String found, String expected) {
    super(file + ": found " + found + ", expected " + expected);
  }

  CodeFormatException(String file, int line, String found, String expected) {
    super(file + ":" + line + ": found " + found + ", expected " + expected);
  }
}
