package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;

/** Integer arithmetic, logic, moves, and the same of the uniform datapath. */
final class IntegerOperations {
  private static final long MASK = 0xffffffffL;

  private IntegerOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    Form form;
    switch (mnemonic) {
      case "ISETP", "PLOP3" -> form = Form.compare(instruction);
      default -> form = Form.of(instruction);
    }
    return switch (mnemonic) {
      case "MOV" -> move(form);
      case "IADD3" -> add3(form);
      case "VIADD", "IADD" -> {
        instruction.allow("16x2");
        yield instruction.has("16x2")
            ? addHalves(form)
            : Lanewise.of(form.destination, form.integer(0), form.integer(1), (a, b, c) -> a + b);
      }
      case "IMAD" -> multiplyAdd(form);
      case "LEA" -> lea(form);
      case "SHF" -> shift(form);
      case "LOP3" -> logic(form);
      case "PLOP3" -> predicateLogic(form);
      case "PRMT" -> permute(form);
      case "SEL" -> {
        instruction.allow();
        yield Lanewise.select(form.destination, form.integer(0), form.integer(1), form.input(0));
      }
      case "ISETP" -> compare(form);
      case "IMNMX", "VIMNMX", "VIMNMX3", "VIADDMNMX" -> MinimumOperations.of(form, mnemonic);
      case "IABS" -> {
        instruction.allow();
        yield Lanewise.of(form.destination, form.integer(0), (a, b, c) -> Math.abs(a));
      }
      case "POPC" -> {
        instruction.allow();
        yield Lanewise.of(form.destination, form.integer(0), (a, b, c) -> Integer.bitCount(a));
      }
      case "BREV" -> {
        instruction.allow();
        yield Lanewise.of(form.destination, form.integer(0), (a, b, c) -> Integer.reverse(a));
      }
      case "FLO" -> leadingOne(form);
      case "SGXT" -> signExtend(form);
      case "BMSK" -> {
        instruction.allow("W", "C");
        boolean wrap = instruction.has("W");
        yield Lanewise.of(
            form.destination,
            form.integer(0),
            form.integer(1),
            (a, b, c) -> bitMask(wrap ? a & 31 : a, wrap ? b & 31 : b));
      }
      case "IDP" -> dotProduct(form);
      case "VABSDIFF" -> {
        instruction.allow("U32");
        boolean unsigned = instruction.has("U32");
        yield Lanewise.of(
            form.destination,
            form.integer(0),
            form.integer(1),
            form.integer(2),
            (a, b, c) -> difference(a, b, unsigned) + c);
      }
      case "VABSDIFF4" -> differences(form);
      default -> null;
    };
  }

  private static LaneOperation move(Form form) {
    form.instruction.allow();
    // A second number is the mask of bytes, always all.
    Source source = form.integer(0);
    int destination = form.destination;
    return (warp, mask) -> {
      int[] from = source.read(warp);
      int[] to = warp.registers[destination];
      if (mask == -1) {
        System.arraycopy(from, 0, to, 0, Warp.LANES);
      } else {
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          to[lane] = from[lane];
        }
      }
    };
  }

  /** A word as a term of a sum that carries: minus x is the inverse of x, plus one. */
  private static long term(int word, Operand operand) {
    if (operand.is(Kind.IMMEDIATE)) {
      return word & MASK;
    }
    return operand.negative()
        ? (~word & MASK) + 1
        : operand.inverted() ? ~word & MASK : word & MASK;
  }

  /** A sum of 64-bit numbers in pairs of registers. */
  private static LaneOperation addPairs(Form form) {
    form.instruction.allow("64");
    Source[] low = new Source[3];
    Source[] high = new Source[3];
    for (int i = 0; i < 3; i++) {
      low[i] = form.plain(i);
      high[i] = Source.high(form.instruction, form.source(i));
    }
    return (warp, mask) -> {
      int[] out = warp.registers[form.destination];
      int[] outHigh = warp.registers[form.next(1)];
      long[] sums = new long[Warp.LANES];
      for (int i = 0; i < 3; i++) {
        int[] a = low[i].read(warp);
        int[] b = high[i].read(warp);
        boolean negative = form.source(i).negative() && !form.source(i).integer();
        for (int lane = 0; lane < Warp.LANES; lane++) {
          long value = Words64.join(a[lane], b[lane]);
          sums[lane] += negative ? -value : value;
        }
      }
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        out[lane] = (int) sums[lane];
        outHigh[lane] = (int) (sums[lane] >>> 32);
      }
    };
  }

  private static LaneOperation add3(Form form) {
    if (form.instruction.has("64")) {
      return addPairs(form);
    }
    form.instruction.allow("X");
    if (!form.instruction.has("X") && form.outputs.isEmpty()) {
      return Lanewise.of(
          form.destination,
          form.integer(0),
          form.integer(1),
          form.integer(2),
          (a, b, c) -> a + b + c);
    }
    Source[] sources = {form.plain(0), form.plain(1), form.plain(2)};
    Operand[] operands = {form.source(0), form.source(1), form.source(2)};
    boolean extended = form.instruction.has("X");
    Form.Input first = extended ? form.input(0) : Form.Input.NEVER;
    Form.Input second = extended && form.inputs.size() > 1 ? form.input(1) : Form.Input.NEVER;
    return (warp, mask) -> {
      int[] a = sources[0].read(warp);
      int[] b = sources[1].read(warp);
      int[] c = sources[2].read(warp);
      int[] out = warp.registers[form.destination];
      int carry1 = first.read(warp);
      int carry2 = second.read(warp);
      int once = 0;
      int twice = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long sum =
            term(a[lane], operands[0])
                + term(b[lane], operands[1])
                + term(c[lane], operands[2])
                + (carry1 >>> lane & 1)
                + (carry2 >>> lane & 1);
        out[lane] = (int) sum;
        once |= sum >>> 32 >= 1 ? 1 << lane : 0;
        twice |= sum >>> 32 >= 2 ? 1 << lane : 0;
      }
      warp.setPredicate(form.output(0), mask, once);
      warp.setPredicate(form.output(1), mask, twice);
    };
  }

  private static LaneOperation multiplyAdd(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("MOV", "IADD", "SHL", "U32", "S32", "WIDE", "HI", "X");
    if (instruction.has("WIDE") || instruction.has("HI")) {
      return multiplyAddWide(form);
    }
    if (instruction.has("X")) {
      return Lanewise.choose(
          form.destination,
          form.integer(0),
          form.integer(1),
          form.integer(2),
          form.input(0),
          (a, b, c, carry) -> a * b + c + (carry ? 1 : 0));
    }
    return Lanewise.of(
        form.destination,
        form.integer(0),
        form.integer(1),
        form.integer(2),
        (a, b, c) -> a * b + c);
  }

  private static LaneOperation multiplyAddWide(Form form) {
    SassInstruction instruction = form.instruction;
    boolean unsigned = instruction.has("U32");
    boolean onlyHigh = instruction.has("HI");
    boolean opposite = form.source(0).negative() && !form.source(0).is(Kind.IMMEDIATE);
    opposite ^= form.source(1).negative() && !form.source(1).is(Kind.IMMEDIATE);
    boolean negateProduct = opposite;
    Source first = form.plain(0);
    Source second = form.plain(1);
    Operand added = form.source(2);
    Source low = Source.plain(instruction, added);
    Source high = Source.high(instruction, added);
    Form.Input carryIn = instruction.has("X") ? form.input(0) : Form.Input.NEVER;
    return (warp, mask) -> {
      int[] a = first.read(warp);
      int[] b = second.read(warp);
      int[] c = low.read(warp);
      int[] d = high.read(warp);
      int[] out = warp.registers[form.destination];
      int[] outHigh = onlyHigh ? null : warp.registers[form.next(1)];
      int in = carryIn.read(warp);
      int carry = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long product = unsigned ? (a[lane] & MASK) * (b[lane] & MASK) : (long) a[lane] * b[lane];
        long sum = negateProduct ? -product : product;
        long addend = Words64.join(c[lane], d[lane]);
        addend = added.negative() ? -addend : added.inverted() ? ~addend : addend;
        long result = sum + addend + (in >>> lane & 1);
        boolean carries = Long.compareUnsigned(result, sum) < 0 || result == sum && (addend != 0);
        carry |= carries ? 1 << lane : 0;
        if (onlyHigh) {
          out[lane] = (int) (result >>> 32);
        } else {
          out[lane] = (int) result;
          outHigh[lane] = (int) (result >>> 32);
        }
      }
      warp.setPredicate(form.output(0), mask, carry);
    };
  }

  private static LaneOperation lea(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("HI", "X", "SX32");
    boolean high = instruction.has("HI");
    boolean extend = instruction.has("SX32");
    boolean three = high && !extend;
    Source shifted = form.plain(0);
    Operand shiftedOperand = form.source(0);
    Source added = form.plain(1);
    Operand addedOperand = form.source(1);
    Source upper = three ? form.integer(2) : Source.constant(0);
    int shift = (int) form.source(three ? 3 : 2).value() & 31;
    Form.Input carryIn = instruction.has("X") ? form.input(0) : Form.Input.NEVER;
    return (warp, mask) -> {
      int[] a = shifted.read(warp);
      int[] b = added.read(warp);
      int[] c = upper.read(warp);
      int[] out = warp.registers[form.destination];
      int in = carryIn.read(warp);
      int carry = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long wide = extend ? a[lane] : Words64.join(a[lane], c[lane]);
        long scaled = high ? wide << shift >>> 32 : (a[lane] & MASK) << shift & MASK;
        // The sign of the shifted operand is that of the term.
        long sum =
            term((int) scaled, shiftedOperand) + term(b[lane], addedOperand) + (in >>> lane & 1);
        out[lane] = (int) sum;
        carry |= sum >>> 32 != 0 ? 1 << lane : 0;
      }
      warp.setPredicate(form.output(0), mask, carry);
    };
  }

  private static LaneOperation shift(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("L", "R", "U32", "S32", "U64", "S64", "HI", "W");
    boolean left = instruction.has("L");
    boolean high = instruction.has("HI");
    boolean signed = instruction.has("S32") || instruction.has("S64");
    boolean wide = instruction.has("U64") || instruction.has("S64");
    boolean wrap = instruction.has("W");
    int most = wide ? 64 : 32;
    return Lanewise.of(
        form.destination,
        form.integer(0),
        form.integer(1),
        form.integer(2),
        (a, b, c) -> {
          int amount = wrap ? b & most - 1 : Integer.compareUnsigned(b, most) > 0 ? most : b;
          long value = Words64.join(a, c);
          long result;
          if (left) {
            result = amount == 64 ? 0 : value << amount;
          } else if (signed) {
            result = value >> Math.min(amount, 63);
          } else {
            result = amount == 64 ? 0 : value >>> amount;
          }
          return (int) (high ? result >>> 32 : result);
        });
  }

  static int lookup(int table, int a, int b, int c) {
    // Without branches, so that a loop over lanes becomes vector instructions.
    return -(table & 1) & ~a & ~b & ~c
        | -(table >> 1 & 1) & ~a & ~b & c
        | -(table >> 2 & 1) & ~a & b & ~c
        | -(table >> 3 & 1) & ~a & b & c
        | -(table >> 4 & 1) & a & ~b & ~c
        | -(table >> 5 & 1) & a & ~b & c
        | -(table >> 6 & 1) & a & b & ~c
        | -(table >> 7 & 1) & a & b & c;
  }

  private static LaneOperation logic(Form form) {
    form.instruction.allow("LUT", "PAND", "POR");
    int table = (int) form.source(3).value();
    int output = form.output(0);
    int destination = form.destination;
    boolean and = form.instruction.has("PAND");
    Form.Input input = form.inputs.isEmpty() ? Form.Input.NEVER : form.input(0);
    Lanewise.Words function =
        switch (table & 0xff) {
          case 0xc0 -> (a, b, c) -> a & b;
          case 0xfc -> (a, b, c) -> a | b;
          case 0x3c -> (a, b, c) -> a ^ b;
          case 0x96 -> (a, b, c) -> a ^ b ^ c;
          case 0xf8 -> (a, b, c) -> a | b & c;
          default -> (a, b, c) -> lookup(table, a, b, c);
        };
    Source[] sources = {form.integer(0), form.integer(1), form.integer(2)};
    LaneOperation word = Lanewise.of(destination, sources[0], sources[1], sources[2], function);
    if (output == Warp.DISCARD_PREDICATE) {
      return word;
    }
    return (warp, mask) -> {
      word.execute(warp, mask);
      int[] out = warp.registers[destination];
      int nonzero = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        nonzero |= out[lane] != 0 ? 1 << lane : 0;
      }
      int other = input.read(warp);
      warp.setPredicate(output, mask, and ? nonzero & other : nonzero | other);
    };
  }

  /** Where PLOP3 takes a predicate from: one, or the sign of a register. */
  private interface Truth {
    int read(Warp warp);

    static Truth of(SassInstruction instruction, Operand operand) {
      if (operand.is(Kind.PREDICATE)) {
        return new Form.Input(operand)::read;
      }
      if (!operand.is(Kind.REGISTER) || !operand.selector().equals("SIGN")) {
        throw instruction.unsupported("expected a predicate or the sign of a register");
      }
      Source source = Source.plain(instruction, operand);
      boolean inverted = operand.inverted();
      return warp -> {
        int[] row = source.read(warp);
        int signs = 0;
        for (int lane = 0; lane < Warp.LANES; lane++) {
          signs |= (row[lane] >>> 31) << lane;
        }
        return inverted ? ~signs : signs;
      };
    }
  }

  private static LaneOperation predicateLogic(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("LUT");
    // Written: two predicates; read: three; then two tables.
    if (instruction.operands().size() != 7) {
      throw instruction.unsupported("expected two and three predicates and two tables");
    }
    Truth a = Truth.of(instruction, instruction.operand(2));
    Truth b = Truth.of(instruction, instruction.operand(3));
    Truth c = Truth.of(instruction, instruction.operand(4));
    int table = (int) instruction.operand(5).value();
    int otherTable = (int) instruction.operand(6).value();
    return (warp, mask) -> {
      int x = a.read(warp);
      int y = b.read(warp);
      int z = c.read(warp);
      warp.setPredicate(form.output(0), mask, lookup(table, x, y, z));
      warp.setPredicate(form.output(1), mask, lookup(otherTable, x, y, z));
    };
  }

  private static LaneOperation permute(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("IDX", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16");
    String mode = instruction.oneOf("IDX", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16");
    Lanewise.Words function =
        mode.equals("IDX")
            ? IntegerOperations::permute
            : (a, selector, b) -> permute(a, selector(mode, selector & 3), b);
    return Lanewise.of(
        form.destination, form.integer(0), form.integer(1), form.integer(2), function);
  }

  /** The bytes that a mode of PRMT chooses, as the selector of the plain one. */
  private static int selector(String mode, int n) {
    int selector = 0;
    for (int i = 0; i < 4; i++) {
      int choice =
          switch (mode) {
            case "F4E" -> n + i;
            case "B4E" -> n - i & 7;
            case "RC8" -> n;
            case "ECL" -> Math.max(n, i);
            case "ECR" -> Math.min(n, i);
            default -> 2 * (n & 1) + (i & 1);
          };
      selector |= choice << 4 * i;
    }
    return selector;
  }

  private static int permute(int a, int selector, int b) {
    long bytes = Words64.join(a, b);
    int result = 0;
    for (int i = 0; i < 4; i++) {
      int choice = selector >>> 4 * i & 15;
      int value = (int) (bytes >>> 8 * (choice & 7)) & 0xff;
      if ((choice & 8) != 0) {
        value = (value & 0x80) != 0 ? 0xff : 0;
      }
      result |= value << 8 * i;
    }
    return result;
  }

  private static Lanewise.Test order(SassInstruction instruction, boolean unsigned) {
    return switch (instruction.modifiers().get(0)) {
      case "EQ" -> (a, b) -> a == b;
      case "NE" -> (a, b) -> a != b;
      case "LT" -> unsigned ? (a, b) -> Long.compareUnsigned(a, b) < 0 : (a, b) -> a < b;
      case "LE" -> unsigned ? (a, b) -> Long.compareUnsigned(a, b) <= 0 : (a, b) -> a <= b;
      case "GT" -> unsigned ? (a, b) -> Long.compareUnsigned(a, b) > 0 : (a, b) -> a > b;
      case "GE" -> unsigned ? (a, b) -> Long.compareUnsigned(a, b) >= 0 : (a, b) -> a >= b;
      case "T" -> (a, b) -> true;
      case "F" -> (a, b) -> false;
      default -> throw instruction.unsupported("unknown comparison");
    };
  }

  private static LaneOperation compare(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow(
        "EQ", "NE", "LT", "LE", "GT", "GE", "T", "F", "U32", "AND", "OR", "XOR", "EX");
    boolean unsigned = instruction.has("U32");
    Lanewise.Test test = order(instruction, unsigned);
    Source[] a = {form.integer(0)};
    Source[] b = {form.integer(1)};
    if (!instruction.has("EX")) {
      return Lanewise.compare(form, a, b, false, test);
    }
    // The upper words of a 64-bit comparison: where they are equal, the lower ones have decided.
    Form.Input lower = form.input(1);
    String combination = instruction.oneOf("AND", "AND", "OR", "XOR");
    return (warp, mask) -> {
      int[] x = a[0].read(warp);
      int[] y = b[0].read(warp);
      int below = lower.read(warp);
      int result = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        boolean holds =
            x[lane] == y[lane] ? (below >> lane & 1) != 0 : test.holds(x[lane], y[lane]);
        result |= holds ? 1 << lane : 0;
      }
      int other = form.input(0).read(warp);
      warp.setPredicate(form.output(0), mask, Lanewise.combine(combination, result, other));
      warp.setPredicate(form.output(1), mask, Lanewise.combine(combination, ~result, other));
    };
  }

  private static LaneOperation leadingOne(Form form) {
    form.instruction.allow("U32", "S32", "SH");
    boolean unsigned = form.instruction.has("U32");
    boolean shift = form.instruction.has("SH");
    return Lanewise.of(
        form.destination,
        form.integer(0),
        (a, b, c) -> {
          int position = 31 - Integer.numberOfLeadingZeros(unsigned || a >= 0 ? a : ~a);
          return position < 0 ? -1 : shift ? 31 - position : position;
        });
  }

  private static LaneOperation signExtend(Form form) {
    form.instruction.allow("U32", "W");
    boolean unsigned = form.instruction.has("U32");
    boolean wrap = form.instruction.has("W");
    return Lanewise.of(
        form.destination,
        form.integer(0),
        form.integer(1),
        (a, b, c) -> {
          int bits = wrap ? b & 31 : b;
          if (bits == 0) {
            return 0;
          }
          int away = 32 - Math.min(32, Math.max(0, bits));
          return unsigned ? a << away >>> away : a << away >> away;
        });
  }

  /** Four products of bytes, or two of 16-bit numbers and bytes, added. */
  private static LaneOperation dotProduct(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("4A", "2A", "LO", "HI", "S8", "U8", "S16", "U16");
    int types = instruction.modifiers().size() - 2;
    boolean four = instruction.has("4A");
    if (types < (four ? 1 : 2) || !four && !instruction.has("2A")) {
      throw instruction.unsupported("expected .4A, .2A.LO or .2A.HI, and two types");
    }
    boolean signedFirst = instruction.modifiers().get(types).startsWith("S");
    boolean signedSecond = instruction.modifiers().get(types + 1).startsWith("S");
    int width = four ? 8 : 16;
    int start = instruction.has("HI") ? 16 : 0;
    return Lanewise.of(
        form.destination,
        form.integer(0),
        form.integer(1),
        form.integer(2),
        (a, b, c) -> {
          int sum = c;
          for (int i = 0; i < 32 / width; i++) {
            int x = a << 32 - width * (i + 1);
            int y = b << 24 - start - 8 * i;
            x = signedFirst ? x >> 32 - width : x >>> 32 - width;
            sum += x * (signedSecond ? y >> 24 : y >>> 24);
          }
          return sum;
        });
  }

  private static LaneOperation addHalves(Form form) {
    boolean subtractFirst = form.source(0).negative() && form.source(0).is(Kind.REGISTER);
    boolean subtractSecond = form.source(1).negative() && form.source(1).is(Kind.REGISTER);
    return Lanewise.of(
        form.destination,
        form.plain(0),
        form.plain(1),
        (a, b, c) -> {
          int low = (subtractFirst ? -a : a) + (subtractSecond ? -b : b);
          int high =
              (subtractFirst ? -(a >>> 16) : a >>> 16) + (subtractSecond ? -(b >>> 16) : b >>> 16);
          return high << 16 | low & 0xffff;
        });
  }

  /** Differences of bytes, each by itself or all added. */
  private static LaneOperation differences(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("U8", "S8", "ACC");
    boolean unsigned = instruction.has("U8");
    boolean add = instruction.has("ACC");
    return Lanewise.of(
        form.destination,
        form.integer(0),
        form.integer(1),
        form.integer(2),
        (a, b, c) -> {
          int sum = c;
          int bytes = 0;
          for (int shift = 0; shift < 32; shift += 8) {
            int x = unsigned ? a >>> shift & 0xff : (byte) (a >> shift);
            int y = unsigned ? b >>> shift & 0xff : (byte) (b >> shift);
            sum += Math.abs(x - y);
            bytes |= (Math.abs(x - y) & 0xff) << shift;
          }
          return add ? sum : bytes;
        });
  }

  private static int bitMask(int position, int width) {
    long ones = Integer.compareUnsigned(width, 32) >= 0 ? MASK : (1L << width) - 1;
    return Integer.compareUnsigned(position, 32) >= 0 ? 0 : (int) (ones << position);
  }

  private static int difference(int a, int b, boolean unsigned) {
    boolean less = unsigned ? Integer.compareUnsigned(a, b) < 0 : a < b;
    return less ? b - a : a - b;
  }
}
