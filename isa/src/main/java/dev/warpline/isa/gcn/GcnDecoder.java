package dev.warpline.isa.gcn;

import dev.warpline.isa.gcn.GcnEncoding.OperandSlot;
import dev.warpline.isa.gcn.GcnEncoding.Slot;

/** Decodes encoding words. */
public final class GcnDecoder {
  private static final int NO_SADDR = 0x7f;

  private final GcnTarget target;
  private final int[] words;
  private final int index;
  private final int word0;

  private GcnDecoder(GcnTarget target, int[] words, int index) {
    this.target = target;
    this.words = words;
    this.index = index;
    this.word0 = words[index];
  }

  /**
   * Decodes the instruction at {@code words[index]}.
   *
   * @throws GcnDecodeException where the words are no instruction of the target
   */
  public static GcnInstruction decode(GcnTarget target, int[] words, int index) {
    if (index < 0 || index >= words.length) {
      throw new GcnDecodeException(
          "no instruction at word " + index + ": code has " + words.length);
    }
    return new GcnDecoder(target, words, index).decode();
  }

  private GcnInstruction decode() {
    int w = word0;
    GcnFormat format;
    int number;
    if (w >= 0) {
      if (w >>> 25 == 0x3f) {
        format = GcnFormat.VOP1;
        number = bits(w, 9, 8);
      } else if (w >>> 25 == 0x3e) {
        format = GcnFormat.VOPC;
        number = bits(w, 17, 8);
      } else {
        format = GcnFormat.VOP2;
        number = bits(w, 25, 6);
      }
    } else if (w >>> 30 == 2) {
      if (w >>> 23 == 0x17f) {
        format = GcnFormat.SOPP;
        number = bits(w, 16, 7);
      } else if (w >>> 23 == 0x17e) {
        format = GcnFormat.SOPC;
        number = bits(w, 16, 7);
      } else if (w >>> 23 == 0x17d) {
        format = GcnFormat.SOP1;
        number = bits(w, 8, 8);
      } else if (w >>> 28 == 0xb) {
        format = GcnFormat.SOPK;
        number = bits(w, 23, 5);
      } else {
        format = GcnFormat.SOP2;
        number = bits(w, 23, 7);
      }
    } else {
      switch (w >>> 26) {
        case 0x30 -> {
          format = GcnFormat.SMEM;
          number = bits(w, 18, 8);
        }
        case 0x34 -> {
          boolean packed = w >>> 23 == 0x1a7;
          format = packed ? GcnFormat.VOP3P : GcnFormat.VOP3;
          number = packed ? bits(w, 16, 7) : bits(w, 16, 10);
        }
        case 0x36 -> {
          format = GcnFormat.DS;
          number = bits(w, 17, 8);
        }
        case 0x37 -> {
          format =
              switch (bits(w, 14, 2)) {
                case 0 -> GcnFormat.FLAT;
                case 1 -> GcnFormat.SCRATCH;
                case 2 -> GcnFormat.GLOBAL;
                default -> throw undecodable("segment 3 of the FLAT format is reserved");
              };
          number = bits(w, 18, 7);
        }
        case 0x38 -> {
          format = GcnFormat.MUBUF;
          number = bits(w, 18, 7);
        }
        case 0x3a -> {
          format = GcnFormat.MTBUF;
          number = bits(w, 15, 4);
        }
        case 0x3c -> {
          format = GcnFormat.MIMG;
          number = bits(w, 18, 7);
        }
        default -> throw undecodable("no format has these leading bits");
      }
    }
    GcnEncoding encoding = GcnOpcodeTable.standard().encoding(target, format, number);
    if (encoding == null) {
      throw undecodable(format + " has no opcode " + number);
    }
    GcnFields f = new GcnFields(target, encoding, w);
    switch (format) {
      case SOP2, SOP1, SOPC -> scalar(f);
      case SOPK -> scalarImmediate(f);
      case SOPP -> f.simm16 = (short) w;
      case SMEM -> scalarMemory(f);
      case VOP2, VOP1, VOPC -> vector32(f);
      case VOP3 -> vector64(f);
      case VOP3P -> packed(f);
      case DS -> lds(f);
      case FLAT, GLOBAL, SCRATCH -> flat(f);
      case MUBUF, MTBUF -> buffer(f);
      case MIMG -> image(f);
    }
    encoding.modifiers().apply(f);
    return new GcnInstruction(f);
  }

