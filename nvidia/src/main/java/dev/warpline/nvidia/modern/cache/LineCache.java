package dev.warpline.nvidia.modern.cache;

import dev.warpline.memory.cache.TagArray;
import dev.warpline.policy.Replacement;
import dev.warpline.policy.replacement.LeastRecentlyUsed;
import java.util.Arrays;

/**
 * A fully associative store of line numbers, least recently used out first, each with the cycle its
 * content is there. For the small caches of the front end.
 */
public final class LineCache {
  private final TagArray tags;
  private final long[] readyAt;

  /** Where the last line was found: the warps of a sub-core come to it one after the other. */
  private int recent;

  /** How often lines came and went. */
  private int changes;

  public LineCache(int lines) {
    tags = new TagArray(1, Math.max(1, lines), new LeastRecentlyUsed());
    readyAt = new long[tags.places()];
  }

  public void clear() {
    tags.clear();
    changes++;
  }

  /** As long as this is the same, the lines are. */
  public int changes() {
    return changes;
  }

  /** Time begins anew: what was asked for is there. */
  public void settle() {
    Arrays.fill(readyAt, 0);
  }

  /** Place of a line, which was used by this; -1 if absent. */
  public int find(long line) {
    int place = tags.line(recent) == line ? recent : tags.find(0, line);
    if (place >= 0) {
      tags.used(place);
      recent = place;
    }
    return place;
  }

  public boolean contains(long line) {
    return tags.find(0, line) >= 0;
  }

  public long readyAt(int place) {
    return readyAt[place];
  }

  /** The content of a line, if it still has its place, is there no earlier than a cycle. */
  public void arrives(long line, long when) {
    int place = tags.find(0, line);
    if (place >= 0) {
      readyAt[place] = Math.max(readyAt[place], when);
    }
  }

  /** Adds a line that is absent. */
  public void add(long line, long ready) {
    int place = tags.room(0, Replacement.Lines.ALL);
    tags.put(place, line);
    readyAt[place] = ready;
    changes++;
  }
}
