package dev.warpline.amd.dispatch;

import dev.warpline.engine.gpu.AmdSpec.Allocation;

/**
 * The registers of one SIMD, given out in contiguous regions. {@code SIMPLE} hands out regions one
 * after the other and starts again only when all have come back; {@code DYNAMIC} takes the first
 * free region that fits and merges neighbours on return.
 */
final class RegisterAllocator {
  private final int size;
  private final int granule;
  private final Allocation policy;
  private int[] freeStart = new int[8];
  private int[] freeLength = new int[8];
  private int regions;
  private int used;
  private int simpleNext;

  RegisterAllocator(int size, int granule, Allocation policy) {
    this.size = size;
    this.granule = granule;
    this.policy = policy;
    freeLength[0] = size;
    regions = 1;
  }

  int rounded(int registers) {
    return Math.max(granule, (registers + granule - 1) / granule * granule);
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return used == 0;
  }

  /**
   * First register of a region for {@code registers}, or -1. With the simple policy only the group
   * that found the pool empty ({@code mayShare}) may take further regions.
   */
  int allocate(int registers, boolean mayShare) {
    int length = rounded(registers);
    if (policy == Allocation.SIMPLE) {
      if (used == 0) {
        simpleNext = 0;
      } else if (!mayShare) {
        return -1;
      }
      if (simpleNext + length > size) {
        return -1;
      }
      int start = simpleNext;
      simpleNext += length;
      used += length;
      return start;
    }
    for (int i = 0; i < regions; i++) {
      if (freeLength[i] >= length) {
        int start = freeStart[i];
        freeStart[i] += length;
        freeLength[i] -= length;
        if (freeLength[i] == 0) {
          remove(i);
        }
        used += length;
        return start;
      }
    }
    return -1;
  }

  void free(int start, int registers) {
    int length = rounded(registers);
    used -= length;
    if (policy == Allocation.SIMPLE) {
      return;
    }
    int i = 0;
    while (i < regions && freeStart[i] < start) {
      i++;
    }
    boolean joinsPrevious = i > 0 && freeStart[i - 1] + freeLength[i - 1] == start;
    boolean joinsNext = i < regions && start + length == freeStart[i];
    if (joinsPrevious && joinsNext) {
      freeLength[i - 1] += length + freeLength[i];
      remove(i);
    } else if (joinsPrevious) {
      freeLength[i - 1] += length;
    } else if (joinsNext) {
      freeStart[i] = start;
      freeLength[i] += length;
    } else {
      insert(i, start, length);
    }
  }

  private void insert(int at, int start, int length) {
    if (regions == freeStart.length) {
      freeStart = java.util.Arrays.copyOf(freeStart, regions * 2);
      freeLength = java.util.Arrays.copyOf(freeLength, regions * 2);
    }
    System.arraycopy(freeStart, at, freeStart, at + 1, regions - at);
    System.arraycopy(freeLength, at, freeLength, at + 1, regions - at);
    freeStart[at] = start;
    freeLength[at] = length;
    regions++;
  }

  private void remove(int at) {
    regions--;
    System.arraycopy(freeStart, at + 1, freeStart, at, regions - at);
    System.arraycopy(freeLength, at + 1, freeLength, at, regions - at);
  }
}