  private void scalar(GcnFields f) {
    int w = word0;
    sdst(f, bits(w, 16, 7));
    src0(f, bits(w, 0, 8));
    if (f.encoding.operand(Slot.GPRIDX) != null) {
      f.simm16 = bits(w, 8, 8);
    } else {
      src1(f, bits(w, 8, 8));
    }
    literal(f);
  }

  private void scalarImmediate(GcnFields f) {
    f.simm16 = (short) word0;
    sdst(f, bits(word0, 16, 7));
    src0(f, bits(word0, 16, 7));
    if (f.encoding.operand(Slot.LITERAL) != null) {
      f.literal = next(f);
      f.word1 = f.literal;
    }
  }

  private void scalarMemory(GcnFields f) {
    int w = word0;
    f.word1 = next(f);
    boolean immediate = bit(w, 17);
    boolean scalarOffset = bit(w, 14);
    f.glc = bit(w, 16);
    f.nv = bit(w, 15);
    src0(f, 2 * bits(w, 0, 6));
    int data = bits(w, 6, 7);
    sdst(f, data);
    src2(f, data);
    if (f.returnsOldValue()) {
      f.sdst = data;
      f.sdstWidth = f.oldValueWidth(f.src2Width);
    }
    if (f.encoding.operand(Slot.OFFSET) != null) {
      if (immediate) {
        f.offset = f.word1 << 11 >> 11;
      }
      if (scalarOffset || !immediate) {
        f.src1 = scalarOffset ? bits(f.word1, 25, 7) : bits(f.word1, 0, 7);
        f.src1Width = 1;
      }
    }
  }

  private void vector32(GcnFields f) {
    int w = word0;
    boolean compare = f.encoding.format() == GcnFormat.VOPC;
    if (!compare) {
      vdst(f, bits(w, 17, 8));
      sdst(f, bits(w, 17, 8));
    } else {
      sdst(f, GcnOperand.VCC);
    }
    if (f.encoding.format() != GcnFormat.VOP1) {
      src1(f, GcnOperand.VGPR0 + bits(w, 9, 8));
      src2(f, GcnOperand.VCC);
    }
    int first = bits(w, 0, 9);
    if (f.encoding.operand(Slot.SRC0) == null) {
      return;
    }
    if (first == GcnOperand.SDWA) {
      sdwa(f, compare);
    } else if (first == GcnOperand.DPP) {
      dpp(f);
    } else {
      src0(f, first);
      if (f.encoding.operand(Slot.LITERAL) != null) {
        f.literal = next(f);
        f.word1 = f.literal;
      } else {
        literal(f);
      }
    }
    if (f.encoding.opcode().mnemonic().equals("v_accvgpr_mov_b32")) {
      f.vdst = accumulator(f.vdst, true);
      f.src0 = accumulator(f.src0, true);
    }
  }

  private void sdwa(GcnFields f, boolean compare) {
    int d = next(f);
    f.word1 = d;
    f.isSdwa = true;
    f.name = f.encoding.opcode().mnemonic() + "_sdwa";
    src0(f, bits(d, 0, 8) + (bit(d, 23) ? 0 : GcnOperand.VGPR0));
    if (f.src1 != GcnOperand.NONE && bit(d, 31)) {
      src1(f, f.src1 - GcnOperand.VGPR0);
    }
    if (compare) {
      if (bit(d, 15)) {
        f.sdst = bits(d, 8, 7);
      }
    } else {
      f.sdwaDstSel = bits(d, 8, 3);
      f.sdwaDstUnused = bits(d, 11, 2);
      f.omod = bits(d, 14, 2);
      f.clamp = bit(d, 13);
      if (f.sdwaDstSel > 6) {
        throw undecodable("SDWA destination selector 7 is reserved");
      }
      if (f.sdwaDstUnused > 2) {
        throw undecodable("SDWA treatment 3 of unused destination bits is reserved");
      }
      f.readsDestination |= f.sdwaDstUnused == 2 && f.sdwaDstSel != 6;
    }
    f.sdwaSrc0Sel = bits(d, 16, 3);
    f.sdwaSrc0Sext = bit(d, 19);
    f.neg = bits(d, 20, 1) | bits(d, 28, 1) << 1;
    f.abs = bits(d, 21, 1) | bits(d, 29, 1) << 1;
    f.sdwaSrc1Sel = bits(d, 24, 3);
    f.sdwaSrc1Sext = bit(d, 27);
    if (f.sdwaSrc0Sel > 6 || f.src1 != GcnOperand.NONE && f.sdwaSrc1Sel > 6) {
      throw undecodable("SDWA source selector 7 is reserved");
    }
  }

