package dev.warpline.isa.gcn;

import dev.warpline.isa.gcn.GcnEncoding.OperandSlot;

/** Writes instructions in LLVM's assembler syntax. */
final class GcnDisassembler {
  private static final String[] FLOATS = {
    "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"
  };
  private static final int[] FLOAT_BITS = {
    0x3f000000,
    0xbf000000,
    0x3f800000,
    0xbf800000,
    0x40000000,
    0xc0000000,
    0x40800000,
    0xc0800000,
    0x3e22f983
  };
  private static final int[] HALF_BITS = {
    0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118
  };
  private static final String[] APERTURES = {
    "src_shared_base",
    "src_shared_limit",
    "src_private_base",
    "src_private_limit",
    "src_pops_exiting_wave_id"
  };
  private static final String[] SELECTORS = {
    "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"
  };
  private static final String[] UNUSED = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  private static final String[] INDEX_MODES = {"SRC0", "SRC1", "SRC2", "DST"};
  private static final String[] DATA_FORMATS = {
    "INVALID",
    "8",
    "16",
    "8_8",
    "32",
    "16_16",
    "10_11_11",
    "11_11_10",
    "10_10_10_2",
    "2_10_10_10",
    "8_8_8_8",
    "32_32",
    "16_16_16_16",
    "32_32_32",
    "32_32_32_32",
    "RESERVED_15"
  };
  private static final String[] NUMBER_FORMATS = {
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"
  };
  private static final String[] HARDWARE_REGISTERS = {
    null,
    "HW_REG_MODE",
    "HW_REG_STATUS",
    "HW_REG_TRAPSTS",
    "HW_REG_HW_ID",
    "HW_REG_GPR_ALLOC",
    "HW_REG_LDS_ALLOC",
    "HW_REG_IB_STS",
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    "HW_REG_SH_MEM_BASES",
    "HW_REG_TBA_LO",
    "HW_REG_TBA_HI",
    "HW_REG_TMA_LO",
    "HW_REG_TMA_HI"
  };

  private final GcnInstruction in;
  private final StringBuilder text = new StringBuilder();
  private boolean first = true;

  private GcnDisassembler(GcnInstruction in) {
    this.in = in;
  }

  static String text(GcnInstruction instruction) {
    return new GcnDisassembler(instruction).write();
  }

  private String write() {
    text.append(in.name);
    switch (in.format) {
      case FLAT, GLOBAL, SCRATCH -> flat();
      case MUBUF, MTBUF, MIMG -> buffer();
      case SMEM -> scalarMemory();
      case DS -> lds();
      default -> alu();
    }
    return text.toString();
  }

  private void alu() {
    for (OperandSlot slot : in.encoding().operands()) {
      switch (slot.slot()) {
        case VDST -> operand(register(in.vdst, in.vdstWidth));
        case SDST -> operand(register(in.sdst, in.sdstWidth));
        case SRC0 -> operand(source(in.src0, in.src0Width, 0));
        case SRC1 ->
            operand(
                in.opcode.mnemonic().equals("v_interp_mov_f32")
                    ? parameter(in.src1)
                    : source(in.src1, in.src1Width, 1));
        case SRC2 -> operand(source(in.src2, in.src2Width, 2));
        case SIMM16 -> immediate();
        case TARGET -> operand(Integer.toString(in.simm16 & 0xffff));
        case HWREG -> operand(hardwareRegister());
        case LITERAL -> operand(hex(in.literal));
        case WAITCNT -> operand(waitcnt());
        case MESSAGE -> operand(message());
        case GPRIDX -> operand(indexMode());
        case ATTR -> operand("attr" + (in.offset & 0x3f) + "." + "xyzw".charAt(in.offset >> 6 & 3));
        default -> throw new IllegalStateException(in.name + " has operand " + slot.slot());
      }
    }
    if (in.isSdwa) {
      outputModifiers();
      sdwa();
    } else if (in.isDpp) {
      dpp();
    } else if (in.format == GcnFormat.VOP3) {
      if (in.name.startsWith("v_interp") && in.name.endsWith("f16") && (in.offset & 0x100) != 0) {
        text.append(" high");
      }
      int n = sources();
      halves(" op_sel:", in.opSel & (1 << n) - 1 | (in.opSel >> 3) << n, n + 1, 0);
      outputModifiers();
    } else if (in.opcode.isMatrix()) {
      matrix();
    } else if (in.format == GcnFormat.VOP3P && !in.name.startsWith("v_accvgpr")) {
      int n = sources();
      boolean mix = in.name.contains("_mix");
      halves(" op_sel:", in.opSel, n, 0);
      halves(" op_sel_hi:", in.opSelHi, n, mix ? 0 : (1 << n) - 1);
      if (!mix) {
        halves(" neg_lo:", in.neg, n, 0);
        halves(" neg_hi:", in.negHi, n, 0);
      }
      outputModifiers();
    }
  }

