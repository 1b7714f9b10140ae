package dev.warpline.isa.gcn;

/**
 * What an instruction does, apart from how it is encoded: v_add_f32 is one opcode in its 32-bit,
 * 64-bit, SDWA and DPP encodings and on all targets.
 *
 * @param id dense index, stable for one version of the table
 * @param mnemonic name without encoding suffix, e.g. {@code v_add_f32}
 * @param unit the kind of pipe it needs
 * @param implicitReads {@link ImplicitRegisters} read beyond the operands
 * @param implicitWrites {@link ImplicitRegisters} written beyond the operands
 * @param access how memory is accessed
 * @param accessBytes bytes of one element of a memory access per lane (per wave for scalar memory),
 *     else 0; a format conversion or cache operation has 0
 * @param elements elements per lane: 2 for ds_read2 and its kind, 1 for other accesses, else 0
 */
public record GcnOpcode(
    int id,
    String mnemonic,
    GcnUnit unit,
    int implicitReads,
    int implicitWrites,
    Access access,
    int accessBytes,
    int elements) {

  /** How an opcode touches memory. */
  public enum Access {
    NONE,
    LOAD,
    STORE,
    ATOMIC,
    /** Cache write-back or invalidation, and other accesses without data. */
    CONTROL
  }

  /** Whether it runs on the scalar side: SALU, branches, scalar memory, sequencer. */
  public boolean isScalar() {
    return unit == GcnUnit.SCALAR_ALU
        || unit == GcnUnit.BRANCH
        || unit == GcnUnit.SEQUENCER
        || unit == GcnUnit.SCALAR_MEMORY;
  }

  /** Whether it works on lanes. */
  public boolean isVector() {
    return !isScalar();
  }

  public boolean isMatrix() {
    return unit == GcnUnit.MATRIX;
  }

  /** Whether it goes through the vector memory path (counted by vmcnt). */
  public boolean isVectorMemory() {
    return switch (unit) {
      case FLAT, GLOBAL, SCRATCH, BUFFER, IMAGE -> true;
      default -> false;
    };
  }

  /** Whether it is any access to memory, LDS and scalar memory included. */
  public boolean isMemory() {
    return isVectorMemory() || unit == GcnUnit.LDS || unit == GcnUnit.SCALAR_MEMORY;
  }

  public boolean isLoad() {
    return access == Access.LOAD;
  }

  public boolean isStore() {
    return access == Access.STORE;
  }

  public boolean isAtomic() {
    return access == Access.ATOMIC;
  }

  public boolean reads(int implicitRegister) {
    return (implicitReads & implicitRegister) != 0;
  }

  public boolean writes(int implicitRegister) {
    return (implicitWrites & implicitRegister) != 0;
  }
}