  private void dpp(GcnFields f) {
    int d = next(f);
    f.word1 = d;
    f.isDpp = true;
    f.name = f.encoding.opcode().mnemonic() + "_dpp";
    src0(f, GcnOperand.VGPR0 + bits(d, 0, 8));
    f.dppControl = bits(d, 8, 9);
    f.dppBoundControl = bit(d, 19);
    f.neg = bits(d, 20, 1) | bits(d, 22, 1) << 1;
    f.abs = bits(d, 21, 1) | bits(d, 23, 1) << 1;
    f.dppBankMask = bits(d, 24, 4);
    f.dppRowMask = bits(d, 28, 4);
    f.readsDestination = true;
  }

  private void vector64(GcnFields f) {
    int w = word0;
    int d = next(f);
    f.word1 = d;
    boolean hasVectorResult = f.encoding.operand(Slot.VDST) != null;
    vdst(f, bits(w, 0, 8));
    sdst(f, hasVectorResult ? bits(w, 8, 7) : bits(w, 0, 8));
    if (!(hasVectorResult && f.encoding.operand(Slot.SDST) != null)) {
      f.abs = bits(w, 8, 3);
      f.opSel = bits(w, 11, 4);
    }
    f.clamp = bit(w, 15);
    f.omod = bits(d, 27, 2);
    f.neg = bits(d, 29, 3);
    if (f.encoding.operand(Slot.ATTR) != null) {
      f.offset = bits(d, 0, 9);
    }
    src0(f, bits(d, 0, 9));
    src1(f, bits(d, 9, 9));
    src2(f, bits(d, 18, 9));
  }

  private void packed(GcnFields f) {
    int w = word0;
    int d = next(f);
    f.word1 = d;
    vdst(f, bits(w, 0, 8));
    src0(f, bits(d, 0, 9));
    src1(f, bits(d, 9, 9));
    src2(f, bits(d, 18, 9));
    String mnemonic = f.encoding.opcode().mnemonic();
    if (f.encoding.opcode().isMatrix()) {
      f.cbsz = bits(w, 8, 3);
      f.abid = bits(w, 11, 4);
      f.blgp = bits(d, 29, 3);
      f.src0 = accumulator(f.src0, bit(d, 27));
      f.src1 = accumulator(f.src1, bit(d, 28));
      boolean accumulatorResult = bit(w, 15);
      f.vdst = accumulator(f.vdst, accumulatorResult);
      if (!f.readsDestination) { // a sparse product's src2 is its index register
        f.src2 = accumulator(f.src2, accumulatorResult);
      }
      return;
    }
    if (mnemonic.startsWith("v_accvgpr")) {
      f.vdst = accumulator(f.vdst, mnemonic.equals("v_accvgpr_write_b32"));
      f.src0 = accumulator(f.src0, mnemonic.equals("v_accvgpr_read_b32"));
      return;
    }
    if (mnemonic.contains("_mix")) {
      f.abs = bits(w, 8, 3); // mixed-precision instructions take these bits as absolute value
    } else {
      f.negHi = bits(w, 8, 3);
    }
    f.opSel = bits(w, 11, 3);
    f.clamp = bit(w, 15);
    f.opSelHi = bits(d, 27, 2) | bits(w, 14, 1) << 2;
    f.neg = bits(d, 29, 3);
  }

  private void lds(GcnFields f) {
    int w = word0;
    int d = next(f);
    f.word1 = d;
    boolean globalWaveSync = f.encoding.opcode().mnemonic().startsWith("ds_gws");
    f.gds = bit(w, 16) && (target == GcnTarget.GFX900 || globalWaveSync);
    boolean accumulators = bit(w, 25) && target.unifiedRegisterFile();
    if (f.encoding.opcode().elements() == 2) {
      f.offset = bits(w, 0, 8);
      f.offset1 = bits(w, 8, 8);
    } else {
      f.offset = bits(w, 0, 16);
    }
    src0(f, GcnOperand.VGPR0 + bits(d, 0, 8));
    src1(f, GcnOperand.VGPR0 + bits(d, 8, 8));
    src2(f, GcnOperand.VGPR0 + bits(d, 16, 8));
    vdst(f, bits(d, 24, 8));
    f.src1 = accumulator(f.src1, accumulators);
    f.src2 = accumulator(f.src2, accumulators);
    f.vdst = accumulator(f.vdst, accumulators);
  }

