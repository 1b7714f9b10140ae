package dev.warpline.amd.exec;

import dev.warpline.amd.code.KernelDescriptor;

/** Puts a wave into the state the ABI promises its first instruction. */
public final class WaveLauncher {
  /**
   * Last word of the scratch buffer descriptor: elements of 4 bytes, 64 lanes interleaved, lane
   * added to the index.
   */
  private static final int SCRATCH_WORD3 = 1 << 19 | 3 << 21 | 1 << 23;

  private static final int SCRATCH_SWIZZLE = 1 << 31;

  private static final int MOST_GROUPS_TOGETHER = 1 << 16;

  private final Dispatch dispatch;
  private final DeviceMemory memory;
  private final GridBarrier grid;

  /**
   * @param memory where preloaded arguments are read from
   * @param lag cycles after which all groups know what one of them did
   */
  public WaveLauncher(Dispatch dispatch, DeviceMemory memory, long lag) {
    this.dispatch = dispatch;
    this.memory = memory;
    // A grid that waits for itself has to be resident, and so is small.
    grid =
        dispatch.groupCount() > MOST_GROUPS_TOGETHER
            ? null
            : new GridBarrier((int) dispatch.groupCount(), lag);
  }

  /** The state of the group at (x, y, z). */
  public GroupState group(int x, int y, int z) {
    int number = (z * dispatch.groups(1) + y) * dispatch.groups(0) + x;
    return new GroupState(dispatch.kernel(), x, y, z, dispatch.ldsBytes(), grid, number);
  }

  /**
   * A wave about to execute its first instruction.
   *
   * @param index number of the wave in its group
   * @param scratchSlot which piece of the scratch memory it uses; no two running waves may share
   *     one
   */
  public WaveState wave(GroupState group, int index, int scratchSlot) {
    KernelDescriptor d = dispatch.descriptor();
    int vgprs = d.vgprs(dispatch.target());
    int accBase = dispatch.target().unifiedRegisterFile() ? d.accumOffset() : vgprs;
    WaveState w = new WaveState(vgprs, accBase, group, index);
    w.pc = dispatch.entry();
    w.mode = d.mode();
    scalars(w, scratchSlot);
    workItems(w);
    return w;
  }

  private void scalars(WaveState w, int scratchSlot) {
    KernelDescriptor d = dispatch.descriptor();
    long waveOffset = scratchSlot * dispatch.scratchBytesPerWave();
    int[] s = w.sgpr;
    int at = 0;
    if (d.hasPrivateSegmentBuffer()) {
      s[0] = (int) dispatch.scratch();
      s[1] = (int) (dispatch.scratch() >>> 32) & 0xffff | SCRATCH_SWIZZLE;
      s[2] = -1;
      s[3] = SCRATCH_WORD3;
      at = 4;
    }
    at = pair(w, at, d.hasDispatchPointer(), dispatch.packet());
    at = pair(w, at, d.hasQueuePointer(), dispatch.queue());
    at = pair(w, at, d.hasKernargPointer(), dispatch.kernarg());
    at = pair(w, at, d.hasDispatchId(), dispatch.dispatchId());
    at = pair(w, at, d.hasFlatScratchInit(), dispatch.scratch());
    if (d.hasPrivateSegmentSize()) {
      s[at++] = dispatch.privateBytes();
    }
    for (int k = 0; k < d.preloadedDwords(); k++) {
      s[at++] = memory.readInt(dispatch.kernarg() + 4L * (d.preloadOffset() + k));
    }
    // system registers follow the user registers, however many of those are used
    at = Math.max(at, d.userSgprs());
    int[] ids = {w.group.x, w.group.y, w.group.z};
    for (int dimension = 0; dimension < 3; dimension++) {
      if (d.hasGroupId(dimension)) {
        s[at++] = ids[dimension];
      }
    }
    if (d.hasGroupInfo()) {
      s[at++] = (w.indexInGroup == 0 ? 1 << 31 : 0) | dispatch.waves(ids[0], ids[1], ids[2]);
    }
    if (dispatch.target().architectedFlatScratch()) {
      w.setPair(WaveState.FLAT_SCRATCH, dispatch.scratch() + waveOffset);
    } else if (d.usesScratch()) {
      s[at] = (int) waveOffset;
    }
  }

  private static int pair(WaveState w, int at, boolean enabled, long value) {
    if (!enabled) {
      return at;
    }
    w.setPair(at, value);
    return at + 2;
  }

  private void workItems(WaveState w) {
    int sizeX = dispatch.groupSize(0, w.group.x);
    int sizeY = dispatch.groupSize(1, w.group.y);
    int total = sizeX * sizeY * dispatch.groupSize(2, w.group.z);
    boolean packed = dispatch.target().unifiedRegisterFile();
    int ids = dispatch.descriptor().workItemIds();
    long exec = 0;
    for (int lane = 0; lane < WaveState.LANES; lane++) {
      int flat = w.indexInGroup * WaveState.LANES + lane;
      if (flat >= total) {
        break;
      }
      exec |= 1L << lane;
      int x = flat % sizeX;
      int y = flat / sizeX % sizeY;
      int z = flat / sizeX / sizeY;
      if (packed) {
        w.setVector(0, lane, x | y << 10 | z << 20);
      } else {
        w.setVector(0, lane, x);
        if (ids > 1) {
          w.setVector(1, lane, y);
        }
        if (ids > 2) {
          w.setVector(2, lane, z);
        }
      }
    }
    w.setExec(exec);
  }
}
