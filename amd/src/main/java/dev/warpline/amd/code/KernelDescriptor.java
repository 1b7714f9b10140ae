package dev.warpline.amd.code;

import dev.warpline.isa.gcn.GcnTarget;

/**
 * The 64 bytes that tell the hardware how to start a kernel's waves.
 *
 * @param groupSegmentBytes static LDS per work-group
 * @param privateSegmentBytes scratch per work-item
 * @param kernargBytes size of the argument segment
 * @param entryOffset entry point relative to the descriptor
 * @param rsrc1 compute_pgm_rsrc1
 * @param rsrc2 compute_pgm_rsrc2
 * @param rsrc3 compute_pgm_rsrc3
 * @param properties kernel_code_properties
 * @param kernargPreload argument dwords to preload into SGPRs (bits 6:0) from dword (bits 15:7)
 */
public record KernelDescriptor(
    int groupSegmentBytes,
    int privateSegmentBytes,
    int kernargBytes,
    long entryOffset,
    int rsrc1,
    int rsrc2,
    int rsrc3,
    int properties,
    int kernargPreload) {
  public static final int BYTES = 64;

  static KernelDescriptor read(FileBytes bytes, long offset) throws CodeObjectException {
    String what = "kernel descriptor";
    return new KernelDescriptor(
        bytes.i32(what, offset),
        bytes.i32(what, offset + 4),
        bytes.i32(what, offset + 8),
        bytes.i64(what, offset + 16),
        bytes.i32(what, offset + 48),
        bytes.i32(what, offset + 52),
        bytes.i32(what, offset + 44),
        bytes.u16(what, offset + 56),
        bytes.u16(what, offset + 58));
  }

  /** Vector registers per lane; on gfx90a and gfx942 accumulation registers are included. */
  public int vgprs(GcnTarget target) {
    return ((rsrc1 & 0x3f) + 1) * target.vgprGranule();
  }

  /** Scalar registers per wave, rounded to the 16 that hardware allocates. */
  public int sgprs() {
    int encoded = ((rsrc1 >> 6 & 0xf) + 1) * 8;
    return encoded + 15 & ~15;
  }

  /** The first accumulation register in the unified file of gfx90a and gfx942. */
  public int accumOffset() {
    return ((rsrc3 & 0x3f) + 1) * 4;
  }

  /** Initial MODE register: rounding 3:0, denormals 7:4, dx10_clamp 8, IEEE 9, fp16_ovfl 23. */
  public int mode() {
    return (rsrc1 >> 12 & 0xff)
        | (rsrc1 >> 21 & 1) << 8
        | (rsrc1 >> 23 & 1) << 9
        | (rsrc1 >> 26 & 1) << 23;
  }

  public boolean usesScratch() {
    return (rsrc2 & 1) != 0;
  }

  public int userSgprs() {
    return rsrc2 >> 1 & 0x1f;
  }

  /** Whether the group id along dimension 0, 1 or 2 is put into an SGPR. */
  public boolean hasGroupId(int dimension) {
    return (rsrc2 >> 7 + dimension & 1) != 0;
  }

  public boolean hasGroupInfo() {
    return (rsrc2 >> 10 & 1) != 0;
  }

  /** Work-item ids given: 1 x, 2 x and y, 3 all. */
  public int workItemIds() {
    return Math.min(3, (rsrc2 >> 11 & 3) + 1);
  }

  public boolean hasPrivateSegmentBuffer() {
    return property(0);
  }

  public boolean hasDispatchPointer() {
    return property(1);
  }

  public boolean hasQueuePointer() {
    return property(2);
  }

  public boolean hasKernargPointer() {
    return property(3);
  }

  public boolean hasDispatchId() {
    return property(4);
  }

  public boolean hasFlatScratchInit() {
    return property(5);
  }

  public boolean hasPrivateSegmentSize() {
    return property(6);
  }

  public boolean usesDynamicStack() {
    return property(11);
  }

  /** Dwords of the argument segment preloaded into SGPRs. */
  public int preloadedDwords() {
    return kernargPreload & 0x7f;
  }

  /** First preloaded dword. */
  public int preloadOffset() {
    return kernargPreload >> 7;
  }

  private boolean property(int bit) {
    return (properties >> bit & 1) != 0;
  }
}
