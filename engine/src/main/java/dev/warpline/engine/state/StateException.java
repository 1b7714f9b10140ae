package dev.warpline.engine.state;

import java.io.IOException;

/** State that cannot be written, or that does not fit the machine it is read into. */
public final class StateException extends IOException {
  private static final long serialVersionUID = 1;

  StateException(String message) {
    super(message);
  }
}
