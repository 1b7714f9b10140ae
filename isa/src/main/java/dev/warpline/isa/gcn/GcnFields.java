package dev.warpline.isa.gcn;

/** The fields of a {@link GcnInstruction} while the decoder gathers them. */
final class GcnFields {
  final GcnTarget target;
  final GcnEncoding encoding;
  final int word0;
  int word1;
  String name;
  int size = 4;

  int vdst = GcnOperand.NONE;
  int vdstWidth;
  int sdst = GcnOperand.NONE;
  int sdstWidth;
  int src0 = GcnOperand.NONE;
  int src0Width;
  int src1 = GcnOperand.NONE;
  int src1Width;
  int src2 = GcnOperand.NONE;
  int src2Width;
  int src3 = GcnOperand.NONE;
  int src3Width;
  boolean readsDestination;

  int literal;
  int simm16;
  int offset;
  int offset1;

  int abs;
  int neg;
  int negHi;
  int omod;
  boolean clamp;
  int opSel;
  int opSelHi;
  int cbsz;
  int abid;
  int blgp;

  boolean isDpp;
  int dppControl;
  boolean dppBoundControl;
  int dppRowMask = 0xf;
  int dppBankMask = 0xf;

  boolean isSdwa;
  int sdwaDstSel = 6;
  int sdwaDstUnused;
  int sdwaSrc0Sel = 6;
  boolean sdwaSrc0Sext;
  int sdwaSrc1Sel = 6;
  boolean sdwaSrc1Sext;

  boolean glc;
  boolean slc;
  boolean scc;
  boolean nv;
  boolean lds;
  boolean gds;
  boolean tfe;
  boolean offen;
  boolean idxen;
  int dataFormat;
  int numberFormat;

  GcnFields(GcnTarget target, GcnEncoding encoding, int word0) {
    this.target = target;
    this.encoding = encoding;
    this.word0 = word0;
    this.name = encoding.name();
  }

  /** Whether this is an atomic whose encoding asks for the old value. */
  boolean returnsOldValue() {
    return encoding.opcode().isAtomic() && glc;
  }

  /** Dwords of the old value an atomic returns; a compare-and-swap has twice as much data. */
  int oldValueWidth(int dataWidth) {
    return encoding.opcode().mnemonic().contains("cmpswap") ? dataWidth / 2 : dataWidth;
  }
}
