package dev.warpline.nvidia.modern.launch;

import dev.warpline.engine.gpu.SmSpec;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.trace.KernelHeader;
import java.util.Arrays;

/**
 * Room on the SMs that blocks of several kernels share: warps, registers, shared memory and places
 * for blocks. How an SM's array is divided between L1 and shared memory is decided by the kernel
 * whose block finds the SM empty, and stays while any block is there; a kernel that needs more
 * shared memory than that leaves waits until the SM is empty.
 */
public final class SmRooms {
  /** Later than anything. */
  static final long NEVER = Warps.NEVER;

  /**
   * What a kernel's block takes of an SM.
   *
   * @param launch the kernel
   * @param most blocks of it that an SM holds at all
   * @param sharedKiB how the array is divided for it
   */
  public record Need(
      int launch, int warps, int registers, int sharedBytes, int most, int sharedKiB) {
    public static Need of(int launch, SmSpec sm, KernelHeader header, Residency residency) {
      return new Need(
          launch,
          header.warpsPerBlock(),
          header.warpsPerBlock() * Residency.registersPerWarp(sm, header),
          header.sharedBytes() + sm.l1().reservedSharedBytesPerBlock(),
          residency.blocks(),
          residency.sharedKiB());
    }
  }

  private final SmSpec spec;
  private final int turnaround;

  // By SM and place: whose block is or was there, its own number of the place, when it is free.
  private final Need[][] tenant;
  private final int[][] own;
  private final long[][] freeAt;

  /** By SM: shared part of its array, and how often its room changed. */
  private final int[] sharedKiB;

  private final int[] version;

  /** Whether the last block that came to an SM found it empty, see {@link #take}. */
  private boolean divided;

  /**
   * @param turnaround between a block's end and the next one's arrival in its place
   */
  public SmRooms(SmSpec spec, int sms, int turnaround) {
    this.spec = spec;
    this.turnaround = turnaround;
    tenant = new Need[sms][spec.blocks()];
    own = new int[sms][spec.blocks()];
    freeAt = new long[sms][spec.blocks()];
    sharedKiB = new int[sms];
    version = new int[sms];
    Arrays.fill(version, 1);
  }

  int sms() {
    return version.length;
  }

  int version(int sm) {
    return version[sm];
  }

  /** Takes over the places of a kernel that was alone so far. */
  void adopt(Need its, Placer placer) {
    for (int sm = 0; sm < version.length; sm++) {
      for (int place = 0; place < its.most(); place++) {
        long free = placer.freeAt(sm, place);
        if (free > placer.from) {
          tenant[sm][place] = its;
          own[sm][place] = place;
          freeAt[sm][place] = free;
          sharedKiB[sm] = its.sharedKiB();
          version[sm]++;
        }
      }
    }
  }

  /** Blocks that are on an SM. */
  int blocks(int sm) {
    int count = 0;
    for (long free : freeAt[sm]) {
      count += free == NEVER ? 1 : 0;
    }
    return count;
  }

  /** When so many more blocks of a kernel fit on an SM, as far as is known. */
  long fitsAt(int sm, Need need, int count) {
    if (fits(sm, need, count, 0)) {
      return 0;
    }
    long soonest = NEVER;
    for (long free : freeAt[sm]) {
      if (free < soonest && fits(sm, need, count, free)) {
        soonest = free;
      }
    }
    return soonest;
  }

  private boolean fits(int sm, Need need, int count, long when) {
    int warps = count * need.warps();
    int registers = count * need.registers();
    int shared = count * need.sharedBytes();
    int places = count;
    for (int place = 0; place < freeAt[sm].length; place++) {
      if (freeAt[sm][place] > when) {
        Need its = tenant[sm][place];
        warps += its.warps();
        registers += its.registers();
        shared += its.sharedBytes();
        places++;
      }
    }
    return places == count
        || warps <= spec.warps()
            && registers <= spec.registers()
            && shared <= sharedKiB[sm] << 10
            && places <= spec.blocks();
  }

  /** A block takes a place of an SM, the lowest that is free; returns which. */
  int take(int sm, Need need, int itsPlace, long when) {
    int place = -1;
    divided = true;
    for (int i = 0; i < freeAt[sm].length; i++) {
      if (freeAt[sm][i] > when) {
        divided = false;
      } else if (place < 0) {
        place = i;
      }
    }
    if (divided) {
      sharedKiB[sm] = need.sharedKiB();
    }
    tenant[sm][place] = need;
    own[sm][place] = itsPlace;
    freeAt[sm][place] = NEVER;
    version[sm]++;
    return place;
  }

  /** Whether the block that came last found its SM empty, and had its array divided anew. */
  boolean divided() {
    return divided;
  }

  /** The launch whose block is in a place. */
  public int launch(int sm, int place) {
    return tenant[sm][place].launch();
  }

  /** A block ended; returns its kernel's own number of the place. */
  public int release(int sm, int place, long when) {
    freeAt[sm][place] = when + turnaround;
    version[sm]++;
    return own[sm][place];
  }

  /** Whether so many blocks of a kernel fit all at once on its SMs before a cycle. */
  public boolean holds(Placer placer, Need need, long blocks, long until) {
    long room = 0;
    for (int sm = 0; sm < version.length && room < blocks; sm++) {
      int here = 0;
      while (here < need.most() && placer.fitsAt(sm, here + 1) < until) {
        here++;
      }
      room += here;
    }
    return room >= blocks;
  }
}
