package dev.warpline.amd.code;

import java.io.IOException;

/** A file that is no code object Warpline can run. */
public final class CodeObjectException extends IOException {
  private static final long serialVersionUID = 1L;

  CodeObjectException(String file, String problem) {
    super(file + ": " + problem);
  }

  CodeObjectException(String file, String found, String expected) {
    super(file + ": found " + found + ", expected " + expected);
  }
}
