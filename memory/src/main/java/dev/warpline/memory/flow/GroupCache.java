package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.cache.TagArray;
import dev.warpline.policy.Replacement;
import dev.warpline.policy.hash.Mix;
import dev.warpline.policy.replacement.LeastRecentlyUsed;
import java.util.Arrays;

/**
 * The cache of one GPC for instructions and constants. Its SMs share one port: lines leave it one
 * after the other, each when it is there.
 */
final class GroupCache {
  private final double interval;
  private final TagArray tags;
  private final double[] readyAt;

  /** When each line was first here. */
  private final LineTimes seen = new LineTimes();

  private final Lane port;

  GroupCache(ModernCoreSpec.Supply spec, Past past) {
    port = new Lane(past);
    interval = spec.l15Interval();
    tags = new TagArray(1, spec.l15Lines(), new LeastRecentlyUsed());
    readyAt = new double[tags.places()];
  }

  void clear() {
    if (seen.clear()) {
      tags.clear();
      Arrays.fill(readyAt, 0);
      port.reset();
    }
  }

  /** A launch: time begins anew, code that is here stays, constants may have changed. */
  void launch() {
    if (seen.clear()) {
      for (int place = 0; place < tags.places(); place++) {
        if (tags.line(place) >= GroupCaches.CONSTANTS) {
          tags.remove(place);
        }
      }
      Arrays.fill(readyAt, 0);
      port.reset();
    }
  }

  /** Whether a line is asked for the first time since the kernel's start, at a time. */
  boolean first(long line, double time) {
    int at = seen.find(line, Mix.mix(line >>> 7));
    boolean first = seen.time(at) == 0;
    if (first) {
      seen.set(at, time);
    }
    return first;
  }

  /** Place of a line, which was used by this; -1 if absent. */
  int find(long line) {
    int place = tags.find(0, line);
    if (place >= 0) {
      tags.used(place);
    }
    return place;
  }

  double readyAt(int place) {
    return readyAt[place];
  }

  /** Gives a line a place; its content is there at a time. */
  int add(long line, double ready) {
    int place = tags.room(0, Replacement.Lines.ALL);
    tags.put(place, line);
    readyAt[place] = ready;
    return place;
  }

  /** When a line that is asked for at a time leaves. */
  double send(int place, double time) {
    return port.reserve(Math.max(time, readyAt[place]), interval) - interval;
  }
}