  private void flat(GcnFields f) {
    int w = word0;
    int d = next(f);
    f.word1 = d;
    GcnFormat segment = f.encoding.format();
    boolean bit13 = bit(w, 13);
    f.glc = bit(w, 16);
    f.slc = bit(w, 17);
    f.scc = bit(w, 25) && target.unifiedRegisterFile();
    f.offset = segment == GcnFormat.FLAT ? bits(w, 0, 13) : w << 19 >> 19;
    boolean vectorAddress = true;
    int scalarAddress = bits(d, 16, 7);
    boolean hasScalarAddress = f.encoding.operand(Slot.SADDR) != null && scalarAddress != NO_SADDR;
    if (segment == GcnFormat.SCRATCH) {
      if (target == GcnTarget.GFX942) {
        vectorAddress = bit13;
      } else {
        vectorAddress = !hasScalarAddress;
        f.lds = bit13;
      }
    } else if (target != GcnTarget.GFX942) {
      f.lds = bit13;
    }
    if (vectorAddress) {
      f.src0 = GcnOperand.VGPR0 + bits(d, 0, 8);
      f.src0Width = segment == GcnFormat.SCRATCH || hasScalarAddress ? 1 : 2;
    }
    if (hasScalarAddress) {
      f.src2 = scalarAddress;
      f.src2Width = segment == GcnFormat.SCRATCH ? 1 : 2;
    }
    boolean accumulators = bit(d, 23) && target.unifiedRegisterFile();
    if (!f.lds) {
      vdst(f, bits(d, 24, 8));
    }
    data(f, GcnOperand.VGPR0 + bits(d, 8, 8));
    if (f.returnsOldValue()) {
      f.vdst = GcnOperand.VGPR0 + bits(d, 24, 8);
      f.vdstWidth = f.oldValueWidth(f.src1Width);
    }
    f.vdst = accumulator(f.vdst, accumulators);
    f.src1 = accumulator(f.src1, accumulators);
  }

  private void buffer(GcnFields f) {
    int w = word0;
    int d = next(f);
    f.word1 = d;
    boolean typed = f.encoding.format() == GcnFormat.MTBUF;
    f.offset = bits(w, 0, 12);
    f.offen = bit(w, 12);
    f.idxen = bit(w, 13);
    f.glc = bit(w, 14);
    if (typed) {
      f.dataFormat = bits(w, 19, 4);
      f.numberFormat = bits(w, 23, 3);
      f.slc = bit(d, 22);
    } else {
      f.scc = bit(w, 15) && target.unifiedRegisterFile();
      f.lds = bit(w, 16);
      f.slc = bit(w, 17);
    }
    f.tfe = bit(d, 23) && !target.unifiedRegisterFile();
    boolean accumulators = bit(d, 23) && target.unifiedRegisterFile();
    if (f.encoding.operand(Slot.SRSRC) == null) {
      return; // cache operations
    }
    int addressWidth = (f.offen ? 1 : 0) + (f.idxen ? 1 : 0);
    if (addressWidth > 0 && f.encoding.operand(Slot.VADDR) != null) {
      f.src0 = GcnOperand.VGPR0 + bits(d, 0, 8);
      f.src0Width = addressWidth;
    }
    resource(f, d);
    f.src3 = checkedSource(bits(d, 24, 8), false);
    f.src3Width = 1;
    bufferData(f, bits(d, 8, 8), accumulators);
  }

  private void bufferData(GcnFields f, int register, boolean accumulators) {
    if (!f.lds) {
      vdst(f, register);
      if (f.tfe && f.vdst != GcnOperand.NONE) {
        f.vdstWidth++;
      }
    }
    data(f, GcnOperand.VGPR0 + register);
    if (f.returnsOldValue()) {
      f.vdst = GcnOperand.VGPR0 + register;
      f.vdstWidth = f.oldValueWidth(f.src1Width);
    }
    f.vdst = accumulator(f.vdst, accumulators);
    f.src1 = accumulator(f.src1, accumulators);
  }

  private void image(GcnFields f) {
    int w = word0;
    int d = next(f);
    f.word1 = d;
    f.glc = bit(w, 13);
    f.tfe = bit(w, 16);
    f.slc = bit(w, 25);
    OperandSlot address = f.encoding.operand(Slot.VADDR);
    if (address != null) {
      f.src0 = GcnOperand.VGPR0 + bits(d, 0, 8);
      f.src0Width = address.dwords();
    }
    resource(f, d);
    if (f.encoding.operand(Slot.SSAMP) != null) {
      f.src3 = 4 * bits(d, 21, 5);
      f.src3Width = 4;
    }
    bufferData(f, bits(d, 8, 8), false);
  }

