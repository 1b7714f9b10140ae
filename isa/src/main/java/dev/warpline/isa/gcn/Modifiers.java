package dev.warpline.isa.gcn;

/**
 * The modifiers that take effect on an opcode; the bits of others are ignored.
 *
 * @param abs bit per source
 * @param neg bit per source
 * @param negHi bit per source of a packed instruction
 * @param opSel bit per source, bit 3 for the destination
 */
record Modifiers(int abs, int neg, int negHi, int opSel, boolean clamp, boolean omod) {
  static Modifiers parse(String text) {
    int abs = 0;
    int neg = 0;
    int negHi = 0;
    int opSel = 0;
    boolean clamp = false;
    boolean omod = false;
    if (!text.equals("-")) {
      for (String part : text.split(" ")) {
        int colon = part.indexOf(':');
        int mask = colon < 0 ? 0 : Integer.parseInt(part.substring(colon + 1));
        switch (colon < 0 ? part : part.substring(0, colon)) {
          case "abs" -> abs = mask;
          case "neg" -> neg = mask;
          case "neg_hi" -> negHi = mask;
          case "op_sel" -> opSel = mask;
          case "clamp" -> clamp = true;
          case "omod" -> omod = true;
          default -> throw new IllegalArgumentException("unknown modifier " + part);
        }
      }
    }
    return new Modifiers(abs, neg, negHi, opSel, clamp, omod);
  }

  /** Clears what has no effect. */
  void apply(GcnFields f) {
    f.abs &= abs;
    f.neg &= neg;
    f.negHi &= negHi;
    f.opSel &= opSel;
    f.clamp &= clamp;
    if (!omod) {
      f.omod = 0;
    }
  }
}
