package dev.warpline.study.store;

import java.io.IOException;
import java.nio.file.Path;

/** A store that cannot be used; it was left as it is. */
public final class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreException(Path file, String problem) {
    super(file + ": " + problem + "; nothing was changed");
  }

  StoreException(Path file, Exception cause) {
    super(file + ": " + cause.getMessage(), cause);
  }
}
