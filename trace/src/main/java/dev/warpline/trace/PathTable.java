package dev.warpline.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The paths that warps took through a kernel's code in one chunk, and who took them last. */
final class PathTable {
  private final List<Path> paths = new ArrayList<>();
  private int[] slots = new int[256];

  /**
   * Rows, masks and numbers of accesses, instruction by instruction; and the warps that took it.
   */
  static final class Path {
    final int[] rows;
    final int[] masks;
    final int[] accessCounts;
    final int accesses;
    final int hash;

    /** The instructions that have accesses. */
    final int[] withAccesses;

    /** Lanes of all instructions. */
    final long lanes;

    final Warps warps = new Warps();

    Path(int[] rows, int[] masks, int[] accessCounts, int accesses, int hash) {
      this.rows = rows;
      this.masks = masks;
      this.accessCounts = accessCounts;
      this.accesses = accesses;
      this.hash = hash;
      int n = 0;
      int[] indices = new int[rows.length];
      for (int i = 0; i < rows.length; i++) {
        if (accessCounts[i] > 0) {
          indices[n++] = i;
        }
      }
      withAccesses = Arrays.copyOf(indices, n);
      long sum = 0;
      for (int mask : masks) {
        sum += Integer.bitCount(mask);
      }
      lanes = sum;
    }

    /** Whether warps on another path execute the same and access memory where these do. */
    boolean equalTo(Path other) {
      return lanes == other.lanes
          && Arrays.equals(rows, other.rows)
          && Arrays.equals(masks, other.masks)
          && Arrays.equals(withAccesses, other.withAccesses);
    }
  }

  /** Base and shape of each access of a warp. */
  static final class Uses {
    final long[] bases;
    final int[] shapes;

    Uses(int accesses) {
      bases = new long[accesses];
      shapes = new int[accesses];
    }
  }

  /** The last warp on a path, over all and by warp slot of the block. */
  static final class Warps {
    Uses last;
    private Uses[] bySlot = new Uses[0];

    Uses slot(int warp) {
      return warp < bySlot.length ? bySlot[warp] : null;
    }

    /** Where a warp's uses go: over those of the slot's last warp, element by element. */
    Uses slotFor(int warp, int accesses) {
      if (warp >= bySlot.length) {
        bySlot = Arrays.copyOf(bySlot, warp + 1);
      }
      if (bySlot[warp] == null) {
        bySlot[warp] = new Uses(accesses);
      }
      return bySlot[warp];
    }
  }

  int size() {
    return paths.size();
  }

  void clear() {
    paths.clear();
    Arrays.fill(slots, 0);
  }

  Path get(int id) {
    return paths.get(id);
  }

  void add(Path path) {
    paths.add(path);
  }

  Warps warps(int id) {
    return paths.get(id).warps;
  }

  /** The number of a path; {@link #size} before the call if it is new. */
  int find(int[] rows, int[] masks, int[] accessCounts, int start, int count, int accesses) {
    int hash = count;
    for (int i = 0; i < count; i++) {
      hash = (hash ^ rows[start + i]) * 0x9e3779b1;
      hash = (hash ^ masks[start + i] ^ accessCounts[i] << 20) * 0x85ebca6b;
      hash ^= hash >>> 15;
    }
    int slot = hash & slots.length - 1;
    while (slots[slot] != 0) {
      Path path = paths.get(slots[slot] - 1);
      if (path.hash == hash
          && Arrays.equals(path.rows, 0, path.rows.length, rows, start, start + count)
          && Arrays.equals(path.masks, 0, path.masks.length, masks, start, start + count)
          && Arrays.equals(path.accessCounts, 0, path.rows.length, accessCounts, 0, count)) {
        return slots[slot] - 1;
      }
      slot = slot + 1 & slots.length - 1;
    }
    paths.add(
        new Path(
            Arrays.copyOfRange(rows, start, start + count),
            Arrays.copyOfRange(masks, start, start + count),
            Arrays.copyOf(accessCounts, count),
            accesses,
            hash));
    slots[slot] = paths.size();
    if (paths.size() * 2 > slots.length) {
      slots = new int[slots.length * 4];
      for (int id = 0; id < paths.size(); id++) {
        int free = paths.get(id).hash & slots.length - 1;
        while (slots[free] != 0) {
          free = free + 1 & slots.length - 1;
        }
        slots[free] = id + 1;
      }
    }
    return paths.size() - 1;
  }
}
