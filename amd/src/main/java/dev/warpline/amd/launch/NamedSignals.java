package dev.warpline.amd.launch;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Signals by the names that a launch file gives them. Who waits, waits for the last packet that was
 * given the name, or for the next one where there was none yet; so a name can be used again in
 * every round of a loop.
 */
final class NamedSignals<T> {
  private final Map<String, T> current = new LinkedHashMap<>();
  private final Set<String> given = new HashSet<>();
  private final Supplier<T> maker;

  NamedSignals(Supplier<T> maker) {
    this.maker = maker;
  }

  /** The signal that somebody waits for. */
  T awaited(String name) {
    return current.computeIfAbsent(name, n -> maker.get());
  }

  /** The signal that a new packet completes. */
  T completedByNext(String name) {
    if (!given.add(name)) {
      current.put(name, maker.get());
    }
    return awaited(name);
  }

  /** The names and what they stand for now. */
  Map<String, T> all() {
    return current;
  }
}