  private static void resource(GcnFields f, int d) {
    f.src2 = 4 * bits(d, 16, 5);
    f.src2Width = f.encoding.operand(Slot.SRSRC).dwords();
  }

  private static void data(GcnFields f, int code) {
    OperandSlot slot = f.encoding.operand(Slot.VDATA);
    if (slot != null) {
      f.src1 = code;
      f.src1Width = slot.dwords();
    }
  }

  private static void vdst(GcnFields f, int register) {
    OperandSlot slot = f.encoding.operand(Slot.VDST);
    if (slot != null) {
      f.vdst = GcnOperand.VGPR0 + register;
      f.vdstWidth = slot.dwords();
      f.readsDestination |= slot.alsoRead();
    }
  }

  private void sdst(GcnFields f, int code) {
    OperandSlot slot = f.encoding.operand(Slot.SDST);
    if (slot != null) {
      if (!slot.isVcc() && !GcnOperand.isScalarRegister(code)) {
        throw undecodable("operand code " + code + " is no scalar destination");
      }
      f.sdst = slot.isVcc() ? GcnOperand.VCC : aligned(code, slot.dwords());
      f.sdstWidth = slot.dwords();
      f.readsDestination |= slot.alsoRead();
    }
  }

  private void src0(GcnFields f, int code) {
    OperandSlot slot = f.encoding.operand(Slot.SRC0);
    if (slot != null) {
      f.src0 = aligned(checkedSource(code, literalAllowed(f)), slot.dwords());
      f.src0Width = slot.dwords();
    }
  }

  private void src1(GcnFields f, int code) {
    OperandSlot slot = f.encoding.operand(Slot.SRC1);
    if (slot != null) {
      f.src1 = aligned(checkedSource(code, literalAllowed(f)), slot.dwords());
      f.src1Width = slot.dwords();
    }
  }

  private void src2(GcnFields f, int code) {
    OperandSlot slot = f.encoding.operand(Slot.SRC2);
    if (slot != null) {
      f.src2 = slot.isVcc() ? GcnOperand.VCC : aligned(checkedSource(code, false), slot.dwords());
      f.src2Width = slot.dwords();
    }
  }

  private static boolean literalAllowed(GcnFields f) {
    return switch (f.encoding.format()) {
      case SOP2, SOP1, SOPC, VOP2, VOP1, VOPC -> true;
      default -> false;
    };
  }

  /** Scalar register tuples start at a multiple of 2 or 4; low bits of the code are ignored. */
  private static int aligned(int code, int dwords) {
    if (dwords == 1 || !GcnOperand.isScalarRegister(code)) {
      return code;
    }
    return code & (dwords == 2 ? ~1 : ~3);
  }

  private int checkedSource(int code, boolean literalAllowed) {
    boolean reserved =
        code == 125
            || code >= 209 && code <= 234
            || code == GcnOperand.SDWA
            || code == GcnOperand.DPP
            || code == GcnOperand.LITERAL && !literalAllowed;
    if (reserved) {
      throw undecodable("operand code " + code + " is not allowed here");
    }
    return code;
  }

  /** Fetches the literal that a source refers to. */
  private void literal(GcnFields f) {
    if (f.src0 == GcnOperand.LITERAL || f.src1 == GcnOperand.LITERAL) {
      f.literal = next(f);
      f.word1 = f.literal;
    }
  }

  private static int accumulator(int code, boolean accumulators) {
    return accumulators && GcnOperand.isVgpr(code)
        ? code + GcnOperand.AGPR0 - GcnOperand.VGPR0
        : code;
  }

  private int next(GcnFields f) {
    int at = index + f.size / 4;
    if (at >= words.length) {
      throw undecodable(f.name + " is cut off at the end of the code");
    }
    f.size += 4;
    return words[at];
  }

  private GcnDecodeException undecodable(String why) {
    StringBuilder text = new StringBuilder();
    text.append(String.format("not a %s instruction: 0x%08x", target.processor(), word0));
    if (index + 1 < words.length) {
      text.append(String.format(" 0x%08x", words[index + 1]));
    }
    return new GcnDecodeException(text.append(" (").append(why).append(')').toString());
  }

  private static boolean bit(int word, int position) {
    return (word >>> position & 1) != 0;
  }

  private static int bits(int word, int low, int count) {
    return word >>> low & (1 << count) - 1;
  }
}
