package dev.warpline.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens programs that are no traces but can be read as one. Found with {@link
 * java.util.ServiceLoader}, so that modules above this one can add theirs; not asked for files that
 * are traces by their names.
 */
public interface TraceOpener {
  /** Whether a path is such a program. */
  boolean opens(Path path);

  /** Opens it. */
  TraceSet open(Path path, Diagnostics diagnostics) throws IOException;

  /** All files that belong to it. */
  List<Path> files(Path path) throws IOException;
}
