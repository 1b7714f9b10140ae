package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;

/** A V#: the 128-bit description of a buffer in four SGPRs. */
final class BufferDescriptor {
  private final long base;
  private final int stride;
  private final boolean swizzled;
  private final long records;
  private final int elementBytes;
  private final int indexStride;
  private final boolean addsLane;

  BufferDescriptor(int[] sgpr, int first) {
    int word1 = sgpr[first + 1];
    int word3 = sgpr[first + 3];
    base = sgpr[first] & 0xffffffffL | (word1 & 0xffffL) << 32;
    swizzled = word1 < 0;
    records = sgpr[first + 2] & 0xffffffffL;
    elementBytes = 2 << (word3 >> 19 & 3);
    indexStride = 8 << (word3 >> 21 & 3);
    addsLane = (word3 >> 23 & 1) != 0;
    // with add_tid the data format field extends the stride
    stride = word1 >> 16 & 0x3fff | (addsLane ? (word3 >> 15 & 15) << 14 : 0);
  }

  /**
   * Addresses of the lanes; those out of range leave {@link MemoryAccess#lanes}: they load zero and
   * store nothing.
   */
  void addresses(WaveState w, GcnInstruction i, MemoryAccess m) {
    int[] vgpr = w.vgpr;
    int register = i.src0 == GcnOperand.NONE ? -1 : VectorSource.register(w, i.src0) * 64;
    int indexAt = i.idxen ? register : -1;
    int offsetAt = i.offen ? register + (i.idxen ? 64 : 0) : -1;
    long scalar =
        GcnOperand.isScalarRegister(i.src3)
            ? w.sgpr[i.src3] & 0xffffffffL
            : Constants.value(i.src3, OperandType.B32, 0) & 0xffffffffL;
    long inside = 0;
    for (long left = m.lanes; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      long index = (indexAt < 0 ? 0 : vgpr[indexAt + lane] & 0xffffffffL) + (addsLane ? lane : 0);
      long offset = i.offset + (offsetAt < 0 ? 0 : vgpr[offsetAt + lane] & 0xffffffffL);
      if (inRange(index, offset, scalar, m.bytes)) {
        inside |= 1L << lane;
      }
      m.address[lane] = base + scalar + bufferOffset(index, offset);
    }
    m.lanes = inside;
    if (isInterleaved()) {
      m.scratchLanes = inside;
    }
  }

  /** Whether it is laid out as scratch is: dwords of 64 lanes in turn. */
  private boolean isInterleaved() {
    return swizzled && elementBytes == 4 && indexStride == 64;
  }

  private boolean inRange(long index, long offset, long scalar, int bytes) {
    if (stride == 0 || addsLane && swizzled) {
      // a raw buffer counts bytes; scratch descriptors give the whole aperture
      return swizzled || offset + scalar + bytes <= records;
    }
    return swizzled
        ? index < records && offset + bytes <= stride
        : index * stride + offset + scalar + bytes <= records * stride;
  }

  private long bufferOffset(long index, long offset) {
    if (!swizzled) {
      return index * stride + offset;
    }
    long row = index / indexStride * stride + offset / elementBytes * elementBytes;
    return row * indexStride + index % indexStride * elementBytes + offset % elementBytes;
  }
}
