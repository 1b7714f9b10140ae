package dev.warpline.isa.gcn;

/**
 * One decoded instruction, immutable: made once per static PC, then read by semantics and timing.
 *
 * <p>Operands are codes of {@link GcnOperand}, {@link GcnOperand#NONE} where the instruction has
 * none; the width beside each is in dwords. Slots by kind of instruction:
 *
 * <ul>
 *   <li>ALU: vdst (vector), sdst (scalar: result of scalar instructions, compare mask, carry out,
 *       v_readlane), src0, src1, src2. VCC of the 32-bit encodings is made explicit: sdst or src2
 *       is {@link GcnOperand#VCC}.
 *   <li>Scalar memory: src0 base, src1 scalar offset, {@link #offset}; sdst or src2 data.
 *   <li>LDS: src0 address, src1 and src2 data, vdst.
 *   <li>FLAT, GLOBAL, SCRATCH: src0 vector address, src1 data, src2 scalar address, vdst.
 *   <li>Buffer and image: src0 vector address, src1 data, src2 resource descriptor, src3 scalar
 *       offset or sampler, vdst.
 * </ul>
 */
public final class GcnInstruction {
  public final GcnOpcode opcode;
  public final GcnTarget target;
  public final GcnFormat format;

  /** Mnemonic with the suffix of its encoding, e.g. {@code v_add_f32_dpp}. */
  public final String name;

  /** Bytes: 4, 8 or 12. */
  public final int size;

  /** First and second word; the second is 0 for an instruction of 4 bytes. */
  public final int word0;

  public final int word1;

  public final int vdst;
  public final int vdstWidth;
  public final int sdst;
  public final int sdstWidth;
  public final int src0;
  public final int src0Width;
  public final int src1;
  public final int src1Width;
  public final int src2;
  public final int src2Width;
  public final int src3;
  public final int src3Width;

  /**
   * Whether the old value of the destination matters: accumulation, partial write, v_writelane,
   * DPP, v_swap.
   */
  public final boolean readsDestination;

  /** The 32-bit constant behind the instruction, for operand code {@link GcnOperand#LITERAL}. */
  public final int literal;

  /** SOPK and SOPP: the 16-bit immediate, sign-extended. */
  public final int simm16;

  /**
   * Memory: byte offset (signed where the format has it so); LDS pair forms: first offset field.
   */
  public final int offset;

  /** LDS pair forms: second offset field, in elements as encoded. */
  public final int offset1;

  /** Bit n: absolute value of source n. */
  public final int abs;

  /** Bit n: negate source n (low half in packed instructions). */
  public final int neg;

  /** Packed: bit n negates the high half of source n. */
  public final int negHi;

  /** 0 none, 1 times 2, 2 times 4, 3 divided by 2. */
  public final int omod;

  public final boolean clamp;

  /** Bit n: source n uses its high half; bit 3: destination (low result in packed instructions). */
  public final int opSel;

  /** Packed: bit n: the high result uses the high half of source n. */
  public final int opSelHi;

  /** Matrix instructions: broadcast size, broadcast block, B lane-group pattern. */
  public final int cbsz;

  public final int abid;
  public final int blgp;

  public final boolean isDpp;
  public final int dppControl;
  public final boolean dppBoundControl;
  public final int dppRowMask;
  public final int dppBankMask;

  public final boolean isSdwa;

  /** 0..3 byte, 4..5 word, 6 dword; 6 without SDWA. */
  public final int sdwaDstSel;

  /** 0 pad with zeros, 1 sign-extend, 2 preserve. */
  public final int sdwaDstUnused;

  public final int sdwaSrc0Sel;
  public final boolean sdwaSrc0Sext;
  public final int sdwaSrc1Sel;
  public final boolean sdwaSrc1Sext;

  /** Coherence bits; on gfx942 glc is sc0, slc is nt and scc is sc1. */
  public final boolean glc;

  public final boolean slc;
  public final boolean scc;

  public final boolean nv;

  /** Load into LDS instead of registers. */
  public final boolean lds;

  public final boolean gds;
  public final boolean tfe;

  /** Buffer: the vector address has an offset, an index (which then comes first). */
  public final boolean offen;

  public final boolean idxen;

  /** Typed buffer formats. */
  public final int dataFormat;

  public final int numberFormat;

  private final GcnEncoding encoding;

  GcnInstruction(GcnFields f) {
    encoding = f.encoding;
    opcode = f.encoding.opcode();
    target = f.target;
    format = f.encoding.format();
    name = f.name;
    size = f.size;
    word0 = f.word0;
    word1 = f.word1;
    vdst = f.vdst;
    vdstWidth = f.vdstWidth;
    sdst = f.sdst;
    sdstWidth = f.sdstWidth;
    src0 = f.src0;
    src0Width = f.src0Width;
    src1 = f.src1;
    src1Width = f.src1Width;
    src2 = f.src2;
    src2Width = f.src2Width;
    src3 = f.src3;
    src3Width = f.src3Width;
    readsDestination = f.readsDestination;
    literal = f.literal;
    simm16 = f.simm16;
    offset = f.offset;
    offset1 = f.offset1;
    abs = f.abs;
    neg = f.neg;
    negHi = f.negHi;
    omod = f.omod;
    clamp = f.clamp;
    opSel = f.opSel;
    opSelHi = f.opSelHi;
    cbsz = f.cbsz;
    abid = f.abid;
    blgp = f.blgp;
    isDpp = f.isDpp;
    dppControl = f.dppControl;
    dppBoundControl = f.dppBoundControl;
    dppRowMask = f.dppRowMask;
    dppBankMask = f.dppBankMask;
    isSdwa = f.isSdwa;
    sdwaDstSel = f.sdwaDstSel;
    sdwaDstUnused = f.sdwaDstUnused;
    sdwaSrc0Sel = f.sdwaSrc0Sel;
    sdwaSrc0Sext = f.sdwaSrc0Sext;
    sdwaSrc1Sel = f.sdwaSrc1Sel;
    sdwaSrc1Sext = f.sdwaSrc1Sext;
    glc = f.glc;
    slc = f.slc;
    scc = f.scc;
    nv = f.nv;
    lds = f.lds;
    gds = f.gds;
    tfe = f.tfe;
    offen = f.offen;
    idxen = f.idxen;
    dataFormat = f.dataFormat;
    numberFormat = f.numberFormat;
  }

  GcnEncoding encoding() {
    return encoding;
  }

  /** An atomic that returns the old value. */
  public boolean returnsOldValue() {
    return opcode.isAtomic() && (vdst != GcnOperand.NONE || sdst != GcnOperand.NONE);
  }

  /** s_waitcnt: outstanding vector memory operations allowed, 0..63. */
  public int vmcnt() {
    return (simm16 & 0xf) | (simm16 >> 14 & 3) << 4;
  }

  /** s_waitcnt: outstanding exports and GDS operations allowed, 0..7. */
  public int expcnt() {
    return simm16 >> 4 & 7;
  }

  /** s_waitcnt: outstanding LDS, scalar memory and message operations allowed, 0..15. */
  public int lgkmcnt() {
    return simm16 >> 8 & 0xf;
  }

  /** Whether it names where it branches to, so that {@link #branchOffset} means something. */
  public boolean hasBranchTarget() {
    return encoding.operand(GcnEncoding.Slot.TARGET) != null;
  }

  /** Branch distance in bytes from the end of this instruction. */
  public int branchOffset() {
    return 4 * simm16;
  }

  /** The instruction in assembler syntax. */
  @Override
  public String toString() {
    return GcnDisassembler.text(this);
  }
}
