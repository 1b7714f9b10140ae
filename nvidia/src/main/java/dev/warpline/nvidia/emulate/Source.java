package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.Arrays;

/** Where the 32 values of a source operand come from. It owns the row it hands out. */
final class Source {
  private enum Change {
    NONE,
    NEGATE,
    INVERT,
    SIGN
  }

  private static final int HALF_SIGNS = 0x80008000;

  private final Kind kind;
  private final int index;
  private final int bank;
  private final int offset;
  private final Change change;
  private final int clear;
  private final int flip;
  private final String halves;
  private final int[] scratch = new int[Warp.LANES];

  private Source(
      Kind kind,
      int index,
      int bank,
      int offset,
      Change change,
      int clear,
      int flip,
      String halves) {
    this.kind = kind;
    this.index = index;
    this.bank = bank;
    this.offset = offset;
    this.change = change;
    this.clear = clear;
    this.flip = flip;
    this.halves = halves;
  }

  /** An integer: a minus negates, a tilde inverts. */
  static Source integer(SassInstruction instruction, Operand operand) {
    Change change =
        operand.is(Kind.IMMEDIATE)
            ? Change.NONE
            : operand.negative() ? Change.NEGATE : operand.inverted() ? Change.INVERT : Change.NONE;
    return of(instruction, operand, change, 0, 0, "", (int) operand.value());
  }

  /** The bits of an operand without its sign, for those that handle it themselves. */
  static Source plain(SassInstruction instruction, Operand operand) {
    return of(instruction, operand, Change.NONE, 0, 0, "", (int) operand.value());
  }

  /** A single-precision number. */
  static Source single(SassInstruction instruction, Operand operand) {
    return signed(instruction, operand, Integer.MIN_VALUE, "", Real.single(operand));
  }

  /** Two half-precision (or bfloat16) numbers. */
  static Source halves(SassInstruction instruction, Operand operand) {
    return signed(instruction, operand, HALF_SIGNS, operand.selector(), 0);
  }

  /** Two half-precision immediates: the upper, then the lower. */
  static Source halves(int upper, int lower) {
    return constant(upper << 16 | lower & 0xffff);
  }

  static Source constant(int value) {
    Source source = new Source(Kind.IMMEDIATE, 0, 0, 0, Change.NONE, 0, 0, "");
    Arrays.fill(source.scratch, value);
    return source;
  }

  /** The lower word of a 64-bit operand. */
  static Source low(SassInstruction instruction, Operand operand) {
    long bits = operand.integer() ? operand.value() : Double.doubleToRawLongBits(Real.of(operand));
    return of(instruction, operand, Change.NONE, 0, 0, "", (int) bits);
  }

  /** The upper word of a 64-bit integer. */
  static Source high(SassInstruction instruction, Operand operand) {
    return of(instruction, upper(operand), Change.NONE, 0, 0, "", (int) (operand.value() >> 32));
  }

  /** The upper word of a double, with its sign. */
  static Source highDouble(SassInstruction instruction, Operand operand) {
    long bits = operand.integer() ? operand.value() : Double.doubleToRawLongBits(Real.of(operand));
    return signed(instruction, upper(operand), Integer.MIN_VALUE, "", (int) (bits >> 32));
  }

  private static Operand upper(Operand operand) {
    boolean zero = operand.index() == Warp.ZERO || operand.index() == Warp.UNIFORM_ZERO;
    return new Operand(
        operand.kind(),
        operand.is(Kind.REGISTER) && !zero ? operand.index() + 1 : operand.index(),
        operand.second(),
        operand.is(Kind.CONSTANT) ? operand.value() + 4 : operand.value(),
        operand.text(),
        operand.negative(),
        operand.absolute(),
        operand.inverted(),
        operand.selector());
  }

  /** The upper word of a double as it is stored. */
  static Source plainHigh(SassInstruction instruction, Operand operand) {
    long bits = operand.integer() ? operand.value() : Double.doubleToRawLongBits(Real.of(operand));
    return of(instruction, upper(operand), Change.NONE, 0, 0, "", (int) (bits >>> 32));
  }

  private static Source signed(
      SassInstruction instruction, Operand operand, int signs, String halves, int immediate) {
    if (operand.is(Kind.IMMEDIATE)) {
      return of(instruction, operand, Change.NONE, 0, 0, "", immediate);
    }
    boolean change = operand.absolute() || operand.negative() || operand.inverted();
    return of(
        instruction,
        operand,
        change ? Change.SIGN : Change.NONE,
        operand.absolute() ? signs : 0,
        operand.negative() || operand.inverted() ? signs : 0,
        halves,
        0);
  }

  private static Source of(
      SassInstruction instruction,
      Operand operand,
      Change change,
      int clear,
      int flip,
      String halves,
      int immediate) {
    switch (operand.kind()) {
      case REGISTER -> {
        return new Source(Kind.REGISTER, operand.index(), 0, 0, change, clear, flip, halves);
      }
      case CONSTANT -> {
        return new Source(
            Kind.CONSTANT,
            operand.index(),
            operand.second(),
            (int) operand.value(),
            change,
            clear,
            flip,
            halves);
      }
      case IMMEDIATE -> {
        return constant(immediate);
      }
      default ->
          throw instruction.unsupported(
              "operand " + operand.text() + " is not a register, constant or number");
    }
  }

  /** The values of all lanes; valid until the next read. */
  int[] read(Warp warp) {
    if (kind == Kind.IMMEDIATE) {
      return scratch;
    }
    int[] row = kind == Kind.REGISTER ? warp.registers[index] : constants(warp);
    if (change == Change.NONE && halves.isEmpty()) {
      return row;
    }
    for (int lane = 0; lane < Warp.LANES; lane++) {
      int value = row[lane];
      if (!halves.isEmpty()) {
        value =
            switch (halves) {
              case "H0", "H0_H0" -> value & 0xffff | value << 16;
              case "H1", "H1_H1" -> value & 0xffff0000 | value >>> 16;
              case "H0_H1" -> value << 16 | value >>> 16;
              default -> value;
            };
      }
      scratch[lane] =
          switch (change) {
            case NONE -> value;
            case NEGATE -> -value;
            case INVERT -> ~value;
            case SIGN -> value & ~clear ^ flip;
          };
    }
    return scratch;
  }

  private int[] constants(Warp warp) {
    ConstantBanks banks = warp.block.constants();
    if (index == Warp.ZERO) {
      Arrays.fill(scratch, banks.word(bank, offset));
    } else {
      int[] row = warp.registers[index];
      for (int lane = 0; lane < Warp.LANES; lane++) {
        // Lanes that are off may hold any index.
        scratch[lane] = banks.wordOrZero(bank, offset + row[lane]);
      }
    }
    return scratch;
  }
}
