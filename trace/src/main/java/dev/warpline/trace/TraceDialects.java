package dev.warpline.trace;

import java.util.List;
import java.util.ServiceLoader;

/** The tracer versions that can be read: Warpline's own, and those of jars that are there, too. */
final class TraceDialects {
  /** The oldest first. */
  private static final List<TraceDialect> OWN =
      List.of(new Version0To2(), new Version3To5(), new Version6());

  private TraceDialects() {}

  /** The dialect of a version, null if there is none. */
  static TraceDialect of(int version) {
    for (TraceDialect dialect : OWN) {
      if (writes(dialect, version)) {
        return dialect;
      }
    }
    // Looking through the jars takes a millisecond: only for a version that is not ours.
    for (TraceDialect dialect : ServiceLoader.load(TraceDialect.class)) {
      if (writes(dialect, version)) {
        return dialect;
      }
    }
    return null;
  }

  private static boolean writes(TraceDialect dialect, int version) {
    return version >= dialect.first() && version <= dialect.last();
  }

  /** The latest version of Warpline's own. */
  static int latest() {
    return OWN.get(OWN.size() - 1).last();
  }
}
