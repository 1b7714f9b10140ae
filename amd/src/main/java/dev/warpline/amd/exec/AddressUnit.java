package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;

/** Address generation of each kind of memory instruction. */
enum AddressUnit {
  /** s_load and friends: a base pair, a 21-bit offset, perhaps an SGPR; aligned down to dwords. */
  SCALAR {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      m.address[0] = w.pair(i.src0) + scalarOffset(w, i) & ~3L;
      m.address1[0] = Long.MAX_VALUE;
    }
  },

  /**
   * s_buffer_load: the base is a buffer descriptor; dwords beyond its range read zero. address1[0]
   * is the bytes left.
   */
  SCALAR_BUFFER {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      long base = w.pair(i.src0) & (1L << 48) - 1;
      int stride = w.sgpr[i.src0 + 1] >>> 16 & 0x3fff;
      long records = w.sgpr[i.src0 + 2] & 0xffffffffL;
      long size = stride == 0 ? records : records * stride;
      long offset = scalarOffset(w, i) & ~3L;
      m.address[0] = (base & ~3L) + offset;
      m.address1[0] = offset < 0 ? 0 : Math.max(0, size - offset - 3);
    }
  },

  GLOBAL {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      vectorAddress(w, i, m);
    }
  },

  /** The upper half of each address decides between LDS, scratch and memory. */
  FLAT {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      vectorAddress(w, i, m);
      for (long left = m.lanes; left != 0; left &= left - 1) {
        int lane = Long.numberOfTrailingZeros(left);
        long address = m.address[lane];
        if (Apertures.isShared(address)) {
          m.ldsLanes |= 1L << lane;
          m.address[lane] = address & 0xffffffffL;
        } else if (Apertures.isPrivate(address)) {
          m.scratchLanes |= 1L << lane;
          m.address[lane] = scratch(w, (int) address, lane);
        }
      }
    }
  },

  /** A lane's own offset, from registers and immediate. */
  SCRATCH {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      int common = i.offset + (i.src2 == GcnOperand.NONE ? 0 : w.sgpr[i.src2]);
      int base = i.src0 == GcnOperand.NONE ? -1 : VectorSource.register(w, i.src0) * 64;
      for (int lane = 0; lane < 64; lane++) {
        m.address[lane] = scratch(w, common + (base < 0 ? 0 : w.vgpr[base + lane]), lane);
      }
      m.scratchLanes = m.lanes;
    }
  },

  LDS {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      int scale = i.opcode.elements() == 2 ? i.opcode.accessBytes() : 1;
      lds(w, i, m, scale);
    }
  },

  /** LDS pairs whose offsets count 64 elements. */
  LDS_STRIDE_64 {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      lds(w, i, m, 64 * i.opcode.accessBytes());
    }
  },

  /** LDS addressed by lane number and M0, without an address register. */
  LDS_BY_LANE {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      m.ldsLanes = m.lanes;
      for (int lane = 0; lane < 64; lane++) {
        m.address[lane] = (w.m0() & 0xffff) + i.offset + 4L * lane;
      }
    }
  },

  BUFFER {
    @Override
    void compute(WaveState w, GcnInstruction i, MemoryAccess m) {
      new BufferDescriptor(w.sgpr, i.src2).addresses(w, i, m);
    }
  };

  abstract void compute(WaveState w, GcnInstruction i, MemoryAccess m);

  private static void lds(WaveState w, GcnInstruction i, MemoryAccess m, int scale) {
    m.ldsLanes = m.lanes;
    int first = i.offset * scale;
    int second = i.offset1 * scale;
    int base = VectorSource.register(w, i.src0) * 64;
    for (int lane = 0; lane < 64; lane++) {
      // the sum wraps at 32 bits: compilers use negative register values
      m.address[lane] = w.vgpr[base + lane] + first & 0xffffffffL;
      m.address1[lane] = w.vgpr[base + lane] + second & 0xffffffffL;
    }
  }

  private static long scalarOffset(WaveState w, GcnInstruction i) {
    long offset = i.offset;
    if (i.src1 != GcnOperand.NONE) {
      offset += w.sgpr[i.src1] & 0xffffffffL;
    }
    return offset;
  }

  /** Scratch is interleaved by dwords: byte p of a lane is at base + p/4*256 + lane*4 + p%4. */
  static long scratch(WaveState w, int offset, int lane) {
    long p = offset & 0xffffffffL;
    return w.pair(WaveState.FLAT_SCRATCH) + (p >> 2) * 256 + 4L * lane + (p & 3);
  }

  private static void vectorAddress(WaveState w, GcnInstruction i, MemoryAccess m) {
    int[] vgpr = w.vgpr;
    int base = VectorSource.register(w, i.src0) * 64;
    if (i.src2 == GcnOperand.NONE) {
      for (int lane = 0; lane < 64; lane++) {
        long address = (vgpr[base + lane] & 0xffffffffL) | (long) vgpr[base + 64 + lane] << 32;
        m.address[lane] = address + i.offset;
      }
    } else {
      long common = w.pair(i.src2) + i.offset;
      for (int lane = 0; lane < 64; lane++) {
        m.address[lane] = common + (vgpr[base + lane] & 0xffffffffL);
      }
    }
  }
}