  private void immediate() {
    int value = in.simm16 & 0xffff;
    if (in.format == GcnFormat.SOPK) {
      operand(hex(value));
    } else if (!in.name.equals("s_endpgm")) {
      operand(small(value));
    } else if (value != 0) {
      operand(Integer.toString(value));
    }
  }

  private void scalarMemory() {
    for (OperandSlot slot : in.encoding().operands()) {
      switch (slot.slot()) {
        case SDST -> operand(register(in.sdst, in.sdstWidth));
        case SRC0 -> operand(register(in.src0, in.src0Width));
        case SRC2 -> operand(register(in.src2, in.src2Width));
        case PROBE -> operand(small(in.word0 >>> 6 & 0x7f));
        case OFFSET -> {
          boolean immediate = (in.word0 >>> 17 & 1) != 0;
          if (in.src1 != GcnOperand.NONE) {
            operand(register(in.src1, 1));
            if (immediate) {
              text.append(" offset:").append(signedHex(in.offset));
            }
          } else {
            operand(signedHex(in.offset));
          }
        }
        default -> throw new IllegalStateException(in.name + " has operand " + slot.slot());
      }
    }
    flag(in.glc && in.opcode.access() != GcnOpcode.Access.CONTROL, " glc");
  }

  private void lds() {
    for (OperandSlot slot : in.encoding().operands()) {
      switch (slot.slot()) {
        case VDST -> operand(register(in.vdst, in.vdstWidth));
        case SRC0 -> operand(register(in.src0, in.src0Width));
        case SRC1 -> operand(register(in.src1, in.src1Width));
        case SRC2 -> operand(register(in.src2, in.src2Width));
        default -> throw new IllegalStateException(in.name + " has operand " + slot.slot());
      }
    }
    if (in.opcode.elements() == 2) {
      offset(" offset0:", in.offset);
      offset(" offset1:", in.offset1);
    } else if (in.name.equals("ds_swizzle_b32")) {
      swizzle();
    } else {
      offset(" offset:", in.offset);
    }
    flag(in.gds, " gds");
  }

  private void flat() {
    String address = in.src0 == GcnOperand.NONE ? "off" : register(in.src0, in.src0Width);
    if (in.vdst != GcnOperand.NONE) {
      operand(register(in.vdst, in.vdstWidth));
    }
    operand(address);
    if (in.src1 != GcnOperand.NONE) {
      operand(register(in.src1, in.src1Width));
    }
    if (in.format != GcnFormat.FLAT) {
      operand(in.src2 == GcnOperand.NONE ? "off" : register(in.src2, in.src2Width));
    }
    offset(" offset:", in.offset);
    coherence();
    flag(in.lds, " lds");
  }

  private void buffer() {
    if (in.encoding().operands().isEmpty()) {
      boolean scopes = in.target == GcnTarget.GFX942;
      flag(scopes && in.glc, " sc0");
      flag(scopes && in.scc, " sc1");
      return;
    }
    if (in.src1 != GcnOperand.NONE) {
      operand(register(in.src1, in.src1Width));
    } else if (in.vdst != GcnOperand.NONE) {
      operand(register(in.vdst, in.vdstWidth));
    }
    if (in.src0 != GcnOperand.NONE) {
      operand(register(in.src0, in.src0Width));
    } else if (!in.opcode.mnemonic().contains("_lds_")) {
      operand("off");
    }
    operand(register(in.src2, in.src2Width));
    if (in.src3 != GcnOperand.NONE) {
      operand(source(in.src3, in.src3Width, 0));
    }
    if (in.format == GcnFormat.MIMG) {
      image();
      return;
    }
    if (in.format == GcnFormat.MTBUF) {
      bufferFormat();
    }
    flag(in.idxen, " idxen");
    flag(in.offen, " offen");
    offset(" offset:", in.offset);
    coherence();
    flag(in.lds, " lds");
    flag(in.tfe, " tfe");
  }

