package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;

/**
 * Which elements of a factor with two zeros in every four are given: 2 bits each in a register that
 * some lanes of every four hold. Of 32-bit numbers one of two is given; 4 bits say which.
 */
final class SparseRows {
  private final int register;
  private final int selector;
  private final int bits;

  /** Bits that say it of a row. */
  private final int perRow;

  private SparseRows(int register, int selector, int bits, int depth) {
    this.register = register;
    this.selector = selector;
    this.bits = bits;
    perRow = depth;
  }

  /**
   * @param source the register with the metadata; the number of the lanes that hold it may follow
   * @param bits of an element
   */
  static SparseRows of(Form form, int source, int bits, int depth) {
    Operand metadata = form.source(source);
    if (!metadata.is(Kind.REGISTER)) {
      throw form.instruction.unsupported("expected a register that says which elements are given");
    }
    boolean selects =
        form.sources.size() > source + 1 && form.source(source + 1).is(Kind.IMMEDIATE);
    int selector = selects ? (int) form.source(source + 1).value() : 0;
    return new SparseRows(metadata.index(), selector, bits, bits == 32 ? 2 * depth : depth);
  }

  /** Where the given element k of a row of sixteen stands in the whole row. */
  int place(Warp warp, int row, int k) {
    int index = bits == 32 ? 4 * k : 2 * k;
    int lane = (row & 7) * 4 + selector * (perRow >> 4);
    int shift;
    if (bits == 8) {
      // A lane has 32 bits of row r, the next of row r + 8; two lanes on those that follow.
      lane += 2 * (index >> 5) + (row >> 3);
      shift = index & 31;
    } else {
      // A lane has 16 bits of row r and 16 of row r + 8; the next lane those that follow.
      lane += index >> 4;
      shift = 16 * (row >> 3) + (index & 15);
    }
    int word = warp.registers[register][lane & 31];
    if (bits == 32) {
      return 2 * k + ((word >>> shift & 15) == 14 ? 1 : 0);
    }
    return k / 2 * 4 + (word >>> shift & 3);
  }
}