  /** The defaults, 8 bits and UNORM, are left out. */
  private void bufferFormat() {
    String data = in.dataFormat == 1 ? "" : "BUF_DATA_FORMAT_" + DATA_FORMATS[in.dataFormat];
    String number = in.numberFormat == 0 ? "" : "BUF_NUM_FORMAT_" + NUMBER_FORMATS[in.numberFormat];
    if (!data.isEmpty() || !number.isEmpty()) {
      String comma = data.isEmpty() || number.isEmpty() ? "" : ",";
      text.append(" format:[").append(data).append(comma).append(number).append(']');
    }
  }

  private void image() {
    int w = in.word0;
    text.append(" dmask:").append(hex(w >>> 8 & 0xf));
    flag((w >>> 12 & 1) != 0, " unorm");
    flag(in.glc, " glc");
    flag(in.slc, " slc");
    flag((w >>> 15 & 1) != 0, " a16");
    flag(in.tfe, " tfe");
    flag((w >>> 17 & 1) != 0, " lwe");
    flag((w >>> 14 & 1) != 0, " da");
    flag(in.word1 < 0, " d16");
  }

  private void coherence() {
    boolean scopes = in.target == GcnTarget.GFX942;
    flag(in.glc, scopes ? " sc0" : " glc");
    flag(in.slc, scopes ? " nt" : " slc");
    flag(in.scc, scopes ? " sc1" : " scc");
  }

  private void matrix() {
    if (in.cbsz != 0) {
      text.append(" cbsz:").append(in.cbsz);
    }
    if (in.abid != 0) {
      text.append(" abid:").append(in.abid);
    }
    if (in.blgp != 0) {
      if (in.target == GcnTarget.GFX942 && in.name.contains("mfma_f64")) { // negates operands
        halves(" neg:", in.blgp, 3, 0);
      } else {
        text.append(" blgp:").append(in.blgp);
      }
    }
  }

  private void outputModifiers() {
    flag(in.clamp, " clamp");
    switch (in.omod) {
      case 1 -> text.append(" mul:2");
      case 2 -> text.append(" mul:4");
      case 3 -> text.append(" div:2");
      default -> {}
    }
  }

  private void sdwa() {
    if (in.format != GcnFormat.VOPC) {
      text.append(" dst_sel:").append(SELECTORS[in.sdwaDstSel]);
      text.append(" dst_unused:").append(UNUSED[in.sdwaDstUnused]);
    }
    text.append(" src0_sel:").append(SELECTORS[in.sdwaSrc0Sel]);
    if (in.src1 != GcnOperand.NONE) {
      text.append(" src1_sel:").append(SELECTORS[in.sdwaSrc1Sel]);
    }
  }

  private void dpp() {
    int c = in.dppControl;
    if (c <= 0xff) {
      text.append(" quad_perm:[").append(c & 3).append(',').append(c >> 2 & 3);
      text.append(',').append(c >> 4 & 3).append(',').append(c >> 6).append(']');
    } else {
      switch (c) {
        case 0x130 -> text.append(" wave_shl:1");
        case 0x134 -> text.append(" wave_rol:1");
        case 0x138 -> text.append(" wave_shr:1");
        case 0x13c -> text.append(" wave_ror:1");
        case 0x140 -> text.append(" row_mirror");
        case 0x141 -> text.append(" row_half_mirror");
        case 0x142 -> text.append(" row_bcast:15");
        case 0x143 -> text.append(" row_bcast:31");
        default -> {
          String kind =
              switch (c >> 4) {
                case 0x10 -> "row_shl:";
                case 0x11 -> "row_shr:";
                case 0x12 -> "row_ror:";
                case 0x15 -> "row_newbcast:";
                default -> "dpp_ctrl:0x" + Integer.toHexString(c >> 4);
              };
          text.append(' ').append(kind).append(c & 0xf);
        }
      }
    }
    text.append(" row_mask:").append(hex(in.dppRowMask));
    text.append(" bank_mask:").append(hex(in.dppBankMask));
    flag(in.dppBoundControl, " bound_ctrl:1");
  }

  private String source(int code, int dwords, int position) {
    String operand = register(code, dwords);
    boolean packedNegation = in.format == GcnFormat.VOP3P && !in.name.contains("_mix");
    boolean abs = (in.abs >> position & 1) != 0;
    boolean neg = (in.neg >> position & 1) != 0 && !packedNegation;
    boolean sext =
        in.isSdwa && (position == 0 && in.sdwaSrc0Sext || position == 1 && in.sdwaSrc1Sext);
    if (sext) {
      operand = "sext(" + operand + ")";
    }
    if (abs) {
      operand = "|" + operand + "|";
    }
    if (neg) {
      boolean constant = GcnOperand.isInlineInteger(code) || GcnOperand.isInlineFloat(code);
      operand = constant && !abs ? "neg(" + operand + ")" : "-" + operand;
    }
    return operand;
  }

  private String register(int code, int dwords) {
    if (GcnOperand.isAgpr(code)) {
      return range("a", code - GcnOperand.AGPR0, dwords);
    }
    if (GcnOperand.isVgpr(code)) {
      return range("v", code - GcnOperand.VGPR0, dwords);
    }
    if (code < GcnOperand.FLAT_SCRATCH) {
      return range("s", code, dwords);
    }
    if (code < GcnOperand.TTMP0) {
      String name =
          switch (code & ~1) {
            case GcnOperand.FLAT_SCRATCH -> "flat_scratch";
            case GcnOperand.XNACK_MASK -> "xnack_mask";
            default -> "vcc";
          };
      return half(name, code, dwords);
    }
    if (code < GcnOperand.M0) {
      return range("ttmp", code - GcnOperand.TTMP0, dwords);
    }
    if (code == GcnOperand.M0) {
      return "m0";
    }
    if (code < GcnOperand.ZERO) {
      return half("exec", code, dwords);
    }
    if (GcnOperand.isInlineInteger(code)) {
      return Integer.toString(GcnOperand.inlineInteger(code));
    }
    if (GcnOperand.isInlineFloat(code)) {
      if (in.opcode
          .mnemonic()
          .matches(
              "v_(?!pk_|dot|sad_|mad_[iu]32).*_[iub]16")) { // a 16-bit integer: LLVM shows the bits
        return hex(HALF_BITS[code - GcnOperand.HALF]);
      }
      return code == GcnOperand.ONE_OVER_TWO_PI && dwords == 2
          ? "0.15915494309189532"
          : FLOATS[code - GcnOperand.HALF];
    }
    return switch (code) {
      case GcnOperand.VCCZ -> "src_vccz";
      case GcnOperand.EXECZ -> "src_execz";
      case GcnOperand.SCC -> "src_scc";
      case GcnOperand.LDS_DIRECT -> "src_lds_direct";
      case GcnOperand.LITERAL -> literal(in.literal, dwords);
      default -> APERTURES[code - GcnOperand.SHARED_BASE];
    };
  }

  /** LLVM writes a literal that an operand code could have expressed as that constant. */
  private String literal(int value, int dwords) {
    if (in.opcode.mnemonic().matches("v_(?!dot|sat_pk).*_[fiub]16")) {
      return hex(value & 0xffff);
    }
    if (value >= (dwords == 1 ? -16 : 0) && value <= 64) {
      return Integer.toString(value);
    }
    if (dwords == 2) {
      return hex(value);
    }
    for (int i = 0; i < FLOAT_BITS.length; i++) {
      if (FLOAT_BITS[i] == value) {
        return FLOATS[i];
      }
    }
    return hex(value);
  }

  private static String range(String file, int first, int dwords) {
    return dwords == 1 ? file + first : file + "[" + first + ":" + (first + dwords - 1) + "]";
  }

  private static String half(String name, int code, int dwords) {
    return dwords == 2 ? name : name + ((code & 1) == 0 ? "_lo" : "_hi");
  }

  private static String parameter(int code) {
    return switch (code) {
      case 0 -> "p10";
      case 1 -> "p20";
      case 2 -> "p0";
      default -> "invalid_param_" + code;
    };
  }

  private String hardwareRegister() {
    int id = in.simm16 & 0x3f;
    int offset = in.simm16 >> 6 & 0x1f;
    int width = (in.simm16 >> 11 & 0x1f) + 1;
    String name = id < HARDWARE_REGISTERS.length ? HARDWARE_REGISTERS[id] : null;
    String which = name == null ? Integer.toString(id) : name;
    return offset == 0 && width == 32
        ? "hwreg(" + which + ")"
        : "hwreg(" + which + ", " + offset + ", " + width + ")";
  }

  private String waitcnt() {
    boolean vm = in.vmcnt() != 63;
    boolean exp = in.expcnt() != 7;
    boolean lgkm = in.lgkmcnt() != 15;
    boolean all = !vm && !exp && !lgkm;
    StringBuilder list = new StringBuilder();
    if (vm || all) {
      list.append(" vmcnt(").append(in.vmcnt()).append(')');
    }
    if (exp || all) {
      list.append(" expcnt(").append(in.expcnt()).append(')');
    }
    if (lgkm || all) {
      list.append(" lgkmcnt(").append(in.lgkmcnt()).append(')');
    }
    return list.substring(1);
  }

  private String message() {
    int value = in.simm16 & 0xffff;
    String name =
        switch (value) {
          case 1 -> "MSG_INTERRUPT";
          case 4 -> "MSG_SAVEWAVE";
          case 5 -> "MSG_STALL_WAVE_GEN";
          case 6 -> "MSG_HALT_WAVES";
          case 7 -> "MSG_ORDERED_PS_DONE";
          case 8 -> "MSG_EARLY_PRIM_DEALLOC";
          case 9 -> "MSG_GS_ALLOC_REQ";
          case 10 -> "MSG_GET_DOORBELL";
          default -> null;
        };
    return name == null ? Integer.toString(value) : "sendmsg(" + name + ")";
  }

  private String indexMode() {
    if ((in.simm16 & ~0xf) != 0) {
      return hex(in.simm16 & 0xffff);
    }
    StringBuilder list = new StringBuilder("gpr_idx(");
    for (int i = 0; i < 4; i++) {
      if ((in.simm16 >> i & 1) != 0) {
        list.append(list.charAt(list.length() - 1) == '(' ? "" : ",").append(INDEX_MODES[i]);
      }
    }
    return list.append(')').toString();
  }

  private void swizzle() {
    int o = in.offset;
    if ((o & 0xff00) == 0x8000) {
      text.append(" offset:swizzle(QUAD_PERM,").append(o & 3).append(',').append(o >> 2 & 3);
      text.append(',').append(o >> 4 & 3).append(',').append(o >> 6 & 3).append(')');
    } else if (o != 0 && (o & 0x8000) == 0) {
      bitmaskSwizzle(o & 0x1f, o >> 5 & 0x1f, o >> 10 & 0x1f);
    } else {
      offset(" offset:", o);
    }
  }

  private void bitmaskSwizzle(int and, int or, int xor) {
    text.append(" offset:swizzle(");
    if (and == 0x1f && or == 0 && Integer.bitCount(xor) == 1) {
      text.append("SWAP,").append(xor);
    } else if (and == 0x1f && or == 0 && xor != 0 && (xor & xor + 1) == 0) {
      text.append("REVERSE,").append(xor + 1);
    } else {
      int group = 0x20 - and;
      if (group > 1 && Integer.bitCount(group) == 1 && or < group && xor == 0) {
        text.append("BROADCAST,").append(group).append(',').append(or);
      } else {
        text.append("BITMASK_PERM,\"");
        for (int bit = 4; bit >= 0; bit--) {
          int o = or >> bit & 1;
          int x = xor >> bit & 1;
          if ((and >> bit & 1) != 0 && o == 0) {
            text.append(x != 0 ? 'i' : 'p');
          } else {
            text.append(o != x ? '1' : '0');
          }
        }
        text.append('"');
      }
    }
    text.append(')');
  }

  private int sources() {
    return in.src2 != GcnOperand.NONE ? 3 : in.src1 != GcnOperand.NONE ? 2 : 1;
  }

  private void operand(String operand) {
    text.append(first ? " " : ", ").append(operand);
    first = false;
  }

  private void offset(String label, int value) {
    if (value != 0) {
      text.append(label).append(value);
    }
  }

  private void flag(boolean set, String word) {
    if (set) {
      text.append(word);
    }
  }

  private void halves(String label, int bits, int count, int usual) {
    if ((bits & (1 << count) - 1) == usual) {
      return;
    }
    text.append(label).append('[');
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",").append(bits >> i & 1);
    }
    text.append(']');
  }

  private static String small(int value) {
    return value <= 64 ? Integer.toString(value) : hex(value);
  }

  private static String hex(int value) {
    return "0x" + Integer.toHexString(value);
  }

  private static String signedHex(int value) {
    return value < 0 ? "-" + hex(-value) : hex(value);
  }
}
